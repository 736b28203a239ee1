"""Engine: one shard of Qdrant Edge, asked by one thread at a time, in bounded memory if need be."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

import qdrant_edge as edge

from clew.errors import StoreError
from clew.stores.edge import points
from clew.stores.edge.mapped import Mapped
from clew.stores.edge.room import Room
from clew.stores.edge.shard import close_shard, explained, new_shard, open_shard

PAGE = 1_000  # points read or written at once
FEW = 32  # vectors that are compared in full at once in any case: each brings 64 KB with it
NUMBER = 4  # bytes


class Engine:
    """The shard in a folder, with vectors of so many numbers; `mutex` is held while it is at work.

    Raises (on construction): what `open_shard` does.
    """

    def __init__(self, path: Path, dimension: int) -> None:
        self._path, self._dimension = path, dimension
        self.mutex, self.room = RLock(), Room(path)
        self.mapped: Mapped | None = None
        self._shard: Any = open_shard(path, dimension, self.room)

    def bound(self, size: int) -> None:
        """Hold about `size` bytes of the shard's files."""
        self.mapped = Mapped(self._path, size)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Work with the engine alone, and then see to what it has in memory.

        Raises:
            StoreError: the engine failed.
        """
        with self.mutex, explained(self._path):
            yield
            if self.mapped is not None:
                self.mapped.keep_within()

    @property
    def _open(self) -> Any:
        if self._shard is None:
            raise StoreError(f"The vectors at {self._path} were closed: open them again.")
        return self._shard

    def indexed(self) -> frozenset[str]:
        """Return the parts of a payload that have an index."""
        with self.at_work():
            return frozenset(self._open.info().payload_schema)

    def count(self) -> int:
        """Return how many points there are."""
        with self.at_work():
            return int(self._open.info().points_count)

    def update(self, operation: Any, needed: int) -> None:
        """Carry out a change that takes up to `needed` bytes on the disk.

        Raises:
            StoreError: the disk has no room for it, and nothing was changed.
        """
        with self.mutex:
            self.room.make_sure(needed)
            with self.at_work():
                self._open.update(operation)

    def renew(self) -> None:
        """Put an empty shard in the place of this one."""
        with self.mutex:
            with explained(self._path):
                self._open.close()
            self._shard = None  # and stays so where the disk has no room for a new one
            self._shard = new_shard(self._path, self._dimension, self.room)

    def close(self) -> None:
        """Write out the shard, and let go of it."""
        with self.mutex:
            shard, self._shard = self._shard, None
            if shard is not None:
                close_shard(shard, self._path)

    # --- reading

    def query(self, queries: Sequence[points.Said], limit: int) -> list[list[Any]]:
        """Return the hits of each question, the best first."""
        if self.mapped is None:
            return self._asked(queries, limit)
        return [self._in_parts(query, limit) for query in queries]

    def _in_parts(self, query: points.Said, limit: int) -> list[Any]:
        """Return the same, and let go in between of what was looked at."""
        if query.get("params") is not points.IN_SHORT:
            return self._asked([query], limit)[0]
        (rough,) = self._asked(*points.wider(query, limit))
        return self.compare(query, points.as_written(rough), limit)

    def compare(self, query: points.Said, places: list[int], limit: int) -> list[Any]:
        """Return the best of these points, compared in full.

        Where more than DEEPEST are equal, which of them are returned depends on the bound.
        """
        found = list[Any]()
        for part in self._parts(places):
            found += self._asked([points.in_full(query, part)], min(limit, len(part)))[0]
        return sorted(found, key=lambda hit: (-hit.score, hit.id))[:limit]

    def _parts(self, places: list[int]) -> Iterator[list[int]]:
        """Yield points that lie in the order of the file, half of what may be held at once."""
        few = max(1, len(places))
        if self.mapped is not None and places:
            share = self.mapped.most / 2 / (self.count() * self._dimension * NUMBER)
            few = max(FEW, int(share * len(places)))
        for start in range(0, len(places), few):
            yield places[start : start + few]

    def _asked(self, queries: Sequence[points.Said], limit: int) -> list[list[Any]]:
        asked = [edge.QueryRequest(limit=limit, **query) for query in queries]
        with self.at_work():
            return list(self._open.query_batch(edge.QueryBatchRequest(asked)))

    def retrieve(
        self, places: list[int], payload: Any = False, vector: list[str] | bool = False
    ) -> list[Any]:
        """Return the records of those of these points that there are."""
        few, found = FEW if self.mapped else max(1, len(places)), list[Any]()
        for start in range(0, len(places), few):
            with self.at_work():
                found += self._open.retrieve(places[start : start + few], payload, vector)
        return found

    def pages(self, payload: Any = True, vector: list[str] | bool = False) -> Iterator[list[Any]]:
        """Yield the records of all points, some at a time."""
        start, asked = None, {"with_payload": payload, "with_vector": vector}
        while True:
            with self.at_work():
                page, start = self._open.scroll(
                    edge.ScrollRequest(offset=start, limit=PAGE, **asked)
                )
            yield page
            if start is None:
                return
