"""Resume: processes that are killed, stopped, or started twice, against one undisturbed run."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tiny_run import start

from clew.errors import StoreBusy
from clew.evaluate.journal import read_lines
from clew.evaluate.manifest import read_manifest

SCRIPT = Path(__file__).parent / "tiny_run.py"
FILES = ("journal.jsonl", "ledger.jsonl", "add.jsonl")


def launched(folder: Path, pause: float, seed: str = "0") -> subprocess.Popen[bytes]:
    environment = os.environ | {"PYTHONHASHSEED": seed, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(SCRIPT), str(folder), str(pause)]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)


def ended(process: subprocess.Popen[bytes]) -> int:
    _, said = process.communicate(timeout=60)
    assert b"Traceback" not in said or process.returncode != 0
    return process.returncode


def progress(folder: Path) -> int:
    sizes = [(folder / f).stat().st_size for f in FILES if (folder / f).exists()]
    return sum(sizes)


def after(folder: Path, grown: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until the run's files have grown by so much, or the process has ended."""
    from_here, until = progress(folder), time.monotonic() + 60
    while progress(folder) < from_here + grown and process.poll() is None:
        assert time.monotonic() < until
        time.sleep(0.001)


def timeless(folder: Path) -> dict[str, Any]:
    """Return what a run left, without its times."""
    summary = json.loads((folder / "summary.json").read_text())
    del summary["latency_ms"]
    journal = [row | {"seconds": 0} for row in read_lines(folder / "journal.jsonl")]
    return {"summary": summary, "journal": journal, "ledger": read_lines(folder / "ledger.jsonl")}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("undisturbed")
    start(folder)
    return timeless(folder)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_run_that_is_killed_at_random_moments_ends_like_one_that_is_not(
    tmp_path: Path, undisturbed: dict[str, Any], seed: int
) -> None:
    moments = random.Random(seed)
    kills = 0
    for _ in range(3):
        process = launched(tmp_path, 0.01, seed=str(seed))
        after(tmp_path, moments.randrange(1, 4000), process)
        process.kill()
        process.communicate()
        kills += process.returncode == -signal.SIGKILL
    assert kills >= 2
    assert read_manifest(tmp_path)["status"] == "running"
    assert ended(launched(tmp_path, 0.0)) == 0
    left = timeless(tmp_path)
    spent = left["summary"].pop("tokens"), undisturbed["summary"]["tokens"]
    assert left["journal"] == undisturbed["journal"]
    assert left["ledger"] == undisturbed["ledger"]
    assert left["summary"] == {k: v for k, v in undisturbed["summary"].items() if k != "tokens"}
    assert spent[0]["query"] == spent[1]["query"]
    again = Counter((tmp_path / "extracted.log").read_text().splitlines())
    assert sum(again.values()) - len(again) <= kills  # only a window that was cut off


def test_a_run_that_is_told_to_stop_says_so_and_goes_on(
    tmp_path: Path, undisturbed: dict[str, Any]
) -> None:
    process = launched(tmp_path, 0.05)
    after(tmp_path, 1500, process)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode not in (0, -signal.SIGKILL)
    manifest = read_manifest(tmp_path)
    assert manifest["status"] == "stopped"
    assert manifest["end"]
    assert (tmp_path / "add.jsonl").read_bytes().endswith(b"\n")
    assert ended(launched(tmp_path, 0.0)) == 0
    assert read_manifest(tmp_path)["status"] == "done"
    assert timeless(tmp_path)["journal"] == undisturbed["journal"]


def test_two_processes_on_one_run_are_one_too_many(
    tmp_path: Path, undisturbed: dict[str, Any]
) -> None:
    process = launched(tmp_path, 0.05)
    after(tmp_path, 300, process)
    with pytest.raises(StoreBusy, match=r"Another process works on .*name="):
        start(tmp_path)
    assert ended(process) == 0
    assert timeless(tmp_path)["journal"] == undisturbed["journal"]


def test_the_order_of_hashes_changes_nothing(tmp_path: Path) -> None:
    first, second = launched(tmp_path / "1", 0, "1"), launched(tmp_path / "2", 0, "77")
    assert ended(first) == ended(second) == 0
    assert timeless(tmp_path / "1") == timeless(tmp_path / "2")


def test_a_torn_journal_line_is_asked_again(tmp_path: Path, undisturbed: dict[str, Any]) -> None:
    start(tmp_path)
    journal = tmp_path / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-200])
    start(tmp_path)
    assert timeless(tmp_path) == undisturbed
