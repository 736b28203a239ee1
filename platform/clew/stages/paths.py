"""Paths: which chains of units explain something, within a node budget? (AriadneMem Eq. 10)

Edges go from the earlier unit to the later, by when both were said; a stored change of state
goes by when both held, as it may be told afterwards. Paths are worth more the longer they are
and the closer their ends lie in time; units on good paths outlive better scored ones that
stand alone.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import nlargest, nsmallest
from typing import Protocol, runtime_checkable

from clew.model import Edge, EdgeKind, Graph, Path, Query, Scored
from clew.stage import Count, Fraction, stage
from clew.trace import count

Walk = tuple[tuple[str, ...], tuple[EdgeKind, ...], float, bool]
RANK: Mapping[EdgeKind, int] = {"SHARED_ENTITY": 1, "TIME_NEAR": 2}  # stored and bridges first


@runtime_checkable
class Mine(Protocol):
    """Add reasoning paths to an evidence graph, and keep it within the node budget."""

    def __call__(self, graph: Graph, query: Query) -> Graph: ...


@stage
class NodeBudget:
    """Keep the best scored units and mine no paths: "w/o topology-aware reasoning".

    At least `fewest` units are kept where there are as many, at most `most`, and between
    the two only those that score `floor` times the best.
    """

    fewest: Count = 8
    most: Count = 25
    floor: Fraction = 0.25  # unspecified

    def __call__(self, graph: Graph, query: Query | None = None) -> Graph:
        """Return the graph pruned to the budget, units by falling score."""
        return self.prune(graph, {})

    def prune(self, graph: Graph, bonus: Mapping[str, float]) -> Graph:
        """Prune by score plus bonus, and drop the edges of what was pruned."""
        ranked = sorted(
            graph.nodes, key=lambda s: (-(s.score + bonus.get(s.unit.id, 0.0)), s.unit.id)
        )
        if not ranked:
            return graph
        least = self.floor * ranked[0].score
        n = sum(s.score + bonus.get(s.unit.id, 0.0) >= least for s in ranked)
        kept = ranked[: min(self.most, max(self.fewest, n))]
        count("paths.pruned", len(ranked) - len(kept))
        ids = {s.unit.id for s in kept}
        edges = tuple(e for e in graph.edges if e.source in ids and e.target in ids)
        return replace(graph, nodes=tuple(kept), edges=edges)


@stage
class Paths(NodeBudget):
    """Mine paths of up to `hops` edges depth first, and let them take part in the pruning.

    From each unit the `fan` best continuations are followed. A path is worth the mean
    score of its units, times 1 + `longer` for each edge after the first, times a factor
    that halves with every `halving` days between its ends.
    """

    hops: Count = 3  # L
    fan: Count = 3  # this and the rest: unspecified in the paper
    longer: Fraction = 0.2
    halving: Count = 90
    bonus: Fraction = 0.1  # of the best path's worth, for being on it
    keep: Count = 10

    def __call__(self, graph: Graph, query: Query | None = None) -> Graph:
        """Return the pruned graph with its best paths, best first."""
        mined = self.mined(graph)
        pruned = self.prune(graph, self.bonuses(mined))
        paths = tuple(self.kept(mined, pruned))
        count("paths.mined", len(paths))
        return replace(pruned, paths=paths)

    def mined(self, graph: Graph) -> list[Path]:
        """Return the best paths of a graph, more than are kept."""
        best = nlargest(4 * self.keep, self._mine(graph))
        return [Path(units, kinds, worth) for worth, units, kinds in best]

    def bonuses(self, mined: Sequence[Path]) -> dict[str, float]:
        """Return what units are worth beyond their score for being on a path."""
        bonus: dict[str, float] = {}
        for path in mined:
            for id in path.units:
                bonus[id] = max(bonus.get(id, 0.0), self.bonus * path.score)
        return bonus

    def kept(self, mined: Sequence[Path], pruned: Graph) -> Iterator[Path]:
        """Yield the paths that are left when units were pruned."""
        ids = {s.unit.id for s in pruned.nodes}
        return _unlike([path for path in mined if ids.issuperset(path.units)], self.keep)

    def _mine(self, graph: Graph) -> Iterator[tuple[float, tuple[str, ...], tuple[EdgeKind, ...]]]:
        """Yield worth, units and edges of the paths from every unit, longer ones after shorter.

        Those that only retell one sitting are left out, but walked on from.
        """
        score = {s.unit.id: s.score for s in graph.nodes}
        day = {s.unit.id: _days(s) for s in graph.nodes}
        onward = _continuations(graph.edges, score, self.fan)
        grown = [1 + self.longer * (edges - 1) for edges in range(self.hops + 1)]
        stack: list[Walk] = [((id,), (), score[id], False) for id in sorted(onward)]
        while stack:
            units, kinds, total, telling = stack.pop()
            last, edges = units[-1], len(kinds)
            if telling:
                fading = math.exp2(-_apart(day[units[0]], day[last]) / self.halving)
                yield total / len(units) * grown[edges] * fading, units, kinds
            if edges < self.hops:
                for id, kind in onward.get(last, ()):
                    if id not in units:
                        more = telling or kind != "TIME_NEAR"
                        stack.append(((*units, id), (*kinds, kind), total + score[id], more))


def _days(scored: Scored) -> float | None:
    at = scored.unit.said_at
    return at.timestamp() / 86400 if at else None


def _apart(one: float | None, other: float | None) -> float:
    """Return the days between two ends; an undated one takes no time to reach."""
    return 0.0 if one is None or other is None else abs(other - one)


def _continuations(
    edges: Sequence[Edge], score: Mapping[str, float], fan: int
) -> dict[str, list[tuple[str, EdgeKind]]]:
    """Return each unit's best edges onward: stored states first, then by the target's score."""
    onward = defaultdict[str, list[tuple[int, float, str, EdgeKind]]](list)
    for e in edges:
        onward[e.source].append((RANK.get(e.kind, 0), -score[e.target], e.target, e.kind))
    return {
        source: [(id, kind) for *_, id, kind in nsmallest(fan, out)]
        for source, out in onward.items()
    }


def _unlike(paths: Sequence[Path], n: int) -> Iterator[Path]:
    """Yield up to n paths, leaving out those whose units all stand on better ones."""
    told: set[str] = set()
    for path in paths:
        if n and not told.issuperset(path.units):
            told.update(path.units)
            n -= 1
            yield path
