"""Runs whose vectors lie on a Qdrant server, from the command line: what is refused, and how."""

import json
from contextlib import closing
from pathlib import Path

import pytest
from entry import run
from qdrant_double import serving

from clew.stores.sqlite import SqliteGraph

pytestmark = pytest.mark.filterwarnings(
    "ignore:Payload indexes have no effect", "ignore:Local mode performs exact"
)


def test_vectors_of_another_dimension_are_told_of_and_nothing_is_remembered(tmp_path: Path) -> None:
    with serving() as double:
        there = ("vectors=qdrant", f"vectors.index.url={double.url}", "dataset.sessions=1")
        first = run(tmp_path, "small", *there, "embedder.dimension=64")
        assert first.returncode == 0, first.stderr
        before = double.engine.count("clew").count
        done = run(tmp_path, "large", *there, "embedder.dimension=128")
        assert double.engine.count("clew").count == before > 0
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "has vectors of 64 dimensions, the embedder makes 128" in done.stderr
    assert "set embedder=" in done.stderr and "vectors.index.collection=" in done.stderr
    manifest = json.loads((tmp_path / "large" / "manifest.json").read_text())
    assert manifest["status"] == "failed" and "embedder makes 128" in manifest["error"]
    for name in ("journal.jsonl", "ledger.jsonl"):
        assert (tmp_path / "large" / name).read_text() == ""
    with closing(SqliteGraph(tmp_path / "large", "gen-0")) as graph:
        assert graph.messages() == [] and graph.version() == 0


def test_a_qdrant_that_is_not_there_is_told_of_and_nothing_is_written(tmp_path: Path) -> None:
    with serving() as double:
        url = double.url
    done = run(tmp_path, "walk", "vectors=qdrant", f"vectors.index.url={url}")
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "cannot be reached" in done.stderr and "vectors.index.url=" in done.stderr
    assert list(tmp_path.iterdir()) == []
