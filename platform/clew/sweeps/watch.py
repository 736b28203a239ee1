"""Watch: a job is run in a process of its own, and how it ended is written down.

Whatever happens to that process, it happens to no other job: it has a group of its own, so
that what it started ends with it. `job.log` in the job's folder holds what it said, `job.json`
how it ended.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from clew.errors import RunError
from clew.evaluate.manifest import read_manifest, write_json
from clew.interrupt import INTERRUPTED
from clew.reopen import ROOT
from clew.sweeps.child import GRACE
from clew.sweeps.ending import Ending

SCRIPT = ROOT / "experiments" / "run.py"
LOG = "job.log"
LOOK = 1.0  # seconds between two looks at whether the job is to go on


class Stopped(KeyboardInterrupt):
    """The sweep was stopped, and its jobs with it, wherever they are."""


class Orphaned(Stopped):
    """Whoever started this process is gone, so nobody wants what it is at work on."""


def stop_file(folder: Path, logs: Path) -> Path:
    """Return the file that stops the job of a folder: a launcher may be out of reach."""
    return logs / f"{folder.name}.stop"


def watch(words: Sequence[str], folder: Path, logs: Path, starter: int | None = None) -> Ending:
    """Run a job by its settings; keep its log in `logs` and, once it has ended, in `folder`.

    Raises:
        Stopped: there is a file that says so; the job has ended, too.
        Orphaned: this process is no child of `starter` any more; the job has ended, too.
    """
    logs.mkdir(parents=True, exist_ok=True)
    log = logs / f"{folder.name}.log"
    begun = time.monotonic()

    def check() -> None:
        if stop_file(folder, logs).exists():
            raise Stopped
        if starter not in (None, os.getppid()):  # it was killed; a worker would go on without it
            raise Orphaned

    check()
    code = _run([str(SCRIPT), *words], log, check)
    ending = _told(code, folder, log, round(time.monotonic() - begun, 3))
    _correct(folder, ending)
    folder.mkdir(parents=True, exist_ok=True)
    shutil.move(log, folder / LOG)
    write_json(folder / "job.json", asdict(ending))
    return ending


def _run(words: Sequence[str], log: Path, check: Callable[[], None]) -> int:
    """Run Python until it ends; return its code, which is negative after a signal."""
    command = [sys.executable, "-P", "-m", "clew.sweeps.child", *words]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, start_new_session=True
    ) as process:
        reader = threading.Thread(target=_copy, args=(process, log), daemon=True)
        reader.start()
        try:
            return _wait(process, check)
        finally:
            _end(process)
            reader.join(GRACE)


def _copy(process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Write what a job says into its log, and on."""
    assert process.stdout is not None
    with log.open("wb", buffering=0) as file:
        while said := os.read(process.stdout.fileno(), 65536):
            file.write(said)
            with suppress(OSError, ValueError):  # nobody listens any more: the log does
                sys.stderr.write(said.decode("utf-8", "replace"))
                sys.stderr.flush()


def _wait(process: "subprocess.Popen[bytes]", check: Callable[[], None]) -> int:
    while True:
        with suppress(subprocess.TimeoutExpired):
            return process.wait(LOOK)
        check()


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Stop a process that still runs, and whatever is left of its group."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _told(code: int, folder: Path, log: Path, seconds: float) -> Ending:
    """Return how a job ended, by its exit code and its manifest."""
    if code < 0:
        name = signal.Signals(-code).name
        more = ", as the system does when memory is short" * (-code == signal.SIGKILL)
        error = f"killed by signal {-code} ({name}{more})"
        return Ending("killed", 128 - code, seconds, error, signal=-code)
    status, said = _status(folder), _last_line(log)
    if code == 0 and status == "done":
        return Ending("done", 0, seconds)
    if code == INTERRUPTED or (code and status == "stopped"):
        return Ending("stopped", code, seconds, said)
    early = "it ended before it was finished; " * (code == 0)
    return Ending("failed", code, seconds, f"{early}{said or f'exit code {code}'}")


def _status(folder: Path) -> str:
    with suppress(RunError):
        return str(read_manifest(folder).get("status", ""))
    return ""


def _last_line(log: Path) -> str:
    lines = [line for line in log.read_text("utf-8", "replace").splitlines() if line.strip()]
    return lines[-1].strip().removeprefix("clew: ") if lines else ""


def _correct(folder: Path, ending: Ending) -> None:
    """Have the manifest of a job that could not do it tell how it ended."""
    if _status(folder) == "running" and ending.status != "done":
        told = {"status": ending.status, "error": ending.error}
        write_json(folder / "manifest.json", read_manifest(folder) | told)
