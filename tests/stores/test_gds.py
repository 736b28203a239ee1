"""GDS: the contract of graph algorithms on a real server, and the life of its projections."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx
import pytest
from algorithms_contract import GraphAlgorithmsContract, ends, fill, follows, u
from graphdatascience.versions import ServerVersion
from stories import NASTY, TALK, unit

from clew.errors import ConfigError, StoreError
from clew.model import Edge
from clew.stores.gds import GdsAlgorithms, server
from clew.stores.gds.server import Lost, explained
from clew.stores.graph import GraphAlgorithms, GraphStore
from clew.stores.neo4j import Neo4j, Neo4jGraph
from clew.stores.projections import Projection, owner
from clew.stores.rustworkx import RustworkxAlgorithms

if TYPE_CHECKING:
    from neo4j import Driver

pytestmark = pytest.mark.neo4j
Names = Callable[[], set[str]]


@pytest.fixture
def store(neo4j_space: Neo4j) -> Iterator[Neo4jGraph]:
    store = neo4j_space(Path(), TALK)
    yield store
    store.close()


@pytest.fixture
def algorithms(store: Neo4jGraph) -> Iterator[GdsAlgorithms]:
    algorithms = GdsAlgorithms(store)
    yield algorithms
    algorithms.close()


@pytest.fixture
def names(store: Neo4jGraph, neo4j: "Driver") -> Names:
    """Tell which projections there are of the memory, by whomever."""
    mine = ".".join(str(Projection(store.scope, 0, owner())).split(".")[:2])

    def found() -> set[str]:
        listed = neo4j.execute_query("CALL gds.graph.list() YIELD graphName RETURN graphName")
        return {name for (name,) in listed.records if name.startswith(f"{mine}.")}

    return found


class TestGds(GraphAlgorithmsContract, examples=6):
    @pytest.fixture
    def store(self, neo4j_space: Neo4j) -> Iterator[GraphStore]:
        store = neo4j_space(Path(), TALK)
        yield store
        store.close()

    @pytest.fixture
    def algorithms(self, store: Neo4jGraph) -> Iterator[GraphAlgorithms]:
        algorithms = GdsAlgorithms(store)
        yield algorithms
        algorithms.close()


def test_paths_are_those_that_are_found_in_process(
    store: Neo4jGraph, algorithms: GdsAlgorithms
) -> None:
    mentions = [(0, "ana"), (3, "ana"), (2, "ana"), (1, "bo"), (3, "bo")]
    fill(store, [*follows(0, 1, 2, 3), *follows(0, 4, 3), *follows(0, 5, 3)], mentions)
    here = RustworkxAlgorithms(store)
    assert algorithms.paths(u(0), u(3), 9) == here.paths(u(0), u(3), 9)
    assert algorithms.shortest(u(1), u(5)) == here.shortest(u(1), u(5))


# --- prizes


def test_a_tree_of_prizes_goes_where_it_is_worth_it(
    store: Neo4jGraph, algorithms: GdsAlgorithms
) -> None:
    far = [(4, 5, "SUPERSEDES", 90.0)]
    fill(store, [*((a, a + 1, "SUPERSEDES", 1.0) for a in range(4)), *far])
    tree = algorithms.prize_steiner([u(0), u(3), u(5)])
    made = nx.Graph([ends(edge) for edge in tree])
    assert nx.is_tree(made) and made.number_of_edges() == len(tree)
    assert {u(0), u(3)} <= set(made) and u(5) not in made
    assert algorithms.prize_steiner([u(3), u(5), u(0)]) == tree
    stored = {(e.source, e.target, e.kind) for e in store.all_edges()}
    assert {(e.source, e.target, e.kind) for e in tree} <= stored


def test_nothing_known_collects_no_prize(store: Neo4jGraph, algorithms: GdsAlgorithms) -> None:
    assert algorithms.prize_steiner([u(0)]) == []
    fill(store, follows(0, 1))
    assert algorithms.prize_steiner([]) == []
    assert algorithms.prize_steiner(["nobody"]) == []


def test_prizes_of_questions_that_were_answered_do_not_heap_up(
    store: Neo4jGraph,
    algorithms: GdsAlgorithms,
    names: Names,
    neo4j: "Driver",
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("clew.stores.gds.algorithms.SPENT", 2)
    fill(store, follows(0, 1, 2))
    trees = [algorithms.prize_steiner([u(0), u(2)]) for _ in range(6)]
    assert len(trees[0]) == 2 and trees == [trees[0]] * 6
    schema = "CALL gds.graph.list($name) YIELD schemaWithOrientation AS it RETURN it.nodes"
    ((nodes,),) = neo4j.execute_query(schema, name=names().pop()).records
    assert [len(properties) for properties in nodes.values()] == [2]


def test_a_reach_of_nothing_is_refused(store: Neo4jGraph) -> None:
    with pytest.raises(ConfigError, match=r"store\.algorithms\.reach"):
        GdsAlgorithms(store, reach=0)


# --- projections


def test_all_questions_share_a_projection_until_the_graph_changes(
    store: Neo4jGraph, algorithms: GdsAlgorithms, names: Names
) -> None:
    fill(store, follows(0, 1, 2))
    assert names() == set()
    for _ in range(3):
        algorithms.steiner([u(0), u(2)])
        algorithms.prize_steiner([u(0)])
        algorithms.paths(u(0), u(2), 2)
    (first,) = names()
    fill(store, follows(0, 1))
    algorithms.shortest(u(0), u(1))
    (second,) = names()
    assert first != second
    algorithms.close()
    assert names() == set()


def test_nothing_is_projected_of_an_empty_memory(algorithms: GdsAlgorithms, names: Names) -> None:
    assert algorithms.steiner([u(0), u(1)]) == []
    assert names() == set()


def test_a_projection_that_the_server_lost_is_made_again(
    store: Neo4jGraph, algorithms: GdsAlgorithms, names: Names, neo4j: "Driver"
) -> None:
    fill(store, follows(0, 1))
    tree = algorithms.steiner([u(0), u(1)])
    (name,) = names()
    neo4j.execute_query("CALL gds.graph.drop($name) YIELD graphName", name=name)
    assert algorithms.steiner([u(0), u(1)]) == tree
    assert names() == {name}


def test_whatever_a_conversation_and_what_is_in_it_is_called_it_is_a_name(
    neo4j_space: Neo4j, neo4j: "Driver"
) -> None:
    for text in NASTY:
        ids = [f"{text} {n}" for n in range(3)]
        with (
            closing(neo4j_space(Path(), text)) as store,
            closing(GdsAlgorithms(store)) as algorithms,
        ):
            names = frozenset({text})
            store.put(
                replace(unit(n), id=ids[n], conversation=text, entities=names) for n in (0, 2)
            )
            store.put([replace(unit(1), id=ids[1], conversation=text)])
            store.link([Edge(ids[0], ids[1], "SUPERSEDES"), Edge(ids[1], ids[2], "NEXT")])
            mentioned = [Edge(ids[n], text, "MENTIONS") for n in (0, 2)]
            far = [(e.source, e.target, e.kind) for e in algorithms.steiner([ids[0], ids[2]])]
            assert far == [(e.source, e.target, e.kind) for e in mentioned]
            assert [e.source for e in algorithms.shortest(ids[2], ids[0])] == [ids[2], ids[0]]
            assert len(algorithms.paths(ids[0], ids[1], 2)) == 2
            assert {e.kind for e in algorithms.prize_steiner(ids)} == {"SUPERSEDES", "MENTIONS"}
            listed = neo4j.execute_query("CALL gds.graph.list() YIELD graphName RETURN graphName")
            mine = str(Projection(store.scope, store.version(), owner())).rsplit(".", 1)[0]
            assert re.fullmatch(r"[a-z0-9.]+", mine)
            assert sum(name.startswith(f"{mine}.") for (name,) in listed.records) == 1


def test_two_users_of_one_memory_do_not_take_each_others_projection(
    store: Neo4jGraph, algorithms: GdsAlgorithms, names: Names
) -> None:
    fill(store, follows(0, 1))
    other = GdsAlgorithms(store)
    assert algorithms.steiner([u(0), u(1)]) == other.steiner([u(0), u(1)])
    assert len(names()) == 2
    other.close()
    assert len(names()) == 1
    assert algorithms.steiner([u(0), u(1)])


def test_a_user_may_begin_while_others_come_and_go(store: Neo4jGraph, names: Names) -> None:
    fill(store, follows(0, 1))
    first = GdsAlgorithms(store)
    found = first.steiner([u(0), u(1)])

    def comes_and_goes(_: int) -> list[Edge]:
        with closing(GdsAlgorithms(store)) as user:
            return list(user.steiner([u(0), u(1)]))

    with ThreadPoolExecutor(4) as users:
        assert list(users.map(comes_and_goes, range(20))) == 20 * [list(found)]
    assert len(names()) == 1
    first.close()


ANOTHER = """
import sys
from pathlib import Path
from clew.stores.gds import GdsAlgorithms
from clew.stores.neo4j import Neo4j

store = Neo4j(uri=sys.argv[1], space=sys.argv[2])(Path(), sys.argv[3])
assert GdsAlgorithms(store).steiner(sys.argv[4:])
print("projected", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def another(store: Neo4jGraph, neo4j_space: Neo4j) -> Iterator["subprocess.Popen[str]"]:
    """Return another process, that has projected the same memory and waits for a line."""
    fill(store, follows(0, 1))
    words = [neo4j_space.uri, str(neo4j_space.space), TALK, u(0), u(1)]
    process = subprocess.Popen(
        [sys.executable, "-c", ANOTHER, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None and process.stdout.readline() == "projected\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def test_what_a_process_that_lives_uses_stays_and_what_a_killed_one_left_goes(
    store: Neo4jGraph, another: "subprocess.Popen[str]", names: Names
) -> None:
    (left,) = names()
    GdsAlgorithms(store).close()
    assert names() == {left}
    another.kill()
    another.wait()
    assert names() == {left}
    GdsAlgorithms(store).close()
    assert names() == set()


def test_a_process_that_ends_leaves_no_projection(
    another: "subprocess.Popen[str]", names: Names
) -> None:
    assert len(names()) == 1
    another.communicate("\n")
    assert another.returncode == 0
    assert names() == set()


# --- what a server may lack


def test_a_server_without_gds_is_told_with_what_to_do(
    store: Neo4jGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    from graphdatascience.error.gds_not_installed import GdsNotFound
    from graphdatascience.query_runner.neo4j_query_runner import Neo4jQueryRunner

    def answer(self: Neo4jQueryRunner) -> None:
        raise GdsNotFound

    monkeypatch.setattr(Neo4jQueryRunner, "server_version", answer)
    told = "has no Graph Data Science"
    with pytest.raises(StoreError, match=rf"{told}.*docker compose.*store\.algorithms"):
        GdsAlgorithms(store)


def test_a_server_whose_gds_is_too_old_is_told_by_number(
    store: Neo4jGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "OLDEST", ServerVersion(99, 1, 0))
    told = r"has Graph Data Science \d+\.\d+\.\d+, and 99\.1\.0 is the oldest that will do"
    with pytest.raises(StoreError, match=rf"{told}.*docker compose.*store\.algorithms"):
        GdsAlgorithms(store)


def test_an_algorithm_that_needs_more_memory_than_there_is_is_told_with_the_setting(
    store: Neo4jGraph, algorithms: GdsAlgorithms, names: Names, neo4j: "Driver"
) -> None:
    fill(store, follows(0, 1))
    algorithms.steiner([u(0), u(1)])
    greedy = "CALL gds.fastRP.stream($name, {embeddingDimension: 1000000000}) YIELD nodeId RETURN 1"
    told = r"too little memory.*server\.memory\.heap\.max_size"
    with pytest.raises(StoreError, match=told) as raised, explained():
        neo4j.execute_query(greedy, name=names().pop())
    assert "\n" not in str(raised.value)


def test_a_procedure_that_the_server_does_not_allow_is_missed_before_anything_is_asked(
    store: Neo4jGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "CALLED", (*server.CALLED, "gds.some.other"))
    with pytest.raises(StoreError, match=r"name gds\.some\.other\): add gds\.\* to .*allowlist"):
        GdsAlgorithms(store)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("CALL gds.nothing.stream('x', {}) YIELD a RETURN a", r"unrestricted and \.allowlist"),
        ("RETURN gds.nothing()", r"unrestricted and \.allowlist"),
        ("RETURN gds.util.NaN() + ", "Graph Data Science failed"),
    ],
)
def test_what_the_server_refuses_is_told_in_one_line(
    neo4j: "Driver", query: str, told: str
) -> None:
    with pytest.raises(StoreError, match=told) as raised, explained():
        neo4j.execute_query(query)  # type: ignore[call-overload]
    assert "\n" not in str(raised.value)


def test_a_connection_that_is_gone_is_a_loss() -> None:
    from neo4j import GraphDatabase

    with (
        GraphDatabase.driver("bolt://127.0.0.1:1", connection_timeout=1) as nowhere,
        pytest.raises(Lost, match="was away"),
        explained(),
    ):
        nowhere.verify_connectivity()
