"""Neo4j: the contract, and what only a server can go through."""

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from graph_contract import GraphStoreContract
from neo4j.exceptions import Neo4jError
from stories import FULL, NASTY, TALK, after, home, message, unit
from wire import COMMIT, Wire, wire

from clew.errors import ConfigError, StoreBusy, StoreError, StoreMismatch, TimeError
from clew.model import Add, Drop, Edge, Entity, Fact, Merge, Supersede
from clew.stores.graph import GraphStore
from clew.stores.neo4j import Neo4j, Neo4jGraph, curious, cypher, faults, queries, schema
from clew.when import TimeSpan

pytestmark = pytest.mark.neo4j
Open = Callable[..., Neo4jGraph]


class TestNeo4j(GraphStoreContract):
    DELETE = "MATCH (unit:Unit) DETACH DELETE unit"
    COUNT = "MATCH (unit:Unit {scope: $scope}) RETURN count(unit) AS n"
    ENDLESS = "UNWIND range(1, 1000000000) AS i RETURN i"
    WRONG = "MATSCH (unit) RETURN unit"

    @pytest.fixture
    def store(self, neo4j_space: Neo4j) -> Iterator[GraphStore]:
        store = neo4j_space(Path(), TALK)
        yield store
        store.close()


@pytest.fixture
def opened(neo4j_space: Neo4j) -> Iterator[Open]:
    """Open graphs of the test's space, all closed afterwards."""
    graphs: list[Neo4jGraph] = []

    def open_(conversation: str = TALK, **settings: object) -> Neo4jGraph:
        graphs.append(replace(neo4j_space, **settings)(Path(), conversation))  # type: ignore[type-var, arg-type]
        return graphs[-1]

    yield open_
    for graph in graphs:
        graph.close()


@pytest.fixture
def cable() -> Iterator[Wire]:
    with wire(os.environ["NEO4J_URI"]) as made:
        yield made


# --- what lies side by side


def test_everything_is_there_when_it_is_opened_again(opened: Open) -> None:
    store = opened()
    store.put([FULL, unit(1)])
    store.put_messages([message(1)])
    store.put_entities([Entity("ana", "Ana", "person", ("Annie",))])
    store.link([Edge("D1:1.00", FULL.id, "NEXT")])
    store.record(Add(FULL))
    before = (list(store.units()), store.messages(), store.entities(), store.ledger())
    again = opened()
    assert (list(again.units()), again.messages(), again.entities(), again.ledger()) == before
    assert again.edges([FULL.id], ["NEXT"]) == [Edge("D1:1.00", FULL.id, "NEXT")]
    assert again.entities("ANNIE") == store.entities("annie") == before[2]


def test_conversations_and_spaces_do_not_see_each_other(opened: Open, neo4j_space: Neo4j) -> None:
    talk, gossip, elsewhere = opened(), opened("gossip"), opened(space="other test")
    talk.put([home(1, "Oslo", entities=frozenset({"ana"}))])
    talk.put_messages([message(1)])
    talk.put_entities([Entity("ana", "Ana")])
    talk.record(Add(unit(1)))
    talk.setting("embedder", "words")
    for other in (gossip, elsewhere):
        assert list(other.units()) == [] and other.messages() == [] and other.entities() == []
        assert other.mentioning(["ana"]) == [] and other.facts() == [] and other.ledger() == []
        assert other.setting("embedder") is None and other.speakers() == []
        assert other.all_edges() == [] and other.version() == 0
        other.clear()
    assert len(list(talk.units())) == 1
    assert neo4j_space.conversations() == [TALK]
    replace(neo4j_space, space="other test").clear()  # type: ignore[type-var]
    assert neo4j_space.conversations() == [TALK]
    neo4j_space.clear()
    assert neo4j_space.conversations() == []


def test_a_person_sees_labels_relationships_and_dates(opened: Open) -> None:
    store = opened()
    store.put_messages([message(1)])
    store.put_entities([Entity("ana", "Ana", "person")])
    store.put([home(1, "Oslo", entities=frozenset({"ana"}))])
    found = store.rows(
        "MATCH (m:Message)<-[:EVIDENCE]-(u:Unit {scope: $scope})-[:MENTIONS]->(e:Entity), "
        "(u)-[:CLAIMS]->(f:Fact) RETURN m.speaker AS who, u.said_at AS at, e.name AS name, "
        "f.value AS value, m AS message"
    )
    assert found[0] | {"message": 0} == {
        "who": "Ana",
        "at": "2025-03-01T13:00:00.000000000+09:00",
        "name": "Ana",
        "value": "Oslo",
        "message": 0,
    }
    assert found[0]["message"]["text"] == "Hello there"
    assert json.loads(json.dumps(found)) == found


def test_every_node_says_whose_it_is_and_a_space_leaves_none(
    opened: Open, neo4j_space: Neo4j
) -> None:
    store = opened()
    store.put_messages([message(1)])
    store.put_entities([Entity("ana", "Ana", "person", ("Annie",))])
    store.put([home(1, "Oslo", entities=frozenset({"ana", "rex"})), unit(2), unit(3)])
    store.link([Edge("D1:1.00", "D1:2.00", "NEXT")])
    store.record(Merge(unit(3), unit(2), 1, 1))
    store.setting("embedder", "words")
    whose = "MATCH (n {scope: $scope}) RETURN DISTINCT labels(n)[0] AS label, n.conversation AS id"
    found = {(row["label"], row["id"]) for row in store.rows(whose)}
    labels = ("Memory", "Message", "Unit", "Entity", "Fact", "Name", "Decision", "Setting")
    assert found == {(label, TALK) for label in labels}
    neo4j_space.clear()
    assert store.rows(whose) == []


# --- one writer


def test_a_second_writer_is_refused_and_a_reader_is_not(opened: Open) -> None:
    first, second = opened(), opened()
    first.put([unit(1)])
    second.put([unit(2)])
    with pytest.raises(StoreBusy, match=r"talk.*another process.*name="):
        first.put([unit(3)])
    with pytest.raises(StoreBusy):
        first.setting("embedder", "mine")
    assert [each.id for each in first.units()] == ["D1:1.00", "D1:2.00"]
    second.put([unit(4)])
    assert second.version() == 3


def test_of_two_that_write_at_once_one_is_refused(opened: Open) -> None:
    stores = [opened(), opened()]
    for store in stores:
        store.setting("known", "yes") if store is stores[0] else store._writer.claim()
    busy, ready = [], threading.Barrier(2, timeout=30)

    def write(store: Neo4jGraph) -> None:
        with store.transaction():
            store.record(Add(unit(1)))
            ready.wait()
        busy.append(store)

    def attempt(store: Neo4jGraph) -> None:
        try:
            write(store)
        except StoreBusy:
            busy.append(None)  # type: ignore[arg-type]

    threads = [threading.Thread(target=attempt, args=[store]) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert busy.count(None) == 1  # type: ignore[arg-type]
    assert [entry.seq for entry in opened().ledger()] == [1]


def test_a_killed_writer_leaves_what_it_finished_and_no_lock(
    opened: Open, neo4j_space: Neo4j
) -> None:
    code = """
import os, signal, sys
from clew.stores.neo4j import Neo4j
store = Neo4j(sys.argv[1], sys.argv[2], space=sys.argv[3])(None, "talk")
store.setting("whole", "yes")
with store.transaction():
    store.setting("half", "yes")
    assert store.setting("half") == "yes"  # the server has seen it
    os.kill(os.getpid(), signal.SIGKILL)
"""
    where = (neo4j_space.uri, neo4j_space.user, str(neo4j_space.space))
    subprocess.run([sys.executable, "-c", code, *where], check=False)
    store = opened()
    assert store.setting("whole") == "yes" and store.setting("half") is None
    store.put([unit(1)])
    assert store.version() == 2


# --- a server that goes away


def test_a_server_that_comes_back_in_time_is_waited_for(opened: Open, cable: Wire) -> None:
    store = opened(uri=cable.uri)
    store.put([unit(1)])
    with store.transaction():
        store.put([unit(2)])
        store.record(Add(unit(2)))
        assert len(store.between(after(0), after(9))) == 2  # the server has seen it
        cable.cut()
        timer = cable.mend_after(0.5)
        store.put([unit(3)])
    timer.join()
    assert [each.id for each in store.units()] == ["D1:1.00", "D1:2.00", "D1:3.00"]
    assert [entry.seq for entry in store.ledger()] == [1] and store.version() == 2
    cable.cut()
    timer = cable.mend_after(0.5)
    assert len(store.latest(9)) == 3
    timer.join()


@pytest.mark.parametrize("times", [1, 2])
def test_a_commit_whose_confirmation_is_lost_is_done_once(
    opened: Open, cable: Wire, times: int
) -> None:
    store = opened(uri=cable.uri)
    store.put([unit(1), unit(2)])
    cable.cut_after(COMMIT, times)
    with store.transaction():
        store.record(Merge(unit(2), unit(1), 1, 1))
        store.link([Edge("D1:1.00", "D1:2.00", "NEXT")])
    assert store.version() == 2
    store.record(Add(unit(2)))
    assert [entry.seq for entry in store.ledger()] == [1, 2]
    assert store.version() == 3


def test_a_server_that_stays_away_is_told_of_and_nothing_is_half_written(
    opened: Open, cable: Wire
) -> None:
    store = opened(uri=cable.uri, patience=0.3)
    store.put([unit(1)])
    told = r"cannot be reached.*0\.3 s.*store\.graph\.uri="
    with pytest.raises(StoreError, match=told), store.transaction():
        store.put([unit(2)])
        store.latest(1)
        cable.cut()
    cable.mend()
    assert list(store.units()) == [unit(1)]
    store.put([unit(3)])
    assert [each.id for each in opened().units()] == ["D1:1.00", "D1:3.00"]


def test_a_server_that_was_never_there_is_not_waited_for(neo4j_space: Neo4j, cable: Wire) -> None:
    cable.cut()
    start = time.monotonic()
    with pytest.raises(StoreError, match=r"store=sqlite needs no server"):
        replace(neo4j_space, uri=cable.uri, patience=60)(Path(), TALK)  # type: ignore[type-var]
    assert time.monotonic() - start < 10


# --- what is refused


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"user": "nobody"}, r"refused user nobody.*NEO4J_PASSWORD"),
        ({"password_env": "NO_SUCH"}, r"NO_SUCH is not set.*clew services env"),
        ({"password_env": None}, r"password_env= to a variable"),
        ({"database": "nowhere"}, r"no database 'nowhere'.*store\.graph\.database="),
        ({"uri": "bolt://127.0.0.1:1"}, r"cannot be reached.*store\.graph\.uri="),
    ],
    ids=str,
)
def test_a_server_that_lets_no_one_in_is_told_with_the_setting(
    opened: Open, settings: dict[str, str], told: str
) -> None:
    with pytest.raises((StoreError, ConfigError), match=told) as refusal:
        opened(patience=0, **settings)
    assert "\n" not in str(refusal.value)
    assert os.environ["NEO4J_PASSWORD"] not in str(refusal.value)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"uri": "http://127.0.0.1:7474"}, "uri: set it to bolt://"),
        ({"uri": "bolt://"}, "uri: set it to bolt://"),
        ({"uri": "bolt://h:99999"}, "uri: set it to bolt://"),
        ({"uri": "bolt://me:secret@h:7687"}, "uri: holds a login"),
        ({"space": "a/b"}, "space: set it to a name without /"),
        ({"patience": -1}, "patience: Input should be greater"),
        ({"user": ""}, "user: String should have at least 1"),
    ],
    ids=str,
)
def test_settings_out_of_range_are_refused_without_a_server(
    settings: dict[str, object], told: str
) -> None:
    with pytest.raises(ConfigError, match=told) as refusal:
        Neo4j(**settings)  # type: ignore[arg-type]
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("Neo.ClientError.Security.Forbidden", r"does not let neo4j write.*store\.graph\.user="),
        ("Neo.ClientError.Statement.AccessMode", r"does not let neo4j write"),
        (
            "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase",
            r"does not let neo4j write.*default_to_read_only",
        ),
        ("Neo.TransientError.General.OutOfMemoryError", r"out of memory.*heap\.max_size"),
        ("Neo.TransientError.General.MemoryPoolOutOfMemoryError", r"out of memory.*total\.max"),
        ("Neo.ClientError.Security.CredentialsExpired", r"new password.*NEO4J_PASSWORD"),
        ("Neo.DatabaseError.General.UnknownError", r"refused a request.*nothing is half written"),
        ("Neo.TransientError.General.DatabaseUnavailable", r"store\.graph\.patience="),
    ],
)
def test_what_a_server_refuses_is_told_with_what_to_change(code: str, told: str) -> None:
    error = Neo4jError._hydrate_neo4j(code=code, message="so it\nis")
    address = faults.Address("bolt://h:1", "neo4j", "NEO4J_PASSWORD", None, 5)
    text = str(faults.explained(error, address, waited=True))
    assert text.startswith("Neo4j at bolt://h:1") and "\n" not in text
    assert re.search(told, text)


@pytest.mark.parametrize(
    ("limit", "passes"),
    [("db.memory.transaction.max", False), ("dbms.memory.transaction.total.max", True)],
)
def test_what_is_too_much_for_one_transaction_is_not_tried_again(limit: str, passes: bool) -> None:
    code = "Neo.TransientError.General.MemoryPoolOutOfMemoryError"
    error = Neo4jError._hydrate_neo4j(code=code, message=f"Too much. {limit} threshold reached")
    assert faults.passing(error) is passes


def test_a_newer_schema_is_refused_by_number(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    opened()
    monkeypatch.setattr(schema, "STEPS", ())
    with pytest.raises(StoreMismatch, match=r"schema 2 .* knows 0.*store\.graph\.uri="):
        opened()


def test_a_schema_made_by_many_at_once_is_made_once(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"test{os.getpid()}"
    rule = f"CREATE CONSTRAINT {name}_%d IF NOT EXISTS FOR (n:{name}) REQUIRE n.k%d IS UNIQUE"
    stores = [opened(str(n)) for n in range(4)]
    monkeypatch.setattr(schema, "STEPS", (tuple(rule % (n, n) for n in range(3)),))
    for statement in ("VERSION", "DONE"):
        changed = getattr(schema, statement).replace("'clew'", f"'{name}'")
        monkeypatch.setattr(schema, statement, changed)
    wrong: list[BaseException] = []

    def prepare(store: Neo4jGraph) -> None:
        try:
            schema.prepare(store.server)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=prepare, args=[store]) for store in stores]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []
        found = stores[0].server.read(f"MATCH (n:Schema {{name: '{name}'}}) RETURN n.version", {})
        assert found == [[1]]
    finally:
        for n in range(3):
            stores[0].server.change(f"DROP CONSTRAINT {name}_{n} IF EXISTS", {})
        stores[0].server.change(f"MATCH (n:Schema {{name: '{name}'}}) DELETE n", {})


# --- queries of the curious


@pytest.mark.parametrize(
    "query",
    [
        "CREATE (:Unit)",
        "MATCH (u:Unit) SET u.text = ''",
        "MERGE (u:Unit {id: 'new'}) RETURN u",
        "UNWIND [1] AS i CALL (i) { CREATE (:Unit) } IN TRANSACTIONS",
        "FOREACH (i IN [1] | CREATE (:Unit))",
        "CREATE INDEX mine FOR (n:Unit) ON n.place",
        "DROP CONSTRAINT clew_unit_id",
        "CALL db.createLabel('Mine')",
        "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()",
        "CALL gds.graph.project('mine', 'Unit', 'NEXT')",
        "CALL gds.graph.drop('mine', false)",
        "MATCH (u:Unit) CALL gds.pageRank.write('mine', {writeProperty: 'x'}) YIELD ranIterations "
        "RETURN 1",
        "LOAD CSV FROM 'file:///etc/hosts' AS line RETURN line",
        "CALL { LOAD CSV FROM 'file:///etc/hosts' AS line RETURN line } RETURN line",
        "SHOW USERS",
        "SHOW SETTINGS",
        "SHOW TRANSACTIONS",
        "TERMINATE TRANSACTIONS 'neo4j-transaction-1'",
        "CREATE USER mine SET PASSWORD 'long enough'",
        "ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'long enough'",
        "CALL dbms.listConfig() YIELD name RETURN name",
        "RETURN 1; MATCH (u:Unit) DETACH DELETE u",
        "EXPLAIN CREATE (:Unit)",
        "",
    ],
)
def test_rows_only_reads_the_graph(opened: Open, query: str) -> None:
    store = opened()
    store.put([unit(1)])
    with pytest.raises(StoreError, match="read-only"):
        store.rows(query)
    assert list(store.units()) == [unit(1)] and store.version() == 1


def test_rows_gives_up_on_a_query_without_end(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(curious, "SECONDS", 0.5)
    store = opened()
    with pytest.raises(StoreError, match=r"read-only.*terminated"):
        store.rows("UNWIND range(1, 1000000000) AS i UNWIND range(1, 1000) AS j RETURN count(*)")
    assert store.rows("RETURN $a AS a", a=3) == [{"a": 3}]


@pytest.mark.parametrize(
    "words", ["harbour", 'har* OR text:(x) && "a b"~2 \\ /x/', "}) RETURN 1 //"]
)
def test_people_find_texts_by_words_that_are_only_words(opened: Open, words: str) -> None:
    store = opened()
    store.put([unit(1, f"{words} is here")])
    store.server.change("CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()", {})
    query = (
        "CALL db.index.fulltext.queryNodes('clew_text', $words) YIELD node "
        "WHERE node.scope = $scope RETURN node.text AS text"
    )
    quoted = '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'
    assert store.rows(query, words=quoted) == [{"text": f"{words} is here"}]


# --- whatever the text


@pytest.mark.parametrize("text", NASTY)
def test_whatever_is_said_is_stored_and_returned_as_text(opened: Open, text: str) -> None:
    store, other = opened(text), opened()
    other.put([unit(1)])
    said = replace(message(1, text, speaker=text, caption=text), id=text, conversation=text)
    fact = Fact(text, text, text)
    one = replace(
        unit(2, text, speaker=text, session=text, place=text, context=text, facts=(fact,)),
        id=text,
        conversation=text,
        entities=frozenset({text}),
        keywords=frozenset({text}),
        event=TimeSpan(after(1), after(2), "day", text),
    )
    next_ = replace(one, id=f"{text} 2", position=3)
    store.put_messages([said])
    store.put_entities([Entity(text, text, "person", (f"{text}!",))])
    store.put([one, next_])
    store.link([Edge(text, next_.id, "NEXT")])
    store.record(Merge(next_, one, 1, 1))
    store.record(Drop(said, text, 1))
    store.setting(text, text)
    for reader in (store, opened(text)):
        assert reader.get([text]) == [one] and list(reader.units()) == [one, next_]
        assert reader.messages() == [said] and reader.speakers() == [text]
        assert [each.id for each in reader.entities(text)] == [text]
        assert reader.entities(f"{text}!") == reader.entities() != []
        assert reader.mentioning([text]) == [one, next_]
        assert [held.fact for held in reader.facts(text, text)] == [fact, fact]
        assert reader.edges([text], ["NEXT"]) == [Edge(text, next_.id, "NEXT")]
        assert reader.previous(next_) == text and reader.setting(text) == text
        assert reader.ledger()[1].targets == (text, text)
        assert reader.views([text])[text].messages == ("D1:2",)
        assert reader.rows("RETURN $text AS text", text=text) == [{"text": text}]
    assert store.forget([text]) == []
    assert list(other.units()) == [unit(1)]
    store.clear()
    assert list(other.units()) == [unit(1)] and list(store.units()) == []


@pytest.mark.parametrize("text", [text for text in NASTY if "/" not in text])
def test_whatever_a_space_is_called_it_is_a_name(
    opened: Open, neo4j_space: Neo4j, text: str
) -> None:
    other, named = opened(), replace(neo4j_space, space=f"{neo4j_space.space} {text}")  # type: ignore[type-var]
    other.put([unit(1)])
    with closing(named(Path(), TALK)) as store:
        store.put([unit(2)])
        assert named.conversations() == [TALK] and list(store.units()) == [unit(2)]
        named.clear()
        assert named.conversations() == [] and list(store.units()) == []
    assert list(other.units()) == [unit(1)]


@pytest.mark.parametrize("kind", ["NEXT]->() DETACH DELETE a //", "MY KIND", "`X`"])
def test_an_edge_of_a_kind_that_there_is_not_is_refused(opened: Open, kind: str) -> None:
    store = opened()
    store.put([unit(1), unit(2)])
    with pytest.raises(StoreError, match="no edges of kind"):
        store.link([Edge("D1:1.00", "D1:2.00", kind)])  # type: ignore[arg-type]
    assert store.edges(["D1:1.00"], [kind]) == []  # type: ignore[list-item]
    assert store.all_edges() == [] and len(list(store.units())) == 2


PARAMS = {
    **dict.fromkeys(("scope", "space", "conversation", "name", "id", "session"), "x"),
    **dict.fromkeys(("folded", "subject", "property", "token"), "x"),
    **{name: ["x"] for name in ("ids", "kinds", "ops", "texts")},
    **dict.fromkeys(("n", "start", "end", "version"), 1),
    **{"rows": [], "seqs": [1], "spans": [[0, 1, 2]]},
}
STATEMENTS = {
    f"{name}{n or ''}": statement
    for name, value in (vars(cypher) | vars(queries)).items()
    if re.fullmatch("[A-Z][A-Z_]*", name)
    if name not in ("UNIT", "MESSAGE", "LINE", "BY_TIME", "DATABASE", "LINKS")
    for n, statement in enumerate(
        [value] if isinstance(value, str) else value.values() if name == "LINK" else value
    )
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_no_statement_looks_at_what_others_have_stored(opened: Open, name: str) -> None:
    options, _, statement = STATEMENTS[name].rpartition("CYPHER replan=skip\n")
    with opened().driver.session() as session:
        plan = session.run(f"EXPLAIN {statement}", PARAMS).consume().plan
    assert plan is not None
    operators = [operator for operator, _ in curious.operators(plan)]
    assert options == "" and [each for each in operators if "Scan" in each] == []


@pytest.mark.parametrize(
    "at",
    [
        datetime(1, 1, 2, tzinfo=UTC),
        datetime(1883, 11, 18, 12, 3, 58, 1, tzinfo=timezone(-timedelta(hours=4, seconds=3362))),
        datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        datetime(2024, 2, 29, 23, 59, 58, 123_457, tzinfo=timezone(timedelta(hours=14))),
        datetime(9999, 12, 30, tzinfo=timezone(-timedelta(hours=12))),
    ],
    ids=str,
)
def test_an_instant_keeps_its_offset_and_microseconds(opened: Open, at: datetime) -> None:
    told = unit(1, said_at=at, event=TimeSpan(at, at, "minute", "then"))
    opened().put([told])
    reader = opened()
    (found,) = reader.get([told.id])
    for instant in (found.said_at, found.event.start, found.event.end):
        assert instant is not None
        assert (instant.isoformat(), instant) == (at.isoformat(), at)
    assert reader.between(at, at) == [told]
    old = unit(2, said_at=None)
    ended = opened("ends")
    ended.put([replace(each, conversation="ends") for each in (old, told)])
    ended.record(Supersede(told, old, 1, 1, ends=True))
    end = opened("ends").views([old.id])[old.id].valid_to
    assert end is not None and end.isoformat() == at.isoformat()


def test_an_instant_that_no_place_has_is_refused(opened: Open) -> None:
    store = opened()
    at = datetime(2025, 1, 1, tzinfo=timezone(timedelta(hours=20)))
    with pytest.raises(TimeError, match="18 hours"):
        store.put([unit(1, said_at=at)])
    assert list(store.units()) == [] and store.version() == 0
