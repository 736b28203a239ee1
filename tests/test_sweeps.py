"""Sweeps: several jobs from one command, each in a process and a folder of its own."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from clew.errors import ConfigError
from clew.evaluate.journal import read_lines
from clew.evaluate.run import alone, run
from clew.prepare import prepared
from clew.sweeps import grid as grids
from clew.sweeps.grid import check_launcher, gridded, is_sweep
from clew.sweeps.plan import Job, planned, sweep_folder

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = str(ROOT / "experiments" / "run.py")
QUICK = ("embedder=words", "tracking=none", "table=false", "report=false")
SMALL = ("dataset=tiny", "dataset.conversations=1", "dataset.sessions=1", "dataset.turns=4")
GATE = """
import os, signal, sys, time
from clew.stage import stage
from clew.stages.gate import NearRepeat

@stage
class Trouble(NearRepeat):
    def __call__(self, message, memory):
        if os.path.exists(os.environ["TROUBLE"]):
            if self.likeness == 0.2:
                raise ValueError("no such bee")
            if self.likeness == 0.4:
                sys.exit(3)
            if self.likeness == 0.6:
                os.kill(os.getpid(), signal.SIGKILL)
            if self.likeness == 0.9:
                time.sleep(600)
        return NearRepeat.__call__(self, message, memory)
"""


def command(runs: Path, *words: str) -> list[str]:
    return [sys.executable, SCRIPT, f"runs={runs}", *QUICK, *SMALL, *words]


def sweep(runs: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(runs, *words),
        cwd=runs,
        env=os.environ | more,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def told(runs: Path) -> dict[str, Any]:
    (path,) = runs.glob("*/sweep.json")
    content: dict[str, Any] = json.loads(path.read_text())
    return content


def names(*words: str) -> tuple[str, list[str]]:
    with gridded(["runs=r", *words]) as grid:
        jobs = planned(grid)
        return sweep_folder(grid, jobs).name, [job.folder.name for job in jobs]


@pytest.fixture
def trouble(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which a gate of Clew's makes trouble, as long as a file is there."""
    place = tmp_path / "stages"
    place.mkdir()
    (place / "trouble.py").write_text(GATE)
    found = f"import clew.stages; clew.stages.__path__.append({str(place)!r})"
    (place / "sitecustomize.py").write_text(found)
    (tmp_path / "trouble").touch()
    return {"PYTHONPATH": str(place), "TROUBLE": str(tmp_path / "trouble")}


@pytest.mark.timeout(400)  # a dozen processes, whatever else this machine does
def test_a_job_that_raises_exits_or_is_killed_leaves_the_others_and_alone_is_run_again(
    tmp_path: Path, trouble: dict[str, str]
) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    likeness = ",".join(f"0.{n}" for n in range(1, 9))
    gate = "system.gate._target_=clew.stages.trouble.Trouble"
    words = "-m", f"system.gate.likeness={likeness}", gate, "launcher=local", "name=bees"
    done = sweep(runs, *words, **trouble)
    assert done.returncode == 128 + signal.SIGKILL, done.stderr
    jobs = {job["varied"]["system.gate.likeness"]: job for job in told(runs)["jobs"]}
    assert [job["status"] for job in jobs.values()].count("done") == 5
    ends = {n: [jobs[n][k] for k in ("status", "exit_code", "signal")] for n in ("0.2", "0.4")}
    assert ends == {"0.2": ["failed", 1, None], "0.4": ["failed", 3, None]}
    assert [jobs["0.6"][k] for k in ("status", "exit_code", "signal")] == ["killed", 137, 9]
    logs = {n: (Path(jobs[n]["folder"]) / "job.log").read_text() for n in ends}
    assert "Traceback" in logs["0.2"] and "ValueError: no such bee" in logs["0.2"]
    assert "sys.exit(3)" in logs["0.4"]
    for n in ("0.2", "0.4", "0.6"):
        manifest = json.loads((Path(jobs[n]["folder"]) / "manifest.json").read_text())
        assert manifest["status"] == jobs[n]["status"]
        assert jobs[n]["error"] and f"likeness={n}: {jobs[n]['error']}; see " in done.stdout
    Path(trouble["TROUBLE"]).unlink()
    again = sweep(runs, *words, **trouble)
    assert again.returncode == 0, again.stderr
    jobs = {job["varied"]["system.gate.likeness"]: job for job in told(runs)["jobs"]}
    assert {job["status"] for job in jobs.values()} == {"done"}
    assert sorted(n for n, job in jobs.items() if not job["skipped"]) == ["0.2", "0.4", "0.6"]
    starts = [json.loads(path.read_text())["starts"] for path in runs.glob("*/manifest.json")]
    assert sorted(starts) == [1, 1, 1, 1, 1, 2, 2, 2]


@pytest.mark.timeout(300)
def test_a_sweep_that_is_stopped_leaves_no_process_and_goes_on(
    tmp_path: Path, trouble: dict[str, str]
) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    gate = "system.gate._target_=clew.stages.trouble.Trouble"
    words = command(runs, "-m", "system.gate.likeness=0.1,0.9,0.3", gate)
    with subprocess.Popen(words, env=os.environ | trouble, stderr=subprocess.PIPE) as process:
        until(lambda: len(list(runs.glob("*/job.json"))) == 1)
        until(lambda: len(list(runs.glob("*/manifest.json"))) == 2)  # the second is asleep
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    for folder in {path.parent for path in runs.glob("*/manifest.json")}:
        with alone(folder):  # no process has it any more
            pass
    ended = [job["status"] for job in told(runs)["jobs"]]
    assert (ended[0], ended[2]) == ("done", "waiting")
    Path(trouble["TROUBLE"]).unlink()
    again = sweep(runs, *words[words.index("-m") :], **trouble)
    assert again.returncode == 0, again.stderr
    assert [job["skipped"] for job in told(runs)["jobs"]] == [True, False, False]


def until(true: Any) -> None:
    for _ in range(2500):
        if true():
            return
        time.sleep(0.1)
    raise AssertionError("it never came")


def test_a_job_ends_when_whoever_started_it_is_gone(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text("import time; print('begun', flush=True); time.sleep(60)")
    command = [sys.executable, "-m", "clew.sweeps.child", str(tmp_path / "job.py")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True) as job:
        assert job.stdout and job.stdout.readline() == b"begun\n"
        assert job.stdin
        job.stdin.close()
        assert job.wait(20) == -signal.SIGTERM


@pytest.mark.timeout(300)
@pytest.mark.filterwarnings("ignore")  # between MLflow and SQLAlchemy
def test_jobs_stand_below_their_sweep_in_mlflow_and_failed_ones_say_why(
    tmp_path: Path, trouble: dict[str, str]
) -> None:
    from mlflow.tracking import MlflowClient

    runs = tmp_path / "runs"
    runs.mkdir()
    track = "tracking=mlflow", f"tracking.uri=sqlite:///{runs}/mlflow.db"
    gate = "system.gate._target_=clew.stages.trouble.Trouble"
    words = "-m", *track, gate, "system.gate.likeness=0.4,0.5", "name=bees"
    done = sweep(runs, *words, **trouble)
    assert done.returncode == 3, done.stderr
    client = MlflowClient(f"sqlite:///{runs}/mlflow.db")
    (experiment,) = [e for e in client.search_experiments() if e.name == "clew"]
    found = client.search_runs([experiment.experiment_id])
    parent = next(run for run in found if run.info.run_name == "bees")
    assert (parent.info.status, parent.data.metrics["jobs.failed"]) == ("FAILED", 1)
    files = {file.path for file in client.list_artifacts(parent.info.run_id)}
    assert {"sweep.json", "sweep.md"} <= files
    children = {run.info.run_name: run for run in found if run is not parent}
    assert {run.data.tags["mlflow.parentRunId"] for run in children.values()} == {
        parent.info.run_id
    }
    failed, fine = (children[f"system.gate.likeness={n}"] for n in ("0.4", "0.5"))
    assert (failed.info.status, fine.info.status) == ("FAILED", "FINISHED")
    assert "SystemExit: 3" in failed.data.tags["error"]
    assert "job.log" in {file.path for file in client.list_artifacts(failed.info.run_id)}
    assert fine.data.metrics.keys() >= {"micro.f1_locomo", "conversation.f1_locomo"}


def answers(folder: Path) -> list[Any]:
    return [row | {"seconds": 0} for row in read_lines(folder / "journal.jsonl")]


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("launcher", "module", "seeds"), [("ray", "ray", "0,1"), ("slurm_local", "submitit", "0")]
)
def test_jobs_elsewhere_answer_as_they_do_here(
    tmp_path: Path, launcher: str, module: str, seeds: str
) -> None:
    pytest.importorskip(module)
    words = "-m", f"seed={seeds}", f"launcher={launcher}", "name=far"
    done = sweep(tmp_path, *words)
    assert done.returncode == 0, done.stderr
    with gridded(["-m", f"runs={tmp_path}", *QUICK, *SMALL, *words]) as grid:
        for job in planned(grid):
            here = tmp_path / "here" / job.folder.name
            assert answers(job.folder) == here_answered(job, here)


def here_answered(job: Job, folder: Path) -> list[Any]:
    """Return what a job answers in this process."""
    parts, settings = prepared(dict(job.cell.config), job.cell.choices, folder, "")
    with closing(parts.llm):
        run(parts.system, parts.dataset, parts.new_memory, folder, settings)
    return answers(folder)


def test_a_sweep_that_is_named_or_not_has_a_folder_for_each_job() -> None:
    two = "sweep=ariadne_table3", "dataset=tiny", "ablation=full,no_gating"
    sweep, jobs = names(*two)
    assert sweep == "ariadne_table3-tiny-ablation_full+no_gating"
    assert jobs == ["ariadne-full-tiny", "ariadne-no_gating-tiny"]  # as of one run alone
    other, others = names(*two, "embedder=words")
    assert other == f"{sweep}-embedder_words"
    assert others == [f"{job}-embedder_words" for job in jobs]
    assert names(*two, "name=mine") == ("mine", ["mine-ablation_full", "mine-ablation_no_gating"])
    assert names("-m", "seed=0,1", "name=mine-${seed}", "dataset=tiny") == (
        "grid-tiny-seed_0+1",
        ["mine-0", "mine-1"],
    )


def test_jobs_that_were_given_one_name_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"name: b would be the folder of several .* vary seed"):
        names("-m", "seed=0,1", "name=b,c")


def test_the_command_line_goes_before_what_a_sweep_varies() -> None:
    _, jobs = names("sweep=ariadne_table4a", "system.recall.k_sem=7,8")
    assert [job.rpartition("_")[2] for job in jobs] == ["7", "8"]


@pytest.mark.parametrize(
    "file", ["ariadne_table4a", "ariadne_table4b", "crossovers", "systems", "none"]
)
def test_a_sweep_composes_jobs_of_its_own(file: str) -> None:
    folder, jobs = names("-m", f"sweep={file}", "dataset=tiny")
    assert folder.startswith(file.replace("none", "grid"))
    assert len(set(jobs)) == len(jobs) == {"none": 1, "systems": 8, "crossovers": 12}.get(file, 4)


def test_a_sweep_of_one_job_has_a_folder_beside_it() -> None:
    assert names("-m", "name=one", "seed=0") == ("one-sweep", ["one"])


def test_a_launcher_that_is_not_installed_names_what_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    missing = {"ray": ("no_such_plugin", "[ray]")}
    monkeypatch.setattr(grids, "PLUGINS", missing)
    with pytest.raises(ConfigError, match=r"launcher=ray is not .* pip install 'clew\[ray\]'"):
        check_launcher(["launcher=ray", "seed=0"])
    check_launcher(["launcher=serial"])


def test_a_mistake_in_a_sweep_is_told_before_anything_is_written(tmp_path: Path) -> None:
    done = sweep(tmp_path, "-m", "seed=0,1", "sede=3")
    assert done.returncode == 2
    assert "sede: there is no such setting; did you mean seed?" in done.stderr
    assert not list(tmp_path.iterdir())


def test_what_asks_for_several_jobs_is_known_by_its_words() -> None:
    assert is_sweep(["sweep=systems"]) and is_sweep(["-m"]) and is_sweep(["hydra.mode=MULTIRUN"])
    assert not is_sweep(["sweep=none", "system=bm25"])
