"""Budget: the most that a run may spend on replies, and the model that keeps within it.

An ask is sent only if its prompt and the longest reply it allows are within the budget, so
no more is spent, but for what a server counts beyond our own count of the prompt. What is known
already costs nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from threading import Condition
from typing import Annotated, Any

from pydantic import Field

from clew.errors import ConfigError, LlmSpent
from clew.models.cache import Source
from clew.models.llm import Ask, Llm, Reply, Usage, prompt_tokens
from clew.models.price import Price
from clew.stage import Count, checked

Money = Annotated[float, Field(gt=0, allow_inf_nan=False)]


@checked
class Budget:
    """At most so many `tokens`, of prompts and replies together, or so much `money` by `price`.

    `spent` is what the run paid for before this start.
    """

    tokens: Count | None = None
    money: Money | None = None
    price: Price = Price()
    spent: Usage = Usage()

    def __post_init__(self) -> None:
        """Refuse money where nobody knows what it buys."""
        if self.money is not None and not self.price.known:
            raise ConfigError(
                "Budget: money: nobody knows what tokens cost: set price= to one of conf/price, "
                "or price.prompt= and price.completion="
            )

    def covers(self, usage: Usage) -> bool:
        """Tell whether so much may be spent in all."""
        return not self.exceeded(usage)

    def exceeded(self, usage: Usage) -> str:
        """Name the setting that does not allow so much to be spent in all, or ""."""
        if self.tokens is not None and usage.tokens > self.tokens:
            return "llm.budget.tokens"
        if self.money is not None and self.price.of(usage) > self.money:
            return "llm.budget.money"
        return ""

    def told(self, usage: Usage) -> str:
        """Say how much that is: in money where there is a price."""
        money = f"{self.price.of(usage):.4f} {self.price.currency}, " if self.price.known else ""
        return f"{money}{usage.tokens:,} tokens"


def resumed(llm: Llm, spent: Callable[[], Usage]) -> Llm:
    """Return a model that knows what a run has spent before, which is read only if it is bound."""
    budget: Budget | None = getattr(llm, "budget", None)
    if budget is None or (budget.tokens is None and budget.money is None):
        return llm
    known: Any = llm  # of conf/llm: a frozen dataclass
    bound: Llm = replace(known, budget=replace(budget, spent=spent()))
    return bound


def within(model: Source, budget: Budget | None) -> Source:
    """Return a model that keeps within a budget."""
    return model if budget is None else Bounded(model, budget)


class Bounded:
    """Passes an ask on if the budget allows it whatever the reply; else nothing is sent."""

    def __init__(self, model: Source, budget: Budget) -> None:
        self._model, self._budget = model, budget
        self._spent, self._promised = budget.spent, Usage()
        self._changed = Condition()

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    @property
    def settings(self) -> Mapping[str, Any]:
        """What replies depend on beside the ask."""
        return self._model.settings

    def __call__(self, ask: Ask) -> Reply:
        """Return the model's reply.

        Raises:
            LlmSpent: what is left of the budget may not be enough for it.
        """
        most = Usage(1, prompt_tokens(ask), ask.max_tokens)
        self._promise(most)
        paid = Usage()
        try:
            reply = self._model(ask)
            paid = reply.usage
            return reply
        finally:
            with self._changed:
                self._promised -= most
                self._spent += paid
                self._changed.notify_all()

    def close(self) -> None:
        """Let go of the model."""
        self._model.close()

    def _promise(self, most: Usage) -> None:
        """Set aside what a reply may take; what is out may turn out to leave enough for it."""
        with self._changed:
            self._changed.wait_for(
                lambda: (
                    self._budget.covers(self._spent + self._promised + most)
                    or not self._budget.covers(self._spent + most)
                )
            )
            if setting := self._budget.exceeded(self._spent + most):
                raise LlmSpent(
                    f"{self._budget.told(self._spent)} are spent, and another ask may take "
                    f"{self._budget.told(most)}: raise {setting}; the same command goes on"
                )
            self._promised += most
