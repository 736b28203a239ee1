"""A lock that one process holds while it writes to a conversation's memory.

The operating system drops it when the process ends, however it ends, so nothing is left
to clean up after a crash.
"""

import fcntl
import hashlib
import os
import re
from pathlib import Path

from clew.errors import StoreBusy, StoreError


def safe_name(conversation: str) -> str:
    """Return a file name for a conversation: readable, and different for different ids."""
    if re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,59}", conversation):
        return conversation
    readable = re.sub(r"[^a-z0-9_-]+", "-", conversation.lower())[:40].strip("-")
    return f"{readable}.{hashlib.sha256(conversation.encode()).hexdigest()[:12]}"


class Lock:
    """The exclusive right to write to the memory of `conversation`, until `release`.

    Raises (on construction):
        StoreBusy: another process, or another open store in this one, has it.
        StoreError: the lock file cannot be made.
    """

    def __init__(self, path: Path, conversation: str, setting: str) -> None:
        self._path = path
        self._file: int | None = None
        while self._file is None:
            file = _opened(path, setting)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                os.close(file)
                raise StoreBusy(
                    f"The memory of {conversation} at {path.parent} is being written by another "
                    f"process: wait for it or stop it, or set {setting} to another place."
                ) from error
            if _is_at(path, file):  # else its last holder has just taken it away
                self._file = file
            else:
                os.close(file)

    def release(self) -> None:
        """Let others have it, and leave no file; releasing twice is releasing once."""
        if self._file is not None:
            self._path.unlink(missing_ok=True)
            os.close(self._file)
            self._file = None


def _opened(path: Path, setting: str) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StoreError(
            f"{path} cannot be made ({error.strerror}): set {setting} to a place that can be "
            f"written to."
        ) from error


def _is_at(path: Path, file: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except FileNotFoundError:
        return False
