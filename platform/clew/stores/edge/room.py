"""Room on the disk under the vectors, made sure of before the engine writes.

The engine maps sparse files into memory. Where the disk cannot fill such a hole any more
the process dies of SIGBUS, without a word: so nothing is written that may not fit. Figures
were measured with qdrant-edge-py 0.9 as the blocks that its files take up, its log included.
"""

import mmap
import os
import tempfile
from pathlib import Path

from clew.errors import StoreError

MB = 1 << 20
SPARE = 4 * MB  # left free for what else a run writes: its graph, journal and manifest
EMPTY = MB  # a shard without points: 0.2 MB, and 0.3 MB when it is closed
EMPTY_FILLED = 10 * MB  # the same where holes take room when they are read: 8.6 MB
INDEX = MB // 4  # an index of a part of the payload: 0.13 MB
INDEX_FILLED = 5 * MB  # the same where holes take room: 4.2 MB, or 2.1
CHANGE = 1024  # bytes of a changed payload: 250
PROOF = 8 * MB  # bytes written before room is asked for in earnest again


def size(dimension: int, words: int, id: str) -> int:
    """Return the bytes that a point takes up at most: 660, 19 a dimension and 15 a word."""
    return CHANGE + 20 * dimension + 16 * words + 4 * len(id)


class Room:
    """Refuses what the disk under a shard has no room for.

    What the disk says is free is asked each time, which takes 2 µs. A quota may allow
    less, so now and then a file of that size is made and let go.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._unproven = path, PROOF

    def for_a_new_shard(self) -> None:
        """Check that an empty shard can be made."""
        self.make_sure(EMPTY_FILLED if self._fills_holes() else EMPTY)

    def for_opening(self) -> None:
        """Check that the shard can be opened, and its log written out if it has to be."""
        log = [file.stat() for file in (self._path / "wal").glob("*")]
        read = [file.stat() for file in (self._path / "segments").rglob("*") if file.is_file()]
        holes = sum(max(0, file.st_size - file.st_blocks * 512) for file in read)
        unwritten = sum(file.st_blocks * 512 for file in log)
        self.make_sure(EMPTY + unwritten + (holes if self._fills_holes() else 0))

    def of_an_index(self) -> int:
        """Return the bytes that an index of a part of the payload takes up at most."""
        return INDEX_FILLED if self._fills_holes() else INDEX

    def make_sure(self, needed: int) -> None:
        """Check that `needed` bytes can be written, and SPARE ones after them.

        Raises:
            StoreError: they cannot.
        """
        wanted = needed + SPARE
        disk = os.statvfs(self._path.parent)
        free = disk.f_bavail * disk.f_frsize
        self._unproven += needed
        if free >= wanted and self._unproven >= PROOF:
            self._unproven = 0
            free = wanted if self._allowed(min(free, wanted + PROOF)) else 0
        if free < wanted:
            raise StoreError(
                f"The disk under the vectors at {self._path} is full: "
                f"{-(-10 * wanted // MB) / 10} MB are needed there, and {10 * free // MB / 10} MB "
                f"may be written. Free some space and start "
                f"the same command again, nothing is half written; or set vectors.index.folder= "
                f"to a folder on another disk."
            )

    def _fills_holes(self) -> bool:
        """Tell whether a hole in a file takes up room once it is read, as on tmpfs."""
        with tempfile.TemporaryFile(dir=self._path.parent) as file:
            file.truncate(mmap.PAGESIZE)
            with mmap.mmap(file.fileno(), mmap.PAGESIZE, prot=mmap.PROT_READ) as hole:
                return not hole[0] and os.fstat(file.fileno()).st_blocks > 0

    def _allowed(self, size: int) -> bool:
        try:
            with tempfile.TemporaryFile(dir=self._path.parent) as file:
                os.posix_fallocate(file.fileno(), 0, size)
        except OSError:
            return False
        return True
