"""Sweeps: several jobs from one command, each in a folder of its own."""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
QUICK = ("embedder=words", "tracking=none")
SMALL = ("dataset=tiny", "dataset.conversations=1", "dataset.sessions=2")


def sweep(
    runs: Path, *overrides: str, data: tuple[str, ...] = SMALL
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "experiments" / "run.py"), "-m", f"runs={runs}"]
    return subprocess.run(
        [*command, *QUICK, *data, *overrides],
        cwd=runs,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


def test_two_jobs_leave_two_finished_runs_and_nothing_else(tmp_path: Path) -> None:
    done = sweep(tmp_path, "system=ariadne,bm25")
    assert done.returncode == 0, done.stderr
    names = {"ariadne-full-tiny", "bm25-full-tiny"}
    assert {path.name for path in tmp_path.iterdir()} == {*names, "multirun.yaml"}
    for name in names:
        manifest = json.loads((tmp_path / name / "manifest.json").read_text())
        assert manifest["status"] == "done"
        assert f"system={manifest['system']}" in manifest["command"]
        assert f"name={name}" in manifest["command"]
        assert not manifest["command"].startswith("-m")


def test_a_job_that_cannot_run_leaves_the_others(tmp_path: Path) -> None:
    done = sweep(tmp_path, "system=bm25,dense", "system.rank.k=10,0")
    assert done.returncode == 2
    assert done.stderr.count("system.rank.k: Input should be greater than or equal to 1") == 2
    assert "Traceback" not in done.stderr


def test_jobs_that_differ_only_in_their_data_have_folders_of_their_own(tmp_path: Path) -> None:
    for name, speaker in (("one", "Ana"), ("two", "Bo")):
        turn = {"speaker": speaker, "text": "I keep bees.", "timestamp": "2024-05-15T12:00Z"}
        asked = {"question": "Who keeps bees?", "expected": speaker, "evidence": [0]}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"conversation": [turn]} | asked))
    paths = ",".join(str(tmp_path / f"{name}.jsonl") for name in ("one", "two"))
    done = sweep(tmp_path, data=("dataset=jsonl", f"dataset.path={paths}"))
    assert done.returncode == 0, done.stderr
    found = sorted(path.parent.name for path in tmp_path.glob("*/manifest.json"))
    assert len(found) == 2
    for name, place in zip(found, ("one", "two"), strict=True):
        assert re.fullmatch(rf"ariadne-full-jsonl-dataset\.path_\S*{place}\.jsonl_\w{{8}}", name)
        manifest = json.loads((tmp_path / name / "manifest.json").read_text())
        assert manifest["config"]["dataset"]["path"].endswith(f"{place}.jsonl")
        assert manifest["command"].endswith(f"name={name}")


def test_jobs_that_were_given_one_name_are_refused_before_anything_is_written(
    tmp_path: Path,
) -> None:
    done = sweep(tmp_path, "seed=0,1", "name=mine")
    assert done.returncode == 2
    assert done.stderr.count("name: mine would be the folder of several jobs, which vary seed") == 2
    assert not (tmp_path / "mine").exists()


def test_jobs_may_be_named_after_their_settings(tmp_path: Path) -> None:
    done = sweep(tmp_path, "seed=0,1", "name=mine-${seed}", "system=bm25")
    assert done.returncode == 0, done.stderr
    assert {path.parent.name for path in tmp_path.glob("*/manifest.json")} == {"mine-0", "mine-1"}
