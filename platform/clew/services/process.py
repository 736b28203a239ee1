"""The process of a server, found by what it runs, so no file about it can be out of date.

A pid that is written down outlives a crash and is given to someone else. The command line of
a server names its home; who has another command line is not that server.
"""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

from clew.errors import ServiceError

ENTRY = "org.neo4j.server.CommunityEntryPoint"
PROC = Path("/proc")


def ending(home: Path) -> list[str]:
    """Return the last words of the command line of a home's server."""
    return [ENTRY, f"--home-dir={home}", f"--config-dir={home / 'conf'}"]


def find(home: Path) -> int | None:
    """Return the process id of a home's running server."""
    last = " ".join(ending(home))
    return next((pid for pid, command in _commands() if command.endswith(last)), None)


def memory(pid: int) -> int:
    """Return the megabytes of memory that a process holds, or 0 if it is gone."""
    said = _said("ps", "-o", "rss=", "-p", str(pid)) if not PROC.is_dir() else _resident(pid)
    return int(said or 0) // 1024


def end(pid: int) -> None:
    """Ask a process to stop, as a shutdown of the machine does.

    Raises:
        ServiceError: it belongs to someone else.
    """
    try:
        os.kill(pid, signal.SIGTERM)
    except ProcessLookupError:
        return
    except PermissionError as error:
        raise ServiceError(
            f"The server is process {pid} of another user: let them stop it"
        ) from error


def _commands() -> Iterator[tuple[int, str]]:
    """Yield the processes and their command lines, without those that shells were handed."""
    if not PROC.is_dir():
        for line in _said("ps", "-axww", "-o", "pid=,args=").splitlines():
            pid, _, command = line.strip().partition(" ")
            yield int(pid), command
        return
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")[:-1]
            except OSError:
                continue  # it is gone, or hidden from us
            if ENTRY.encode() in words:
                yield int(entry.name), b" ".join(words).decode(errors="replace")


def _resident(pid: int) -> str:
    try:
        lines = (PROC / str(pid) / "status").read_text().splitlines()
    except OSError:
        return ""
    return next((line.split()[1] for line in lines if line.startswith("VmRSS:")), "")


def _said(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    return done.stdout
