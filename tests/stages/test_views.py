"""Views: what is found by meaning, by words, or by names and times is in the context, once."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from clew.memory import Memory
from clew.model import Abstract, Archive, Entity, Query, Scored, Unit
from clew.stages.intent import InferByRule, Intent
from clew.stages.summarise import Joined
from clew.stages.views import Union
from clew.stages.weigh import Wanted
from clew.trace import recording

Told = Callable[..., list[Unit]]


def ids(found: tuple[Scored, ...]) -> list[str]:
    return [scored.unit.id for scored in found]


def intent(semantic: str, lexical: str = "", n: int = 1) -> Intent:
    return Intent(semantic, lexical or semantic, Wanted.nothing(), n)


def test_each_view_gives_its_best_and_what_two_give_stands_once(memory: Memory, told: Told) -> None:
    heron, kiln = told(("A heron stood by the pond", 0, set()), ("The kiln cracked", 1, set()))
    assert ids(Union()(intent("heron pond"), memory)) == [heron.id]
    both = Union()(intent("heron pond", "kiln"), memory)
    assert sorted(ids(both)) == [heron.id, kiln.id]
    first, *_ = Union()(intent("heron pond"), memory)
    assert first.lexical == 1.0 and first.dense > 0.5 and first.score == 1.0


def test_what_is_first_in_any_view_comes_first(memory: Memory, told: Told) -> None:
    heron, other, kiln = told(
        ("A heron stood by the pond", 0, set()),
        ("Another heron stood there and looked", 1, set()),
        ("The kiln cracked", 2, set()),
    )
    found = Union()(intent("heron pond", "kiln", n=2), memory)
    assert ids(found) == [heron.id, kiln.id, other.id]
    assert [round(scored.score, 3) for scored in found] == [1.0, 1.0, round(61 / 62, 3)]


@pytest.mark.parametrize("n", [1, 3])
def test_n_of_each_view_and_no_more(memory: Memory, told: Told, n: int) -> None:
    told(*((f"heron number {k} by the pond", k, set()) for k in range(5)))
    told_too = Union()(intent("heron pond", "number", n), memory)
    assert n <= len(told_too) <= 2 * n


def test_names_and_times_find_what_no_other_view_does(memory: Memory, told: Told) -> None:
    memory.graph.put_entities([Entity("rex", "Rex", "thing")])
    pond, dug, late = told(
        ("A heron stood by the pond", 0, set()),
        ("He dug up the beans", 24, {"rex"}),
        ("Beans again", 24 * 60, {"rex"}),
    )
    asked_at = late.said_at + timedelta(days=1) if late.said_at else None
    plan = InferByRule()(Query("What of Rex in November 2025?", asked_at, "talk"), memory)
    with recording() as trace:
        found = Union(pool=1)(Intent("heron pond", "heron", plan.wanted, 1), memory)
    assert set(ids(found)) == {pond.id, dug.id}
    assert trace.counts["plan.met"] == 1
    with recording() as trace:
        assert ids(Union(pool=1)(intent("heron pond"), memory)) == [pond.id]
    assert trace.counts["plan.met"] == 0


def test_what_was_united_is_found_as_one(memory: Memory, told: Told) -> None:
    memory.graph.put_entities([Entity("rex", "Rex", "thing")])
    members = tuple(told(("Rex dug", 0, {"rex"}), ("Rex dug up beans", 1, {"rex"})))
    whole = Joined()(members, 1, memory)
    memory.revise([Abstract(whole, members), *(Archive(each, whole) for each in members)])
    wanted = Wanted.of(Query("What did Rex dig?", None, "talk"), memory)
    assert ids(Union()(Intent("Rex dug", "Rex dug", wanted, 3), memory)) == [whole.id]


def test_nothing_is_found_for_nothing(memory: Memory, told: Told) -> None:
    told(("A heron", 0, set()))
    assert Union()(intent(" ", " "), memory) == ()
    assert Union()(intent("heron", "kiln"), memory) != ()
