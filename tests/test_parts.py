"""Parts: what hangs together, with networkx as the oracle."""

from datetime import UTC, datetime

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from clew.model import Edge, Evidence, Graph, Scored, Unit
from clew.parts import parts

NODE = st.integers(0, 9)


def test_parts_come_by_their_smallest_node_and_single_nodes_are_parts() -> None:
    joined = [("c", "b"), ("b", "d"), ("a", "e")]
    assert parts(["z", "b"], joined) == [frozenset("ae"), frozenset("bcd"), frozenset("z")]
    assert parts(list[str](), []) == []


@given(st.lists(st.tuples(NODE, NODE), max_size=15))
def test_parts_are_those_of_networkx(pairs: list[tuple[int, int]]) -> None:
    graph = nx.Graph(pairs)
    graph.add_nodes_from(range(10))
    expected = sorted((frozenset(part) for part in nx.connected_components(graph)), key=min)
    assert parts(range(10), pairs) == expected


def test_an_evidence_graph_tells_its_parts() -> None:
    at = datetime(2025, 1, 1, tzinfo=UTC)
    a, b, c = (
        Scored(Unit(id, "talk", id, at, "1", n, "Ana", (Evidence("D1:1"),)), 1.0)
        for n, id in enumerate("abc")
    )
    graph = Graph((c, b, a), (Edge("c", "a", "SHARED_ENTITY"),))
    assert graph.parts() == [frozenset("ac"), frozenset("b")]
