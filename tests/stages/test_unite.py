"""Unite: fragments of one session and speaker that are alike become one memory as they come in."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from clew.memory import Memory
from clew.model import Unit
from clew.stages.summarise import Joined
from clew.stages.unite import Apart, AtWrite, Unite
from clew.when import TimeSpan

MakeUnit = Callable[..., Unit]
COFFEE = ("I want black coffee", "Black coffee, hot, I want", "I want black coffee with oat milk")


@pytest.fixture
def write(memory: Memory, unit: MakeUnit) -> Callable[..., list[Unit]]:
    """Write (text, fields of the unit) as Alice's, and return all units that are active."""

    def written(*told: tuple[str, dict[str, Any]], stage: Unite | None = None) -> list[Unit]:
        units = [unit(n, f"Alice: {text}", **more) for n, (text, more) in enumerate(told)]
        for each in units:
            memory.revise((stage or AtWrite())([each], Joined(), memory))
        stamps = memory.graph.stamps()
        return [each for each in memory.graph.units() if not stamps[each.id].archived]

    return written


def test_alike_fragments_are_told_as_one_and_lead_back_to_their_messages(
    memory: Memory, write: Callable[..., list[Unit]]
) -> None:
    (whole,) = write(*((text, {}) for text in COFFEE))
    assert whole.text == (
        "Alice: I want black coffee Black coffee, hot, I want I want black coffee with oat milk"
    )
    assert (whole.level, whole.kind) == (2, "abstract")
    assert [e.message for e in whole.evidence] == ["D1:0", "D1:1", "D1:2"]
    assert memory.graph.views(["D1:1.00"])["D1:1.00"].status == "archived"
    assert "session:0" in whole.spaces


def test_a_window_is_written_in_sight_of_its_own_units(memory: Memory, unit: MakeUnit) -> None:
    units = [unit(n, f"Alice: {text}") for n, text in enumerate(COFFEE)]
    memory.revise(AtWrite()(units, Joined(), memory))
    assert sum(unit.level > 0 for unit in memory.graph.units()) == 2


MAY = TimeSpan(datetime(2025, 5, 1, tzinfo=UTC), datetime(2025, 6, 1, tzinfo=UTC), "month", "May")
LATE = TimeSpan(datetime(2025, 6, 1, tzinfo=UTC), datetime(2025, 7, 1, tzinfo=UTC), "month", "June")


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({}, {"hours": 24}),
        ({}, {"speaker": "Bo"}),
        ({"event": MAY}, {"event": LATE}),
    ],
    ids=["session", "speaker", "time"],
)
def test_what_is_of_another_session_speaker_or_time_stays_apart(
    write: Callable[..., list[Unit]], one: dict[str, Any], two: dict[str, Any]
) -> None:
    assert len(write((COFFEE[0], one), (COFFEE[0], two))) == 2


def test_one_date_goes_to_the_whole(write: Callable[..., list[Unit]]) -> None:
    (whole,) = write((COFFEE[0], {"event": MAY}), (COFFEE[1], {}))
    assert whole.event == MAY


def test_what_is_not_alike_or_would_be_too_long_stays_apart(
    write: Callable[..., list[Unit]],
) -> None:
    assert len(write((COFFEE[0], {}), ("The roof leaks", {}))) == 2


def test_a_memory_that_is_full_takes_up_nothing(write: Callable[..., list[Unit]]) -> None:
    assert len(write(*((text, {}) for text in COFFEE[:2]), stage=AtWrite(words=8))) == 2


def test_the_plain_twin_writes_every_unit_by_itself(write: Callable[..., list[Unit]]) -> None:
    assert len(write(*((text, {}) for text in COFFEE), stage=Apart())) == 3


def test_forgetting_one_fragment_brings_the_others_back(
    memory: Memory, write: Callable[..., list[Unit]]
) -> None:
    (whole,) = write(*((text, {}) for text in COFFEE[:2]))
    assert set(memory.forget({"D1:0"})) == {"D1:0.00", whole.id}
    assert not memory.graph.stamps()["D1:1.00"].archived
    assert len(memory.drift()) == 0


def test_a_nearer_unit_of_another_speaker_is_passed_over(
    write: Callable[..., list[Unit]],
) -> None:
    told = (COFFEE[0], {}), (COFFEE[2], {"speaker": "Bo"}), (COFFEE[2], {})
    assert sorted(unit.level for unit in write(*told)) == [0, 1]


def test_one_time_in_other_words_is_no_other_time(write: Callable[..., list[Unit]]) -> None:
    spring = TimeSpan(MAY.start, MAY.end, "month", "last month")
    assert len(write((COFFEE[0], {"event": MAY}), (COFFEE[0], {"event": spring}))) == 1
