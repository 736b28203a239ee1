"""CachedEmbedder: vectors of another embedder, kept in a SQLite file and never made twice.

Batches of another shape give vectors that differ in the last bit, so what was once made
is used from then on: a run that is resumed sees the same bytes as one that was not.
"""

import hashlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

import numpy as np
import numpy.typing as npt

from clew.errors import StoreError
from clew.models.embed import Embedder

Rows = npt.NDArray[np.float32]
HELD = 50_000  # vectors kept in process before the oldest go; 75 MB at 384 dimensions
AT_ONCE = 500

CREATE = "CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, row BLOB NOT NULL) WITHOUT ROWID"
SELECT = "SELECT row FROM vector WHERE key = ?"
INSERT = "INSERT OR IGNORE INTO vector VALUES (?, ?)"


class CachedEmbedder:
    """Looks texts up by the embedder's name and their own bytes; several processes may share it.

    `hits` and `misses` count texts.

    Raises:
        StoreError: the file cannot be opened, read or written.
    """

    def __init__(self, embedder: Embedder, path: str | Path) -> None:
        self._embedder, self._path = embedder, Path(path)
        self._held: dict[bytes, Rows] = {}
        self._lock = Lock()
        self.hits = self.misses = 0
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self._path, timeout=60, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.execute(CREATE)
        except (OSError, sqlite3.Error) as error:
            raise self._trouble(error) from error

    @property
    def name(self) -> str:
        """The name of the embedder behind the cache."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """The length of every vector."""
        return self._embedder.dimension

    def __call__(self, texts: Sequence[str]) -> Rows:
        """Return one row per text, embedding together those that are not known yet."""
        with self._lock:
            keys = [self._key(text) for text in texts]
            known = {key: row for key in set(keys) if (row := self._find(key)) is not None}
            new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
            self.hits, self.misses = self.hits + len(keys) - len(new), self.misses + len(new)
            known.update(self._make(new))
            if len(self._held) + len(known) > HELD:
                self._held = {}
            self._held.update(known)
            rows = [known[key] for key in keys]
        return np.stack(rows) if rows else np.zeros((0, self.dimension), np.float32)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self._embedder.name}\0{text}".encode()).digest()

    def _find(self, key: bytes) -> Rows | None:
        if key in self._held:
            return self._held[key]
        try:
            found = self._db.execute(SELECT, [key]).fetchone()
        except sqlite3.Error as error:
            raise self._trouble(error) from error
        return np.frombuffer(found[0], np.float32) if found else None

    def _make(self, new: dict[bytes, str]) -> dict[bytes, Rows]:
        made: dict[bytes, Rows] = {}
        keys = list(new)
        for start in range(0, len(keys), AT_ONCE):
            part = keys[start : start + AT_ONCE]
            made.update(zip(part, self._embedder([new[key] for key in part]), strict=True))
            try:
                with self._db:
                    self._db.executemany(INSERT, [(key, made[key].tobytes()) for key in part])
            except sqlite3.Error as error:
                raise self._trouble(error) from error
        return made

    def _trouble(self, error: Exception) -> StoreError:
        return StoreError(
            f"The embedding cache {self._path} cannot be used ({error}): free some space, or "
            f"set embedder.path to a file that can be written."
        )
