"""Paths: which chains of units explain something, within a node budget? (AriadneMem Eq. 10)

Every edge of the evidence graph goes from the earlier unit to the later, so any path is
consistent in time. Paths are worth more the longer they are and the closer their steps
lie in time; units on good paths outlive better scored ones that stand alone.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import nlargest
from typing import Protocol

from clew.model import Edge, EdgeKind, Graph, Path, Scored
from clew.stage import Count, Fraction, stage
from clew.trace import count

Walk = tuple[tuple[str, ...], tuple[EdgeKind, ...]]


class Mine(Protocol):
    """Add reasoning paths to an evidence graph, and keep it within the node budget."""

    def __call__(self, graph: Graph) -> Graph: ...


@stage
class NodeBudget:
    """Keep the best scored units and mine no paths: "w/o topology-aware reasoning".

    At least `fewest` units are kept where there are as many, at most `most`, and between
    the two only those that score `floor` times the best.
    """

    fewest: Count = 8
    most: Count = 25
    floor: Fraction = 0.25  # unspecified

    def __call__(self, graph: Graph) -> Graph:
        """Return the graph pruned to the budget, units by falling score."""
        return self.keep(graph, {})

    def keep(self, graph: Graph, bonus: Mapping[str, float]) -> Graph:
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
class Paths:
    """Mine paths of up to `hops` edges depth first, and let them take part in the pruning.

    From each unit the `fan` best continuations are followed. A path is worth the mean
    score of its units, times 1 + `longer` for each edge after the first, times a factor
    that halves with every `halving` days between its ends.
    """

    hops: Count = 3  # L
    fewest: Count = 8
    most: Count = 25
    floor: Fraction = 0.25  # this and the rest: unspecified in the paper
    fan: Count = 3
    longer: Fraction = 0.2
    halving: Count = 90
    bonus: Fraction = 0.1  # of the best path's worth, for being on it
    keep: Count = 10

    def __call__(self, graph: Graph) -> Graph:
        """Return the pruned graph with its best paths, best first."""
        score = {s.unit.id: s for s in graph.nodes}
        mined = nlargest(4 * self.keep, self._mine(graph, score), key=lambda p: (p.score, p.units))
        bonus: dict[str, float] = {}
        for path in mined:
            for id in path.units:
                bonus[id] = max(bonus.get(id, 0.0), self.bonus * path.score)
        budget = NodeBudget(fewest=self.fewest, most=self.most, floor=self.floor)
        pruned = budget.keep(graph, bonus)
        ids = {s.unit.id for s in pruned.nodes}
        whole = [path for path in mined if ids.issuperset(path.units)]
        paths = tuple(_unlike(whole, self.keep))
        count("paths.mined", len(paths))
        return replace(pruned, paths=paths)

    def _mine(self, graph: Graph, score: Mapping[str, Scored]) -> Iterator[Path]:
        """Yield the paths from every unit, those that only retell one sitting left out."""
        onward = _continuations(graph.edges, score, self.fan)
        stack: list[Walk] = [((id,), ()) for id in sorted(onward)]
        while stack:
            units, kinds = stack.pop()
            if kinds and any(kind != "TIME_NEAR" for kind in kinds):
                yield Path(units, kinds, self._worth(units, score))
            if len(kinds) < self.hops:
                stack += [
                    ((*units, e.target), (*kinds, e.kind))
                    for e in onward.get(units[-1], [])
                    if e.target not in units
                ]

    def _worth(self, units: Sequence[str], score: Mapping[str, Scored]) -> float:
        mean = math.fsum(score[id].score for id in units) / len(units)
        first, last = score[units[0]].unit.said_at, score[units[-1]].unit.said_at
        days = (last - first).total_seconds() / 86400 if first and last else 0.0
        return mean * (1 + self.longer * (len(units) - 2)) * math.exp2(-days / self.halving)


def _continuations(
    edges: Sequence[Edge], score: Mapping[str, Scored], fan: int
) -> dict[str, list[Edge]]:
    """Return each unit's best edges onward: stored states first, then by the target's score."""
    onward = defaultdict(list)
    for edge in edges:
        onward[edge.source].append(edge)
    rank: dict[EdgeKind, int] = {"SUPERSEDES": 0, "BRIDGE": 0, "SHARED_ENTITY": 1, "TIME_NEAR": 2}
    for source, out in onward.items():
        out.sort(key=lambda e: (rank[e.kind], -score[e.target].score, e.target))
        onward[source] = out[:fan]
    return dict(onward)


def _unlike(paths: Sequence[Path], n: int) -> Iterator[Path]:
    """Yield up to n paths, leaving out those whose units all stand on better ones."""
    told: set[str] = set()
    for path in paths:
        if n and not told.issuperset(path.units):
            told.update(path.units)
            n -= 1
            yield path
