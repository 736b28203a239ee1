"""Expand: edges of Eq. 8, bridges of Eq. 9, each branch as a small story."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from clew.memory import Memory
from clew.model import Edge, Scored, Supersede, Unit
from clew.stages.expand import BaseGraph, Bridges

MakeUnit = Callable[..., Unit]
Told = Callable[..., list[Unit]]


def kinds(edges: tuple[Edge, ...]) -> set[tuple[str, str, str]]:
    return {(e.source[3:4], e.target[3:4], e.kind) for e in edges}


def terminals(*units: Unit) -> list[Scored]:
    return [Scored(unit, 1.0 - n / 10) for n, unit in enumerate(units)]


def test_any_two_units_that_share_an_entity_are_joined_earlier_first(
    memory: Memory, told: Told
) -> None:
    a, b, c = told(("A", 90, {"piano"}), ("B", 0, {"piano", "hall"}), ("C", 40, {"hall"}))
    graph = BaseGraph()(terminals(a, b, c), memory)
    assert kinds(graph.edges) == {("2", "1", "SHARED_ENTITY"), ("2", "3", "SHARED_ENTITY")}


@pytest.mark.parametrize(("hours", "joined"), [(5.9, True), (6, False)])
def test_units_less_than_six_hours_apart_are_joined(
    memory: Memory, told: Told, hours: float, joined: bool
) -> None:
    a, b = told(("A", 0, set()), ("B", hours, set()))
    assert bool(BaseGraph()(terminals(a, b), memory).edges) == joined


def test_speakers_join_nothing(
    memory: Memory, unit: MakeUnit, message: Callable[..., object]
) -> None:
    memory.ingest([message(1, "Hello")], [])  # type: ignore[list-item]
    a = unit(1, "A", 0, entities=frozenset({"alice"}))
    b = unit(2, "B", 48, entities=frozenset({"alice"}))
    assert BaseGraph()(terminals(a, b), memory).edges == ()


def test_stored_updates_between_recalled_units_come_along(
    memory: Memory, told: Told, unit: MakeUnit
) -> None:
    old, other = told(("A", 0, set()), ("B", 50, set()))
    new = unit(3, "C", 99)
    memory.apply(Supersede(new, old, 0.9, 0.5))
    assert kinds(BaseGraph()(terminals(old, new), memory).edges) == {("1", "3", "SUPERSEDES")}
    assert BaseGraph()(terminals(old, other), memory).edges == ()


LINE = "harbour crane"


def bridge_story(told: Told, *at: float) -> list[Unit]:
    """A crane is mentioned at the first two times; what else is told of cranes comes after."""
    first, last, *between = at
    return told(
        ("harbour", first, {"harbour"}),
        ("crane", last, {"crane"}),
        *[(f"the {LINE} broke", hours, set()) for hours in between],
    )


def test_a_unit_between_two_separate_parts_becomes_a_bridge(memory: Memory, told: Told) -> None:
    a, b, middle = bridge_story(told, 0, 100, 50)
    graph = Bridges()(terminals(a, b), memory)
    assert kinds(graph.edges) == {("1", "3", "BRIDGE"), ("3", "2", "BRIDGE")}
    assert [(s.unit, s.role) for s in graph.nodes][-1] == (middle, "bridge")
    assert BaseGraph()(terminals(a, b), memory).edges == ()


@pytest.mark.parametrize("outside", [-1, 0, 100, 101])
def test_a_bridge_lies_strictly_between(memory: Memory, told: Told, outside: float) -> None:
    a, b, _ = bridge_story(told, 0, 100, outside)
    assert len(Bridges()(terminals(a, b), memory).nodes) == 2


@pytest.mark.parametrize(("gap", "found"), [(168, 1), (169, 0)])
def test_parts_more_than_a_week_apart_stay_apart(
    memory: Memory, told: Told, gap: float, found: int
) -> None:
    a, b, _ = bridge_story(told, 0, gap, 50)
    assert len(Bridges()(terminals(a, b), memory).nodes) == 2 + found


def test_parts_closer_than_the_shortest_gap_stay_apart(memory: Memory, told: Told) -> None:
    a, b, _ = bridge_story(told, 0, 0.9, 0.5)
    apart = Bridges(near=timedelta(0))(terminals(a, b), memory)
    assert len(apart.nodes) == 2
    assert (
        len(Bridges(near=timedelta(0), shortest=timedelta(0))(terminals(a, b), memory).nodes) == 3
    )


def test_a_recalled_neighbour_can_be_a_bridge_and_is_no_second_unit(
    memory: Memory, told: Told
) -> None:
    a, b, middle = bridge_story(told, 0, 100, 50)
    found = [*terminals(a, b), Scored(middle, 0.01, role="neighbour")]
    graph = Bridges()(found, memory)
    assert [(s.unit, s.role) for s in graph.nodes][2:] == [(middle, "bridge")]
    assert kinds(graph.edges) == {("1", "3", "BRIDGE"), ("3", "2", "BRIDGE")}


def test_a_terminal_is_never_a_bridge(memory: Memory, told: Told) -> None:
    a, b, middle = bridge_story(told, 0, 100, 50)
    nodes = Bridges()(terminals(a, b, middle), memory).nodes
    assert [s.role for s in nodes] == ["terminal"] * 3


def test_only_the_first_candidates_are_looked_at(memory: Memory, told: Told) -> None:
    a, b, *_ = told(
        ("harbour", 0, {"harbour"}),
        ("crane", 100, {"crane"}),
        *[("harbour crane", 300 + n, set()) for n in range(5)],
        ("the harbour crane broke in the storm", 50, set()),
    )
    assert len(Bridges(candidates=5)(terminals(a, b), memory).nodes) == 2
    assert len(Bridges(candidates=6)(terminals(a, b), memory).nodes) == 3


def test_connected_parts_need_no_bridge(memory: Memory, told: Told) -> None:
    a, b, _ = told(
        ("harbour", 0, {"port"}), ("crane", 100, {"port"}), ("the harbour crane broke", 50, set())
    )
    assert len(Bridges()(terminals(a, b), memory).nodes) == 2


def test_undated_units_are_joined_by_entities_alone(memory: Memory, unit: MakeUnit) -> None:
    a = unit(1, "A", said_at=None, entities=frozenset({"piano"}))
    b = unit(2, "B", said_at=None, entities=frozenset({"piano"}))
    c = unit(3, "C", said_at=None)
    assert kinds(Bridges()(terminals(a, b, c), memory).edges) == {("1", "2", "SHARED_ENTITY")}
