"""Evidence: what a reader needs of a graph is kept, by place, and the rest is counted."""

from tiny_run import START

from clew.evaluate.evidence import EvidenceGraph, evidence_graph
from clew.model import Context, Edge, Evidence, Graph, Path, Scored, Unit

NOTHING = Context("", 0)


def node(id: str, role: str = "terminal") -> Scored:
    unit = Unit(id, "t", id, START, "D1", 0, "Ana", (Evidence(id),))
    return Scored(unit, 1.0, role=role)  # type: ignore[arg-type]


def test_units_have_roles_by_rank_and_say_whether_they_were_packed() -> None:
    nodes = (node("a"), node("b", "bridge"), node("c", "neighbour"), node("d", "fact"))
    found = evidence_graph(Graph(nodes, known="two"), Context("c a", 2, ("c", "a")))
    assert (found.roles, found.packed, found.known) == ("tbnf", "1010", "two")


def test_of_what_shares_an_entity_or_a_sitting_only_paths_are_kept_and_the_rest_counted() -> None:
    edges = (
        Edge("a", "b", "TIME_NEAR"),
        Edge("b", "c", "SHARED_ENTITY"),
        Edge("a", "c", "SHARED_ENTITY"),
        Edge("c", "d", "TIME_NEAR"),
    )
    path = Path(("a", "b", "c"), ("TIME_NEAR", "SHARED_ENTITY"), 2.0)
    found = evidence_graph(Graph(tuple(map(node, "abcd")), edges, (path,)), NOTHING)
    assert found.edges == ((0, 1, "TIME_NEAR"), (1, 2, "SHARED_ENTITY"))
    assert found.paths == ((0, 1),)
    assert found.rest == {"SHARED_ENTITY": 1, "TIME_NEAR": 1}


def test_stored_edges_and_those_at_a_bridge_are_kept_in_a_fixed_order() -> None:
    edges = (
        Edge("c", "a", "SUPERSEDES"),
        Edge("b", "c", "BRIDGE"),
        Edge("a", "b", "SHARED_ENTITY"),
    )
    nodes = (node("a"), node("b", "bridge"), node("c"))
    kept = ((0, 1, "SHARED_ENTITY"), (1, 2, "BRIDGE"), (2, 0, "SUPERSEDES"))
    for order in (edges, edges[::-1]):
        found = evidence_graph(Graph(nodes, order), NOTHING)
        assert (found.edges, found.rest) == (kept, {})


def test_paths_keep_their_order_and_name_the_very_edge_they_go_along() -> None:
    edges = (Edge("a", "b", "SUPERSEDES"), Edge("a", "b", "TIME_NEAR"), Edge("b", "c", "BRIDGE"))
    paths = (Path(("a", "b", "c"), ("TIME_NEAR", "BRIDGE")), Path(("a", "b"), ("SUPERSEDES",)))
    found = evidence_graph(Graph(tuple(map(node, "abc")), edges, paths), NOTHING)
    walked = [[found.edges[n] for n in path] for path in found.paths]
    assert walked == [[(0, 1, "TIME_NEAR"), (1, 2, "BRIDGE")], [(0, 1, "SUPERSEDES")]]


def test_edges_and_paths_to_units_that_were_pruned_are_left_out() -> None:
    edges = (Edge("a", "gone", "SUPERSEDES"), Edge("gone", "a", "TIME_NEAR"))
    found = evidence_graph(Graph((node("a"),), edges, (Path(("a", "gone"), ("NEXT",)),)), NOTHING)
    assert found == EvidenceGraph("t", "0")
