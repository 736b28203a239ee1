"""Budget: what may be spent is never exceeded, and what is known already costs nothing."""

import sys
from contextlib import suppress
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "stages"))  # for talking

from talking import Model

from clew.errors import ConfigError, LlmSpent
from clew.models.asking import Asking
from clew.models.budget import Budget, resumed, within
from clew.models.cache import cached
from clew.models.llm import Ask, Reply, Usage, prompt_tokens
from clew.models.nothing import NoLlm
from clew.models.price import Price
from clew.models.scripted import Scripted

PRICE = Price(currency="EUR", prompt=1.0, completion=4.0)


class Counting(Model):
    """Takes as many tokens as our own count of the prompt, and 10 for a reply."""

    settings = {"model": "told"}  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__(
            lambda ask: Reply("yes", Usage(1, prompt_tokens(ask), 10)), pause=lambda ask: 0.002
        )


def ask(n: int, most: int = 20) -> Ask:
    return Ask("p", "", f"number {n}", max_tokens=most)


EACH = prompt_tokens(ask(1))


def test_an_ask_that_may_exceed_the_budget_is_not_sent() -> None:
    model = Counting()
    bound = within(model, Budget(tokens=2 * (EACH + 10) + 10))
    assert bound(ask(1)).text == bound(ask(2)).text == "yes"
    told = rf"{2 * (EACH + 10)} tokens are spent, .* {EACH + 20} tokens: raise llm\.budget\.tokens"
    with pytest.raises(LlmSpent, match=told):
        bound(ask(3))
    assert bound(ask(4, 10 - EACH)).text == "yes"  # a shorter one still fits
    assert len(model.asked) == 3


@pytest.mark.parametrize("concurrency", [1, 8])
def test_as_many_are_answered_as_fit_however_many_are_out_at_once(concurrency: int) -> None:
    model, fit = Counting(), 5
    llm = Asking(within(model, Budget(tokens=fit * (EACH + 10) + 10)), concurrency)
    begun = [llm.begin(ask(n)) for n in range(9)]
    answered = 0
    for pending in begun:
        with suppress(LlmSpent):
            answered += pending.result().text == "yes"
    llm.close()
    assert answered == len(model.asked) == fit
    assert llm.spent.tokens == fit * (EACH + 10)


def test_what_is_known_costs_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "llm.db")
    budget = Budget(tokens=EACH + 25)
    first = cached(within(Counting(), budget), path)
    assert first(ask(1)).usage.calls == 1
    assert [first(ask(1)).cached for _ in range(9)] == [True] * 9
    with pytest.raises(LlmSpent):
        first(ask(2))
    first.close()


def test_money_is_counted_by_the_price() -> None:
    assert PRICE.of(Usage(1, 1_000_000, 500_000, cached=1, cached_tokens=9)) == pytest.approx(3.0)
    each = (EACH + 4 * 10) / 1e6
    bound = within(Counting(), Budget(money=2 * each + 40e-6, price=PRICE))
    bound(ask(1))
    bound(ask(2))
    with pytest.raises(LlmSpent, match=r"EUR, .* raise llm\.budget\.money"):
        bound(ask(3))


def test_a_price_tells_what_it_is_also_where_nobody_knows() -> None:
    assert str(PRICE) == "1 and 4 EUR a million tokens, as of an unknown date"
    assert str(Price()) == str(Price(prompt=1.0)) == "unknown"


def test_money_without_a_price_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"money: nobody knows what tokens cost: set price="):
        Budget(money=5.0)


def test_what_earlier_starts_have_spent_counts() -> None:
    budget = Budget(tokens=1000)
    llm = resumed(Scripted(budget=budget), lambda: Usage(3, 900, 90))
    with pytest.raises(LlmSpent, match="990 tokens are spent"):
        llm(ask(1))
    llm.close()


def test_what_was_spent_is_not_looked_up_where_nothing_bounds_it() -> None:
    def never() -> Usage:
        raise AssertionError

    for llm in (NoLlm(), Scripted(), Scripted(budget=Budget(price=PRICE))):
        assert resumed(llm, never) is llm
