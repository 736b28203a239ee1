"""Runs on Neo4j, from the command line: as on SQLite, also when killed, each in its space."""

import json
import signal
import subprocess
import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from entry import ROOT, command, run, space_of, told
from stories import NASTY
from typer.testing import CliRunner, Result

from clew.cli import app
from clew.text import clean

pytestmark = [pytest.mark.neo4j, pytest.mark.timeout(300)]


@pytest.fixture
def name() -> Iterator[str]:
    """Return a run's name that is a space's as well, emptied afterwards."""
    made = f"test-{uuid.uuid4()}"
    yield made
    space_of(made).clear()


def clew(*words: object) -> Result:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return CliRunner().invoke(app, [str(word) for word in words])


def test_a_run_retrieves_and_answers_the_same_on_both_stores(tmp_path: Path, name: str) -> None:
    for store, at in (("sqlite", "s"), ("neo4j", name)):
        done = run(tmp_path, at, f"store={store}")
        assert done.returncode == 0, done.stderr
    assert len(told(tmp_path / name)) > 40
    assert told(tmp_path / name) == told(tmp_path / "s")


def test_a_run_that_is_killed_goes_on_and_comes_to_the_same(tmp_path: Path, name: str) -> None:
    settings = ("store=neo4j", "system.windows.size=2")
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
    assert "drift 0" in clew("doctor", tmp_path / name).stdout


def test_a_space_that_holds_another_run_is_refused_until_it_is_dropped(
    tmp_path: Path, name: str
) -> None:
    settings = ("store=neo4j", "dataset.sessions=1")
    assert run(tmp_path / "one", name, *settings).returncode == 0
    refused = run(tmp_path / "two", name, *settings)
    assert refused.returncode == 2 and "Traceback" not in refused.stderr
    assert f"space {name} of Neo4j" in refused.stderr and "overwrite=true" in refused.stderr
    assert not (tmp_path / "two" / name).exists()
    assert clew("drop", tmp_path / "one" / name).exit_code == 0
    assert space_of(name).conversations() == [] and not (tmp_path / "one" / name).exists()
    assert run(tmp_path / "two", name, *settings).returncode == 0
    over = run(tmp_path / "three", name, *settings, "overwrite=true")
    assert over.returncode == 0, over.stderr


@pytest.mark.parametrize(
    ("setting", "env", "told_"),
    [
        ("store.graph.user=nobody", {}, "refused user nobody"),
        ("seed=0", {"NEO4J_PASSWORD": "not-the-password"}, "set the variable NEO4J_PASSWORD"),
        ("seed=0", {"NEO4J_PASSWORD": ""}, "the environment variable NEO4J_PASSWORD is not set"),
        ("store.graph.uri=bolt://127.0.0.1:1", {}, "set store.graph.uri="),
        ("store.graph.patience=-1", {}, "store.graph.patience: Input should be greater"),
    ],
    ids=str,
)
def test_what_keeps_a_run_from_its_server_is_told_in_one_line(
    tmp_path: Path, name: str, setting: str, env: dict[str, str], told_: str
) -> None:
    done = run(tmp_path, name, "store=neo4j", setting, **env)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert told_ in done.stderr and list(tmp_path.iterdir()) == []
    assert "not-the-password" not in done.stderr


def test_whatever_people_are_called_say_and_ask_comes_back_as_text(
    tmp_path: Path, name: str
) -> None:
    texts = [clean(text) for text in NASTY]
    turns = [(f"{text} {who}", f"{text} is {who}") for text in texts for who in "AB"]
    talks = [
        {
            "id": id,
            "conversation": [
                {"speaker": who, "timestamp": "2024-05-15T12:00:00Z", "text": what}
                for who, what in turns
            ],
            "questions": [{"question": text, "expected": id, "evidence": [0]} for text in asked],
        }
        for id, asked in ((texts[0], texts[::2]), (texts[2], texts[1::2]))
    ]
    file = tmp_path / "talks.jsonl"
    file.write_text("".join(f"{json.dumps(talk)}\n" for talk in talks))
    data = ("dataset=jsonl", f"dataset.path={file}")
    done = run(tmp_path, name, *data, "store=neo4j", "ablation=prize")
    assert done.returncode == 0, done.stderr
    journal = (tmp_path / name / "journal.jsonl").read_text().splitlines()
    assert [json.loads(line)["query"] for line in journal] == texts[::2] + texts[1::2]
    space = space_of(name)
    assert space.conversations() == sorted([texts[0], texts[2]])
    for id in space.conversations():
        with closing(space(tmp_path, id)) as graph:
            assert [(message.speaker, message.text) for message in graph.messages()] == turns
            assert {entity.name for entity in graph.entities()} >= {who for who, _ in turns}
