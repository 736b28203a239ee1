"""Qdrant Edge: the contract, and what only a folder can go through."""

import logging
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import bm25s
import numpy as np
import pytest
from exact import Exact
from vectors_contract import DIMENSION, MANY, VectorStoreContract, direction, point

from clew.errors import StoreBusy, StoreError, StoreMismatch
from clew.stores.edge import EdgeVectors, engine
from clew.stores.graph import Stamp
from clew.stores.vectors import Point, VectorStore
from clew.text import query_weights, stems, term_weights

TEXTS = [
    "Ana moved to Oslo in spring with two suitcases",
    "Bo bakes rye bread on Sundays",
    "The harbour was closed because of a storm",
    "Ana's sister bakes cakes for the harbour café",
    "Two storms hit Oslo last spring",
    "我在大连路开了一家修表店",
    "Bread, bread and again bread: Bo cannot stop baking",
]


class TestEdge(VectorStoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[VectorStore]:
        store = EdgeVectors(tmp_path, "talk", DIMENSION)
        yield store
        store.close()


def told(texts: list[str]) -> list[Point]:
    return [point(n, words=term_weights(text)) for n, text in enumerate(texts)]


def test_points_are_there_when_the_folder_is_opened_again(tmp_path: Path) -> None:
    store = EdgeVectors(tmp_path, "talk", DIMENSION)
    store.put(MANY)
    before = store.dense(direction(3), 9), store.sparse({7: 1.0, 101: 1.0}, 9), store.stamps()
    store.close()
    store = EdgeVectors(tmp_path, "talk", DIMENSION)
    assert (
        store.dense(direction(3), 9),
        store.sparse({7: 1.0, 101: 1.0}, 9),
        store.stamps(),
    ) == before
    store.close()


def test_conversations_in_one_folder_do_not_see_each_other(tmp_path: Path) -> None:
    names = ("talk", "Talk", "talk/../talk", "対話", "x" * 300)
    stores = [EdgeVectors(tmp_path, name, DIMENSION) for name in names]
    for n, store in enumerate(stores):
        store.put([point(n)])
    assert [list(store.stamps()) for store in stores] == [[f"D1:{n}.00"] for n in range(5)]
    for store in stores:
        store.close()
    assert all(path.parent == tmp_path for path in tmp_path.iterdir())


def test_words_rank_as_an_independent_bm25_ranks(tmp_path: Path) -> None:
    store = EdgeVectors(tmp_path, "talk", DIMENSION)
    store.put(told(TEXTS))
    judge = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    judge.index([stems(text) for text in TEXTS], show_progress=False)
    for query in ("Who bakes bread?", "storms in Oslo", "Ana's harbour", "two suitcases"):
        scores = judge.get_scores(stems(query))
        found = [hit.id for hit in store.sparse(query_weights(query), 3)]
        assert found[0] == f"D1:{int(np.argmax(scores))}.00"
        assert len(found) == min(3, int((scores > 0).sum()))
    store.close()


def test_a_word_inside_a_chinese_clause_is_found(tmp_path: Path) -> None:
    store = EdgeVectors(tmp_path, "talk", DIMENSION)
    store.put(told(TEXTS))
    assert [hit.id for hit in store.sparse(query_weights("修表"), 3)] == ["D1:5.00"]
    store.close()


def test_above_the_exact_size_little_is_missed_and_two_runs_agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clew.stores.edge.store.EXACT", 100)
    drawn = np.random.default_rng(1).standard_normal((1500, 64)).astype(np.float32)
    rows = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    points = [
        Point(f"{n:04}", {"text": row, "context": row}, {}, None, None, Stamp(""))
        for n, row in enumerate(rows)
    ]
    answers = []
    for run in ("one", "two"):
        store = EdgeVectors(tmp_path / run, "talk", 64)
        store.put(points)
        answers.append([[hit.id for hit in store.dense(row, 20)] for row in rows[:30]])
        store.close()
    best = [[hit.id for hit in Exact(points).dense(row, 20)] for row in rows[:30]]
    found = [len(set(a) & set(b)) / 20 for a, b in zip(answers[0], best, strict=True)]
    assert answers[0] == answers[1]
    assert np.mean(found) > 0.98


def test_another_dimension_is_refused_before_any_write(tmp_path: Path) -> None:
    store = EdgeVectors(tmp_path, "talk", DIMENSION)
    store.put(MANY)
    store.close()
    with pytest.raises(StoreMismatch, match=r"8 dimensions.*768.*embedder="):
        EdgeVectors(tmp_path, "talk", 768)
    store = EdgeVectors(tmp_path, "talk", DIMENSION)
    assert len(store.stamps()) == len(MANY)
    store.close()


def test_a_second_process_is_told_who_holds_the_folder(tmp_path: Path) -> None:
    store = EdgeVectors(tmp_path, "talk", DIMENSION)
    code = """
import sys
from clew.errors import StoreBusy
from clew.stores.edge import EdgeVectors, engine
try:
    EdgeVectors(sys.argv[1], "talk", 8)
except StoreBusy as error:
    print(error)
EdgeVectors(sys.argv[1], "gossip", 8).close()
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert "talk" in done.stdout and "another process" in done.stdout
    assert "vectors.index.folder=" in done.stdout
    with pytest.raises(StoreBusy):
        EdgeVectors(tmp_path, "talk", DIMENSION)
    store.close()
    EdgeVectors(tmp_path, "talk", DIMENSION).close()


def test_a_shard_open_elsewhere_is_busy_and_not_erased(tmp_path: Path) -> None:
    store = EdgeVectors(tmp_path, "talk", DIMENSION)
    store.put(MANY)
    store._lock.release()  # as if a program without our lock had opened it
    with pytest.raises(StoreBusy, match=r"vectors\.index\.folder="):
        EdgeVectors(tmp_path, "talk", DIMENSION)
    assert len(store.stamps()) == len(MANY)
    store.close()


def test_a_killed_writer_leaves_a_folder_that_opens(tmp_path: Path) -> None:
    code = """
import os, signal, sys
sys.path.insert(0, sys.argv[2])
from clew.stores.edge import EdgeVectors, engine
from vectors_contract import point
store = EdgeVectors(sys.argv[1], "talk", 8)
for n in range(500):
    store.put([point(n)])
os.kill(os.getpid(), signal.SIGKILL)
"""
    here = str(Path(__file__).parent)
    subprocess.run([sys.executable, "-c", code, str(tmp_path), here], check=False)
    store = EdgeVectors(tmp_path, "talk", DIMENSION)
    assert len(store.stamps()) == 500
    assert store.dense(direction(123), 1)[0].id == "D1:123.00"
    store.close()


def test_what_a_writer_that_died_while_writing_out_left_is_counted_once(tmp_path: Path) -> None:
    code = """
import os, signal, sys
sys.path.insert(0, sys.argv[2])
from clew.stores.edge import EdgeVectors, engine
from vectors_contract import point
store = EdgeVectors(sys.argv[1], "talk", 8)
store.put([point(n) for n in range(40)])
os.kill(os.getpid(), signal.SIGKILL)
"""
    here = str(Path(__file__).parent)
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "dead"), here], check=False)
    shutil.copytree(tmp_path / "dead", tmp_path / "mended")
    EdgeVectors(tmp_path / "mended", "talk", DIMENSION).close()
    dead, written = (tmp_path / name / "talk" / "segments" for name in ("dead", "mended"))
    shutil.rmtree(dead)
    shutil.copytree(written, dead)
    (last,) = dead.rglob("mutable_id_tracker.versions")
    last.unlink()  # it is written last
    found = []
    for folder in ("dead", "mended"):
        store = EdgeVectors(tmp_path / folder, "talk", DIMENSION)
        store.put([point(n) for n in range(40, 60)])
        found.append([store.sparse(point(n).words, 60) for n in range(60)])
        store.close()
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "damage",
    ["**/segment.json", "**/vector_storage-words/deleted/status.dat", "edge_config.json"],
)
def test_a_damaged_shard_is_made_anew_and_said_so(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = EdgeVectors(tmp_path, "talk", DIMENSION)
    store.put(MANY)
    store.close()
    for file in (tmp_path / "talk").glob(damage):
        file.write_bytes(b"")
    with caplog.at_level(logging.WARNING):
        store = EdgeVectors(tmp_path, "talk", DIMENSION)
    assert "made again from the graph" in caplog.text
    store.put(MANY)
    assert len(store.stamps()) == len(MANY)
    store.close()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"vectors\.index\.folder="):
        EdgeVectors(tmp_path / "file", "talk", DIMENSION)


def test_an_interrupt_is_not_taken_for_a_fault_of_the_engine(tmp_path: Path) -> None:
    from clew.stores.edge.shard import explained

    with pytest.raises(KeyboardInterrupt), explained(tmp_path):
        raise KeyboardInterrupt


def test_a_full_disk_is_told_and_erases_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = EdgeVectors(tmp_path, "talk", DIMENSION)
    store.put(MANY)
    store.close()

    class Full:
        @staticmethod
        def load(path: str) -> None:
            raise Exception(f"{path}: No space left on device (os error 28)")

    with monkeypatch.context() as patch:
        patch.setattr("clew.stores.edge.shard.edge.EdgeShard", Full)
        with pytest.raises(StoreError, match=r"No space left.*vectors\.index\.folder="):
            EdgeVectors(tmp_path, "talk", DIMENSION)
    store = EdgeVectors(tmp_path, "talk", DIMENSION)
    assert len(store.stamps()) == len(MANY)
    store.close()


def test_a_close_that_fails_lets_go_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StoreError("no space left on device")

    store = EdgeVectors(tmp_path, "talk", DIMENSION)
    store.put([point(1)])
    with monkeypatch.context() as broken, pytest.raises(StoreError, match="no space"):
        broken.setattr(engine, "close_shard", full)
        store.close()
    again = EdgeVectors(tmp_path, "talk", DIMENSION)
    assert again.stamps().keys() == {point(1).id}
    again.close()
