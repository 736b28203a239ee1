"""Neighbours: what hangs on the best hits by stored edges? (Mandol §3.3.1)

"Selective subgraph expansion from top-ranked units, pruning by edge type and budget". The
released code has it switched off in all runs that the paper reports.
"""

from collections.abc import Collection, Sequence
from typing import ClassVar

from clew.memory import Memory
from clew.model import Edge, Graph, Scored, StoredKind, Unit
from clew.stage import Count, stage
from clew.trace import count


@stage
class Alone:
    """Take the hits as they are: without expansion."""

    def __call__(self, found: Sequence[Scored], memory: Memory) -> Graph:
        """Return the hits with no edge between them."""
        return Graph(tuple(found))


@stage
class Neighbours:
    """Follow stored edges of the allowed kinds from the `seeds` best hits, `hops` times.

    At most `most` units come in, those first that hang on the best hit, and of these those
    whose edge's kind stands first. What was archived stays out, as it does for a search. Edges
    between what is then there are taken in.
    """

    kinds: tuple[StoredKind, ...] = ("NEXT", "SUPERSEDES", "ABSTRACTS", "BEFORE", "CAUSES")
    seeds: Count = 20  # this and the next: unspecified
    most: Count = 40
    hops: Count = 1  # as the released code, where it is on
    effects: ClassVar = ("expand.neighbours",)

    def __call__(self, found: Sequence[Scored], memory: Memory) -> Graph:
        """Return hits and what hangs on them, with the stored edges between them."""
        nodes = {s.unit.id: s for s in found}
        ends = [s.unit.id for s in found[: self.seeds]]
        for _ in range(self.hops):
            room = self.most - (len(nodes) - len(found))
            edges = memory.graph.edges(ends, self.kinds) if ends else []
            near = memory.units(self._nearest(ends, edges, nodes))
            units = _current(near, memory)[:room]
            nodes |= {unit.id: Scored(unit, 0.0, role="neighbour") for unit in units}
            ends = [unit.id for unit in units]
        count("expand.neighbours", len(nodes) - len(found))
        return Graph(tuple(nodes.values()), tuple(self._inside(nodes, memory)))

    def _nearest(
        self, ends: Sequence[str], edges: Sequence[Edge], known: Collection[str]
    ) -> list[str]:
        """Return the ids at the other ends of edges, those at the best unit first."""
        rank = {id: n for n, id in enumerate(ends)}
        reached: dict[str, tuple[int, int]] = {}
        for edge in edges:
            for here, there in ((edge.source, edge.target), (edge.target, edge.source)):
                if here in rank and there not in known:
                    place = rank[here], [*self.kinds].index(edge.kind)  # type: ignore[arg-type]
                    reached[there] = min(place, reached.get(there, place))
        return sorted(reached, key=lambda id: (*reached[id], id))

    def _inside(self, ids: Collection[str], memory: Memory) -> list[Edge]:
        edges = memory.graph.edges(ids, self.kinds) if ids else []
        return [edge for edge in edges if edge.source in ids and edge.target in ids]


def _current(units: Sequence[Unit], memory: Memory) -> list[Unit]:
    """Return the units that are not archived."""
    views = memory.graph.views([unit.id for unit in units]) if units else {}
    return [unit for unit in units if views[unit.id].under is None]
