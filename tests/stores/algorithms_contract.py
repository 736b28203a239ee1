"""What graph algorithms must do: subclass GraphAlgorithmsContract and give it both fixtures."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stories import unit

from clew.model import Edge
from clew.stores.graph import GraphAlgorithms, GraphStore
from clew.stores.roads import LENGTHS

AT = st.integers(0, 5)
NAMES = ("ana", "bo", "cy")
EDGES = st.lists(
    st.tuples(
        AT, AT, st.sampled_from(["NEXT", "SUPERSEDES"]), st.integers(1, 9).map(lambda n: n / 2)
    ).filter(lambda edge: edge[0] != edge[1]),
    max_size=10,
    unique_by=lambda edge: edge[:3],
)
MENTIONS = st.sets(st.tuples(AT, st.sampled_from(NAMES)), max_size=10)
ANY_GRAPH: dict[str, dict[str, st.SearchStrategy[Any]]] = {  # what else each is tried with
    "a_tree_joins_all_that_can_be_joined_and_is_short": {
        "some": st.sets(AT, min_size=2, max_size=4)
    },
    "paths_are_the_shortest_simple_ones": {"k": st.integers(1, 6)},
    "the_order_of_writing_does_not_matter": {"data": st.data()},
}
Row = tuple[int, int, str, float]


def u(at: int) -> str:
    """Return the id of the unit of a position."""
    return f"D1:{at}.00"


def follows(*at: int, weight: float = 1.0) -> list[Row]:
    """Return edges along these units."""
    return [(a, b, "NEXT", weight) for a, b in pairwise(at)]


def fill(store: GraphStore, edges: Sequence[Row], mentions: Iterable[tuple[int, str]] = ()) -> None:
    """Let the store hold these edges and mentions, written in the order given, and no other."""
    named = list(mentions)
    store.clear()
    with store.transaction():
        for at in dict.fromkeys(
            [at for at, _ in named] + [n for a, b, *_ in edges for n in (a, b)]
        ):
            names = frozenset(name for other, name in named if other == at)
            store.put([unit(at, entities=names)])
        store.link(Edge(u(a), u(b), kind, weight) for a, b, kind, weight in edges)  # type: ignore[arg-type]


def network(store: GraphStore) -> "nx.Graph[str]":
    """Return what the store holds as networkx has it: entities marked, the shortest edges."""
    edges = store.all_edges()
    n = Counter(edge.target for edge in edges if edge.kind == "MENTIONS")
    graph: nx.Graph[str] = nx.Graph()
    for edge in edges:
        far = LENGTHS[edge.kind] * edge.weight
        one, other = ends(edge)
        if edge.kind == "MENTIONS":
            far *= math.log2(1 + n[edge.target])
        if not graph.has_edge(one, other) or graph[one][other]["weight"] > far:
            graph.add_edge(one, other, weight=far)
    return graph


def ends(edge: Edge) -> tuple[str, str]:
    """Return both ends of an edge, an entity with a mark."""
    return edge.source, "@" * (edge.kind == "MENTIONS") + edge.target


def length(edges: Iterable[Edge]) -> float:
    """Return the sum of lengths."""
    return sum(edge.weight for edge in edges)


def optimum(graph: "nx.Graph[str]", terminals: set[str]) -> float:
    """Return the length of the shortest Steiner tree, by trying all sets of other nodes."""
    others = sorted(set(graph) - terminals)
    best = math.inf
    for n in range(len(others) + 1):
        for some in combinations(others, n):
            inside = graph.subgraph(terminals | set(some))
            if nx.is_connected(inside):
                best = min(best, nx.minimum_spanning_tree(inside).size("weight"))
    return best


def visited(path: Sequence[Edge], source: str) -> list[str]:
    """Return the nodes of a path from its source, which has to hang together."""
    nodes = [source]
    for edge in path:
        (other,) = set(ends(edge)) - {nodes[-1]}
        assert nodes[-1] in ends(edge)
        nodes.append(other)
    return nodes


class GraphAlgorithmsContract:
    """Steiner trees and shortest paths over what a store holds now.

    What holds for any graph is tried with as many `examples` as a subclass can bear.
    """

    def __init_subclass__(cls, examples: int) -> None:
        tried = settings(
            max_examples=examples,
            deadline=None,
            suppress_health_check=[HealthCheck.function_scoped_fixture],  # one store for all
        )
        for name, others in ANY_GRAPH.items():
            drawn = given(edges=EDGES, mentions=MENTIONS, **others)
            setattr(cls, f"test_{name}", tried(drawn(getattr(cls, name))))

    @pytest.fixture
    def store(self) -> Iterator[GraphStore]:
        raise NotImplementedError

    @pytest.fixture
    def algorithms(self, store: GraphStore) -> Iterator[GraphAlgorithms]:
        raise NotImplementedError

    # --- Steiner trees

    def test_a_tree_goes_through_others_where_that_is_shorter(
        self, store: GraphStore, algorithms: GraphAlgorithms
    ) -> None:
        star = [(0, at, "SUPERSEDES", 1.0) for at in (1, 2, 3)]
        ring = [(1, 2, "SUPERSEDES", 3.0), (2, 3, "SUPERSEDES", 3.0), (1, 3, "SUPERSEDES", 3.0)]
        fill(store, [*ring, *star])
        tree = algorithms.steiner([u(1), u(2), u(3)])
        assert [(e.source, e.target) for e in tree] == [(u(0), u(1)), (u(0), u(2)), (u(0), u(3))]

    def test_a_rare_entity_joins_what_one_that_all_mention_would_join_too(
        self, store: GraphStore, algorithms: GraphAlgorithms
    ) -> None:
        fill(store, [], [*((at, "ana") for at in range(6)), (1, "bo"), (4, "bo")])
        tree = algorithms.steiner([u(1), u(4)])
        assert [(e.source, e.target, e.kind) for e in tree] == [
            (u(1), "bo", "MENTIONS"),
            (u(4), "bo", "MENTIONS"),
        ]
        assert length(tree) == pytest.approx(2 * math.log2(3), abs=0.01)

    def test_terminals_of_separate_parts_make_a_tree_each(
        self, store: GraphStore, algorithms: GraphAlgorithms
    ) -> None:
        fill(store, [*follows(0, 1, 2), *follows(4, 5)])
        first, second, third = follows(0, 1, 2) + follows(4, 5)
        joined = [(u(a), u(b)) for a, b, *_ in (first, second, third)]
        tree = algorithms.steiner([u(0), u(2), u(4), u(5)])
        assert [(e.source, e.target) for e in tree] == joined
        assert [e.target for e in algorithms.steiner([u(0), u(2), u(4)])] == [u(1), u(2)]

    def test_one_unknown_or_no_terminal_makes_no_tree(
        self, store: GraphStore, algorithms: GraphAlgorithms
    ) -> None:
        assert algorithms.steiner([u(0), u(1)]) == []  # nothing is stored at all
        fill(store, follows(0, 1))
        assert algorithms.steiner([]) == []
        assert algorithms.steiner([u(0)]) == []
        assert algorithms.steiner([u(0), u(0)]) == []
        assert algorithms.steiner([u(0), "nobody"]) == []

    def test_an_entity_with_a_units_id_is_not_that_unit(
        self, store: GraphStore, algorithms: GraphAlgorithms
    ) -> None:
        fill(store, follows(0, 1), [(2, u(0)), (3, u(0))])
        assert algorithms.steiner([u(1), u(2)]) == []
        assert [e.kind for e in algorithms.steiner([u(2), u(3)])] == ["MENTIONS", "MENTIONS"]

    def a_tree_joins_all_that_can_be_joined_and_is_short(
        self,
        store: GraphStore,
        algorithms: GraphAlgorithms,
        edges: list[Row],
        mentions: set[tuple[int, str]],
        some: set[int],
    ) -> None:
        fill(store, edges, sorted(mentions))
        tree = algorithms.steiner([u(at) for at in some])
        assert {(e.source, e.target, e.kind) for e in tree} <= {
            (e.source, e.target, e.kind) for e in store.all_edges()
        }
        made: nx.Graph[str] = nx.Graph([ends(edge) for edge in tree])
        assert made.number_of_edges() == len(tree)
        assert not tree or nx.is_forest(made)
        whole = network(store)
        shortest = 0.0
        for part in nx.connected_components(whole):
            terminals = {u(at) for at in some} & part
            if len(terminals) > 1:
                assert all(nx.has_path(made, *pair) for pair in combinations(terminals, 2))
                shortest += optimum(whole.subgraph(part), terminals)
        assert length(tree) <= 2 * shortest + 0.01

    # --- shortest paths

    def paths_are_the_shortest_simple_ones(
        self,
        store: GraphStore,
        algorithms: GraphAlgorithms,
        edges: list[Row],
        mentions: set[tuple[int, str]],
        k: int,
    ) -> None:
        fill(store, edges, sorted(mentions))
        whole = network(store)
        whole.add_nodes_from([u(0), u(1)])
        every = [nx.path_weight(whole, p, "weight") for p in nx.all_simple_paths(whole, u(0), u(1))]
        found = algorithms.paths(u(0), u(1), k)
        assert [length(path) for path in found] == pytest.approx(sorted(every)[:k], abs=0.02)
        told = [visited(path, u(0)) for path in found]
        assert all(nodes[-1] == u(1) and len(set(nodes)) == len(nodes) for nodes in told)
        assert len({tuple(nodes) for nodes in told}) == len(told)
        assert algorithms.shortest(u(0), u(1)) == next(iter(found), ())

    def test_there_is_no_path_to_oneself_to_nowhere_or_to_another_part(
        self, store: GraphStore, algorithms: GraphAlgorithms
    ) -> None:
        assert algorithms.shortest(u(0), u(1)) == ()
        fill(store, [*follows(0, 1, 0), *follows(4, 5)])
        for pair in ((u(0), u(0)), (u(0), "nowhere"), ("nowhere", u(0)), (u(0), u(4))):
            assert algorithms.paths(*pair, 3) == []
            assert algorithms.shortest(*pair) == ()

    def test_a_path_back_has_the_same_edges_the_other_way_round(
        self, store: GraphStore, algorithms: GraphAlgorithms
    ) -> None:
        fill(store, follows(0, 1), [(1, "bo"), (2, "bo")])
        there = algorithms.shortest(u(0), u(2))
        assert [(e.source, e.target) for e in there] == [(u(0), u(1)), (u(1), "bo"), (u(2), "bo")]
        assert algorithms.shortest(u(2), u(0)) == there[::-1]

    # --- what they are of

    def the_order_of_writing_does_not_matter(
        self,
        store: GraphStore,
        algorithms: GraphAlgorithms,
        edges: list[Row],
        mentions: set[tuple[int, str]],
        data: st.DataObject,
    ) -> None:
        fill(store, edges, sorted(mentions))
        tree, paths = (
            algorithms.steiner([u(at) for at in range(4)]),
            algorithms.paths(u(0), u(1), 3),
        )
        others = data.draw(st.permutations(edges)), data.draw(st.permutations(sorted(mentions)))
        fill(store, *others)
        assert algorithms.steiner([u(at) for at in (3, 1, 0, 2)]) == tree
        assert algorithms.paths(u(0), u(1), 3) == paths

    def test_what_is_written_and_forgotten_shows_at_once(
        self, store: GraphStore, algorithms: GraphAlgorithms
    ) -> None:
        fill(store, follows(0, 1, 2, 3))
        assert len(algorithms.shortest(u(0), u(3))) == 3
        store.link([Edge(u(0), u(3), "SUPERSEDES")])
        assert [e.kind for e in algorithms.shortest(u(0), u(3))] == ["SUPERSEDES"]
        store.forget(["D1:3"])
        assert algorithms.shortest(u(0), u(3)) == ()
        assert len(algorithms.steiner([u(0), u(2)])) == 2

    def test_closing_twice_is_closing_once(self, algorithms: GraphAlgorithms) -> None:
        algorithms.close()
        algorithms.close()
