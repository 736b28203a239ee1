"""RustworkxAlgorithms: GraphAlgorithms in process."""

from collections.abc import Collection, Sequence
from heapq import heappop, heappush
from math import fsum

import rustworkx as rx

from clew.model import Edge
from clew.stores.graph import GraphStore


class RustworkxAlgorithms:
    """Components, Steiner trees and k simple paths with rustworkx; ids decide ties."""

    def __init__(self, graph: GraphStore | None = None) -> None:
        self._graph = graph

    def components(self, nodes: Collection[str], edges: Sequence[Edge]) -> list[frozenset[str]]:
        ids = sorted(set(nodes) | {id for edge in edges for id in (edge.source, edge.target)})
        graph, place = _undirected(ids, edges)
        parts = rx.connected_components(graph)
        return sorted((frozenset(ids[n] for n in part) for part in parts), key=min) if place else []

    def steiner(self, edges: Sequence[Edge], terminals: Collection[str]) -> list[Edge]:
        chosen: list[Edge] = []
        for part in self.components((), edges):
            ends = sorted(part.intersection(terminals))
            if len(ends) > 1:
                chosen += _tree([e for e in edges if e.source in part], ends)
        return sorted(chosen, key=lambda e: (e.source, e.target, e.kind))

    def paths(
        self, edges: Sequence[Edge], source: str, target: str, hops: int, k: int
    ) -> list[tuple[str, ...]]:
        onward: dict[str, dict[str, float]] = {}
        for edge in edges:
            out = onward.setdefault(edge.source, {})
            out[edge.target] = min(edge.weight, out.get(edge.target, edge.weight))
        found: list[tuple[str, ...]] = []
        waiting: list[tuple[float, tuple[str, ...]]] = [(0.0, (source,))]
        while waiting and len(found) < k and source != target:
            length, path = heappop(waiting)
            if path[-1] == target:
                found.append(path)
            elif len(path) <= hops:
                for step, weight in onward.get(path[-1], {}).items():
                    if step not in path:
                        heappush(waiting, (fsum((length, weight)), (*path, step)))
        return found


def _undirected(
    ids: Sequence[str], edges: Sequence[Edge]
) -> tuple["rx.PyGraph[str, Edge]", dict[str, int]]:
    graph: rx.PyGraph[str, Edge] = rx.PyGraph()
    place = dict(zip(ids, graph.add_nodes_from(ids), strict=True))
    ordered = sorted(edges, key=lambda e: (e.weight, e.source, e.target, e.kind))
    graph.add_edges_from([(place[e.source], place[e.target], e) for e in ordered])
    return graph, place


def _tree(edges: Sequence[Edge], terminals: Sequence[str]) -> list[Edge]:
    ids = sorted({id for edge in edges for id in (edge.source, edge.target)})
    graph, place = _undirected(ids, edges)
    tree = rx.steiner_tree(graph, [place[id] for id in terminals], lambda edge: edge.weight)
    return list(tree.edges())
