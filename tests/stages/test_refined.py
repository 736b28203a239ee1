"""Refined: what noise and stale states do to the paths of what is left."""

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise

from clew.model import Edge, Fact, Graph, Query, Scored, Unit
from clew.stages.arbitrate import ByScore, KeepConflicts
from clew.stages.paths import NodeBudget, Paths
from clew.stages.refine import KeepAllHits, Mad
from clew.stages.refined import Refined

MakeUnit = Callable[..., Unit]
NOW = Query("Where does Ana live?", None, "talk")


def chain(unit: MakeUnit, scores: list[float], **more: object) -> Graph:
    """Return units a day apart, each joined to the next."""
    units = [unit(n, f"part {n}", hours=24 * n, **more) for n in range(len(scores))]
    edges = [Edge(a.id, b.id, "SHARED_ENTITY") for a, b in pairwise(units)]
    return Graph(tuple(map(Scored, units, scores)), tuple(edges))


def test_with_both_twins_paths_are_mined_as_without_it(unit: MakeUnit) -> None:
    graph = chain(unit, [0.9, 0.8, 0.85, 0.1])
    plain = Refined(denoise=KeepAllHits(), arbitrate=KeepConflicts(), mine=Paths())
    assert plain(graph, NOW) == Paths()(graph, NOW)


def test_no_path_leads_through_what_was_left_out_as_noise(unit: MakeUnit) -> None:
    graph = chain(unit, [0.9, 0.85, 0.8, 0.1, 0.82])
    refined = Refined(denoise=Mad(), arbitrate=KeepConflicts(), mine=Paths(floor=0.0))
    noise = graph.nodes[3].unit.id
    assert any(noise in path.units for path in Paths(floor=0.0)(graph).paths)
    found = refined(graph, NOW)
    assert [(d.node.unit.id, d.reason) for d in found.dropped] == [(noise, "LOW_SCORE")]
    assert found.paths and not any(noise in path.units for path in found.paths)


def test_a_state_that_is_out_of_date_is_left_out_unless_the_question_is_about_it(
    unit: MakeUnit,
) -> None:
    old, new = (
        unit(n, town, hours=days * 24, facts=(Fact("ana", "home", town, functional=True),))
        for n, town, days in ((1, "Porto", 0), (2, "Lisbon", 50))
    )
    graph = Graph((Scored(old, 0.6), Scored(new, 0.6)), (Edge(old.id, new.id, "SUPERSEDES"),))
    refined = Refined(denoise=KeepAllHits(), arbitrate=ByScore(), mine=NodeBudget())
    assert [s.unit for s in refined(graph, NOW).nodes] == [new]
    then = Query("Where did Ana live before?", None, "talk")
    assert len(refined(graph, then).nodes) == 2
    assert old.said_at
    day = old.said_at + timedelta(days=1)
    named = Query(f"Where did Ana live on {day:%d %B %Y}?", None, "talk")
    assert [s.unit for s in refined(graph, named).nodes] == [old]
