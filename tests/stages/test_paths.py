"""Paths: chains that respect time, and a node budget that they take part in."""

from collections.abc import Callable
from datetime import timedelta
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
    assert {path.units for path in Paths()(graph).paths} <= {(a.id, b.id), (b.id, a.id)}


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


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 400)), max_size=30))
def test_every_path_goes_forward_in_time_over_edges_that_exist(
    drawn: list[tuple[float, int]],
) -> None:
    from datetime import UTC, datetime

    start = datetime(2024, 1, 1, tzinfo=UTC)
    units = [
        Unit(f"{n:02}", "talk", "x", start + timedelta(hours=h), "1", n, "A", (Evidence(str(n)),))
        for n, (_, h) in enumerate(sorted(drawn, key=lambda pair: pair[1]))
    ]
    graph = chain(units, [score for score, _ in sorted(drawn, key=lambda pair: pair[1])])
    mined = Paths()(graph)
    steps = {(e.source, e.target) for e in mined.edges}
    assert len(mined.nodes) <= 25
    for path in mined.paths:
        assert 2 <= len(path.units) <= 4
        assert all(step in steps for step in pairwise(path.units))
        assert list(path.units) == sorted(path.units)


def test_numbers_out_of_range_are_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="hops"):
        Paths(hops=0)
    with pytest.raises(ConfigError, match="floor"):
        NodeBudget(floor=2)
