"""Enhance: units know their session's day and topic, and nothing of what is yet to be said."""

from layered import MakeUnit

from clew.memory import Memory
from clew.model import Add, Unit
from clew.stages.enhance import Bare, SessionContext
from clew.stages.extract import Told


def heads(units: list[Unit]) -> list[str]:
    return [unit.context.splitlines()[0] for unit in units]


def test_a_topic_is_what_several_units_of_the_session_tell_up_to_then(
    memory: Memory, unit: MakeUnit
) -> None:
    texts = ["Beijing soon", "a hotel in Beijing", "the hotel is full", "Booked it"]
    units = [unit(n, text) for n, text in enumerate(texts)]
    made = SessionContext(words=2)(Told(units), (), memory)
    assert heads(made) == [
        "[15 November 2025]",
        "[15 November 2025 | beijing]",
        "[15 November 2025 | beijing, hotel]",
        "[15 November 2025 | beijing, hotel]",
    ]
    assert made.how is not None and made.how.figures == {"topics": 3}
    assert made[3].context.endswith("\nBooked it")
    assert made[3].text == "Booked it"  # what a reader sees stays as it was said


def test_later_messages_change_nothing_of_earlier_ones(memory: Memory, unit: MakeUnit) -> None:
    texts = ["the kiln broke", "the kiln is old", "tulips", "tulips again", "more tulips"]
    units = [unit(n, text) for n, text in enumerate(texts)]
    whole = SessionContext()(Told(units), (), memory)
    assert SessionContext()(Told(units[:2]), (), memory) == whole[:2]


def test_a_session_goes_on_where_the_last_chunk_ended(memory: Memory, unit: MakeUnit) -> None:
    texts = ["the kiln broke", "the kiln is old", "what a pity"]
    units = [unit(n, text) for n, text in enumerate(texts)]
    whole = SessionContext()(Told(units), (), memory)
    for made in whole[:2]:
        memory.apply(Add(made))
    assert SessionContext()(Told(units[2:]), (), memory) == whole[2:]


def test_what_was_common_before_the_session_is_no_topic_of_it(
    memory: Memory, unit: MakeUnit
) -> None:
    for n in range(6):
        memory.apply(Add(unit(n, f"work work {n}", hours=1)))
    units = [unit(n, "work on the kiln", hours=72) for n in (10, 11)]
    assert heads(SessionContext(words=1)(Told(units), (), memory))[1] == "[18 November 2025 | kiln]"


def test_units_stand_in_the_spaces_of_their_layer_session_and_topic(
    memory: Memory, unit: MakeUnit
) -> None:
    units = [unit(n, "the kiln") for n in range(2)]
    first, second = SessionContext()(Told(units), (), memory)
    assert first.spaces == {"basic", "session:0"}
    assert second.spaces == {"basic", "session:0", "topic:kiln"}
    assert [made.spaces for made in Bare()(Told(units), (), memory)] == [first.spaces] * 2
    assert [made.context for made in Bare()(Told(units), (), memory)] == ["", ""]


def test_no_unit_is_no_session(memory: Memory) -> None:
    assert SessionContext()(Told([]), (), memory) == []
