"""Expand: what joins the recalled units, and what lies between them? (AriadneMem Eq. 8-9)

Terminals are joined where they share an entity or lie close in time. Between parts that
stay apart, the memory is asked for a unit that lies between them in time: the paper's
approximation of a Steiner tree. Not in the paper: a true one, over the stored graph.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import combinations
from typing import ClassVar, Protocol

from clew.memory import Memory
from clew.model import Edge, Graph, Scored, Unit
from clew.stage import Count, Duration, Fraction, stage
from clew.stages.trees import grafted
from clew.stores.vectors import ByMeaning, Hit, Where
from clew.trace import count

Pair = tuple[Unit, Unit]
Bridge = tuple[Pair, Hit]
Names = Callable[[Unit], frozenset[str]]
TICK = timedelta(microseconds=1)


class Expand(Protocol):
    """Turn recalled units into an evidence graph."""

    def __call__(self, found: Sequence[Scored], memory: Memory) -> Graph: ...


@stage
class BaseGraph:
    """Join what shares an entity or is near in time, and add no one: "w/o bridge discovery".

    The speakers are left out of the shared entities: in a talk between two people they
    would join everything with everything.
    """

    near: Duration = timedelta(hours=6)  # δ_time

    def __call__(self, found: Sequence[Scored], memory: Memory) -> Graph:
        """Return the units with the edges of Eq. 8 and the stored edges between them."""
        return base_graph(found, self.near, memory, lambda unit: unit.entities - memory.speakers)


@stage
class Bridges:
    """Look for one unit between every two parts of the base graph (Eq. 9).

    Two parts are tried by their terminals nearest in time, if these lie at least
    `shortest` and at most `longest` apart. A bridge is the first of the `candidates` units
    nearest to the pair's entities and keywords that lies strictly between them in time.
    """

    near: Duration = timedelta(hours=6)  # δ_time
    shortest: Duration = timedelta(hours=1)
    longest: Duration = timedelta(hours=168)
    candidates: Count = 5
    effects: ClassVar = ("expand.bridges",)

    def __call__(self, found: Sequence[Scored], memory: Memory) -> Graph:
        """Return the base graph with bridges m_i -> b* -> m_j."""
        graph = self.base(found, memory)
        return _counted(_bridged(graph, self.between(self.pairs(graph), graph, memory), memory))

    def base(self, found: Sequence[Scored], memory: Memory) -> Graph:
        """Return the graph that is to be bridged."""
        return BaseGraph(near=self.near)(found, memory)

    def pairs(self, graph: Graph) -> list[Pair]:
        """Return, for every two parts, their terminals nearest in time, earlier first."""
        part = {id: n for n, ids in enumerate(graph.parts()) for id in ids}
        stand = [(instant(unit), part[unit.id], unit) for unit in dated(terminals(graph))]
        nearest: dict[tuple[int, int], tuple[timedelta, Pair]] = {}
        for n, (start, here, one) in enumerate(stand, 1):
            for end, there, other in stand[n:]:
                gap = end - start
                if gap > self.longest:
                    break  # units stand in order of time
                if here == there or gap < self.shortest:
                    continue
                both = (here, there) if here < there else (there, here)
                if both not in nearest or gap < nearest[both][0]:
                    nearest[both] = (gap, (one, other))
        return [pair for _, pair in nearest.values()]

    def between(self, pairs: Sequence[Pair], graph: Graph, memory: Memory) -> list[Bridge]:
        """Return, for each pair that has any, the first unit found that fits."""
        recalled = frozenset(s.unit.id for s in terminals(graph))
        asked = [(pair, text) for pair in self.roomy(pairs, memory) for text in self.queries(pair)]
        vectors = memory.embed([text for _, text in asked])
        views = [
            ByMeaning(vector, Where(without=self.barred(pair, recalled)))
            for (pair, _), vector in zip(asked, vectors, strict=True)
        ]
        answers = memory.vectors.search(views, self.candidates) if views else []
        bridges: dict[tuple[str, str], Bridge] = {}
        for (pair, _), hits in zip(asked, answers, strict=True):
            ends = pair[0].id, pair[1].id
            if ends not in bridges and (hit := self._first(pair, hits, memory)):
                bridges[ends] = (pair, hit)
        return list(bridges.values())

    def roomy(self, pairs: Sequence[Pair], memory: Memory) -> Sequence[Pair]:
        """Return the pairs that can have a bridge; for others no query is spent."""
        return _with_room(pairs, memory)

    def queries(self, pair: Pair) -> list[str]:
        """Return q_ij: the entities and keywords of both ends, each once, in a fixed order."""
        one, other = pair
        return [" ".join(sorted(one.entities | other.entities | one.keywords | other.keywords))]

    def barred(self, pair: Pair, recalled: frozenset[str]) -> frozenset[str]:
        """Return the ids of units that cannot be a bridge between these two: V_term."""
        return recalled

    def fits(self, pair: Pair, unit: Unit) -> bool:
        """Tell whether a unit lies strictly between the ends of a pair."""
        return unit.said_at is not None and instant(pair[0]) < unit.said_at < instant(pair[1])

    def _first(self, pair: Pair, hits: Sequence[Hit], memory: Memory) -> Hit | None:
        units = {unit.id: unit for unit in memory.units([hit.id for hit in hits])}
        return next((hit for hit in hits if self.fits(pair, units[hit.id])), None)


@stage
class Steiner:
    """Join the terminals by a Steiner tree over the stored graph, in place of bridges.

    The tree is short, so it goes along changes of state and what was said in a row, and
    through what few units mention. What it goes through is worth `share` of what it joins.
    """

    near: Duration = timedelta(hours=6)  # δ_time
    share: Fraction = 0.25  # unspecified: not in the paper
    effects: ClassVar = ("expand.bridges",)

    def __call__(self, found: Sequence[Scored], memory: Memory) -> Graph:
        """Return the base graph with the tree between its terminals."""
        graph = BaseGraph(near=self.near)(found, memory)
        tree = memory.algorithms.steiner([s.unit.id for s in found if s.role == "terminal"])
        return _counted(grafted(graph, tree, memory, self.share))


@stage
class PrizeSteiner:
    """Add a prize-collecting Steiner tree: it leaves out terminals that are too far away.

    Prizes spread from the terminals that score at least `floor` times the best, by
    personalised PageRank over the stored graph. Needs Neo4j's Graph Data Science.
    """

    near: Duration = timedelta(hours=6)  # δ_time
    share: Fraction = 0.25  # this and the next: unspecified, not in the paper
    floor: Fraction = 0.5
    effects: ClassVar = ("expand.bridges",)
    needs: ClassVar = ("prize_steiner",)  # of the algorithms

    def __call__(self, found: Sequence[Scored], memory: Memory) -> Graph:
        """Return the base graph with the tree that is worth more than it is long."""
        graph = BaseGraph(near=self.near)(found, memory)
        terminals = [s for s in found if s.role == "terminal"]
        least = self.floor * max((s.score for s in terminals), default=0.0)
        tree = memory.algorithms.prize_steiner([s.unit.id for s in terminals if s.score >= least])
        return _counted(grafted(graph, tree, memory, self.share))


def terminals(graph: Graph) -> list[Scored]:
    """Return what was recalled, without neighbours."""
    return [s for s in graph.nodes if s.role == "terminal"]


def dated(found: Sequence[Scored]) -> list[Unit]:
    """Return the units whose time is known, in order."""
    return sorted((s.unit for s in found if s.unit.said_at), key=_order)


def base_graph(found: Sequence[Scored], near: timedelta, memory: Memory, names: Names) -> Graph:
    """Join units as Eq. 8 does, by these names, and take in the stored changes of state."""
    units = sorted((s.unit for s in found), key=_order)
    edges = list(_base_edges(units, near, [names(unit) for unit in units]))
    inside = {unit.id for unit in units}
    stored = memory.graph.edges(inside, ["SUPERSEDES"])
    edges += [e for e in stored if e.source in inside and e.target in inside]
    return Graph(tuple(found), tuple(edges))


def _bridged(graph: Graph, bridges: Sequence[Bridge], memory: Memory) -> Graph:
    """Put bridges between the ends that they were found for."""
    nodes, edges = {s.unit.id: s for s in graph.nodes}, list(graph.edges)
    for pair, hit in bridges:
        weakest = min(nodes[end.id].score for end in pair)
        (unit,) = memory.units([hit.id])
        bridge = Scored(unit, weakest * max(0.0, hit.score), hit.score, role="bridge")
        best = max(bridge, nodes.get(hit.id, bridge), key=lambda s: s.score)
        nodes[hit.id] = replace(best, role="bridge")
        edges += [Edge(pair[0].id, hit.id, "BRIDGE"), Edge(hit.id, pair[1].id, "BRIDGE")]
    return Graph(tuple(nodes.values()), tuple(edges))


def _counted(graph: Graph) -> Graph:
    count("expand.bridges", sum(s.role == "bridge" for s in graph.nodes))
    return graph


def _base_edges(
    units: Sequence[Unit], near: timedelta, names: Sequence[frozenset[str]]
) -> Iterator[Edge]:
    """Yield an edge, earlier to later, for every two units that Eq. 8 joins."""
    joined = _sharing(names)
    yield from (Edge(units[i].id, units[j].id, "SHARED_ENTITY") for i, j in sorted(joined))
    for i, one in enumerate(units):
        for j in range(i + 1, len(units)):
            later = units[j].said_at
            if one.said_at is None or later is None or later - one.said_at >= near:
                break  # units stand in order of time
            if (i, j) not in joined:
                yield Edge(one.id, units[j].id, "TIME_NEAR")


def _sharing(names: Sequence[frozenset[str]]) -> set[tuple[int, int]]:
    """Return the places of every two sets that have something in common, lower first."""
    places: dict[str, list[int]] = {}
    for i, several in enumerate(names):
        for name in several:
            places.setdefault(name, []).append(i)
    return {pair for found in places.values() for pair in combinations(found, 2)}


def _with_room(pairs: Sequence[Pair], memory: Memory) -> list[Pair]:
    """Return the pairs between which anything was said at all."""
    spans = [(instant(one) + TICK, instant(other) - TICK) for one, other in pairs]
    occupied = memory.graph.occupied(spans) if spans else []
    return [pair for pair, room in zip(pairs, occupied, strict=True) if room]


def instant(unit: Unit) -> datetime:
    """Return when a unit was said that is known to have a date."""
    assert unit.said_at is not None
    return unit.said_at


def _order(unit: Unit) -> tuple[bool, float, int, str]:
    return unit.order
