"""Runs on Neo4j, from the command line: as on SQLite, also when killed, each in its space."""

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from clew.stores.neo4j import Neo4j

pytestmark = [pytest.mark.neo4j, pytest.mark.timeout(300)]
ROOT = Path(__file__).resolve().parents[2]
SMALL = ("dataset=tiny", "dataset.conversations=1", "embedder=words", "tracking=none")


@pytest.fixture
def name() -> Iterator[str]:
    """Return a run's name that is a space's as well, emptied afterwards."""
    made = f"test-{uuid.uuid4()}"
    yield made
    space_of(made).clear()


def space_of(name: str) -> Neo4j:
    user = os.environ.get("NEO4J_USER", "neo4j")
    return Neo4j(os.environ["NEO4J_URI"], user, space=name)


def command(runs: Path, name: str, *settings: str) -> list[str]:
    script = str(ROOT / "experiments" / "run.py")
    return [sys.executable, script, f"runs={runs}", f"name={name}", *SMALL, *settings]


def run(*args: Any, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*args),
        env=os.environ | env,
        capture_output=True,
        text=True,
        check=False,
        timeout=250,
    )


def told(folder: Path) -> list[dict[str, Any]]:
    """Return what a run retrieved and answered and decided, without the times."""
    lines = (folder / "journal.jsonl").read_text() + (folder / "ledger.jsonl").read_text()
    rows = [json.loads(line) for line in lines.splitlines()]
    return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]


def test_a_run_retrieves_and_answers_the_same_on_both_stores(tmp_path: Path, name: str) -> None:
    for store, at in (("sqlite", "s"), ("neo4j", name)):
        done = run(tmp_path, at, f"store={store}", "table=false")
        assert done.returncode == 0, done.stderr
    assert len(told(tmp_path / name)) > 40
    assert told(tmp_path / name) == told(tmp_path / "s")


def test_a_run_that_is_killed_goes_on_and_comes_to_the_same(tmp_path: Path, name: str) -> None:
    settings = ("store=neo4j", "system.windows.size=2", "table=false")
    assert run(tmp_path, "s", "store=sqlite", *settings[1:]).returncode == 0
    with closing(space_of(name)(tmp_path, "gen-0")) as watched:
        for _ in range(3):
            before = watched.version()
            process = subprocess.Popen(
                command(tmp_path, name, *settings), stderr=subprocess.DEVNULL
            )
            while process.poll() is None and watched.version() < before + 3:
                time.sleep(0.01)
            process.kill()
            assert process.wait() == -signal.SIGKILL
    done = run(tmp_path, name, *settings)
    assert done.returncode == 0, done.stderr
    assert told(tmp_path / name) == told(tmp_path / "s")
    doctor = [sys.executable, "-m", "clew", "doctor", str(tmp_path / name)]
    checked = subprocess.run(doctor, capture_output=True, text=True, check=True)
    assert "drift 0" in checked.stdout


def test_a_space_that_holds_another_run_is_refused_until_it_is_dropped(
    tmp_path: Path, name: str
) -> None:
    settings = ("store=neo4j", "table=false", "dataset.sessions=1")
    assert run(tmp_path / "one", name, *settings).returncode == 0
    refused = run(tmp_path / "two", name, *settings)
    assert refused.returncode == 2 and "Traceback" not in refused.stderr
    assert f"space {name} of Neo4j" in refused.stderr and "overwrite=true" in refused.stderr
    assert not (tmp_path / "two" / name).exists()
    drop = [sys.executable, "-m", "clew", "drop", str(tmp_path / "one" / name)]
    subprocess.run(drop, capture_output=True, text=True, check=True)
    assert space_of(name).conversations() == [] and not (tmp_path / "one" / name).exists()
    assert run(tmp_path / "two", name, *settings).returncode == 0
    over = run(tmp_path / "three", name, *settings, "overwrite=true")
    assert over.returncode == 0, over.stderr


@pytest.mark.parametrize(
    ("setting", "variable", "told_"),
    [
        ("store.graph.user=nobody", os.environ.get("NEO4J_PASSWORD", ""), "refused user nobody"),
        ("store.graph.uri=bolt://127.0.0.1:1", "x", "set store.graph.uri="),
        ("store.graph.patience=-1", "x", "store.graph.patience: Input should be greater"),
        ("seed=0", "", "the environment variable NEO4J_PASSWORD is not set"),
    ],
)
def test_what_keeps_a_run_from_its_server_is_told_in_one_line(
    tmp_path: Path, name: str, setting: str, variable: str, told_: str
) -> None:
    done = run(tmp_path, name, "store=neo4j", setting, NEO4J_PASSWORD=variable)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert told_ in done.stderr and list(tmp_path.iterdir()) == []
