"""experiments/paging.py: which limits it tries, and what it makes of what it sees."""

import csv
import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def paging(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the script as a module."""
    monkeypatch.chdir(ROOT)
    spec = importlib.util.spec_from_file_location("paging", ROOT / "experiments" / "paging.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "paging", module)
    spec.loader.exec_module(module)
    return module


def figures(peak: float, contexts: str = "same", stored: float = 400.0) -> dict[str, Any]:
    """Return what a measurement says, with a base of 100 MB."""
    served = {"latency_noembed": {"mean": 2.0}}
    phases = [{"start": n, "end": n + 2, "rss": peak - 10} for n in range(4)]
    rss = {"base": 100.0, "peak": peak}
    told = {"stored": stored, "contexts": contexts, "rss": rss, "phases": phases}
    return told | {"search": served, "add": served}


def run(
    paging: ModuleType, patch: pytest.MonkeyPatch, folder: Path, answers: Mapping[str, Any]
) -> tuple[int, list[tuple[str, ...]]]:
    """Run the script on answers by name; return its exit code and the words of each measurement."""
    asked: list[tuple[str, ...]] = []

    def measured(system: str, messages: int, folder: Path, name: str, *words: str) -> Any:
        asked.append(words)
        return answers[name]

    patch.setattr(paging, "measured", measured)
    words = ["--systems", "bm25", "--messages", "40", "--folder", str(folder)]
    return paging.main(words), asked


def test_a_quarter_of_what_is_stored_may_be_held(
    paging: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answers = {"free": figures(900.0), "lru": figures(220.0), "lfu": figures(229.0)}
    code, asked = run(paging, monkeypatch, tmp_path, answers)
    assert code == 0
    assert asked == [
        (),
        ("store.paging.limit=100MB", "store.paging.evict=lru"),
        ("store.paging.limit=100MB", "store.paging.evict=lfu"),
    ]
    with (tmp_path / "paging.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["evict"], row["limit"], row["same"]) for row in rows] == [
        ("", "0.0", "True"), ("lru", "100.0", "True"), ("lfu", "100.0", "True"),
    ]  # fmt: skip
    assert [float(row["over"]) for row in rows] == [0, 10, 14.5]
    assert rows[1]["held"] == "210.0"


@pytest.mark.parametrize("bad", [figures(231.0), figures(200.0, "other")])
def test_too_much_memory_or_another_context_fails(
    bad: dict[str, Any], paging: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answers = {"free": figures(900.0), "lru": figures(200.0), "lfu": bad}
    assert run(paging, monkeypatch, tmp_path, answers)[0] == 1


def test_a_small_memory_gets_the_smallest_limit(
    paging: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    small = figures(101.0, stored=2.0)
    code, asked = run(paging, monkeypatch, tmp_path, dict.fromkeys(("free", "lru", "lfu"), small))
    assert code == 0 and asked[1][0] == "store.paging.limit=16MB"


def test_a_measurement_that_is_refused_ends_it_with_its_code(
    paging: ModuleType, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert paging.main(["--systems", "oracle", "--folder", str(tmp_path)]) == 2
    assert "system=oracle: choose one of" in capfd.readouterr().err
