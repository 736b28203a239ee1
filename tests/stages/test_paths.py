"""Paths: chains that respect time, and a node budget that they take part in."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import ConfigError
from clew.model import Edge, EdgeKind, Evidence, Graph, Scored, Unit
from clew.stages.paths import NodeBudget, Paths

MakeUnit = Callable[..., Unit]


def chain(units: list[Unit], scores: list[float], kind: EdgeKind = "SHARED_ENTITY") -> Graph:
    """Units joined one after another."""
    nodes = tuple(Scored(unit, score) for unit, score in zip(units, scores, strict=True))
    edges = tuple(Edge(a.id, b.id, kind) for a, b in pairwise(units))
    return Graph(nodes, edges)


def test_the_longest_path_within_the_hop_limit_comes_first(unit: MakeUnit) -> None:
    units = [unit(n, "x", hours=n) for n in range(6)]
    paths = Paths(hops=3)(chain(units, [1.0] * 6)).paths
    assert {len(path.units) for path in paths} == {4}
    assert all(path.kinds == ("SHARED_ENTITY",) * 3 for path in paths)
    assert len(Paths(hops=1)(chain(units, [1.0] * 6)).paths[0].units) == 2


def test_steps_close_in_time_are_worth_more(unit: MakeUnit) -> None:
    a, b, c, d = (unit(n, "x", hours=h) for n, h in enumerate([0, 24, 48, 24 * 300]))
    nodes = tuple(Scored(u, 1.0) for u in (a, b, c, d))
    edges = (Edge(a.id, b.id, "SHARED_ENTITY"), Edge(c.id, d.id, "SHARED_ENTITY"))
    near, far = Paths()(Graph(nodes, edges)).paths
    assert near.units == (a.id, b.id)
    assert near.score > 5 * far.score


def test_no_path_is_worth_more_for_an_end_without_a_date_or_told_late(unit: MakeUnit) -> None:
    dated, late = unit(0, "x"), unit(1, "x", hours=24 * 300)
    undated = unit(2, "x", said_at=None)
    best = [
        max(path.score for path in Paths()(chain(units, [1.0, 1.0], "SUPERSEDES")).paths)
        for units in ([dated, undated], [undated, dated], [late, dated])
    ]
    assert best[:2] == [1.0, 1.0]
    assert best[2] < 0.2


def test_a_path_that_only_retells_one_sitting_is_none(unit: MakeUnit) -> None:
    units = [unit(n, "x", hours=n) for n in range(3)]
    assert Paths()(chain(units, [1.0] * 3, "TIME_NEAR")).paths == ()


def test_a_cycle_of_edges_gives_no_unit_twice(unit: MakeUnit) -> None:
    a, b = unit(1, "x"), unit(2, "x", hours=1)
    graph = Graph(
        (Scored(a, 1.0), Scored(b, 1.0)),
        (Edge(a.id, b.id, "SUPERSEDES"), Edge(b.id, a.id, "SHARED_ENTITY")),
    )
    [path] = Paths()(graph).paths  # the way back tells of no other unit
    assert path.units in {(a.id, b.id), (b.id, a.id)}
    assert len(set(path.units)) == 2


def test_a_cycle_among_others_is_walked_once_and_left(unit: MakeUnit) -> None:
    a, b, c, d = (unit(n, "x", hours=n) for n in range(4))
    steps = [(a, b, "SHARED_ENTITY"), (b, c, "SUPERSEDES"), (c, a, "SUPERSEDES")]
    edges = [Edge(one.id, two.id, kind) for one, two, kind in steps]  # type: ignore[arg-type]
    graph = Graph(
        tuple(Scored(u, 1.0) for u in (a, b, c, d)), (*edges, Edge(c.id, d.id, "SHARED_ENTITY"))
    )
    paths = Paths(hops=3)(graph).paths
    assert paths[0].units == (a.id, b.id, c.id, d.id)
    assert all(len(set(path.units)) == len(path.units) for path in paths)


def test_only_the_best_ways_on_are_followed_and_changes_of_state_first(unit: MakeUnit) -> None:
    hub, *others = (unit(n, "x", hours=n) for n in range(6))
    scores = dict(zip(others, (0.5, 0.9, 0.7, 0.8, 0.1), strict=True))
    kinds: list[EdgeKind] = ["SHARED_ENTITY"] * 4 + ["SUPERSEDES"]
    edges = tuple(Edge(hub.id, u.id, kind) for u, kind in zip(others, kinds, strict=True))
    nodes = (Scored(hub, 1.0), *(Scored(u, score) for u, score in scores.items()))
    followed = {path.units[1] for path in Paths(fan=3)(Graph(nodes, edges)).paths}
    assert followed == {others[4].id, others[1].id, others[3].id}


def test_both_keep_within_the_same_budget(unit: MakeUnit) -> None:
    graph = Graph(tuple(Scored(unit(n, "x", hours=n), 1 / (n + 1)) for n in range(10)))
    for budget in ({}, {"fewest": 2, "most": 3}, {"fewest": 1, "floor": 0.5}):
        assert Paths(**budget)(graph) == NodeBudget(**budget)(graph)  # type: ignore[arg-type]


def test_a_unit_on_a_good_path_outlives_a_better_one_alone(unit: MakeUnit) -> None:
    units = [unit(n, "x", hours=n) for n in range(4)]
    joined = chain(units[:3], [1.0, 0.9, 0.5])
    graph = Graph((*joined.nodes, Scored(units[3], 0.55)), joined.edges)
    kept = Paths(fewest=3, most=3)(graph)
    assert [s.unit.position for s in kept.nodes] == [0, 1, 2]
    assert [s.unit.position for s in NodeBudget(fewest=3, most=3)(graph).nodes] == [0, 1, 3]


def test_between_fewest_and_most_the_floor_decides(unit: MakeUnit) -> None:
    nodes = tuple(Scored(unit(n, "x", hours=n), 1 / (n + 1)) for n in range(10))
    assert len(NodeBudget(fewest=2, most=8, floor=0.25)(Graph(nodes)).nodes) == 4
    assert len(NodeBudget(fewest=6, most=8, floor=0.25)(Graph(nodes)).nodes) == 6
    assert len(NodeBudget(fewest=2, most=3, floor=0.25)(Graph(nodes)).nodes) == 3
    assert NodeBudget()(Graph()) == Graph()
    assert Paths()(Graph()) == Graph()


def test_edges_and_paths_of_pruned_units_are_gone(unit: MakeUnit) -> None:
    units = [unit(n, "x", hours=n) for n in range(3)]
    kept = Paths(fewest=2, most=2)(chain(units, [1.0, 0.9, 0.1]))
    assert [(e.source, e.target) for e in kept.edges] == [(units[0].id, units[1].id)]
    assert [path.units for path in kept.paths] == [(units[0].id, units[1].id)]


KINDS: tuple[EdgeKind, ...] = ("SHARED_ENTITY", "TIME_NEAR", "BRIDGE", "SUPERSEDES", "NEXT")
Drawn = tuple[list[tuple[float, int | None]], list[tuple[int, int, int]]]


@st.composite
def drawn(draw: st.DrawFn) -> Drawn:
    """Draw units with scores and hours (None: undated), and edges any way between them."""
    units = draw(
        st.lists(st.tuples(st.floats(0, 1), st.none() | st.integers(0, 4000)), max_size=14)
    )
    ends = st.integers(0, max(len(units) - 1, 0))
    edge = st.tuples(ends, ends, st.integers(0, len(KINDS) - 1))
    return units, draw(st.lists(edge, max_size=40)) if len(units) > 1 else []


def graph_of(units: list[tuple[float, int | None]], edges: list[tuple[int, int, int]]) -> Graph:
    start = datetime(2024, 1, 1, tzinfo=UTC)
    nodes = [
        Scored(
            Unit(
                f"{n:02}",
                "talk",
                "x",
                None if hours is None else start + timedelta(hours=hours),
                "1",
                n,
                "A",
                (Evidence(str(n)),),
            ),
            score,
        )
        for n, (score, hours) in enumerate(units)
    ]
    links = {Edge(f"{a:02}", f"{b:02}", KINDS[kind]) for a, b, kind in edges if a != b}
    return Graph(tuple(nodes), tuple(sorted(links, key=lambda e: (e.source, e.target, e.kind))))


@given(drawn(), st.integers(1, 4), st.integers(1, 10))
def test_paths_of_any_graph_walk_its_edges_and_are_worth_what_is_said(
    drawn: Drawn, hops: int, keep: int
) -> None:
    graph = graph_of(*drawn)
    stage = Paths(hops=hops, keep=keep)
    mined = stage(graph)
    score = {node.unit.id: node.score for node in graph.nodes}
    said = {node.unit.id: node.unit.said_at for node in graph.nodes}
    steps = {(e.source, e.target, e.kind) for e in mined.edges}
    assert steps <= {(e.source, e.target, e.kind) for e in graph.edges}
    assert {id for a, b, _ in steps for id in (a, b)} <= {s.unit.id for s in mined.nodes}
    assert len(mined.nodes) == min(
        len(graph.nodes), max(len(mined.nodes), min(8, len(graph.nodes)))
    )
    assert len(mined.paths) <= keep
    told: set[str] = set()
    for path in mined.paths:
        assert 2 <= len(path.units) <= hops + 1
        assert len(path.kinds) == len(path.units) - 1
        assert len(set(path.units)) == len(path.units)
        walked = zip(path.units, path.units[1:], path.kinds, strict=False)
        assert all(step in steps for step in walked)
        assert set(path.kinds) != {"TIME_NEAR"}
        assert not told.issuperset(path.units)
        told.update(path.units)
        ends = said[path.units[0]], said[path.units[-1]]
        days = abs((ends[1] - ends[0]).total_seconds()) / 86400 if all(ends) else 0.0
        mean = sum(score[id] for id in path.units) / len(path.units)
        worth = mean * (1 + stage.longer * (len(path.kinds) - 1)) * 0.5 ** (days / stage.halving)
        assert path.score == pytest.approx(worth)
    assert [p.score for p in mined.paths] == sorted((p.score for p in mined.paths), reverse=True)


@given(drawn())
def test_a_graph_gives_the_same_paths_in_whatever_order_it_is_told(drawn: Drawn) -> None:
    graph = graph_of(*drawn)
    turned = Graph(graph.nodes[::-1], graph.edges[::-1])
    assert Paths()(graph).paths == Paths()(turned).paths


@given(st.lists(st.tuples(st.floats(0.1, 1), st.integers(0, 400)), min_size=2, max_size=30))
def test_where_edges_go_forward_in_time_every_path_does(drawn: list[tuple[float, int]]) -> None:
    ordered = sorted(drawn, key=lambda pair: pair[1])
    forward = [(n, n + 1, 0) for n in range(len(ordered) - 1)]
    mined = Paths()(graph_of([*ordered], forward))
    assert mined.paths
    assert len(mined.nodes) <= 25
    for path in mined.paths:
        assert list(path.units) == sorted(path.units)


def test_numbers_out_of_range_are_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="hops"):
        Paths(hops=0)
    with pytest.raises(ConfigError, match="floor"):
        NodeBudget(floor=2)
