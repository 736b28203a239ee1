"""Exclusive: of the processes that share a cache, one makes what is missing, and others wait.

Who is going to make something locks its place, a byte in a file beside the cache. The system
lets go of the locks of a process that ends, however it ends. They are Linux's locks of open
files, of which threads may hold some each; elsewhere nobody waits, and work is done twice.
"""

import fcntl
import os
import struct
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

SHORTEST, LONGEST = 0.001, 0.02  # seconds between two looks at a lock that another holds
_PLACE = 7  # bytes of a key: as far as a file may reach


class Exclusive:
    """The right to make what belongs to some keys (hashes), while no other process has it.

    Raises (on construction):
        OSError: the file of locks cannot be made.
    """

    def __init__(self, cache: Path) -> None:
        path = cache.with_name(f"{cache.name}.lock")
        self._file: int | None = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)

    @contextmanager
    def __call__(self, keys: Iterable[bytes]) -> Iterator[None]:
        """Wait for the right and hold it; places are taken in order, so that all get on."""
        held: list[int] = []
        try:
            for place in sorted({int.from_bytes(key[:_PLACE], "big") for key in keys}):
                self._take(place)
                held.append(place)
            yield
        finally:
            for place in held:
                self._set(fcntl.F_UNLCK, place)

    def close(self) -> None:
        """Let go of everything; closing twice is closing once."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    def _take(self, place: int) -> None:
        pause = SHORTEST
        while not self._set(fcntl.F_WRLCK, place):
            time.sleep(pause)  # a waiting system call would hold up Ctrl-C and the end of a run
            pause = min(LONGEST, 2 * pause)

    def _set(self, kind: int, place: int) -> bool:
        """Lock or unlock a place; return whether nobody else holds it."""
        if sys.platform != "linux" or self._file is None:
            return True
        wanted = struct.pack("hhqqi4x", kind, os.SEEK_SET, place, 1, 0)
        try:
            fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, wanted)
        except BlockingIOError:
            return False
        return True
