"""Repeats: what was merged was said again, in this process or an earlier one."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from clew.model import Add, Evidence, Merge, Unit
from clew.repeats import Repeats
from clew.stores.sqlite import SqliteGraph

T = datetime(2025, 3, 1, 9, tzinfo=UTC)


def told(n: int, hours: float | None) -> Unit:
    at = None if hours is None else T + timedelta(hours=hours)
    return Unit(f"D1:{n}.00", "talk", f"line {n}", at, "1", n, "Ana", (Evidence(f"D1:{n}"),))


def within(repeats: Repeats, start: float, end: float) -> list[str]:
    return repeats.between(T + timedelta(hours=start), T + timedelta(hours=end))


@pytest.fixture
def merged(tmp_path: Path) -> Iterator[Callable[..., list[Repeats]]]:
    """Merge pairs of units; return what was noted on the way, and what is read afterwards."""
    graph = SqliteGraph(tmp_path, "talk")

    def carry_out(*pairs: tuple[Unit, Unit]) -> list[Repeats]:
        noted = Repeats(graph)
        for known, again in pairs:
            graph.put([known])
            graph.record(Add(known))
            graph.record(Merge(again, known, 1.0, 1.0))
            noted.note(known, again)
        return [noted, Repeats(graph)]

    yield carry_out
    graph.close()


def test_a_unit_is_found_when_it_was_last_said_and_both_ends_count(
    merged: Callable[..., list[Repeats]],
) -> None:
    for repeats in merged((told(1, 0), told(2, 5)), (told(3, 1), told(4, 6))):
        assert within(repeats, 5, 6) == ["D1:1.00", "D1:3.00"]
        assert within(repeats, 5.1, 5.9) == [] and within(repeats, 0, 4) == []


def test_only_the_last_time_counts_also_where_it_is_told_first(
    merged: Callable[..., list[Repeats]],
) -> None:
    first, more = told(1, 0), [told(2, 9), told(3, 4), told(4, 9)]
    for repeats in merged(*((first, again) for again in more)):
        assert within(repeats, 8, 10) == ["D1:1.00"]
        assert within(repeats, 0, 5) == []


def test_what_is_told_late_was_last_said_when_it_was_first_stored(
    merged: Callable[..., list[Repeats]],
) -> None:
    for repeats in merged((told(1, 7), told(2, 2))):
        assert within(repeats, 7, 7) == ["D1:1.00"] and within(repeats, 2, 2) == []


def test_without_any_time_nothing_is_recent(merged: Callable[..., list[Repeats]]) -> None:
    for repeats in merged((told(1, None), told(2, None))):
        assert within(repeats, -9999, 9999) == []
