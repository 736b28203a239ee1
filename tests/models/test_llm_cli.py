"""`clew llm`: replies go out of one cache and into another."""

from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from clew.errors import DataError
from clew.models.cli import llm
from clew.models.recordings import Recorded, Recordings

RUNNER = CliRunner()


def cache(path: Path) -> Path:
    with closing(Recordings(path)) as recordings:
        for n, prompt in enumerate(["extract", "answer", "answer"]):
            recordings.keep(Recorded(prompt, {"model": "m", "user": str(n)}, "hello"))
    return path


def test_replies_are_exported_and_imported(tmp_path: Path) -> None:
    full, lines, empty = cache(tmp_path / "a.db"), tmp_path / "r.jsonl", tmp_path / "b.db"
    done = RUNNER.invoke(llm, ["export", str(lines), "--cache", str(full)])
    assert done.output == f"3 replies are in {lines}\n"
    for new in (3, 0):
        done = RUNNER.invoke(llm, ["import", str(lines), "--cache", str(empty)])
        assert done.output == f"{new} of 3 replies are new in {empty}\n"


def test_only_the_replies_to_a_prompt_are_exported(tmp_path: Path) -> None:
    full, lines = cache(tmp_path / "a.db"), tmp_path / "r.jsonl"
    RUNNER.invoke(llm, ["export", str(lines), "--cache", str(full), "--prompt", "answer"])
    assert len(lines.read_text().splitlines()) == 2


def test_a_cache_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    missing = tmp_path / "none.db"
    with pytest.raises(DataError, match=r"none\.db is not there: set --cache"):
        RUNNER.invoke(llm, ["export", "x.jsonl", "--cache", str(missing)], catch_exceptions=False)
    assert not missing.exists()
