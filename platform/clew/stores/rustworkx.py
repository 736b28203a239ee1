"""RustworkxAlgorithms: GraphAlgorithms in process, over any graph store."""

from collections.abc import Collection, Iterator, Sequence
from heapq import heappop, heappush
from itertools import islice, pairwise
from math import inf
from typing import ClassVar, NoReturn, TypeAlias

import rustworkx as rx

from clew.errors import ConfigError
from clew.model import Edge
from clew.stores.graph import GraphStore
from clew.stores.roads import Place, Roads

Step = tuple[Place, Place, float]  # what an edge of the network carries
Net: TypeAlias = "rx.PyGraph[None, Step]"
Way = tuple[Place, ...]


class RustworkxAlgorithms:
    """Steiner trees and shortest paths over a copy of the graph, made anew when it changed."""

    lacks: ClassVar = {
        "prize_steiner": "prize-collecting Steiner trees need Neo4j's Graph Data Science: set "
        "store=neo4j, or choose stage/expand@system.expand=steiner"
    }

    def __init__(self, graph: GraphStore) -> None:
        self._graph = graph
        self._made: tuple[int, Roads, Net] | None = None

    def steiner(self, terminals: Collection[str]) -> list[Edge]:
        roads, net = self._current()
        steps = [
            step
            for group in roads.groups(terminals)
            for step in rx.steiner_tree(net, group, _length).edges()
        ]
        return roads.tree((one, other) for one, other, _ in steps)

    def prize_steiner(self, seeds: Collection[str]) -> NoReturn:
        raise ConfigError(self.lacks["prize_steiner"])

    def shortest(self, source: str, target: str) -> tuple[Edge, ...]:
        return next(iter(self.paths(source, target, 1)), ())

    def paths(self, source: str, target: str, k: int) -> list[tuple[Edge, ...]]:
        roads, net = self._current()
        ends = roads.places([source]) + roads.places([target])
        if len(set(ends)) < 2:
            return []
        return [roads.trail(way) for way in islice(_shortest(net, *ends), k)]

    def close(self) -> None:
        self._made = None

    def _current(self) -> tuple[Roads, Net]:
        version = self._graph.version()
        if self._made is None or self._made[0] != version:
            roads = Roads(self._graph.all_edges())
            self._made = (version, roads, _network(roads))
        return self._made[1:]


def _network(roads: Roads) -> Net:
    net: Net = rx.PyGraph()
    net.add_nodes_from([None] * len(roads))
    net.add_edges_from([(one, other, (one, other, far)) for one, other, far in roads.lengths()])
    return net


def _length(step: Step) -> float:
    return step[2]


def _shortest(net: Net, source: Place, target: Place) -> Iterator[Way]:
    """Yield simple ways from the shortest on (Yen's algorithm)."""
    told: list[Way] = []
    waiting = list(_detour(net, (source,), target, told))
    while waiting:
        _, way = heappop(waiting)
        told.append(way)
        yield way
        for n in range(1, len(way)):
            for found in _detour(net, way[:n], target, told):
                if found not in waiting:
                    heappush(waiting, found)


def _detour(net: Net, root: Way, target: Place, told: Sequence[Way]) -> Iterator[tuple[float, Way]]:
    """Yield the shortest way that goes along `root` and then leaves all that were told, if any."""
    n = len(root)
    passed, shut = set(root[:-1]), {way[: n + 1][-2:] for way in told if way[:n] == root}

    def length(step: Step) -> float:
        one, other, far = step
        barred = one in passed or other in passed or {(one, other), (other, one)} & shut
        return inf if barred else far

    found = rx.dijkstra_shortest_paths(net, root[-1], target, weight_fn=length)
    spur = tuple(found[target]) if target in found else ()
    if spur and sum(length(step) for step in _steps(net, spur)) < inf:
        way = root[:-1] + spur
        yield sum(map(_length, _steps(net, way))), way


def _steps(net: Net, way: Way) -> list[Step]:
    return [net.get_edge_data(one, other) for one, other in pairwise(way)]
