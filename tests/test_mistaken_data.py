"""Mistakes in the data: told before anything is written, thrown away or in the way later."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from clew.evaluate.journal import read_lines
from clew.evaluate.manifest import read_manifest

ROOT = Path(__file__).resolve().parents[1]
FAST = ("embedder=words", "tracking=none", "table=false", "report=false", "system=bm25")


@pytest.fixture(scope="module")
def entry() -> ModuleType:
    """Return experiments/run.py as a module."""
    spec = importlib.util.spec_from_file_location("run", ROOT / "experiments" / "run.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def start(entry: ModuleType, runs: Path, *words: str) -> int:
    """Run as the command line does, without the seconds that a process takes to start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("HYDRA_FULL_ERROR", "1")  # so that it is as before afterwards
        patch.setattr(sys, "argv", ["run.py", f"runs={runs}", "name=own", *FAST, *words])
        return int(entry.main())


def written(file: Path, *speakers: str) -> tuple[str, str]:
    """Write a conversation of each speaker; return the words that choose the file."""
    lines: list[Any] = [
        {"conversation": [{"speaker": who, "text": "I keep bees."}], "question": "Who keeps bees?"}
        for who in speakers
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return "dataset=jsonl", f"dataset.path={file}"


def test_a_mistake_in_a_file_leaves_no_run_and_the_mended_file_runs_by_the_same_command(
    entry: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs, file = tmp_path / "runs", tmp_path / "own.jsonl"
    words = written(file, "Ana", "")
    assert start(entry, runs, *words) == 2
    told = f"clew: {file}, line 2.conversation[0].speaker: is empty"
    assert capsys.readouterr().err.startswith(told)
    assert not runs.exists()
    written(file, "Ana", "Ben")
    assert start(entry, runs, *words) == 0
    assert read_manifest(runs / "own")["status"] == "done"
    assert len(list(read_lines(runs / "own" / "journal.jsonl"))) == 2


def test_a_mistake_in_a_file_throws_no_run_away(
    entry: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = written(tmp_path / "own.jsonl", "Ana")
    assert start(entry, tmp_path, *words) == 0
    before = (tmp_path / "own" / "journal.jsonl").read_bytes()
    written(tmp_path / "own.jsonl", "")
    assert start(entry, tmp_path, *words, "overwrite=true") == 2
    assert "speaker: is empty" in capsys.readouterr().err
    assert (tmp_path / "own" / "journal.jsonl").read_bytes() == before


def test_a_line_that_is_not_picked_is_no_mistake(entry: ModuleType, tmp_path: Path) -> None:
    words = written(tmp_path / "own.jsonl", "Ana", "")
    assert start(entry, tmp_path, *words, "dataset.limit=1") == 0


@pytest.mark.parametrize("dataset", ["tiny", "locomo"])
def test_a_conversation_that_is_not_there_leaves_no_run(
    entry: ModuleType, tmp_path: Path, dataset: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "two.json"
    file.write_text(json.dumps([{"sample_id": "conv-1"}]))
    words = [f"dataset={dataset}", "dataset.only=[nobody]"]
    words += [f"dataset.path={file}"] * (dataset == "locomo")
    assert start(entry, tmp_path / "runs", *words) == 2
    assert "no conversation ['nobody']; dataset.only can name" in capsys.readouterr().err
    assert not (tmp_path / "runs").exists()


def test_what_is_odd_in_a_file_is_told_once(
    entry: ModuleType, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    turn = {"speaker": "Ana", "timestamp": "2024-05-01T10:00", "text": "I keep bees."}
    (tmp_path / "own.jsonl").write_text(json.dumps({"conversation": [turn]}))
    words = "dataset=jsonl", f"dataset.path={tmp_path / 'own.jsonl'}"
    assert start(entry, tmp_path, *words) == 0
    assert caplog.text.count("read as UTC") == 1
