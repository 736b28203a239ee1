"""Tracking: what MLflow is told, and what it never is."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from clew.errors import ConfigError
from clew.tracking import Mlflow, NoTracking
from clew.tracking.values import HIDDEN, flatten, measures, safe

SUMMARY = {
    "system": "ariadne",
    "n": 4,
    "failed": 0,
    "micro": {"f1_locomo": 0.5, "recall@5": 0.25, "empty": float("nan"), "endless": float("inf")},
    "by_category": {"1": {"n": 2, "f1_locomo": 1.0}},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run = tmp_path / "runs" / "walk"
    run.mkdir(parents=True)
    (run / "summary.json").write_text(json.dumps({"n": 4}))
    return run


@pytest.fixture
def tracker(tmp_path: Path) -> Mlflow:
    return Mlflow(uri=f"sqlite:///{tmp_path}/runs/mlflow.db", experiment="threads")


def entry(tracker: Mlflow, run: str) -> Any:
    return tracker._client.get_run(run)


def run_id(folder: Path) -> str:
    return str(json.loads((folder / "mlflow.json").read_text())["run"])


def test_a_run_is_kept_with_its_figures_tags_settings_and_files(
    tracker: Mlflow, folder: Path
) -> None:
    tracker.start(folder, {"system": "ariadne"}, {"gate": {"likeness": 0.6}})
    tracker.finish(SUMMARY, "done")
    kept = entry(tracker, run_id(folder))
    assert kept.info.status == "FINISHED"
    assert kept.info.run_name == "walk"
    assert kept.data.tags["system"] == "ariadne"
    assert kept.data.params == {"gate.likeness": "0.6"}
    assert kept.data.metrics == {
        "n": 4,
        "failed": 0,
        "micro.f1_locomo": 0.5,
        "micro.recall_at_5": 0.25,
        "by_category.1.n": 2,
        "by_category.1.f1_locomo": 1.0,
    }
    files = {file.path for file in tracker._client.list_artifacts(kept.info.run_id)}
    assert "summary.json" in files


def test_a_resumed_run_keeps_its_entry_and_its_first_settings(
    tracker: Mlflow, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tracker.start(folder, {}, {"seed": 1})
    first = run_id(folder)
    again = Mlflow(uri=tracker.uri, experiment="threads")
    again.start(folder, {}, {"seed": 2, "more": True})
    again.finish({}, "failed")
    kept = entry(again, first)
    assert run_id(folder) == first
    assert kept.data.params == {"seed": "1", "more": "True"}
    assert "keeps seed=1" in caplog.text
    assert kept.info.status == "FAILED"


def test_an_entry_that_the_store_does_not_know_is_made_anew(tracker: Mlflow, folder: Path) -> None:
    (folder / "mlflow.json").write_text('{"run": "0123456789abcdef"}')
    tracker.start(folder, {}, {})
    assert run_id(folder) != "0123456789abcdef"


def test_a_killed_run_is_mended_at_the_next_start_and_a_living_one_is_not(
    tracker: Mlflow, folder: Path, tmp_path: Path
) -> None:
    tracker.start(folder, {}, {})
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    dead = tracker._client.create_run(entry(tracker, run_id(folder)).info.experiment_id)
    process = f"{socket.gethostname()} {gone.pid} 12345"
    tracker._client.set_tag(dead.info.run_id, "clew.process", process)
    other = tmp_path / "runs" / "other"
    other.mkdir()
    Mlflow(uri=tracker.uri, experiment="threads").start(other, {}, {})
    assert entry(tracker, dead.info.run_id).info.status == "KILLED"
    assert entry(tracker, run_id(folder)).info.status == "RUNNING"


def test_a_process_number_that_is_used_again_is_another_process(
    tracker: Mlflow, folder: Path, tmp_path: Path
) -> None:
    tracker.start(folder, {}, {})
    reused = f"{socket.gethostname()} {os.getpid()} 1"
    tracker._client.set_tag(run_id(folder), "clew.process", reused)
    other = tmp_path / "runs" / "other"
    other.mkdir()
    Mlflow(uri=tracker.uri, experiment="threads").start(other, {}, {})
    assert entry(tracker, run_id(folder)).info.status == "KILLED"


def test_a_stopped_run_is_kept_as_killed_and_a_job_that_never_began_as_failed_below_it(
    tracker: Mlflow, folder: Path
) -> None:
    tracker.start(folder, {}, {})
    tracker.settle(folder.with_name("job"), "seed=1", "failed", "no such bee")
    tracker.finish({}, "stopped", {"conversation.f1": [0.5, 1.0]})
    assert entry(tracker, run_id(folder)).info.status == "KILLED"
    steps = tracker._client.get_metric_history(run_id(folder), "conversation.f1")
    assert [(one.step, one.value) for one in steps] == [(0, 0.5), (1, 1.0)]
    job = entry(tracker, run_id(folder.with_name("job")))
    assert (job.info.run_name, job.info.status) == ("seed=1", "FAILED")
    assert job.data.tags["error"] == "no such bee"
    assert job.data.tags["mlflow.parentRunId"] == run_id(folder)


def test_a_store_that_cannot_be_opened_says_which_setting_to_change(
    tmp_path: Path, folder: Path
) -> None:
    broken = tmp_path / "broken.db"
    broken.write_text("this is no database" * 100)
    with pytest.raises(ConfigError, match="tracking=none"):
        Mlflow(uri=f"sqlite:///{broken}").start(folder, {}, {})


def test_a_server_that_does_not_answer_is_told_without_its_login(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")
    with pytest.raises(ConfigError, match="tracking=none") as error:
        Mlflow(uri="http://me:s3cr3t@127.0.0.1:9").start(folder, {}, {})
    assert "s3cr3t" not in str(error.value)


def test_opening_the_store_says_nothing(tracker: Mlflow, folder: Path, capfd: Any) -> None:
    tracker.start(folder, {}, {})
    assert capfd.readouterr() == ("", "")


def test_no_tracking_leaves_no_trace(folder: Path) -> None:
    before = sorted(folder.iterdir())
    NoTracking().start(folder, {}, {})
    NoTracking().finish(SUMMARY, "done")
    assert sorted(folder.iterdir()) == before


def test_secrets_are_never_sent() -> None:
    flat = flatten(
        {
            "llm": {"api_key": "sk-123", "token": "t", "tokens": 500, "key": None},
            "uri": "bolt://me:pass@localhost:7687",
            "keywords": "a",
        }
    )
    assert flat == {
        "llm.api_key": HIDDEN,
        "llm.token": HIDDEN,
        "llm.tokens": "500",
        "llm.key": "None",
        "uri": "bolt://localhost:7687",
        "keywords": "a",
    }


def test_long_values_are_shortened() -> None:
    assert len(flatten({"prompt": "x" * 2000})["prompt"]) == 500


@pytest.mark.parametrize(
    ("name", "accepted"), [("recall@5", "recall_at_5"), ("50%", "50_percent"), ("a|b", "a_b")]
)
def test_names_are_mapped_to_what_is_accepted(name: str, accepted: str) -> None:
    assert safe(name) == accepted


def test_flags_and_texts_are_no_figures() -> None:
    assert measures({"dirty": True, "system": "ariadne", "n": 3}) == {"n": 3.0}


def test_many_processes_may_start_on_an_empty_folder(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from clew.tracking import Mlflow\n"
        "folder = Path(sys.argv[1]) / sys.argv[2]; folder.mkdir()\n"
        "tracker = Mlflow(uri=f'sqlite:///{sys.argv[1]}/mlflow.db')\n"
        "tracker.start(folder, {}, {}); tracker.finish({'n': 1}, 'done')"
    )
    jobs = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path), f"job{n}"]) for n in range(4)
    ]
    assert [job.wait(90) for job in jobs] == [0, 0, 0, 0]


def test_a_dashboard_whose_port_is_taken_ends_at_once_and_says_what_to_set() -> None:
    root = Path(__file__).resolve().parents[1]
    made = (f"VENV={sys.prefix}", "-o", f"{sys.prefix}/.ready")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = ["make", "-s", "dashboard", f"PORT={port}", *made]
        done = subprocess.run(
            command, cwd=root, capture_output=True, text=True, check=False, timeout=30
        )
    assert done.returncode == 2
    assert f"PORT={port} is taken" in done.stdout
    assert "http://" not in done.stdout
