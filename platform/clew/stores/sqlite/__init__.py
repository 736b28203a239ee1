"""GraphStore in one SQLite file: read store.py first, the statements are in sql.py."""

from clew.stores.sqlite.store import SqliteGraph

__all__ = ["SqliteGraph"]
