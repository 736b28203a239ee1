"""Reopen: runs that lost files, or whose files were written into, as the command line tells it."""

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from clew.build import made, open_memory
from clew.cli import app
from clew.stores.edge import EdgeVectors
from clew.stores.graph import Stamp

ROOT = Path(__file__).resolve().parents[1]


def call(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "200"})


def journal(run: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (run / "journal.jsonl").read_text().splitlines()]


@pytest.fixture
def copy(run: Path, tmp_path: Path) -> Path:
    """Return a copy of the run, to be damaged."""
    return Path(shutil.copytree(run, tmp_path / "copy"))


def files(folder: Path) -> list[str]:
    """Return the names of all files, but for those of SQLite that come and go."""
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*"))
    return sorted(name for name in names if not name.endswith(("-wal", "-shm")))


def vectors(folder: Path) -> dict[str, Stamp]:
    """Return what the vectors of a run that nobody has open tell of themselves."""
    with closing(EdgeVectors(folder, "gen-0", 256, "vectors")) as store:
        return store.stamps()


def asked_of(run: Path) -> tuple[tuple[str, ...], ...]:
    question = journal(run)[0]["question"]
    doctor = ("doctor", str(run))
    return ("ask", str(run), "Hm?"), ("explain", str(run), question), doctor, (*doctor, "--repair")


def lose_graph(run: Path) -> None:
    for file in run.glob("memory.db*"):
        file.unlink()


def test_a_graph_that_is_gone_is_told_and_nothing_is_made_or_deleted(copy: Path) -> None:
    lose_graph(copy)
    before = files(copy)
    assert any(name.startswith("vectors/gen-0/") for name in before)
    for words in asked_of(copy):
        done = call(*words)
        assert done.exit_code == 2, done.output
        assert "memory.db is not there" in done.stderr
        assert "python experiments/run.py" in done.stderr
        assert "name=walk overwrite=true" in done.stderr
        assert files(copy) == before


def test_a_graph_that_is_empty_is_told_and_the_vectors_are_kept(copy: Path) -> None:
    with closing(sqlite3.connect(copy / "memory.db")) as database:
        for table in ("ledger", "edge", "entity", "unit", "message", "setting"):
            database.execute(f"DELETE FROM {table}")
        database.commit()
    before = vectors(copy)
    for words in asked_of(copy):
        done = call(*words)
        assert done.exit_code == 2, done.output
        assert "The memory of gen-0 is gone: its graph is empty" in done.stderr
    assert vectors(copy) == before


def test_a_memory_that_was_begun_again_and_left_empty_is_told(copy: Path) -> None:
    lose_graph(copy)
    shutil.rmtree(copy / "vectors")
    config = json.loads((copy / "manifest.json").read_text())["config"]
    open_memory(config, copy, made(config["embedder"], "embedder"), "gen-0").close()
    for words in asked_of(copy):
        done = call(*words)
        assert done.exit_code == 2, done.output
        assert "the ledger tells of 20 messages in it, and it holds none" in done.stderr


def test_vectors_that_are_gone_are_told_and_made_again_when_asked_to(copy: Path) -> None:
    shutil.rmtree(copy / "vectors")
    before = files(copy)
    ask, explain, doctor, repair = asked_of(copy)
    for words in (ask, explain, doctor):
        done = call(*words)
        assert done.exit_code == 2, done.output
        assert "The vectors of gen-0 are gone" in done.stderr
        assert f"clew doctor {copy} --repair" in done.stderr
        assert files(copy) == before
    assert "repaired" in call(*repair).stdout
    assert call(*doctor).exit_code == 0
    assert call(*ask).exit_code == 0


def test_a_question_to_a_memory_that_drifted_is_answered_with_a_warning(copy: Path) -> None:
    config = json.loads((copy / "manifest.json").read_text())["config"]
    with closing(open_memory(config, copy, made(config["embedder"], "e"), "gen-0")) as memory:
        memory.vectors.delete([next(iter(memory.graph.units())).id])
    done = call("ask", str(copy), "Who said hello?")
    assert done.exit_code == 0
    assert "gen-0: 1 vectors do not fit its graph" in done.stderr


def test_a_run_that_goes_on_without_its_graph_is_refused_and_keeps_its_vectors(
    copy: Path, small: tuple[str, ...]
) -> None:
    rest = (copy / "journal.jsonl").read_text().splitlines(keepends=True)[:-1]
    (copy / "journal.jsonl").write_text("".join(rest))
    lose_graph(copy)
    before = vectors(copy)
    script = [sys.executable, str(ROOT / "experiments" / "run.py"), f"runs={copy.parent}"]
    again = partial(subprocess.run, capture_output=True, text=True, check=False, timeout=100)
    refused = again([*script, "name=copy", *small])
    assert refused.returncode == 2
    assert "The memory of gen-0 is gone: its graph is empty, and" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert vectors(copy) == before
    assert again([*script, "name=copy", *small, "overwrite=true"]).returncode == 0


@pytest.mark.parametrize(
    ("file", "text", "commands", "what"),
    [
        ("manifest.json", "no JSON", ("report", "ask", "doctor"), "manifest.json is missing or"),
        ("manifest.json", "[]", ("report", "ask", "doctor"), "manifest.json: is no JSON object"),
        ("summary.json", "{}", ("report",), "summary.json: system: field required"),
        ("summary.json", "[]", ("report",), "summary.json: is no JSON object but []"),
        ("journal.jsonl", '{"scores": 5}\n', ("ask", "doctor"), "journal.jsonl, line 1: question"),
        ("ledger.jsonl", '{"closed": true}\n', ("ask", "doctor"), "ledger.jsonl, line 1: conv"),
    ],
)
def test_a_file_of_another_shape_is_told_in_one_line(
    copy: Path, file: str, text: str, commands: tuple[str, ...], what: str
) -> None:
    (copy / file).write_text(text)
    for command in commands:
        done = call(command, str(copy), *(["Hm?"] if command == "ask" else []))
        assert done.exit_code == 2, done.output
        assert what in done.stderr
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("part", ["system", "embedder", "store", "vectors"])
def test_a_manifest_that_names_no_part_is_told_by_its_path(copy: Path, part: str) -> None:
    manifest = json.loads((copy / "manifest.json").read_text())
    del manifest["config"][part]
    (copy / "manifest.json").write_text(json.dumps(manifest))
    done = call("ask", str(copy), "Hm?")
    assert done.exit_code == 2
    assert f"manifest.json: config.{part}: field required" in done.stderr


@pytest.mark.parametrize(("part", "name"), [("store", "graph"), ("vectors", "index")])
def test_a_part_that_opens_nothing_is_told_by_its_path(copy: Path, part: str, name: str) -> None:
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["config"][part][name] = {"path": "x"}
    (copy / "manifest.json").write_text(json.dumps(manifest))
    done = call("ask", str(copy), "Hm?")
    assert done.exit_code == 2
    assert f"{part}.{name}: opens nothing" in done.stderr
