"""Trees: a tree over the stored graph becomes a part of an evidence graph.

Its units come in as bridges. Where it goes through an entity, the units on either side are
joined by their sharing it; the speakers join nothing here either.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from clew.memory import Memory
from clew.model import Edge, Graph, Scored, Unit


def grafted(graph: Graph, tree: Sequence[Edge], memory: Memory, share: float) -> Graph:
    """Return the graph with a tree's edges, and as bridges the units that it goes through.

    A bridge parts the terminals of its tree into those on its sides. It is worth `share` of
    what it joins: of the best terminal of each side, the second best. What has terminals on
    one side only joins nothing and is left out.
    """
    ids = sorted({id for e in tree for id in (e.source, e.target)[: 1 + (e.kind != "MENTIONS")]})
    units = {unit.id: unit for unit in memory.units(ids)}
    nodes = {s.unit.id: s for s in graph.nodes}
    score = {id: s.score for id, s in nodes.items() if s.role == "terminal"}
    joins = sorted(set(_joins(tree, units, memory.speakers)), key=lambda e: (e.source, e.target))
    worth = _worth(joins, score)
    for id in sorted(worth):
        bridge = Scored(units[id], share * worth[id], role="bridge")
        best = max(bridge, nodes.get(id, bridge), key=lambda s: s.score)
        nodes[id] = replace(best, role="bridge")
    joined = {frozenset((e.source, e.target)) for e in graph.edges}
    new = [e for e in joins if e.source in nodes and e.target in nodes]
    new = [e for e in new if frozenset((e.source, e.target)) not in joined]
    return replace(graph, nodes=tuple(nodes.values()), edges=(*graph.edges, *new))


def _joins(
    tree: Iterable[Edge], units: Mapping[str, Unit], speakers: Collection[str]
) -> Iterator[Edge]:
    """Yield edges between units: the stored ones, and one from each that shares an entity on."""
    sharing = defaultdict[str, list[Unit]](list)
    for edge in tree:
        if edge.kind != "MENTIONS":
            yield Edge(edge.source, edge.target, edge.kind)
        elif edge.target not in speakers:
            sharing[edge.target].append(units[edge.source])
    for found in sharing.values():
        for one, other in pairwise(sorted(found, key=lambda unit: unit.order)):
            yield Edge(one.id, other.id, "SHARED_ENTITY")


def _worth(joins: Sequence[Edge], score: Mapping[str, float]) -> dict[str, float]:
    """Return what the units that are no terminals join: the second best of their sides' best."""
    beside = defaultdict[str, set[str]](set)
    for edge in joins:
        beside[edge.source].add(edge.target)
        beside[edge.target].add(edge.source)
    worth: dict[str, float] = {}
    for id in sorted(beside.keys() - score.keys()):
        sides = sorted(_best(side, id, beside, score) for side in beside[id])
        if len(sides) > 1 and sides[-2] > 0:
            worth[id] = sides[-2]
    return worth


def _best(
    side: str, apart: str, beside: Mapping[str, set[str]], score: Mapping[str, float]
) -> float:
    """Return the best score that is reached from `side` without passing `apart`."""
    reached, waiting = {apart, side}, [side]
    while waiting:
        new = beside[waiting.pop()] - reached
        reached |= new
        waiting.extend(new)
    return max(score.get(id, 0.0) for id in reached - {apart})
