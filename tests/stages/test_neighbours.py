"""Neighbours: what hangs on the best hits comes in, by kind of edge and within a budget."""

import pytest
from layered import MakeUnit, of, scored

from clew.memory import Memory
from clew.model import Abstract, Add, Archive, Edge, Relate, Unit
from clew.stages.neighbours import Alone, Neighbours
from clew.trace import recording


@pytest.fixture
def units(memory: Memory, unit: MakeUnit) -> list[Unit]:
    """Store four units in a row, and an event made of the last."""
    made = [unit(n, f"Unit number {n}", session="1") for n in range(4)]
    for each in made:
        memory.apply(Add(each))
    event = unit(9, "Event", evidence=made[3].evidence, session="1", **of("episodic"))
    memory.apply(Abstract(event, (made[3],)))
    memory.apply(Relate((Edge(made[3].id, made[0].id, "CAUSES"),)))
    return [*made, event]


def ids(units: list[Unit], *places: int) -> list[str]:
    return [units[place].id for place in places]


def test_stored_edges_bring_in_their_other_ends_as_neighbours(
    memory: Memory, units: list[Unit]
) -> None:
    with recording() as trace:
        graph = Neighbours()(scored((units[3], 1.0)), memory)
    assert [s.unit.id for s in graph.nodes] == ids(units, 3, 2, 4, 0)  # NEXT, ABSTRACTS, CAUSES
    assert [s.role for s in graph.nodes] == ["terminal", *["neighbour"] * 3]
    assert {edge.kind for edge in graph.edges} == {"NEXT", "ABSTRACTS", "CAUSES"}
    assert trace.counts["expand.neighbours"] == 3


def test_only_allowed_kinds_are_followed_and_shown(memory: Memory, units: list[Unit]) -> None:
    graph = Neighbours(kinds=("CAUSES",))(scored((units[3], 1.0)), memory)
    assert [s.unit.id for s in graph.nodes] == ids(units, 3, 0)
    assert [edge.kind for edge in graph.edges] == ["CAUSES"]


def test_the_budget_goes_to_what_hangs_on_the_best_hit(memory: Memory, units: list[Unit]) -> None:
    hits = scored((units[4], 1.0), (units[1], 0.5))
    graph = Neighbours(most=1)(hits, memory)
    assert [s.unit.id for s in graph.nodes] == ids(units, 4, 1, 3)


def test_hits_beyond_the_seeds_are_not_expanded(memory: Memory, units: list[Unit]) -> None:
    hits = scored((units[4], 1.0), (units[1], 0.5))
    graph = Neighbours(seeds=1)(hits, memory)
    assert [s.unit.id for s in graph.nodes] == ids(units, 4, 1, 3)


def test_a_second_hop_goes_on_from_the_first_within_the_same_budget(
    memory: Memory, units: list[Unit]
) -> None:
    near = Neighbours(kinds=("NEXT",), hops=2)(scored((units[0], 1.0)), memory)
    assert [s.unit.id for s in near.nodes] == ids(units, 0, 1, 2)
    tight = Neighbours(kinds=("NEXT",), hops=2, most=1)(scored((units[0], 1.0)), memory)
    assert [s.unit.id for s in tight.nodes] == ids(units, 0, 1)


def test_what_was_archived_stays_out(memory: Memory, units: list[Unit], unit: MakeUnit) -> None:
    new = unit(10, "Event", evidence=units[3].evidence, session="1", **of("episodic"))
    memory.apply(Abstract(new, (units[3],)))
    memory.apply(Archive(units[4], new))
    graph = Neighbours(kinds=("ABSTRACTS",))(scored((units[3], 1.0)), memory)
    assert [s.unit.id for s in graph.nodes] == [units[3].id, new.id]


def test_without_expansion_there_are_the_hits_and_no_edge(
    memory: Memory, units: list[Unit]
) -> None:
    hits = scored((units[3], 1.0), (units[2], 0.5))
    assert Alone()(hits, memory).nodes == hits
    assert Alone()(hits, memory).edges == ()
    assert Neighbours()((), memory).nodes == ()
