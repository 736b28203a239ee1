"""Names of projections: of which graph, at which version, and which process made it.

A projection outlives the process that made it. So its name tells who that was, and whoever
comes later can see whether it may still be in use.
"""

import hashlib
import os
import socket
from dataclasses import astuple, dataclass
from itertools import count
from pathlib import Path

PREFIX = "clew"
_numbers = count()


@dataclass(frozen=True, slots=True)
class Owner:
    """One user of projections in one process of one machine."""

    host: str
    pid: int
    begun: int  # when the process began, in its machine's own count: pids come back
    number: int

    def gone(self) -> bool:
        """Tell whether the process is known to have ended; of other machines nothing is known."""
        return self.host == _host() and _begun(self.pid) != self.begun


@dataclass(frozen=True, slots=True)
class Projection:
    """A projection of a conversation's graph at one version."""

    scope: str
    version: int
    owner: Owner

    def __str__(self) -> str:
        digest = hashlib.sha256(self.scope.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return ".".join(map(str, (PREFIX, digest, self.version, *astuple(self.owner))))


def owner() -> Owner:
    """Return a new user of projections in this process."""
    return Owner(_host(), os.getpid(), _begun(os.getpid()) or 0, next(_numbers))


def left_behind(name: str) -> bool:
    """Tell whether a projection of this name is one of Clew's whose process has ended."""
    match name.split("."):
        case [prefix, _, _, host, pid, begun, number] if prefix == PREFIX:
            try:
                return Owner(host, int(pid), int(begun), int(number)).gone()
            except ValueError:
                return False
    return False


def _host() -> str:
    return hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]


def _begun(pid: int) -> int | None:
    """Return when a process of this machine began; 0 where only its being there can be told."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return int(stat.rpartition(")")[2].split()[19])
    except (OSError, IndexError, ValueError):
        pass
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return None
    except OSError:
        pass  # it is another user's
    return 0
