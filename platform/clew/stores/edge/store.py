"""EdgeVectors: Qdrant Edge, the server's engine in process, with a folder per conversation.

Every vector is compared with every query, so that two runs agree to the last digit. Above
EXACT points that is done on vectors of 4 bits a number, and the best of them are compared
again in full: at 100,000 points that found all that an exact search finds, in 3 ms instead
of 14. A graph index was slower to build than the memory to fill, and found less. Whether
anything is very near, as each new unit asks, a sketch tells in 1 ms, and misses nothing.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import qdrant_edge as edge

from clew.errors import VectorsMissing
from clew.stores.edge import points
from clew.stores.edge.engine import PAGE, Engine
from clew.stores.edge.names import Names
from clew.stores.edge.room import CHANGE, size
from clew.stores.edge.sketch import Sketch
from clew.stores.graph import Stamp
from clew.stores.lock import Lock, safe_name
from clew.stores.points import (
    ARCHIVED,
    SPACES,
    VIEWS,
    Batched,
    Ranked,
    archive,
    check_dimension,
    end,
    search,
    stamp,
)
from clew.stores.vectors import (
    ARCHIVED_TOO,
    Asked,
    ByMeaning,
    DenseView,
    Hit,
    Point,
    Vector,
)

EXACT = 4_000  # points up to which no short-cut is taken
SKETCHED = 1_000  # points above which a sketch tells what need not be compared
NAME = 200  # bytes that a unit's name takes at hand, about


class EdgeVectors(Batched):
    """VectorStore on a Qdrant Edge shard, in a `folder` of the run's folder.

    Raises (on construction):
        StoreBusy: another process has the conversation open.
        StoreMismatch: the vectors there have another dimension.
        StoreError: the folder cannot be written to, or its disk is full.
        VectorsMissing: `existing` vectors were asked for, and there are none.
    """

    def __init__(
        self,
        run: str | Path,
        conversation: str,
        dimension: int,
        folder: str | Path = "",
        existing: bool = False,
    ) -> None:
        self._scope, self._dimension = conversation, dimension
        self._path = Path(run) / folder / safe_name(conversation)
        if existing and not self._path.is_dir():
            raise VectorsMissing(
                f"The vectors of {conversation} are gone: {self._path} is not there."
            )
        self._names = Names(self._named)
        self._sketch: Sketch | None = None
        lock_file = self._path.with_name(f"{self._path.name}.lock")
        self._lock = Lock(lock_file, conversation, "vectors.index.folder=")
        try:
            self._engine = Engine(self._path, dimension)
            self._indexed = self._engine.indexed()
        except BaseException:
            self._lock.release()
            raise

    @property
    def conversation(self) -> str:
        return self._scope

    def bound(self, size: int) -> None:
        """Hold about `size` bytes of the engine's files, the sketch in one too, and few names."""
        with self._engine.mutex:
            self._engine.bound(size)
            self._sketch = None
            self._names = Names(self._named, size // NAME // 8)

    # --- writing

    def put(self, points_: Sequence[Point]) -> None:
        for point in points_:
            check_dimension(point, self._dimension, self._path)
        for start in range(0, len(points_), PAGE):
            page = points_[start : start + PAGE]
            made = [points.to_point(point, self._scope) for point in page]
            archived, placed = (p.stamp.archived for p in page), (p.spaces for p in page)
            self._index({ARCHIVED: any(archived), SPACES: any(placed)})
            self._engine.update(
                edge.UpdateOperation.upsert_points(made),
                sum(size(self._dimension, len(point.words), point.id) for point in page),
            )
            self._draw(page)

    def _index(self, wanted: Mapping[str, bool]) -> None:
        """Index what is wanted of a payload's parts that few conversations have, once."""
        for field in (field for field, it_is in wanted.items() if it_is):
            with self._engine.mutex:
                if field not in self._indexed:
                    schema = points.INDEXES[field]
                    made = edge.UpdateOperation.create_field_index(field, schema)
                    self._engine.update(made, self._engine.room.of_an_index())
                    self._indexed |= {field}

    def _draw(self, page: Sequence[Point]) -> None:
        places = [points.place(self._scope, point.id) for point in page]
        with self._engine.mutex:
            self._names.know(dict(zip(places, (point.id for point in page), strict=True)))
            sketch, self._sketch = self._sketch, None  # and stays so where the disk is full
            if sketch is not None:
                sketch.put(places, np.array([point.dense[VIEWS[0]] for point in page]))
            self._sketch = sketch

    def end(self, id: str, valid_to: float | None) -> None:
        one = points.to_filter_of([id], self._scope)
        ends = edge.UpdateOperation.set_payload_by_filter(one, end(valid_to))
        self._engine.update(ends, CHANGE)

    def archive(self, ids: Collection[str]) -> None:
        if ids:
            self._index({ARCHIVED: True})
            these = points.to_filter_of(ids, self._scope)
            told = edge.UpdateOperation.set_payload_by_filter(these, archive())
            self._engine.update(told, CHANGE * len(ids))

    def delete(self, ids: Collection[str]) -> None:
        """Delete these points by writing the others anew.

        The engine would go on counting deleted points in its word statistics, and scores
        would tell of what is gone.
        """
        gone = {points.place(self._scope, id) for id in ids}
        with self._engine.mutex:
            if not gone or not self._engine.retrieve(sorted(gone)):
                return
            pages = self._engine.pages(vector=True)
            kept = [each for page in pages for each in page if each.id not in gone]
            self.clear()
            for start in range(0, len(kept), PAGE):
                page = kept[start : start + PAGE]
                made = [edge.Point(each.id, each.vector, each.payload) for each in page]
                self._index({f: any(f in r.payload for r in page) for f in points.INDEXES})
                self._engine.update(
                    edge.UpdateOperation.upsert_points(made),
                    sum(size(self._dimension, *points.measures(each)) for each in page),
                )

    def clear(self) -> None:
        with self._engine.mutex:
            self._sketch = None
            self._engine.renew()
            self._indexed = frozenset()

    # --- reading

    def search(self, asked: Sequence[Asked], k: int) -> list[list[Hit]]:
        effort = {"params": self._effort()}

        def said(one: Asked) -> points.Said:
            query = points.said(one, self._scope, ARCHIVED in self._indexed)
            return query | effort if isinstance(one, ByMeaning) else query

        return search(asked, k, said, self._query)

    def near(self, vector: Vector, k: int, above: float) -> list[Hit]:
        with self._engine.at_work():
            sketch = self._sketched()
            possible = None if sketch is None else sketch.possible(vector, above)
        if possible is None:
            hits = self.dense(vector, k, ARCHIVED_TOO)
        elif not possible:
            return []
        else:
            hits = self._nearest(vector, k, possible)
        return [hit for hit in hits if hit.score > above]

    def _nearest(self, vector: Vector, k: int, places: list[int]) -> list[Hit]:
        def said(one: Asked) -> points.Said:
            return points.said(one, self._scope, False)

        def compared(queries: Sequence[points.Said], limit: int) -> list[list[Ranked]]:
            with self._engine.at_work():
                found = [self._engine.compare(query, places, limit) for query in queries]
                return self._names.ranked(found)

        (hits,) = search([ByMeaning(vector)], k, said, compared)
        return hits

    def expect(self, vectors: Sequence[Vector]) -> None:
        with self._engine.mutex:
            if self._sketch is not None:
                self._sketch.expect(vectors)

    def _sketched(self) -> Sketch | None:
        """Return the sketch of all points, made where there are enough of them."""
        if self._sketch is None and self._engine.count() > SKETCHED:
            sketch = None
            for page in self._engine.pages(payload=False, vector=[VIEWS[0]]):
                places = [record.id for record in page]
                vectors = np.array([r.vector[VIEWS[0]] for r in page], dtype=np.float32)
                sketch = sketch or self._new_sketch(vectors)
                sketch.put(places, vectors)
            self._sketch = sketch  # only a whole one: what it does not know is never found
        return self._sketch

    def _new_sketch(self, sample: Any) -> Sketch:
        mapped = self._engine.mapped
        return Sketch(sample, mapped.zeros) if mapped else Sketch(sample)

    def _query(self, queries: Sequence[points.Said], limit: int) -> list[list[Ranked]]:
        with self._engine.at_work():
            return self._names.ranked(self._engine.query(queries, limit))

    def _named(self, places: list[int]) -> list[Any]:
        return self._engine.retrieve(places, payload=points.ID_ONLY)

    def _effort(self) -> Any:
        return points.IN_FULL if self._engine.count() <= EXACT else points.IN_SHORT

    def vectors(self, ids: Sequence[str], view: DenseView = "text") -> dict[str, Vector]:
        places = {points.place(self._scope, id): id for id in ids}
        found = {
            places[record.id]: np.asarray(record.vector[view], dtype=np.float32)
            for record in self._engine.retrieve(list(places), vector=[view])
        }
        return {id: found[id] for id in ids if id in found}

    def stamps(self) -> dict[str, Stamp]:
        pages = self._engine.pages(payload=points.STAMP_ONLY)
        return dict(sorted(stamp(record.payload) for page in pages for record in page))

    def close(self) -> None:
        try:
            self._engine.close()
        finally:
            self._lock.release()
