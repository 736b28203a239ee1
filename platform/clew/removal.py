"""Removal: a run is thrown away, with what it left on servers, unless it is still at work."""

import fcntl
import os
import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from clew.build import spaces
from clew.errors import RunError, StoreBusy
from clew.evaluate.manifest import read_manifest
from clew.reopen import ROOT, folder_of
from clew.stores.space import Space

MARKS = ("manifest.json", "latency.json")  # a folder with one of them is ours
TOLD = frozenset({"job.json", "job.log", "mlflow.json", ".lock"})  # of a job that never began


def remove(run: str) -> Path:
    """Throw a run away by its name or folder; return the folder that is gone.

    Raises:
        RunError: there is no such run.
        StoreBusy: it is still at work.
    """
    folder = folder_of(run).resolve()
    if (ROOT / "conf").is_dir():
        os.chdir(ROOT)  # paths in a configuration start there
    clear(folder, spaces(read_manifest(folder)["config"]))
    return folder


def clear(folder: Path, spaces: Sequence[Space] = ()) -> None:
    """Throw away what a run left in its folder and its spaces; the folder may be gone already.

    Raises:
        RunError: the folder holds something else.
        StoreBusy: the run is still at work.
    """
    there = folder.exists() and any(path.name not in TOLD for path in folder.iterdir())
    if there and not any((folder / mark).exists() for mark in MARKS):
        raise RunError(f"{folder} holds no run; overwrite=true would lose it: set another name=")
    with ExitStack() as held:
        if there:
            lock = held.enter_context((folder / ".lock").open("a"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise StoreBusy(f"{folder} is in use: wait, or set another name=") from None
        for space in spaces:
            space.clear()
        if there:
            shutil.rmtree(folder)
