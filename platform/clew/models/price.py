"""Price: what the tokens of a model cost, as a file of conf/price tells it."""

from typing import Annotated

from pydantic import Field

from clew.models.llm import Usage
from clew.stage import checked

MILLION = 1_000_000

PerMillion = Annotated[float, Field(ge=0, allow_inf_nan=False)]


@checked
class Price:
    """The list price of a `model`, in `currency` a million tokens, as published on `as_of`.

    Without `prompt` and `completion` nobody knows what anything costs.
    """

    model: str | None = None
    as_of: str | None = None
    currency: str = "USD"
    prompt: PerMillion | None = None
    completion: PerMillion | None = None

    @property
    def known(self) -> bool:
        """Whether it says what tokens cost."""
        return self.prompt is not None and self.completion is not None

    def of(self, usage: Usage) -> float:
        """Return what the tokens of these replies cost; those that were known cost nothing."""
        prompt, completion = self.prompt or 0.0, self.completion or 0.0
        return (usage.prompt_tokens * prompt + usage.completion_tokens * completion) / MILLION

    def __str__(self) -> str:
        if not self.known:
            return "unknown"
        told = f"{self.prompt:g} and {self.completion:g} {self.currency} a million tokens"
        of = f" of {self.model}" if self.model else ""
        return f"{told}{of}, as of {self.as_of or 'an unknown date'}"
