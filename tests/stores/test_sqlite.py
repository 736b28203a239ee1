"""SQLite: the contract, and what only a file can go through."""

import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from graph_contract import GraphStoreContract
from stories import FULL, TALK, home, message, unit

from clew.errors import StoreBusy, StoreError, StoreMismatch
from clew.model import Add, Edge, Entity
from clew.stores.graph import GraphStore, Stamp, text_hash
from clew.stores.rows import unit_row
from clew.stores.sqlite import SqliteGraph, ledger, schema, sql


class TestSqlite(GraphStoreContract):
    DELETE = "DELETE FROM unit"
    COUNT = "SELECT count(*) AS n FROM unit WHERE conversation = :conversation"
    ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    WRONG = "SELEKT 1"

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[GraphStore]:
        store = SqliteGraph(tmp_path, TALK)
        yield store
        store.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs" / "memory.db"


def test_everything_is_there_when_the_file_is_opened_again(path: Path) -> None:
    store = SqliteGraph(path.parent, TALK)
    store.put([FULL, unit(1)])
    store.put_messages([message(1)])
    store.put_entities([Entity("ana", "Ana", "person", ("Annie",))])
    store.link([Edge("D1:1.00", FULL.id, "NEXT")])
    store.record(Add(FULL))
    before = (list(store.units()), store.messages(), store.entities(), store.ledger())
    store.close()
    again = SqliteGraph(path.parent, TALK)
    assert (list(again.units()), again.messages(), again.entities(), again.ledger()) == before
    assert again.edges([FULL.id], ["NEXT"]) == [Edge("D1:1.00", FULL.id, "NEXT")]
    again.close()


def test_conversations_in_one_file_do_not_see_each_other(path: Path) -> None:
    talk, gossip = SqliteGraph(path.parent, TALK), SqliteGraph(path.parent, "gossip")
    talk.put([home(1, "Oslo", entities=frozenset({"ana"}))])
    talk.put_messages([message(1)])
    talk.put_entities([Entity("ana", "Ana")])
    talk.record(Add(unit(1)))
    talk.setting("embedder", "words")
    assert list(gossip.units()) == [] and gossip.messages() == [] and gossip.entities() == []
    assert gossip.mentioning(["ana"]) == [] and gossip.facts() == [] and gossip.ledger() == []
    assert gossip.setting("embedder") is None and gossip.speakers() == []
    gossip.clear()
    assert len(list(talk.units())) == 1
    talk.close()
    gossip.close()


def test_closing_leaves_one_file(path: Path) -> None:
    store = SqliteGraph(path.parent, TALK)
    store.put([unit(1)])
    store.close()
    assert [file.name for file in path.parent.iterdir()] == ["memory.db"]


def test_what_is_forgotten_leaves_no_trace_in_the_files(path: Path) -> None:
    store = SqliteGraph(path.parent, TALK)
    store.put_messages([message(1, "the xylophone is stolen"), message(2)])
    store.put([unit(1, "the xylophone is stolen", keywords=frozenset({"xylophone"}))])
    store.forget(["D1:1"])
    assert not any(b"xylophone" in file.read_bytes() for file in path.parent.iterdir())
    store.close()


def test_a_second_writer_of_a_conversation_is_refused_and_a_reader_is_not(path: Path) -> None:
    store = SqliteGraph(path.parent, TALK)
    store.put([unit(1)])
    code = """
import sys
from clew.errors import StoreBusy
from clew.stores.sqlite import SqliteGraph
other = SqliteGraph(sys.argv[1], "talk")
print(len(list(other.units())))
try:
    other.setting("embedder", "mine")
except StoreBusy as error:
    print(error)
SqliteGraph(sys.argv[1], "gossip").setting("embedder", "mine")
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(path.parent)], capture_output=True, text=True, check=True
    )
    count, refusal = done.stdout.splitlines()
    assert count == "1"
    assert "talk" in refusal and "another process" in refusal and "store.graph.path=" in refusal
    assert store.setting("embedder") is None
    store.close()


def test_a_killed_writer_leaves_what_it_finished_and_no_lock(path: Path) -> None:
    code = """
import os, signal, sys
from clew.stores.sqlite import SqliteGraph
store = SqliteGraph(sys.argv[1], "talk")
store.setting("whole", "yes")
with store.transaction():
    store.setting("half", "yes")
    os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", code, str(path.parent)], check=False)
    store = SqliteGraph(path.parent, TALK)
    assert store.setting("whole") == "yes" and store.setting("half") is None
    store.put([unit(1)])
    store.close()


def test_a_file_that_stays_locked_is_busy(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.stores.sqlite.schema.PATIENCE", 0.05)
    store = SqliteGraph(path.parent, TALK)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy, match="another process"):
        store.put([unit(1)])
    other.execute("ROLLBACK")
    other.close()
    store.put([unit(1)])
    store.close()


def test_a_newer_schema_is_refused_by_number(path: Path) -> None:
    SqliteGraph(path.parent, TALK).close()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreMismatch, match=r"schema 99.*store\.graph\.path="):
        SqliteGraph(path.parent, TALK)


def test_a_memory_of_the_first_schema_is_brought_up_to_date(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.parent.mkdir()
    db = sqlite3.connect(path, isolation_level=None)
    for statement in schema.STEPS[0].split(";\n"):
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {schema.OURS}")
    db.execute("PRAGMA user_version = 1")
    old, again = unit(1, keywords=frozenset({"harbour"})), unit(2)
    row = unit_row(old)[:-1]  # it ended with the stamp
    db.execute(f"INSERT INTO unit VALUES ({', '.join('?' * 23)})", (TALK, *row))
    merged = json.dumps(unit_row(again)[:-1])
    line = (TALK, 1, "MERGE", '["D1:2.00", "D1:1.00"]', "{}", "", "", old.id, merged, None, None)
    db.execute(f"INSERT INTO ledger VALUES ({', '.join('?' * 11)})", line)
    db.close()
    store = SqliteGraph(path.parent, TALK)
    assert list(store.units()) == [old] and store.lines()[0].merged == again
    assert store.stamps()[old.id] == Stamp(text_hash(old))
    assert store.previous(unit(3)) == old.id
    store.put([FULL])
    assert store.get([FULL.id]) == [FULL]
    store.close()
    monkeypatch.setattr(schema, "STEPS", schema.STEPS[:1])
    with pytest.raises(StoreMismatch, match=r"schema 2 .* knows 1"):
        SqliteGraph(path.parent, TALK)


def test_another_programs_database_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE recipe (name)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(StoreMismatch, match="another program"):
        SqliteGraph(path.parent, TALK)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("Dear diary, " * 500)
    with pytest.raises(StoreError, match=r"not a SQLite database.*store\.graph\.path="):
        SqliteGraph(path.parent, TALK)
    assert path.read_text().startswith("Dear diary")


def test_a_damaged_file_is_told(path: Path) -> None:
    store = SqliteGraph(path.parent, TALK)
    store.put([unit(at, "x" * 400) for at in range(300)])
    store.close()
    data = bytearray(path.read_bytes())
    data[4096 * 20 :] = b"\x55" * (len(data) - 4096 * 20)
    path.write_bytes(data)
    with pytest.raises(StoreError, match="damaged"):
        list(SqliteGraph(path.parent, TALK).units())


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"store\.graph\.path="):
        SqliteGraph(tmp_path / "file", TALK)


def test_a_file_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot be opened.*store\.graph\.path="):
        SqliteGraph(tmp_path, TALK, path=".")


def test_a_read_only_file_is_told(path: Path) -> None:
    store = SqliteGraph(path.parent, TALK)
    store._open.execute("PRAGMA query_only = ON")  # as root, permission bits do not bind
    with pytest.raises(StoreError, match="read-only"):
        store.put([unit(1)])
    assert list(store.units()) == []
    store.close()


def test_a_full_disk_leaves_nothing_half_written(path: Path) -> None:
    store = SqliteGraph(path.parent, TALK)
    store.put([unit(1)])
    store._open.execute("PRAGMA max_page_count = 60")
    with pytest.raises(StoreError, match="full"), store.transaction():
        for at in range(2, 500):
            store.record(Add(unit(at)))
            store.put([unit(at, "x" * 3000)])
    assert list(store.units()) == [unit(1)] and store.ledger() == []
    store.put([unit(2)])
    assert len(list(store.units())) == 2
    store.close()


def test_rows_may_not_reach_other_files_or_settings(path: Path) -> None:
    store = SqliteGraph(path.parent, TALK)
    for query in (
        f"ATTACH DATABASE '{path.parent}/other.db' AS other",
        "PRAGMA user_version = 7",
        "SELECT 1; DELETE FROM unit",
    ):
        with pytest.raises(StoreError, match="read-only"):
            store.rows(query)
    assert not (path.parent / "other.db").exists()
    store.close()


def test_rows_gives_up_on_a_query_without_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.stores.sqlite.reader.STEPS", 3_000_000)
    store = SqliteGraph(path.parent, TALK)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    with pytest.raises(StoreError, match="interrupted"):
        store.rows(f"{endless} SELECT max(i) AS i FROM n")
    assert store.rows("SELECT :a AS a", a=3) == [{"a": 3}]
    store.close()


@pytest.mark.parametrize(
    "statement",
    [
        *(sql.GET, sql.EDGES, sql.MENTIONING, sql.CLAIMING_OF, sql.NAMED, sql.BETWEEN),
        *(sql.PREVIOUS, sql.STAMPS_OF, ledger.ABOUT),
    ],
)
def test_no_question_reads_a_whole_conversation(path: Path, statement: str) -> None:
    SqliteGraph(path.parent, TALK).close()
    db = sqlite3.connect(path)
    names = re.findall(r":([a-z]+)", statement)
    params = dict.fromkeys(names, "[]")
    plan = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {statement}", params)]
    db.close()
    assert [step for step in plan if "(conversation=?)" in step] == []
    assert any("(conversation=? AND" in step for step in plan)
