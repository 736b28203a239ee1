"""What graph algorithms must do: subclass GraphAlgorithmsContract and give it `algorithms`."""

from itertools import pairwise

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx.algorithms.approximation import steiner_tree

from clew.model import Edge
from clew.stores.graph import GraphAlgorithms

IDS = [f"u{n}" for n in range(9)]
EDGES = st.lists(
    st.builds(
        Edge,
        source=st.sampled_from(IDS),
        target=st.sampled_from(IDS),
        kind=st.sampled_from(["NEXT", "BRIDGE"]),
        weight=st.integers(1, 9).map(float),
    ).filter(lambda edge: edge.source != edge.target),
    max_size=25,
    unique_by=lambda edge: (edge.source, edge.target, edge.kind),
)
FEW = settings(max_examples=60, deadline=None)


def chain(*ids: str, weight: float = 1.0) -> list[Edge]:
    """Return edges along these ids."""
    return [Edge(a, b, "NEXT", weight) for a, b in pairwise(ids)]


def undirected(edges: list[Edge]) -> "nx.Graph[str]":
    """Return the graph as networkx has it, parallel edges reduced to the lightest."""
    graph: nx.Graph[str] = nx.Graph()
    for edge in sorted(edges, key=lambda edge: -edge.weight):
        graph.add_edge(edge.source, edge.target, weight=edge.weight)
    return graph


class GraphAlgorithmsContract:
    """Components, Steiner trees and simple paths, each the same for any order of input."""

    algorithms: GraphAlgorithms

    def test_components_come_by_their_smallest_id(self) -> None:
        found = self.algorithms.components(["z", "b"], chain("c", "b", "d") + chain("a", "e"))
        assert found == [frozenset("ae"), frozenset("bcd"), frozenset("z")]
        assert self.algorithms.components([], []) == []

    @FEW
    @given(EDGES)
    def test_components_are_those_of_networkx(self, edges: list[Edge]) -> None:
        graph = undirected(edges)
        graph.add_nodes_from(IDS)
        expected = sorted((frozenset(part) for part in nx.connected_components(graph)), key=min)
        assert self.algorithms.components(IDS, edges) == expected

    def test_a_steiner_tree_goes_through_others_where_that_is_lighter(self) -> None:
        star = [Edge("hub", id, "BRIDGE", 1.0) for id in "abc"]
        ring = [
            Edge("a", "b", "NEXT", 3.0),
            Edge("b", "c", "NEXT", 3.0),
            Edge("c", "a", "NEXT", 3.0),
        ]
        assert self.algorithms.steiner(ring + star, ["a", "b", "c"]) == sorted(
            star, key=lambda edge: edge.target
        )

    def test_terminals_that_cannot_be_joined_are_left_apart(self) -> None:
        edges = chain("a", "b", "c") + chain("x", "y")
        assert self.algorithms.steiner(edges, ["a", "c", "x", "nowhere"]) == chain("a", "b", "c")
        assert self.algorithms.steiner(edges, ["x", "y", "a"]) == chain("x", "y")
        assert self.algorithms.steiner(edges, ["a"]) == []
        assert self.algorithms.steiner([], ["a", "b"]) == []

    @FEW
    @given(edges=EDGES, terminals=st.sets(st.sampled_from(IDS), min_size=2, max_size=4))
    def test_a_steiner_tree_joins_all_and_is_as_light_as_networkxs(
        self, edges: list[Edge], terminals: set[str]
    ) -> None:
        whole = undirected(edges)
        for part in nx.connected_components(whole):
            ends = sorted(terminals & part)
            tree = self.algorithms.steiner([edge for edge in edges if edge.source in part], ends)
            if len(ends) < 2:
                assert tree == []
                continue
            joined = undirected(tree)
            assert nx.is_tree(joined) and len(tree) == joined.number_of_edges()
            assert set(ends) <= set(joined)
            assert set(tree) <= set(edges)
            light = steiner_tree(whole.subgraph(part), ends, method="mehlhorn").size("weight")
            assert sum(edge.weight for edge in tree) <= 2 * light

    @FEW
    @given(edges=EDGES, data=st.data())
    def test_the_order_of_the_edges_does_not_matter(
        self, edges: list[Edge], data: st.DataObject
    ) -> None:
        other = data.draw(st.permutations(edges))
        assert self.algorithms.steiner(edges, IDS[:4]) == self.algorithms.steiner(other, IDS[:4])
        assert self.algorithms.paths(edges, "u0", "u1", 3, 5) == self.algorithms.paths(
            other, "u0", "u1", 3, 5
        )

    def test_paths_are_directed_short_and_lightest_first(self) -> None:
        edges = [
            *chain("a", "b", "z", weight=2.0),
            *chain("a", "c", "z", weight=1.0),
            *chain("a", "d", "e", "f", "z", weight=0.1),
            Edge("z", "a", "NEXT", 0.1),
        ]
        assert self.algorithms.paths(edges, "a", "z", 3, 9) == [("a", "c", "z"), ("a", "b", "z")]
        assert self.algorithms.paths(edges, "a", "z", 4, 1) == [("a", "d", "e", "f", "z")]
        assert self.algorithms.paths(edges, "b", "c", 1, 9) == []

    def test_equally_light_paths_come_by_id(self) -> None:
        edges = chain("a", "c", "z") + chain("a", "b", "z")
        assert self.algorithms.paths(edges, "a", "z", 2, 2) == [("a", "b", "z"), ("a", "c", "z")]

    def test_there_is_no_path_from_a_unit_to_itself_or_to_nowhere(self) -> None:
        edges = chain("a", "b", "a")
        assert self.algorithms.paths(edges, "a", "a", 3, 3) == []
        assert self.algorithms.paths(edges, "a", "nowhere", 3, 3) == []
        assert self.algorithms.paths(edges, "nowhere", "a", 3, 3) == []

    @FEW
    @given(edges=EDGES, hops=st.integers(1, 4), k=st.integers(1, 8))
    def test_paths_are_the_lightest_of_all_simple_ones(
        self, edges: list[Edge], hops: int, k: int
    ) -> None:
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(IDS)
        for edge in sorted(edges, key=lambda edge: -edge.weight):
            graph.add_edge(edge.source, edge.target, weight=edge.weight)
        every = [tuple(path) for path in nx.all_simple_paths(graph, "u0", "u1", cutoff=hops)]
        lightest = sorted(every, key=lambda path: (nx.path_weight(graph, path, "weight"), path))
        assert self.algorithms.paths(edges, "u0", "u1", hops, k) == lightest[:k]
