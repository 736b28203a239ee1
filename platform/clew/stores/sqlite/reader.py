"""Queries of the curious: a second connection that can only select, and not for ever."""

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clew.errors import StoreError
from clew.stores.sqlite.schema import explained

ROWS = 10_000  # at most, of one query
STEPS = 500_000_000  # instructions of SQLite's machine: some seconds, the same everywhere
_BATCH = 1_000_000
_ALLOWED = (
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
)


class Reader:
    """Runs SELECTs against a file that it cannot change, with bounded rows and effort."""

    def __init__(self, path: Path) -> None:
        self._path, self._batches = path, 0
        with explained(path):
            self._db = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=ro",
                uri=True,
                timeout=20,
                isolation_level=None,
                check_same_thread=False,
            )
            self._db.row_factory = sqlite3.Row
            self._db.execute("PRAGMA query_only = ON")
            self._db.set_authorizer(_allow)
            self._db.set_progress_handler(self._tired, _BATCH)

    def rows(self, query: str, params: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Run one SELECT and return its rows by column name."""
        self._batches = 0
        try:
            found = self._db.execute(query, dict(params)).fetchmany(ROWS + 1)
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise StoreError(
                f"rows() is read-only and could not run this query: {error}"
            ) from error
        if len(found) > ROWS:
            raise StoreError(f"rows() returns {ROWS} rows at most: add a LIMIT to the query.")
        return [dict(row) for row in found]

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def _tired(self) -> bool:
        self._batches += 1
        return self._batches > STEPS // _BATCH


def _allow(action: int, *_: str | None) -> int:
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY
