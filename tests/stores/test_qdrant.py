"""Qdrant: the contract on the local engine, over HTTP and on a server, and what goes wrong."""

import logging
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from qdrant_client import QdrantClient, models
from qdrant_double import COLLECTION, Double, serving
from vectors_contract import DIMENSION, MANY, VectorStoreContract, direction, point

from clew.errors import ClewError, ConfigError, StoreError, StoreMismatch
from clew.stores.edge import EdgeVectors
from clew.stores.graph import Stamp
from clew.stores.qdrant import Qdrant, QdrantVectors
from clew.stores.qdrant.collection import Spread, open_collection
from clew.stores.qdrant.points import Scope
from clew.stores.qdrant.server import Address, Server
from clew.stores.space import Space
from clew.stores.vectors import VectorStore, Where

ADDRESS = Address("http://127.0.0.1:6333", "", 5, 1.0)
KEY = "secret-of-the-labyrinth"
QUERY = f"POST {COLLECTION}/points/query/batch"
local = pytest.mark.filterwarnings(
    "ignore:Payload indexes have no effect", "ignore:Local mode performs exact"
)


def opened(client: QdrantClient, conversation: str = "talk", space: str = "run") -> QdrantVectors:
    """Open a conversation in the client's local mode."""
    server = Server(ADDRESS, client)
    open_collection(server, "clew", DIMENSION, Spread(1, 1, 1))
    return QdrantVectors(server, "clew", Scope(space, conversation), DIMENSION)


@local
class TestQdrantLocal(VectorStoreContract):
    @pytest.fixture
    def store(self) -> Iterator[VectorStore]:
        store = opened(QdrantClient(":memory:"))
        yield store
        store.close()


@local
class TestQdrantOverHttp(VectorStoreContract):
    @pytest.fixture
    def store(self) -> Iterator[VectorStore]:
        with serving() as double:
            store = Qdrant(url=double.url, space="run")(Path(), "talk", DIMENSION)
            yield store
            store.close()


@pytest.mark.qdrant
class TestQdrantServer(VectorStoreContract):
    @pytest.fixture
    def store(self) -> Iterator[VectorStore]:
        space = Qdrant(
            url=os.environ["QDRANT_URL"], collection="clew-tests", space=f"test-{os.getpid()}"
        )
        space.clear()
        store = space(Path(), "talk", DIMENSION)
        yield store
        store.close()
        space.clear()


# --- many conversations in one collection


@local
def test_conversations_and_runs_do_not_see_each_other() -> None:
    client = QdrantClient(":memory:")
    talk, gossip = opened(client), opened(client, "gossip")
    other = opened(client, "talk", "other-run")
    talk.put(MANY[:9])
    alone = [*talk.dense(direction(3), 99), *talk.sparse({7: 1.0, 101: 1.0}, 99)]
    gossip.put([point(n, words={7: 2.0, 101: 3.0}) for n in range(40)])
    other.put([point(n, words={101: 5.0}) for n in range(3, 50)])
    now = [*talk.dense(direction(3), 99), *talk.sparse({7: 1.0, 101: 1.0}, 99)]
    assert [hit.id for hit in now] == [hit.id for hit in alone]
    assert [hit.score for hit in now] == pytest.approx([hit.score for hit in alone], abs=2e-5)
    talk.end("D1:4.00", 1.0)
    talk.delete(["D1:5.00"])
    assert len(other.stamps()) == 47 and other.stamps()["D1:4.00"] == MANY[4].stamp
    other.clear()
    assert other.stamps() == {} and len(gossip.stamps()) == 40 and len(talk.stamps()) == 8
    talk.close()


@local
def test_answers_are_those_of_the_embedded_engine(tmp_path: Path) -> None:
    client = QdrantClient(":memory:")
    opened(client, "noise").put([point(n, words={7: 1.0, 103: 2.0}) for n in range(300, 360)])
    server, edge = opened(client), EdgeVectors(tmp_path, "talk", DIMENSION)
    for store in (server, edge):
        store.put(MANY)
        store.delete([each.id for each in MANY[10:20]])
        store.end("D1:7.00", 650.0)
    for seed in range(20):
        where = Where((100.0 * seed, None), holds_at=300.0 * seed, without=frozenset({"D1:9.00"}))
        for at in (where, Where()):
            pairs = [
                (server.dense(direction(seed), 9, at), edge.dense(direction(seed), 9, at)),
                (
                    server.sparse({7: 1.0, 100 + seed % 5: 1.0}, 9, at),
                    edge.sparse({7: 1.0, 100 + seed % 5: 1.0}, 9, at),
                ),
            ]
            for ours, theirs in pairs:
                assert [hit.id for hit in ours] == [hit.id for hit in theirs]
                scores = [hit.score for hit in theirs]
                assert [hit.score for hit in ours] == pytest.approx(scores, abs=2e-5)
    assert server.stamps() == edge.stamps()
    server.close()
    edge.close()


@local
def test_a_space_lists_its_conversations_and_clears_only_itself() -> None:
    with serving() as double:
        mine, theirs = (Qdrant(url=double.url, space=name) for name in ("mine", "theirs"))
        assert isinstance(mine, Space) and mine.conversations() == []
        mine.clear()  # of a collection that is not there: no error
        for space, name in ((mine, "b"), (mine, "a/b"), (theirs, "c")):
            store = space(Path(), name, DIMENSION)
            store.put(MANY[:3])
            store.close()
        assert mine.conversations() == ["a/b", "b"] and theirs.conversations() == ["c"]
        mine.clear()
        assert mine.conversations() == [] and theirs.conversations() == ["c"]
        assert str(mine) == f"space mine of collection clew of Qdrant at {double.url}"


@local
def test_what_is_called_like_a_filter_is_only_a_name() -> None:
    client = QdrantClient(":memory:")
    names = ['x"}]},"must":[', "' OR 1=1 --", "a/b", "../a", "対話", "*"]
    for n, name in enumerate(names):
        opened(client, name).put([point(n, id=f'"{name}"')])
    for n, name in enumerate(names):
        store = opened(client, name)
        assert store.stamps() == {f'"{name}"': Stamp(f"hash {n}", MANY[n].stamp.valid_to)}
        assert [hit.id for hit in store.dense(direction(n), 9)] == [f'"{name}"']


# --- what is sent


@local
def test_every_query_is_filtered_by_its_conversation_and_asks_for_its_own_statistics() -> None:
    with serving() as double:
        store = Qdrant(url=double.url, space="run")(Path(), "talk", DIMENSION)
        store.put(MANY)
        store.dense(direction(1), 3, Where(holds_at=5.0))
        store.sparse({7: 1.0}, 3)
        asked = [body["searches"][0] for body in double.bodies(QUERY)]
        dense, words = asked[0], asked[-1]
        mine = {"key": "scope", "match": {"value": "run/talk"}}
        for each in (dense, words, words["params"]["idf"]["corpus"]):
            kept = each.get("filter", each)["must"][0]
            assert {name: kept[name] for name in ("key", "match")} == mine
        assert dense["params"]["exact"] is True and len(dense["filter"]["must"]) == 3
        assert all("wait=true" in path for path in double_paths(double, "PUT", "/points"))
        store.close()


def double_paths(double: Double, method: str, end: str) -> list[str]:
    return [path for path in double.paths if path.startswith(method) and end in path]


@local
def test_a_cluster_gets_the_shards_and_copies_it_was_promised() -> None:
    with serving() as double:
        space = Qdrant(
            url=double.url,
            space="run",
            shard_number=6,
            replication_factor=3,
            write_consistency_factor=2,
        )
        space(Path(), "talk", DIMENSION).close()
        (made,) = double.bodies(f"PUT {COLLECTION}")
        promised = ("shard_number", "replication_factor", "write_consistency_factor")
        assert [made[name] for name in promised] == [6, 3, 2]
        assert made["sparse_vectors"]["words"]["modifier"] == "idf"
        indexed = {body["field_name"]: body for body in double.bodies(f"PUT {COLLECTION}/index")}
        assert indexed.keys() >= {"scope", "said_at", "valid_from", "valid_to"}
        assert indexed["scope"]["field_schema"]["is_tenant"] is True


@local
def test_many_points_are_sent_in_requests_of_a_bounded_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("clew.stores.qdrant.store.NUMBERS", 2 * DIMENSION * 25)
    with serving() as double:
        store = Qdrant(url=double.url, space="run")(Path(), "talk", DIMENSION)
        store.put(MANY)
        sent = [len(body["points"]) for body in double.bodies(f"PUT {COLLECTION}/points")]
        assert sent == [25, 25, 10]
        assert len(store.vectors([each.id for each in MANY])) == 60
        store.close()


# --- at the start


@local
def test_a_collection_of_another_dimension_is_refused_and_kept() -> None:
    client = QdrantClient(":memory:")
    opened(client).put(MANY)
    with pytest.raises(StoreMismatch, match=r"8 dimensions.*768.*embedder=.*index\.collection="):
        open_collection(Server(ADDRESS, client), "clew", 768, Spread(1, 1, 1))
    assert len(opened(client).stamps()) == len(MANY)


@local
@pytest.mark.parametrize("kind", ["unnamed", "euclid", "no idf"])
def test_a_collection_of_another_program_is_refused(kind: str) -> None:
    client = QdrantClient(":memory:")
    dense = models.VectorParams(size=DIMENSION, distance=models.Distance.COSINE)
    far = models.VectorParams(size=DIMENSION, distance=models.Distance.EUCLID)
    vectors: Any = {"text": dense, "context": far if kind == "euclid" else dense}
    modifier = None if kind == "no idf" else models.Modifier.IDF
    client.create_collection(
        "clew",
        dense if kind == "unnamed" else vectors,
        sparse_vectors_config={"words": models.SparseVectorParams(modifier=modifier)},
    )
    with pytest.raises(StoreMismatch, match=r"another program.*vectors\.index\.collection="):
        opened(client)


@local
def test_two_processes_may_make_the_collection_at_once() -> None:
    with serving() as double:
        space = Qdrant(url=double.url, space="run")
        slow = space.connect()
        ask, looked = slow.ask, list[bool]()

        def late(request: Any) -> Any:
            found = ask(request)
            if found is False and not looked:  # between looking and making, another makes it
                looked.append(True)
                space(Path(), "gossip", DIMENSION).close()
            return found

        slow.ask = late  # type: ignore[method-assign]
        open_collection(slow, "clew", DIMENSION, Spread(1, 1, 1))
        assert looked and len(double.bodies(f"PUT {COLLECTION}")) == 2
        slow.close()


@pytest.mark.parametrize("version", ["1.18.3", "0.11.0", "2.0.0", "dev"])
def test_a_server_that_counts_words_otherwise_is_refused(version: str) -> None:
    with (
        serving(version) as double,
        pytest.raises(StoreError, match=rf"version {version}.*1\.19.*vectors=edge"),
    ):
        Qdrant(url=double.url, space="run")(Path(), "talk", DIMENSION)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"url": "localhost:6333"}, "url: set it to a server's address"),
        ({"url": f"http://me:{KEY}@host:6333"}, "url: holds a login"),
        ({"url": f"http://host:6333?api-key={KEY}"}, "url: holds a login"),
        ({"space": "a/b"}, "space: set it to a name without /"),
        ({"collection": "a/b"}, "collection: String should match pattern"),
        ({"shard_number": 0}, "shard_number: Input should be greater"),
        ({"write_consistency_factor": 2}, "write_consistency_factor: set it to"),
        ({"timeout": "soon"}, "timeout: Input should be a valid integer"),
        ({"port": 1}, "port: Unexpected"),
    ],
)
def test_a_setting_out_of_range_is_named(settings: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        Qdrant(**settings)
    assert told in str(refusal.value) and KEY not in str(refusal.value)


def test_a_space_without_a_name_is_not_cleared() -> None:
    with pytest.raises(ConfigError, match="space: set it to the run's name"):
        Qdrant()(Path(), "talk", DIMENSION)


# --- keys


@local
def test_the_key_is_sent_and_never_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OUR_KEY", KEY)
    with serving(key=KEY) as double:
        space = Qdrant(url=double.url, space="run", api_key_env="OUR_KEY")
        store = space(Path(), "talk", DIMENSION)
        store.put(MANY)
        assert {headers.get("api-key") for _, headers, _ in double.asked} == {KEY}
        double.faults = [(400, f"no such thing with {KEY}", {}), (503, f"busy: {KEY}", {})]
        with caplog.at_level(logging.DEBUG, "clew"), pytest.raises(StoreError) as refusal:
            store.stamps()
        assert store.stamps()  # after one 503
        told = f"{refusal.value} {refusal.value.__cause__} {caplog.text} {space} {space!r}"
        assert KEY not in told and "***" in str(refusal.value)
        store.close()


@pytest.mark.parametrize(
    ("held", "told"), [("", r"asks for an API key.*OUR_KEY"), ("wrong", r"refused.*OUR_KEY")]
)
def test_a_wrong_or_missing_key_is_told(
    held: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUR_KEY", held)
    with serving(key=KEY) as double, pytest.raises(StoreError, match=told):
        Qdrant(url=double.url, space="run", api_key_env="OUR_KEY").conversations()


def test_a_key_is_not_sent_over_plain_http_to_another_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("QDRANT_API_KEY", KEY)
    space = Qdrant(url="http://qdrant.example:6333", space="run")
    with pytest.raises(ConfigError, match=r"QDRANT_API_KEY.*https.*key_in_clear") as refusal:
        space.conversations()
    assert KEY not in str(refusal.value)


# --- what goes wrong on the way


def test_a_wrong_port_is_told_at_once(free_port: int) -> None:
    began = time.monotonic()
    with pytest.raises(StoreError, match=r"cannot be reached.*vectors\.index\.url=.*QDRANT_URL"):
        Qdrant(url=f"http://127.0.0.1:{free_port}", space="run", patience=60).conversations()
    assert time.monotonic() - began < 5


@pytest.fixture
def free_port() -> int:
    with serving() as double:
        return double.server_port


@pytest.mark.parametrize("fault", [(404, "no such page", {}), (405, "not so", {})])
def test_another_program_at_the_address_is_told(fault: Any) -> None:
    with serving() as double:
        double.faults = [fault]
        with pytest.raises(StoreError, match=rf"{double.url}.*status {fault[0]}"):
            Qdrant(url=double.url, space="run").conversations()


def test_a_page_that_is_no_json_is_told() -> None:
    with serving() as double:
        double.version = None  # type: ignore[assignment]
        with pytest.raises(StoreError, match=r"is no Qdrant.*vectors\.index\.url="):
            Qdrant(url=double.url, space="run").conversations()


@dataclass
class Ready:
    """A store that has been reached, and the server to be spoilt."""

    double: Double
    store: QdrantVectors


@pytest.fixture
def ready() -> Iterator[Ready]:
    with serving() as double:
        space = Qdrant(url=double.url, space="run", timeout=1, patience=3)
        store = space(Path(), "talk", DIMENSION)
        store.put(MANY)
        yield Ready(double, store)
        store.close()


BUSY = (503, "starting", {})


@local
@pytest.mark.parametrize(
    "faults",
    [
        [BUSY, BUSY],
        [(429, "slowly", {"Retry-After": "1"})],
        [(429, "slowly", {})],
        [(500, "a shard is away", {}), (502, "", {}), (504, "", {})],
        [None, None],
        [1.5],
    ],
    ids=str,
)
def test_what_passes_is_waited_out(
    faults: list[Any], ready: Ready, caplog: pytest.LogCaptureFixture
) -> None:
    ready.double.faults = list(faults)
    moved = point(1, stamp=Stamp("moved"))
    ready.store.put([moved])
    assert not ready.double.faults
    assert ready.store.stamps()["D1:1.00"] == Stamp("moved") and len(ready.store.stamps()) == 60
    assert caplog.text.count("trying again") == 1


@local
@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (BUSY, r"503, starting.*after 1 s.*vectors\.index\.patience="),
        (None, r"cannot be reached.*after 1 s.*vectors\.index\.url="),
        (1.2, r"did not answer in 1 s, also after 1 s.*vectors\.index\.timeout="),
    ],
    ids=str,
)
def test_what_does_not_pass_is_told_after_the_patience(fault: Any, told: str) -> None:
    with serving() as double:
        space = Qdrant(url=double.url, space="run", timeout=1, patience=1)
        store = space(Path(), "talk", DIMENSION)
        double.faults = [fault] * 40
        with pytest.raises(StoreError, match=told) as refusal:
            store.stamps()
        assert "\n" not in str(refusal.value)
        double.faults = []
        assert store.stamps() == {}
        store.close()


@local
def test_a_full_disk_and_a_refusal_are_not_waited_for(ready: Ready) -> None:
    full = "WAL: No space left on device"
    ready.double.faults = [(500, full, {}), (400, "a wrong filter", {}), (403, "read only", {})]
    for told in ("disk of Qdrant at .* is full", "status 400.*a wrong filter", "API key"):
        with pytest.raises(StoreError, match=told):
            ready.store.put(MANY[:1])
    assert not ready.double.faults


@local
def test_a_server_that_comes_back_is_found_again() -> None:
    with serving() as double:
        space = Qdrant(url=double.url, space="run", patience=10)
        store = space(Path(), "talk", DIMENSION)
        store.put(MANY)
        double.faults = [None] * 5
        assert len(store.stamps()) == 60
        store.close()
    with pytest.raises(ClewError, match="closed"):
        store.stamps()
