"""CachedEmbedder: vectors of another embedder, kept in a SQLite file and never made twice.

Batches of another shape give vectors that differ in the last bit, so what was once made
is used from then on: a run that is resumed sees the same bytes as one that was not. What
another process is just embedding is waited for.
"""

import hashlib
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

import numpy as np
import numpy.typing as npt

from clew.errors import StoreError
from clew.models.embed import Embedder
from clew.models.exclusive import Exclusive

Rows = npt.NDArray[np.float32]
HELD = 50_000  # vectors kept in process before the oldest go; 75 MB at 384 dimensions
AT_ONCE = 500

CREATE = "CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, row BLOB NOT NULL) WITHOUT ROWID"
SELECT = "SELECT row FROM vector WHERE key = ?"
INSERT = "INSERT OR IGNORE INTO vector VALUES (?, ?)"
CREATE_COST = (
    "CREATE TABLE IF NOT EXISTS cost (model TEXT PRIMARY KEY, texts INTEGER, seconds REAL)"
)
ADD_COST = """
INSERT INTO cost VALUES (?, ?, ?) ON CONFLICT (model)
DO UPDATE SET texts = texts + excluded.texts, seconds = seconds + excluded.seconds
"""
COST = "SELECT seconds / texts FROM cost WHERE model = ?"


class CachedEmbedder:
    """Looks texts up by the embedder's name and their own bytes; several processes may share it.

    `hits` and `misses` count texts; `found` those that were made before, or by another process,
    and `seconds` is what making the others took.

    Raises:
        StoreError: the file cannot be opened, read or written.
    """

    def __init__(self, embedder: Embedder, path: str | Path) -> None:
        self._embedder, self._path = embedder, Path(path)
        self._held: dict[bytes, Rows] = {}
        self._lock = Lock()
        self.hits = self.misses = self.found = 0
        self.seconds = 0.0
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self._path, timeout=60, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.execute(CREATE)
            self._db.execute(CREATE_COST)
            self._alone = Exclusive(self._path)
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
            before = self.misses
            known.update(self._make(new))
            self.hits += len(keys) - (self.misses - before)
            if len(self._held) + len(known) > HELD:
                self._held = {}
            self._held.update(known)
            rows = [known[key] for key in keys]
        return np.stack(rows) if rows else np.zeros((0, self.dimension), np.float32)

    @property
    def saved(self) -> float:
        """The seconds that embedding all that was found would have taken, as far as is known."""
        try:
            row = self._db.execute(COST, [self.name]).fetchone()
        except sqlite3.Error as error:
            raise self._trouble(error) from error
        return self.found * float(row[0]) if row else 0.0

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()
        self._alone.close()

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self._embedder.name}\0{text}".encode()).digest()

    def _find(self, key: bytes) -> Rows | None:
        if key in self._held:
            return self._held[key]
        try:
            found = self._db.execute(SELECT, [key]).fetchone()
        except sqlite3.Error as error:
            raise self._trouble(error) from error
        self.found += found is not None
        return np.frombuffer(found[0], np.float32) if found else None

    def _make(self, new: dict[bytes, str]) -> dict[bytes, Rows]:
        made: dict[bytes, Rows] = {}
        keys = list(new)
        for start in range(0, len(keys), AT_ONCE):
            part = keys[start : start + AT_ONCE]
            with self._alone(part):
                found = {key: row for key in part if (row := self._find(key)) is not None}
                made |= found | self._embed({key: new[key] for key in part if key not in found})
        return made

    def _embed(self, new: dict[bytes, str]) -> dict[bytes, Rows]:
        if not new:
            return {}
        begun = time.perf_counter()
        made = dict(zip(new, self._embedder(list(new.values())), strict=True))
        seconds = time.perf_counter() - begun
        try:
            with self._db:
                self._db.executemany(INSERT, [(key, row.tobytes()) for key, row in made.items()])
                self._db.execute(ADD_COST, [self.name, len(made), seconds])
        except sqlite3.Error as error:
            raise self._trouble(error) from error
        self.misses += len(made)
        self.seconds += seconds
        return made

    def _trouble(self, error: Exception) -> StoreError:
        return StoreError(
            f"The embedding cache {self._path} cannot be used ({error}): free some space, or "
            f"set embedder.path to a file that can be written."
        )
