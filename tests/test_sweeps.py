"""Sweeps: several jobs from one command, each in a folder of its own."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SMALL = (
    "dataset=tiny",
    "dataset.conversations=1",
    "dataset.sessions=2",
    "embedder=words",
    "tracking=none",
)


def sweep(runs: Path, *overrides: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "experiments" / "run.py"), "-m", f"runs={runs}"]
    return subprocess.run(
        [*command, *SMALL, *overrides],
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
