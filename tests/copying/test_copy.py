"""clew copy: the same run with its memories elsewhere, which answers and goes on as before."""

import json
import shutil
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from entry import run as started
from qdrant_double import serving
from typer.testing import CliRunner, Result

from clew.cli import app
from clew.copying.cli import configured, continued
from clew.copying.memory import alike
from clew.errors import ClewError, ConfigError
from clew.model import Abstract, Archive, Unit
from clew.reopen import Opened
from clew.stores.vectors import Where

TALKS = ("dataset=tiny", "dataset.conversations=2", "dataset.sessions=1")
QUESTION = "Who keeps bees?"
local = pytest.mark.filterwarnings(
    "ignore:Payload indexes have no effect", "ignore:Local mode performs exact"
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small finished run."""
    runs = tmp_path_factory.mktemp("runs")
    done = started(runs, "walk", *TALKS)
    assert done.returncode == 0, done.stderr
    return runs / "walk"


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "walk")
    return tmp_path / "walk"


def call(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "200"})


def manifest(run: Path) -> dict[str, Any]:
    return dict(json.loads((run / "manifest.json").read_text()))


def holds_the_same(one: Path, other: Path) -> bool:
    """Say whether two runs remember the same, and find the same for a question."""
    first, second = Opened.of(str(one)), Opened.of(str(other))
    assert first.conversations() == second.conversations()
    for name in first.conversations():
        with closing(first.memory(name)) as a, closing(second.memory(name)) as b:
            if not alike(a.graph, b.graph) or a.vectors.stamps() != b.vectors.stamps():
                return False
            found = [
                [hit.id for hit in (*m.similar(QUESTION, 30), *m.lexical(QUESTION, 30))]
                for m in (a, b)
            ]
            if found[0] != found[1] or not found[0]:
                return False
    return True


def archive_the_first(run: Path) -> tuple[str, Unit, Unit]:
    """Archive a unit of a run under an abstract in a space; return the conversation and both."""
    opened = Opened.of(str(run))
    name = opened.conversations()[0]
    with closing(opened.memory(name)) as memory:
        first = next(memory.graph.units())
        told = replace(first, id="A:1", text="Bees", level=1, spaces=frozenset({"bees"}))
        memory.revise([Abstract(told, (first,)), Archive(first, told)])
    return name, first, told


def test_a_copy_holds_the_same_and_says_where_it_came_from(run: Path) -> None:
    done = call("copy", run, "twin", "store=sqlite", "store.graph.path=other.db")
    assert done.exit_code == 0, done.output
    twin = run.parent / "twin"
    assert (twin / "other.db").exists() and holds_the_same(run, twin)
    told, before = manifest(twin), manifest(run)
    assert told["name"] == "twin"
    assert told["config"]["store"]["graph"]["path"] == "other.db"
    assert told["copied_from"] == {"name": "walk", "config_hash": before["config_hash"]}
    assert told["config_hash"] == before["config_hash"]  # where something lies is no part of it
    for name in ("journal.jsonl", "ledger.jsonl", "summary.json"):
        assert (twin / name).read_bytes() == (run / name).read_bytes()


def test_the_table_tells_what_each_memory_holds(run: Path) -> None:
    lines = call("copy", run, "twin").stdout.splitlines()
    head, first, second = (line.split() for line in lines[:3])
    assert head[0] == "conversation" and head[-1] == "drift"
    with closing(Opened.of(str(run)).memory(first[0])) as memory:
        units = len(list(memory.graph.units()))
        counts = [len(memory.graph.messages()), units, len(memory.graph.entities())]
    assert [int(each) for each in first[1:4]] == counts and min(counts) > 0
    assert first[-2:] == [str(units), "0"] and second[-1] == "0"
    assert f"runs={run.parent}" in lines[-1] or "name=twin" in lines[-1]


@local
def test_vectors_go_to_a_server_and_back_and_find_the_same(run: Path) -> None:
    with serving() as double:
        there = call("copy", run, "there", "vectors=qdrant", f"vectors.index.url={double.url}")
        assert there.exit_code == 0, there.output
        assert not (run.parent / "there" / "vectors").exists()
        assert manifest(run.parent / "there")["config"]["vectors"]["index"]["space"] == "there"
        assert holds_the_same(run, run.parent / "there")
        back = call("copy", run.parent / "there", "back", "vectors=edge")
        assert back.exit_code == 0, back.output
        assert holds_the_same(run, run.parent / "back")
        twin = call("copy", run.parent / "there", "twin")  # in a space of its own
        assert twin.exit_code == 0, twin.output
        assert manifest(run.parent / "twin")["config"]["vectors"]["index"]["space"] == "twin"
        full = call("copy", run, "late", "vectors=qdrant", f"vectors.index.url={double.url}",
                    "vectors.index.space=twin")  # fmt: skip
        assert full.exit_code == 2 and "space twin" in full.stderr
        assert not (run.parent / "late").exists()


@local
def test_what_is_archived_and_in_a_space_is_so_in_the_copy(run: Path) -> None:
    name, first, told = archive_the_first(run)
    with serving() as double:
        server = ["vectors=qdrant", f"vectors.index.url={double.url}"]
        for twin, to in {"a": ["store=sqlite", "store.graph.path=b.db"], "b": server}.items():
            assert call("copy", run, twin, *to).exit_code == 0
            assert holds_the_same(run, run.parent / twin)
            with closing(Opened.of(str(run.parent / twin)).memory(name)) as memory:
                bees = Where(spaces=frozenset({"bees"}))
                assert [hit.id for hit in memory.similar(QUESTION, 9, bees)] == [told.id]
                hits = {hit.id for hit in memory.similar(first.text, 9999)}
                assert told.id in hits and first.id not in hits


@pytest.mark.neo4j
def test_a_graph_goes_to_neo4j_and_back(run: Path) -> None:
    archive_the_first(run)
    there = run.parent / f"copy-test-{run.parent.name}"
    try:
        done = call("copy", run, there.name, "store=neo4j")
        assert done.exit_code == 0, done.output
        assert not list(there.glob("*.db")) and holds_the_same(run, there)
        back = call("copy", there, "back", "store=sqlite")
        assert back.exit_code == 0, back.output
        assert holds_the_same(run, run.parent / "back")
    finally:
        config = manifest(there)["config"] if there.exists() else {}
        _clear(config)


def _clear(config: dict[str, Any]) -> None:
    from clew.build import spaces

    for space in spaces(config) if config else ():
        space.clear()


def test_a_copy_answers_is_explained_and_found_in_order(run: Path) -> None:
    call("copy", run, "twin")
    twin = run.parent / "twin"
    assert call("doctor", twin).exit_code == 0
    record = json.loads((run / "journal.jsonl").read_text().splitlines()[0])
    asked = "--in", record["conversation"], record["query"]
    assert call("ask", twin, *asked).stdout == call("ask", run, *asked).stdout
    explained = call("explain", twin, record["question"])
    assert explained.exit_code == 0
    assert explained.stdout == call("explain", run, record["question"]).stdout


def test_a_run_that_was_stopped_goes_on_in_its_copy(run: Path) -> None:
    whole = (run / "journal.jsonl").read_text()
    (run / "journal.jsonl").write_text("".join(whole.splitlines(keepends=True)[:3]))
    assert call("copy", run, "twin", "store=sqlite", "store.graph.path=b.db").exit_code == 0
    command = manifest(run.parent / "twin")["command"]
    assert command.endswith("store=sqlite store.graph.path=b.db name=twin")
    done = started(run.parent, "twin", *TALKS, "store=sqlite", "store.graph.path=b.db")
    assert done.returncode == 0, done.stderr
    said = [json.loads(line)["answer"] for line in whole.splitlines()]
    journal = (run.parent / "twin" / "journal.jsonl").read_text()
    assert [json.loads(line)["answer"] for line in journal.splitlines()] == said


KILLED = """
import os, signal, sys
from clew import cli
from clew.copying import memory, run

kept, left = run.copy_memory, [int(sys.argv[1])]

def dying(*parts):
    if not left[0]:
        memory._copy_vectors = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
    left[0] -= 1
    kept(*parts)

run.copy_memory = dying
cli.app(["copy", *sys.argv[2:]])
"""


@pytest.mark.parametrize("done", [0, 1])
def test_a_copy_that_was_killed_is_no_run_and_goes_on_with_the_same_command(
    run: Path, done: int
) -> None:
    command = [sys.executable, "-c", KILLED, str(done), str(run), "twin"]
    assert subprocess.run(command, check=False).returncode == -9
    twin = run.parent / "twin"
    assert "no run is there" in call("ask", twin, QUESTION).stderr
    other = call("copy", run, "twin", "store=sqlite", "store.graph.path=b.db")
    assert other.exit_code == 2 and "beginning of another copy" in other.stderr
    assert call("copy", run, "twin").exit_code == 0
    assert holds_the_same(run, twin) and not (twin / "copying.json").exists()


def test_a_copy_that_is_whole_says_so_when_it_is_asked_for_again(run: Path) -> None:
    assert call("copy", run, "twin").exit_code == 0
    before = manifest(run.parent / "twin")
    again = call("copy", run, "twin")
    assert again.exit_code == 2 and again.stderr.count("\n") == 1
    assert "twin is a finished copy of walk already, so nothing is left to do" in again.stderr
    assert f"clew drop {run.parent / 'twin'}" in again.stderr
    assert manifest(run.parent / "twin") == before
    other = call("copy", run, "twin", "store=sqlite", "store.graph.path=b.db")
    assert "twin is a run already: give the copy another name" in other.stderr


def test_a_copy_onto_something_else_is_refused_and_changes_nothing(run: Path) -> None:
    (run.parent / "notes").mkdir()
    (run.parent / "notes" / "diary.txt").write_text("mine")
    for name, told in (("walk", "is a run already"), ("notes", "is not empty")):
        done = call("copy", run, name)
        assert done.exit_code == 2 and told in done.stderr
    assert [path.name for path in (run.parent / "notes").iterdir()] == ["diary.txt"]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (["vectors=qdrnt"], "vectors=qdrnt: did you mean qdrant?"),
        (["vectors=qdrant", "vectors.index.colection=x"], "colection"),
        (["vectors.index.folder=x"], "say as well which, as in vectors=edge"),
        (["embedder=words"], "embedder=words: a copy differs in store= and vectors="),
        (["vectors=qdrant", "vectors.index.timeout=never"], "vectors.index.timeout"),
    ],
)
def test_a_wrong_setting_is_told_in_one_line_before_anything_is_written(
    run: Path, settings: list[str], told: str
) -> None:
    done = call("copy", run, "twin", *settings)
    assert done.exit_code == 2 and told in done.stderr
    assert done.stderr.count("\n") == 1 and not (run.parent / "twin").exists()


def test_a_server_that_is_not_there_is_told_before_anything_is_written(run: Path) -> None:
    with serving() as double:
        url = double.url
    done = call("copy", run, "twin", "vectors=qdrant", f"vectors.index.url={url}")
    assert done.exit_code == 2 and "cannot be reached" in done.stderr
    assert not (run.parent / "twin").exists()


def test_a_memory_that_drifted_is_not_copied(run: Path) -> None:
    opened = Opened.of(str(run))
    name = opened.conversations()[0]
    with closing(opened.memory(name)) as memory:
        memory.vectors.delete(list(memory.vectors.stamps())[:2])
    done = call("copy", run, "twin")
    assert done.exit_code == 2 and f"2 vectors of {name} do not fit" in done.stderr


def test_a_copy_keeps_what_is_not_set_and_has_a_space_of_its_own() -> None:
    before = {"store": {"graph": {"uri": "bolt://a", "space": "old"}}, "vectors": {"index": {}}}
    assert configured(before, [], "new")["store"]["graph"] == {"uri": "bolt://a", "space": "new"}
    assert before["store"]["graph"]["space"] == "old"
    with pytest.raises(ConfigError, match=r"dataset=tiny: a copy differs in"):
        configured(before, ["dataset=tiny"], "new")


def test_the_command_of_a_copy_names_the_copy_and_its_stores(tmp_path: Path) -> None:
    before = "python experiments/run.py system=bm25 vectors=edge vectors.index.folder=v name=old"
    after = continued(before, ["vectors=qdrant"], tmp_path / "new", tmp_path / "old")
    assert after == "python experiments/run.py system=bm25 vectors=qdrant name=new"
    there = continued(before, [], Path("/elsewhere/new"), tmp_path / "old")
    assert there.endswith("vectors.index.folder=v runs=/elsewhere name=new")


def test_an_error_of_a_copy_is_one_of_ours() -> None:
    with pytest.raises(ClewError):
        configured({"store": {"graph": {}}, "vectors": {"index": {}}}, ["store=nowhere"], "new")
