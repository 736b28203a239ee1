"""Processes that share a tracking store: who they are, and one at a time where it matters."""

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def alone(file: Path | None) -> Iterator[Path | None]:
    """Hold a lock beside a database file, making its folder; yield the folder."""
    if file is None:
        yield None
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield file.parent


def is_gone(process: str) -> bool:
    """Tell whether it was a process of this machine, and has ended."""
    host, _, rest = process.partition(" ")
    return host == socket.gethostname() and process != identity(int(rest.split()[0]))


def identity(pid: int) -> str:
    """Return host, number and start of a process; a number that is used again differs."""
    try:
        started = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        started = "gone" if not _alive(pid) else "unknown"
    return f"{socket.gethostname()} {pid} {started}"


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
