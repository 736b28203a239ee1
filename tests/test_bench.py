"""The bench measures what it says, and leaves its files."""

import csv
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from neo4j import Driver

ROOT = Path(__file__).resolve().parents[1]


def bench_of(patch: pytest.MonkeyPatch) -> ModuleType:
    """Load the script as a module."""
    patch.chdir(ROOT)
    spec = importlib.util.spec_from_file_location("bench", ROOT / "experiments" / "bench.py")
    assert spec is not None and spec.loader is not None
    bench = importlib.util.module_from_spec(spec)
    patch.setitem(sys.modules, "bench", bench)
    spec.loader.exec_module(bench)
    return bench


@pytest.mark.slow
@pytest.mark.neo4j
def test_on_neo4j_the_graph_is_projected_once_for_a_conversation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, neo4j: "Driver"
) -> None:
    words = ["--store", "neo4j", "--systems", *("ariadne+steiner", "bm25"), "--sizes"]
    words += ["--sessions", "2"]
    assert bench_of(monkeypatch).main([*words, "--folder", str(tmp_path)]) == 0
    with (tmp_path / "latency.csv").open() as file:
        rows = {row["system"]: row for row in csv.DictReader(file)}
    assert [(row["store"], row["projections"]) for row in rows.values()] == [
        ("neo4j", "1.0"),
        ("neo4j", "0.0"),
    ]
    assert not (tmp_path / "growth.csv").exists()
    left = "MATCH (n) WHERE n.scope STARTS WITH $space RETURN count(n) AS n"
    records, *_ = neo4j.execute_query(left, space=f"bench-{os.getpid()}")
    assert records[0]["n"] == 0


@pytest.mark.slow
def test_the_bench_writes_both_tables_and_the_curve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bench = bench_of(monkeypatch)
    monkeypatch.delenv("NEO4J_URI", raising=False)
    words = [
        "--systems",
        "bm25",
        "--sizes",
        "100",
        "300",
        "--sessions",
        "3",
        "--folder",
        str(tmp_path / "bench"),
    ]
    assert bench.main(words) == 0
    with (tmp_path / "bench" / "latency.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert (row["system"], row["store"], row["projections"]) == ("bm25", "sqlite", "0.0")
    assert float(row["search_p95"]) >= float(row["search_p50"]) > 0
    with (tmp_path / "bench" / "growth.csv").open() as file:
        assert [row["messages"] for row in csv.DictReader(file)] == ["100", "300"]
    assert (tmp_path / "bench" / "growth.png").stat().st_size > 5_000
    assert "One memory as it grows" in capsys.readouterr().out
