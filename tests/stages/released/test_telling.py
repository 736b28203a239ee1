"""What the released code tells otherwise than the paper: each difference as a small story."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from clew.memory import Memory
from clew.model import Edge, Graph, Path, Query, Scored, Unit
from clew.stages.pack import InTime
from clew.stages.paths import Paths
from clew.stages.released.pack import ByRank
from clew.stages.released.paths import LatePaths
from clew.stages.released.points import by_points, target
from clew.text import count_tokens
from clew.trace import recording

MakeUnit = Callable[..., Unit]
Only = Callable[..., Any]
Told = Callable[..., list[Unit]]


def ask(text: str) -> Query:
    return Query(text, None, "talk")


def chain(units: list[Unit], scores: list[float]) -> Graph:
    """Units joined one after another."""
    nodes = tuple(Scored(unit, score) for unit, score in zip(units, scores, strict=True))
    return Graph(nodes, tuple(Edge(a.id, b.id, "SHARED_ENTITY") for a, b in pairwise(units)))


def places(graph: Graph) -> list[list[int]]:
    """Return the paths of a graph by the positions of their units."""
    position = {s.unit.id: s.unit.position for s in graph.nodes}
    return [[position[id] for id in path.units] for path in graph.paths]


def test_with_all_switches_off_paths_are_the_papers(unit: MakeUnit, only: Only) -> None:
    graph = chain([unit(n, "x", hours=30 * n) for n in range(5)], [0.9, 0.1, 0.8, 0.7, 0.6])
    assert only(LatePaths, fewest=3)(graph, ask("Who?")) == Paths(fewest=3)(graph)


@pytest.mark.parametrize(
    ("question", "focus"),
    [
        ("What did Nora paint?", "what"),
        ("How is it?", "how"),
        ("Where are Nora's kids?", "nora's kids"),
        ("does Nora swim?", "nora"),
        ("is it so?", ""),
    ],
)
def test_a_question_is_taken_to_be_about_the_word_it_begins_with(question: str, focus: str) -> None:
    assert target(question) == focus


def test_how_is_found_in_show_and_outweighs_what_was_asked(unit: MakeUnit, only: Only) -> None:
    asked = ask("How did Nora repair the boat?")
    boat, show = unit(1, "Nora did repair the boat with tar"), unit(2, "A show of lamps", hours=48)
    graph = chain([boat, show], [0.9, 0.2])
    assert [s.unit for s in Paths()(graph).nodes] == [boat, show]
    with recording() as trace:
        pruned = only(LatePaths, "points")(graph, asked)
    assert [s.unit for s in pruned.nodes] == [show, boat]
    assert pruned.nodes[0].score == 1.0
    assert trace.counts["paths.moved"] == 2


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Who sold lamps on 8 May", 1),  # the date counts
        ("Who sold lamps on 8th May", 2),  # this one does not, but shared words do
        ("is it so", 1),  # a tie: the earlier told
    ],
)
def test_points_go_by_words_and_by_dates_in_one_form(
    unit: MakeUnit, question: str, first: int
) -> None:
    met, sold = unit(1, "We met on 8 May"), unit(2, "Ten lamps were sold", hours=48)
    graph = chain([met, sold], [0.1, 0.1])
    scored = by_points(graph, ask(question))
    assert max(scored.nodes, key=lambda s: s.score).unit.position == first


def test_a_pruned_unit_falls_out_of_its_path_as_if_its_neighbours_were_joined(
    unit: MakeUnit, only: Only
) -> None:
    graph = chain([unit(n, "x", hours=30 * n) for n in range(3)], [0.9, 0.1, 0.8])
    assert places(Paths(fewest=2, bonus=0.0)(graph)) == []
    with recording() as trace:
        spliced = only(LatePaths, "spliced", fewest=2)(graph)
    assert places(spliced) == [[0, 2]]
    assert spliced.paths[0].kinds == ("SHARED_ENTITY",)
    assert spliced.edges == ()
    assert trace.counts["paths.spliced"] == 1


def test_a_path_keeps_no_unit_alive(unit: MakeUnit, only: Only) -> None:
    units = [unit(n, "x", hours=30 * n) for n in range(3)]
    lone = unit(9, "x", hours=24 * 400)
    linked = chain(units, [0.9, 0.5, 0.8])
    graph = Graph((*linked.nodes, Scored(lone, 0.52)), linked.edges)
    kept = Paths(fewest=3, most=3, bonus=0.5)(graph)
    assert lone not in [s.unit for s in kept.nodes]
    spliced = only(LatePaths, "spliced", fewest=3, most=3, bonus=0.5)(graph)
    assert lone in [s.unit for s in spliced.nodes]


def test_the_latest_of_the_longest_chains_come_first_and_have_three_units(
    unit: MakeUnit, only: Only
) -> None:
    units = [unit(n, "x", hours=30 * n) for n in range(5)]
    graph = chain(units, [1.0] * 5)
    assert len(places(Paths()(graph))[0]) == 4
    late = only(LatePaths, "latest", hops=2)
    assert places(late(graph)) == [[2, 3, 4], [1, 2, 3], [0, 1, 2], [3, 4]]
    far = chain([unit(0, "x"), unit(1, "x", hours=24 * 3000)], [1.0, 1.0])
    assert places(late(far)) == [[0, 1]]


def test_facts_are_told_by_rank_each_with_its_label_and_date(memory: Memory, told: Told) -> None:
    units = told(("Third", 30, set()), ("First", 0, set()), ("Second", 1, set()))
    nodes = tuple(Scored(unit, 1.0 - n / 10) for n, unit in enumerate(units))
    path = Path((units[1].id, units[0].id), ("SHARED_ENTITY",), 1.0)
    graph = Graph((*nodes[:2], Scored(units[2], 0.1, role="bridge")), paths=(path,))
    with recording() as trace:
        context = ByRank()(graph, memory)
    assert context.text.splitlines() == [
        "[F1] 2025-11-16: Third",
        "[F2] 2025-11-15: First",
        "[F3] 2025-11-15: Second",
        "1. F2 -> F1",
        "Bridges: 1",
    ]
    assert context.units == tuple(unit.id for unit in units)
    assert context.tokens == count_tokens(context.text)
    assert trace.counts["pack.out_of_time"] == 1
    assert InTime()(graph, memory).units == (units[1].id, units[2].id, units[0].id)


@pytest.mark.parametrize("budget", [0, 20, 45, 90])
def test_facts_by_rank_keep_to_the_budget(memory: Memory, told: Told, budget: int) -> None:
    units = told(*[(f"Heron {n} stood in the reeds", 24 * n, set()) for n in range(9)])
    graph = Graph(tuple(Scored(unit, 1.0 - n / 10) for n, unit in enumerate(units)))
    context = ByRank()(graph, memory, budget)
    assert context.tokens <= budget
    assert context.units == tuple(unit.id for unit in units)[: len(context.units)]
