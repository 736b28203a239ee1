"""GdsAlgorithms: GraphAlgorithms by Neo4j's Graph Data Science, over named projections.

A conversation's graph is projected when it is first needed. The projection serves all
questions until the graph changes, and is dropped then, on closing and at the process's exit;
one that a killed process left is dropped by the next that projects anything. Nodes have the
numbers that `roads` gives them instead of Neo4j's own, which depend on what was stored and
deleted before; so a result is the same on every server.
"""

import atexit
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from threading import RLock
from typing import Any, ClassVar, Protocol, TypeVar

from graphdatascience.graph import Graph
from neo4j import Driver
from pandas import DataFrame

from clew.errors import ConfigError, StoreError
from clew.model import Edge
from clew.stores.gds.server import Lost, connected, explained
from clew.stores.graph import GraphStore
from clew.stores.projections import Projection, left_behind, owner
from clew.stores.roads import Pair, Roads

PROJECT = """
UNWIND $joined AS pair
RETURN gds.graph.project($name, pair[0], pair[1], {
    relationshipProperties: {length: pair[2], cost: pair[2] / $reach, nearness: 1.0 / pair[2]}
}, {undirectedRelationshipTypes: ['*'], readConcurrency: 1})
"""
NAMES = """
CALL gds.graph.list() YIELD graphName
RETURN graphName
"""  # with all that the client's own call lists, it fails if one is dropped meanwhile
PRIZES = """
CALL gds.pageRank.mutate($name, $spread) YIELD nodePropertiesWritten
RETURN nodePropertiesWritten
"""  # the client's own call has the server tell how prizes are distributed, which takes as long
SPREAD: dict[str, Any] = {
    "maxIterations": 10,  # a few hops from the seeds hardly anything is left to spread
    "scaler": "MAX",
    "relationshipWeightProperty": "nearness",
    "concurrency": 1,
    "logProgress": False,
}
Result = TypeVar("Result")
SPENT = 64  # questions whose prizes are dropped at once; 8 bytes a node and question
ALONE: dict[str, Any] = {"concurrency": 1, "log_progress": False}


class Served(GraphStore, Protocol):
    """A graph store on a Neo4j server."""

    @property
    def driver(self) -> Driver:
        """What talks to the server; it stays the store's."""

    @property
    def database(self) -> str | None:
        """The database within the server; None for its own."""

    @property
    def scope(self) -> str:
        """What tells this conversation from all others on the server."""


@dataclass(frozen=True, slots=True)
class Made:
    """A projection with the roads it was made of."""

    version: int
    roads: Roads
    graph: Graph | None  # none of nothing
    spent: list[str] = field(default_factory=list)  # properties that no question needs any more


class GdsAlgorithms:
    """Steiner trees, with prizes or without, and shortest paths, by the server.

    `reach` is how long an edge may be to cost as much as the greatest prize of a question;
    8, 16 and 32 were tried on LoCoMo 26 and 30.

    Raises (on construction):
        StoreError: the server has no Graph Data Science, or an old one, or forbids its use.
        ConfigError: `reach` is not above 0.
    """

    lacks: ClassVar[dict[str, str]] = {}

    def __init__(self, graph: Served, reach: float = 32.0) -> None:
        if not reach > 0:
            raise ConfigError(f"store.algorithms.reach: set it to more than 0, got {reach!r}")
        self._graph, self._reach = graph, float(reach)
        self._owner, self._prizes, self._lock = owner(), count(), RLock()
        self._gds = connected(graph.driver, graph.database)
        self._made: Made | None = None
        self.projections = 0  # made so far: one a version of the graph, never one a question
        with explained():
            self._sweep()

    def steiner(self, terminals: Collection[str]) -> list[Edge]:
        def tree(roads: Roads, graph: Graph) -> list[Edge]:
            pairs: list[Pair] = []
            for source, *targets in roads.groups(terminals):
                found = self._gds.steiner_tree.stream(
                    graph, source, targets, relationship_weight_property="length", **ALONE
                )
                pairs += _pairs(found)
            return roads.tree(pairs)

        return self._asked(tree)

    def prize_steiner(self, seeds: Collection[str]) -> list[Edge]:
        def tree(roads: Roads, graph: Graph) -> list[Edge]:
            places = roads.places(seeds)
            return roads.tree(_pairs(self._collected(graph, places))) if places else []

        return self._asked(tree)

    def _collected(self, graph: Graph, places: list[int]) -> DataFrame:
        """Return the tree of what is worth its cost; the greatest prize is 1."""
        self._tidy(graph)
        prize = f"prize{next(self._prizes)}"
        spread = {**SPREAD, "mutateProperty": prize, "sourceNodes": places}
        self._gds.run_cypher(PRIZES, {"name": graph.name(), "spread": spread})
        if self._made:
            self._made.spent.append(prize)
        return self._gds.prize_steiner_tree.stream(
            graph, prize, relationship_weight_property="cost", **ALONE
        )

    def _tidy(self, graph: Graph) -> None:
        """Drop the prizes of questions that were answered, once they are many."""
        if self._made and len(self._made.spent) >= SPENT:
            self._gds.graph.node_properties.drop(graph, self._made.spent)
            self._made.spent.clear()

    def shortest(self, source: str, target: str) -> tuple[Edge, ...]:
        def way(graph: Graph, one: int, other: int) -> DataFrame:
            return self._gds.shortest_path.dijkstra.stream(
                graph, one, other, relationship_weight_property="length", **ALONE
            )

        return next(iter(self._ways(way, source, target)), ())

    def paths(self, source: str, target: str, k: int) -> list[tuple[Edge, ...]]:
        def ways(graph: Graph, one: int, other: int) -> DataFrame:
            return self._gds.shortest_path.yens.stream(
                graph, one, other, k, relationship_weight_property="length", **ALONE
            )

        return self._ways(ways, source, target)

    def _ways(
        self, find: Callable[..., DataFrame], source: str, target: str
    ) -> list[tuple[Edge, ...]]:
        def ways(roads: Roads, graph: Graph) -> list[tuple[Edge, ...]]:
            ends = roads.places([source]) + roads.places([target])
            if len(set(ends)) < 2:
                return []
            found = find(graph, *ends).sort_values("totalCost", kind="stable")
            return [roads.trail([int(n) for n in nodes]) for nodes in found["nodeIds"]]

        return self._asked(ways)

    def close(self) -> None:
        with self._lock, suppress(StoreError):  # what cannot be dropped is swept up later
            self._drop()

    # --- projections

    def _asked(self, ask: Callable[[Roads, Graph], list[Result]]) -> list[Result]:
        """Ask of the projection; make it once more if the server lost it or was away."""
        try:
            return self._once(ask)
        except Lost:
            with self._lock:
                self._made = None
            return self._once(ask)

    def _once(self, ask: Callable[[Roads, Graph], list[Result]]) -> list[Result]:
        with self._lock, explained():
            made = self._current()
            return ask(made.roads, made.graph) if made.graph else []

    def _current(self) -> Made:
        version = self._graph.version()  # waits for a server that is away
        if self._made is None or self._made.version != version:
            self._drop()
            roads = Roads(self._graph.all_edges())
            name = str(Projection(self._graph.scope, version, self._owner))
            self._made = Made(version, roads, self._projected(name, roads))
        return self._made

    def _projected(self, name: str, roads: Roads) -> Graph | None:
        joined = [list(each) for each in roads.lengths()]
        if not joined:
            return None
        atexit.register(self.close)
        self._gds.graph.drop(name, fail_if_missing=False)  # of an attempt that was cut off
        self.projections += 1
        made = self._gds.graph.project.cypher(PROJECT, name=name, joined=joined, reach=self._reach)
        return made.graph

    def _drop(self) -> None:
        made, self._made = self._made, None
        if made and made.graph:
            atexit.unregister(self.close)
            with explained():
                self._gds.graph.drop(made.graph, fail_if_missing=False)

    def _sweep(self) -> None:
        """Drop what processes that have ended left behind, of whatever conversation."""
        for name in filter(left_behind, self._gds.run_cypher(NAMES)["graphName"]):
            self._gds.graph.drop(name, fail_if_missing=False)


def _pairs(found: DataFrame) -> list[Pair]:
    """Return the pairs of nodes that a tree's rows join; its root is its own parent."""
    rows = zip(found["nodeId"], found["parentId"], strict=True)
    return [(int(node), int(parent)) for node, parent in rows if node != parent]
