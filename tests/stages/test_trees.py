"""Expand by trees: what a Steiner tree adds to the base graph, each rule as a small story."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest

from clew.errors import ConfigError
from clew.memory import Memory
from clew.model import Edge, Graph, Scored, Supersede, Unit
from clew.stages.expand import BaseGraph, PrizeSteiner, Steiner
from clew.stages.paths import Paths
from clew.stages.trees import grafted
from clew.trace import recording

MakeUnit = Callable[..., Unit]
Told = Callable[..., list[Unit]]


def kinds(graph: Graph) -> set[tuple[str, str, str]]:
    return {(e.source[3:4], e.target[3:4], e.kind) for e in graph.edges}


def terminals(*units: Unit) -> list[Scored]:
    return [Scored(unit, 1.0 - n / 10) for n, unit in enumerate(units)]


def bridges(graph: Graph) -> list[tuple[str, float]]:
    return [(s.unit.id[3:4], round(s.score, 3)) for s in graph.nodes if s.role == "bridge"]


@pytest.fixture
def ferry(memory: Memory, told: Told) -> list[Unit]:
    """Two terminals a month apart, and one unit that shares something with each of them."""
    return told(
        ("the ferry is late", 0, {"ferry"}),
        ("the old mill burnt down", 700, {"mill"}),
        ("the ferry passes the mill", 350, {"ferry", "mill"}),
        ("nothing to see here", 500, set()),
    )


def test_a_unit_on_the_tree_becomes_a_bridge_with_edges_earlier_to_later(
    memory: Memory, ferry: list[Unit]
) -> None:
    graph = Steiner()(terminals(*ferry[:2]), memory)
    assert kinds(graph) == {("1", "3", "SHARED_ENTITY"), ("3", "2", "SHARED_ENTITY")}
    assert bridges(graph) == [("3", pytest.approx(0.25 * 0.9, abs=0.001))]
    assert BaseGraph()(terminals(*ferry[:2]), memory).edges == ()


def test_bridges_are_counted(memory: Memory, ferry: list[Unit]) -> None:
    with recording() as trace:
        Steiner()(terminals(*ferry[:2]), memory)
    assert trace.counts["expand.bridges"] == 1


def test_a_path_can_be_told_along_the_tree(memory: Memory, ferry: list[Unit]) -> None:
    (path,) = Paths(floor=0.0)(Steiner()(terminals(*ferry[:2]), memory)).paths
    assert [id[3:4] for id in path.units] == ["1", "3", "2"]


def test_what_was_said_in_a_row_and_changes_of_state_join_as_they_are_stored(
    memory: Memory, unit: MakeUnit, told: Told
) -> None:
    first, *_ = told(("A", 0, set()), ("B", 12, set()), ("C", 23, set()))
    change = unit(4, "D", 400)
    memory.apply(Supersede(change, first, 0.9, 0.5))
    last = memory.units(["D1:3.00"])[0]
    graph = Steiner(near=timedelta(0))(terminals(change, last), memory)
    assert kinds(graph) == {("1", "2", "NEXT"), ("2", "3", "NEXT"), ("1", "4", "SUPERSEDES")}
    assert [id for id, _ in bridges(graph)] == ["1", "2"]


def test_a_bridge_is_worth_the_second_best_of_its_sides(memory: Memory, told: Told) -> None:
    units = told(
        *[(f"fact {n}", 300 * n, {name}) for n, name in enumerate(("a", "b", "c"))],
        ("middle", 900, {"a", "b", "c"}),
    )
    scores = (0.2, 0.8, 0.6)
    found = [Scored(unit, score) for unit, score in zip(units, scores, strict=False)]
    assert bridges(Steiner(share=1.0)(found, memory)) == [("4", 0.6)]
    assert bridges(Steiner(share=0.5)(found, memory)) == [("4", 0.3)]


def test_speakers_join_nothing_and_what_is_reached_through_them_alone_stays_out(
    memory: Memory, told: Told, message: Callable[..., object]
) -> None:
    memory.ingest([message(1, "Hello")], [])  # type: ignore[list-item]
    one, other, _ = told(("A", 0, {"alice"}), ("B", 300, {"hall"}), ("C", 600, {"alice", "hall"}))
    graph = Steiner()(terminals(one, other), memory)
    assert len(memory.algorithms.steiner([one.id, other.id])) == 4
    assert (graph.edges, bridges(graph)) == ((), [])


def test_terminals_joined_already_get_no_second_edge(memory: Memory, told: Told) -> None:
    a, b = told(("A", 0, {"piano"}), ("B", 0.5, {"piano"}))
    assert kinds(Steiner()(terminals(a, b), memory)) == {("1", "2", "SHARED_ENTITY")}


def test_a_recalled_neighbour_on_the_tree_is_no_second_unit_and_keeps_the_better_score(
    memory: Memory, ferry: list[Unit]
) -> None:
    for score, kept in ((0.01, 0.225), (0.6, 0.6)):
        neighbour = Scored(ferry[2], score, role="neighbour")
        graph = Steiner()([*terminals(*ferry[:2]), neighbour], memory)
        assert bridges(graph) == [("3", pytest.approx(kept))]
        assert len(graph.nodes) == 3


def test_only_terminals_are_joined(memory: Memory, ferry: list[Unit]) -> None:
    first, second, *_ = ferry
    graph = Steiner()([Scored(first, 1.0), Scored(second, 0.5, role="neighbour")], memory)
    assert (len(graph.nodes), graph.edges) == (2, ())
    assert Steiner()([], memory) == Graph()


def test_no_tree_changes_nothing(memory: Memory, ferry: list[Unit]) -> None:
    graph = BaseGraph()(terminals(*ferry), memory)
    assert grafted(graph, [], memory, 0.5) == graph


def test_a_tree_of_prizes_needs_neo4j_and_says_so(memory: Memory, ferry: list[Unit]) -> None:
    with pytest.raises(ConfigError, match="store=neo4j"):
        PrizeSteiner()(terminals(*ferry[:2]), memory)


class Prizes:
    """Returns the tree it was given, and remembers the seeds."""

    def __init__(self, tree: list[Edge]) -> None:
        self.tree, self.seeds = tree, list[str]()

    def prize_steiner(self, seeds: list[str]) -> list[Edge]:
        self.seeds = seeds
        return self.tree


@pytest.fixture
def prizes(memory: Memory, ferry: list[Unit]) -> Iterator[Prizes]:
    real = memory.algorithms
    tree = real.steiner([unit.id for unit in ferry[:2]])
    memory.algorithms = prizes = Prizes(tree)  # type: ignore[assignment]
    yield prizes
    memory.algorithms = real


def test_prizes_spread_from_the_better_terminals(
    memory: Memory, ferry: list[Unit], prizes: Prizes
) -> None:
    found = [Scored(unit, score) for unit, score in zip(ferry, (0.8, 0.5, 0.1), strict=False)]
    graph = PrizeSteiner(floor=0.5, share=0.5)(found, memory)
    assert prizes.seeds == [ferry[0].id, ferry[1].id]
    assert kinds(graph) >= {("1", "3", "SHARED_ENTITY"), ("3", "2", "SHARED_ENTITY")}
