"""Gate: what was said a moment ago is dropped, what comes back later is kept."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from clew.errors import ConfigError
from clew.memory import Memory
from clew.model import Add, Merge, Message, Unit
from clew.stages.gate import KeepAll, NearRepeat

MakeUnit = Callable[..., Unit]
MakeMessage = Callable[..., Message]
LINE = "The heron stood by the mill pond again"


def test_a_near_repeat_within_the_hour_is_dropped_and_noted(
    memory: Memory, message: MakeMessage, unit: MakeUnit
) -> None:
    memory.apply(Add(unit(1, LINE)))
    repeat = message(2, LINE)
    assert not NearRepeat(likeness=0.6)(repeat, memory)
    assert [entry.op for entry in memory.graph.ledger()] == ["ADD", "DROP"]
    assert "D1:2" in memory.graph.processed()
    assert [m.id for m in memory.graph.messages()] == ["D1:2"]


def test_the_same_words_an_hour_later_are_kept(
    memory: Memory, message: MakeMessage, unit: MakeUnit
) -> None:
    memory.apply(Add(unit(1, LINE)))
    assert not NearRepeat(likeness=0.6)(message(0, LINE, hours=59 / 60), memory)
    assert NearRepeat(likeness=0.6)(message(0, LINE, hours=1), memory)


def test_another_subject_is_kept(memory: Memory, message: MakeMessage, unit: MakeUnit) -> None:
    memory.apply(Add(unit(1, LINE)))
    assert NearRepeat(likeness=0.6)(message(2, "Supper was late tonight"), memory)


def test_likeness_must_be_above_the_threshold_not_at_it(
    memory: Memory, message: MakeMessage, unit: MakeUnit
) -> None:
    memory.apply(Add(unit(1, LINE)))
    assert NearRepeat(likeness=1.0)(message(2, LINE), memory)


def test_the_first_message_finds_an_empty_memory(memory: Memory, message: MakeMessage) -> None:
    assert NearRepeat()(message(1, LINE), memory)
    assert NearRepeat()(message(2, ""), memory)


def test_without_a_time_nothing_is_a_near_repeat(
    memory: Memory, message: MakeMessage, unit: MakeUnit
) -> None:
    memory.apply(Add(unit(1, LINE, said_at=None)))
    assert NearRepeat(likeness=0.6)(message(2, LINE), memory)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("The train home leaves at 18:10", "The train home leaves at 18:40"),
        ("I have the key of the mill", "I do not have the key of the mill"),
        ("We keep two geese on the mill pond", "We keep nine geese on the mill pond"),
    ],
)
def test_only_the_guard_keeps_a_changed_detail(
    memory: Memory, message: MakeMessage, unit: MakeUnit, known: str, said: str
) -> None:
    memory.apply(Add(unit(1, known)))
    assert NearRepeat(likeness=0.6, guarded=True)(message(2, said), memory)
    assert not NearRepeat(likeness=0.6, guarded=False)(message(3, said), memory)


def test_the_guard_keeps_what_another_speaker_says(
    memory: Memory, message: MakeMessage, unit: MakeUnit
) -> None:
    memory.apply(Add(unit(1, LINE)))
    guarded = NearRepeat(likeness=0.6, guarded=True)
    assert guarded(message(2, LINE, speaker="Bob"), memory)
    assert not guarded(message(3, LINE), memory)


def test_the_guard_keeps_a_message_with_a_picture(
    memory: Memory, message: MakeMessage, unit: MakeUnit
) -> None:
    memory.apply(Add(unit(1, LINE)))
    pictured = replace(message(2, LINE), caption="a heron on one leg")
    assert NearRepeat(likeness=0.6, guarded=True)(pictured, memory)


def test_what_was_merged_a_moment_ago_was_seen_a_moment_ago(
    memory: Memory, message: MakeMessage, unit: MakeUnit
) -> None:
    known = unit(1, LINE)
    memory.apply(Add(known))
    memory.apply(Merge(unit(2, LINE, hours=72), known, 1.0, 1.0))
    assert not NearRepeat(likeness=0.6)(message(15, LINE, hours=72), memory)


def test_what_was_said_long_ago_in_nearer_words_is_the_neighbour_that_counts(
    memory: Memory, message: MakeMessage, unit: MakeUnit
) -> None:
    memory.apply(Add(unit(1, LINE)))
    memory.apply(Add(unit(2, f"{LINE} today", hours=50)))
    assert NearRepeat(likeness=0.6)(message(3, LINE, hours=50), memory)
    assert not NearRepeat(likeness=0.6)(message(4, f"{LINE} today", hours=50), memory)


def test_of_equal_neighbours_the_recent_one_counts(
    memory: Memory, message: MakeMessage, unit: MakeUnit
) -> None:
    memory.apply(Add(unit(1, LINE)))
    memory.apply(Add(unit(2, LINE, hours=50)))
    assert not NearRepeat(likeness=0.6)(message(3, LINE, hours=50), memory)
    assert memory.graph.ledger()[-1].targets == ("D1:3", "D1:2.00")


def test_nothing_is_a_repetition_of_what_was_merged_long_ago(
    memory: Memory, message: MakeMessage, unit: MakeUnit
) -> None:
    known = unit(1, LINE)
    memory.apply(Add(known))
    memory.apply(Merge(unit(2, LINE, hours=72), known, 1.0, 1.0))
    assert NearRepeat(likeness=0.6)(message(3, LINE, hours=40), memory)
    assert NearRepeat(likeness=0.6)(message(4, LINE, hours=80), memory)


def test_a_repeated_unit_competes_with_what_is_new_within_the_hour(
    memory: Memory, message: MakeMessage, unit: MakeUnit
) -> None:
    known = unit(1, LINE)
    memory.apply(Add(known))
    memory.apply(Add(unit(3, f"{LINE} in the rain", hours=72)))
    memory.apply(Merge(unit(2, LINE, hours=72), known, 1.0, 1.0))
    assert not NearRepeat(likeness=0.6)(message(15, LINE, hours=72), memory)
    assert memory.graph.ledger()[-1].targets == ("D1:15", known.id)


def test_the_twin_keeps_everything(memory: Memory, message: MakeMessage, unit: MakeUnit) -> None:
    memory.apply(Add(unit(1, LINE)))
    assert KeepAll()(message(2, LINE), memory)


def test_numbers_out_of_range_are_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="likeness"):
        NearRepeat(likeness=1.7)
    with pytest.raises(ConfigError, match="within"):
        NearRepeat(within=timedelta(hours=-1))
