"""Ending: how a job ended, as `job.json` in its folder tells."""

import fcntl
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clew.errors import RunError
from clew.evaluate.manifest import read_manifest, write_json
from clew.interrupt import INTERRUPTED
from clew.sweeps.child import GRACE
from clew.tracking import Status

LOOK = 0.1  # seconds between two looks at whether a job has ended


@dataclass(frozen=True, slots=True)
class Ending:
    """How a job ended: its exit code is 128 and the number of the signal that killed it."""

    status: Status
    exit_code: int
    seconds: float
    error: str = ""
    signal: int | None = None


def read_ending(folder: Path) -> Ending | None:
    """Return how the job of a folder ended; None where nobody has written that down.

    Raises:
        RunError: the file is damaged.
    """
    path = folder / "job.json"
    if not path.exists():
        return None
    try:
        content: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return Ending(**content)
    except (OSError, ValueError, TypeError) as error:
        raise RunError(f"{path} cannot be read ({error}): delete it") from None


def settled(folder: Path, error: str) -> Ending | None:
    """Return how a job ended that wrote nothing down, because the sweep ended; None: not begun.

    It is waited for as long as it may take to stop.
    """
    if not (folder / "manifest.json").exists():
        return Ending("failed", 1, 0.0, error) if error else None
    _wait(folder / ".lock")
    try:
        manifest = read_manifest(folder)
    except RunError as damaged:
        return Ending("failed", 1, 0.0, str(damaged))
    if manifest.get("status") == "running":  # killed before it could tell
        told = {"status": "stopped", "error": error or "stopped with its sweep"}
        write_json(folder / "manifest.json", manifest | told)
    elif manifest.get("status") != "stopped":
        return None  # it was so before
    return Ending("failed" if error else "stopped", INTERRUPTED, 0.0, error)


def _wait(path: Path) -> None:
    """Wait until no process holds the lock of a run's folder."""
    if not path.exists():
        return
    with path.open() as lock:
        for _ in range(int((GRACE + 5) / LOOK)):
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(LOOK)
            else:
                return
