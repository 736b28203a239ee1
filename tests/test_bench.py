"""The bench measures what it says, and leaves its files."""

import csv
import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.slow
def test_the_bench_writes_both_tables_and_the_curve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    spec = importlib.util.spec_from_file_location("bench", ROOT / "experiments" / "bench.py")
    assert spec is not None and spec.loader is not None
    bench = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(__import__("sys").modules, "bench", bench)
    spec.loader.exec_module(bench)
    words = ["--systems", "bm25", "--sizes", "100", "300", "--folder", str(tmp_path / "bench")]
    assert bench.main(words) == 0
    with (tmp_path / "bench" / "latency.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert row["system"] == "bm25" and float(row["search_p95"]) >= float(row["search_p50"]) > 0
    with (tmp_path / "bench" / "growth.csv").open() as file:
        assert [row["messages"] for row in csv.DictReader(file)] == ["100", "300"]
    assert (tmp_path / "bench" / "growth.png").stat().st_size > 5_000
    assert "One memory as it grows" in capsys.readouterr().out
