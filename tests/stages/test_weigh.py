"""Weigh: three views in one score; abstract units first, and what they tell of for details."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from clew.memory import Memory
from clew.model import Abstract, Archive, Entity, Ingest, Message, Query, Scored, Unit
from clew.stages.depth import Reach
from clew.stages.summarise import Medoid
from clew.stages.weigh import Weighted
from clew.trace import recording

Told = Callable[..., list[Unit]]
ASKED = datetime(2025, 12, 24, tzinfo=UTC)


def ask(text: str) -> Query:
    return Query(text, ASKED, "talk")


def reach(k: int, detailed: bool = True) -> Reach:
    return Reach(k, detailed)


def archive(members: list[Unit], level: int, memory: Memory) -> Unit:
    """Put members together, and return the abstract unit."""
    made = Medoid()(members, level, memory)
    told = [Archive(member, made) for member in members]
    memory.revise([Abstract(made, tuple(members)), *told])
    return made


def ids(found: tuple[Scored, ...]) -> list[str]:
    return [scored.unit.id for scored in found]


def test_the_score_is_the_weighted_sum_of_the_views(memory: Memory, told: Told) -> None:
    told(("The heron stood by the pond", 0, set()), ("A ferry sank", 1, set()))
    first, *_ = Weighted(around=0.0)(ask("heron pond"), reach(2), memory)
    assert first.lexical == 1.0
    assert first.score == pytest.approx(0.5 * first.dense + 0.3 * first.lexical)
    dense = Weighted(dense=1.0, lexical=0.0, symbolic=0.0, around=0.0)
    assert dense(ask("heron pond"), reach(1), memory)[0].score == pytest.approx(first.dense)


def test_so_many_units_as_it_reaches_come_best_first(memory: Memory, told: Told) -> None:
    told(*[(f"The heron number {n} stood by the pond", n * 30, set()) for n in range(8)])
    found = Weighted()(ask("heron pond"), reach(5), memory)
    assert len(found) == 5
    assert list(found) == sorted(found, key=lambda s: (-s.score, s.unit.id))
    assert Weighted()(ask("  "), reach(5), memory) == ()


def test_who_and_what_is_named_weighs_and_is_found_where_no_other_view_looks(
    memory: Memory, told: Told
) -> None:
    memory.graph.put_entities([Entity("rex", "Rex", "thing")])
    units = told(
        *[("Is there any news of it?", n, set()) for n in range(3)], ("He barked", 9, {"rex"})
    )
    query = ask("Is there any news of Rex?")
    with recording() as trace:
        found = Weighted(pool=1)(query, reach(4), memory)
    assert units[-1].id in ids(found) and trace.counts["weigh.met"] == 1
    heavy = Weighted(dense=0.0, lexical=0.0, symbolic=1.0)(query, reach(1), memory)
    assert ids(heavy) == [units[-1].id]


def test_a_named_time_is_met_by_what_was_said_or_took_place_then(
    memory: Memory, told: Told
) -> None:
    before, then = told(("We rowed", 0, set()), ("We rowed", 24 * 20, set()))
    only = Weighted(dense=0.0, lexical=0.0, symbolic=1.0)
    assert ids(only(ask("What did we do in December 2025?"), reach(1), memory)) == [then.id]
    assert ids(only(ask("What did we do in November 2025?"), reach(1), memory)) == [before.id]


def test_both_a_name_and_a_time_have_to_be_met(memory: Memory, told: Told) -> None:
    talk = [Message("D1:9", "talk", "1", 9, "Bruno", "Hm", None)]
    memory.ingest(talk, [], Ingest(tuple(talk), 0))
    told(("We rowed", 0, set()))  # by Alice
    with recording() as trace:
        Weighted()(ask("What did Bruno do in November 2025?"), reach(1), memory)
    assert trace.counts["weigh.met"] == 0


def test_a_plain_question_is_told_the_abstract_and_a_detailed_one_what_is_under_it(
    memory: Memory, told: Told
) -> None:
    *cups, boat = told(
        *[(f"Coffee at the mill, cup {word}", n, set()) for n, word in enumerate("xyz")],
        ("A ferry sank", 9, set()),
    )
    made = archive(cups, 1, memory)
    query = ask("Who had coffee at the mill, cup z?")
    plain = Weighted()(query, reach(2, detailed=False), memory)
    assert ids(plain) == [made.id, boat.id]
    with recording() as trace:
        detailed = Weighted()(query, reach(2), memory)
    assert ids(detailed)[0] == cups[2].id and made.id not in ids(detailed)
    assert trace.counts["weigh.detailed"] == 1
    assert plain[0].score == detailed[0].score  # as good as the best of what it tells of


def test_details_are_reached_through_every_level(memory: Memory, told: Told) -> None:
    units = told(*[(f"Coffee at the mill, cup {word}", n, set()) for n, word in enumerate("vwxyz")])
    low = archive(units[:2], 1, memory), archive(units[2:], 1, memory)
    top = archive(list(low), 2, memory)
    query = ask("Who had coffee, cup y?")
    assert ids(Weighted()(query, reach(9, detailed=False), memory)) == [top.id]
    assert ids(Weighted()(query, reach(1), memory)) == [units[3].id]


def test_an_abstract_stays_where_nothing_under_it_was_found(memory: Memory, told: Told) -> None:
    cups = told(*[(f"Coffee at the mill, cup {word}", n, set()) for n, word in enumerate("xyz")])
    habit = replace(Medoid()(cups, 1, memory), text="A breakfast habit", context="")
    memory.revise([Abstract(habit, tuple(cups)), *(Archive(cup, habit) for cup in cups)])
    assert ids(Weighted(pool=1)(ask("breakfast"), reach(3), memory)) == [habit.id]
