"""Mapped: the files that the engine has mapped into memory, and letting go of their pages.

A page that was looked at counts as memory of the process (RSS) until it is let go of. Nothing
is lost by that: pages of a file that is mapped to be shared are the file's, the system writes
out what was changed, and reads again what is asked for again.
"""

import ctypes
import mmap
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.errors import ConfigError, StoreError

_PAGES = Path("/proc/self/statm")
_MAPS = Path("/proc/self/maps")


class Mapped:
    """Keeps the resident pages of the files in a folder within `most` bytes, between two calls.

    Raises (on construction):
        ConfigError: this system does not say what a process has mapped.
    """

    def __init__(self, folder: Path, most: int) -> None:
        if not sys.platform.startswith("linux"):
            raise ConfigError("store.paging.limit: vectors can be bounded on Linux only: leave it")
        self._folder, self.most = folder.resolve(), most
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        self._trim = getattr(self._libc, "malloc_trim", None)  # not in every C library
        self.let_go()

    def keep_within(self) -> None:
        """Let go of all pages where they are too many: which were used last, only the system knows.

        What the process has mapped of other files, its libraries say, was there before.
        """
        if resident() - self._others > self.most:
            self.let_go()

    def let_go(self) -> None:
        """Let go of all pages, and of what was allocated and is free."""
        for start, length in self._places():
            self._libc.madvise(start, length, mmap.MADV_DONTNEED)  # locked ones stay
        if self._trim:
            self._trim(0)
        self._others = resident()

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> npt.NDArray[Any]:
        """Return an array of zeros in a file without a name, gone with the array.

        Raises:
            StoreError: the disk has no room for it.
        """
        length = max(1, int(np.prod(shape)) * np.dtype(dtype).itemsize)
        try:
            with tempfile.TemporaryFile(dir=self._folder) as file:
                os.posix_fallocate(file.fileno(), 0, length)  # a hole would be filled too late
                room = mmap.mmap(file.fileno(), length)
        except OSError as error:
            raise StoreError(
                f"The folder {self._folder} has no room for {length} bytes ({error.strerror}): "
                f"free some space, or leave out store.paging.limit="
            ) from error
        return np.frombuffer(room, dtype, int(np.prod(shape))).reshape(shape)

    def _places(self) -> Iterator[tuple[int, int]]:
        """Yield where files of the folder are mapped, to be shared: start and length."""
        for line in _MAPS.read_text().splitlines():
            place, kind, _, _, _, *path = line.split(maxsplit=5)
            if kind.endswith("s") and path and path[0].startswith(f"{self._folder}/"):
                start, _, end = place.partition("-")
                yield int(start, 16), int(end, 16) - int(start, 16)


def resident() -> int:
    """Return the bytes of files that this process has in memory."""
    return int(_PAGES.read_text().split()[2]) * mmap.PAGESIZE
