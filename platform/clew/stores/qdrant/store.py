"""QdrantVectors: the vectors of a conversation, as a tenant of a collection on a server.

All conversations of all runs share a collection, which is how Qdrant scales. Each query is
filtered by the conversation, and words are as rare as they are in that conversation alone,
so the answers are those of a store of its own. What is deleted is in no answer and no
statistic from then on; its bytes leave the server's disk when its optimizer next runs.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from qdrant_client import QdrantClient, models

from clew.errors import StoreMismatch
from clew.stores import points
from clew.stores.graph import Stamp
from clew.stores.qdrant.points import STAMP_ONLY, Scope
from clew.stores.qdrant.server import Server
from clew.stores.vectors import (
    ARCHIVED_TOO,
    Asked,
    ByWords,
    DenseView,
    Hit,
    Point,
    Vector,
)

PAGE = 1_000  # points read at once
NUMBERS = 400_000  # of vectors, written or read at once: 8 MB as JSON


class QdrantVectors(points.Batched):
    """VectorStore on a Qdrant server, whose collection is there and fits."""

    def __init__(
        self, server: Server, collection: str, scope: Scope, dimension: int, exact: bool = True
    ) -> None:
        self._server, self._collection = server, collection
        self._scope, self._dimension, self._exact = scope, dimension, exact
        self._page = max(1, min(PAGE, NUMBERS // (2 * dimension)))

    @property
    def conversation(self) -> str:
        return self._scope.conversation

    # --- writing

    def put(self, points_: Sequence[Point]) -> None:
        for point in points_:
            points.check_dimension(point, self._dimension, f"collection {self._collection}")
        for start in range(0, len(points_), self._page):
            page = [self._scope.point(each) for each in points_[start : start + self._page]]

            def write(client: QdrantClient, page: list[models.PointStruct] = page) -> None:
                client.upsert(self._collection, page, wait=True)

            self._server.ask(write)

    def end(self, id: str, valid_to: float | None) -> None:
        self._tell([id], points.end(valid_to))

    def archive(self, ids: Collection[str]) -> None:
        if ids:
            self._tell(ids, points.archive())

    def _tell(self, ids: Collection[str], told: Mapping[str, Any]) -> None:
        these, kept = models.Filter(must=[self._scope.these(ids)]), dict(told)
        self._server.ask(lambda c: c.set_payload(self._collection, kept, points=these, wait=True))

    def delete(self, ids: Collection[str]) -> None:
        if not ids:
            return
        gone = models.PointIdsList(points=[*self._scope.places(sorted(ids))])
        self._server.ask(lambda c: c.delete(self._collection, gone, wait=True))

    def clear(self) -> None:
        every = models.FilterSelector(filter=self._scope.all)
        self._server.ask(lambda c: c.delete(self._collection, every, wait=True))

    # --- reading

    def search(self, asked: Sequence[Asked], k: int) -> list[list[Hit]]:
        return points.search(asked, k, self._said, self._query)

    def near(self, vector: Vector, k: int, above: float) -> list[Hit]:
        return [hit for hit in self.dense(vector, k, ARCHIVED_TOO) if hit.score > above]

    def expect(self, vectors: Sequence[Vector]) -> None:
        """Do nothing: the server compares a vector with all points as fast by itself."""

    def _said(self, asked: Asked) -> Any:
        if isinstance(asked, ByWords):
            return self._scope.wordy(asked.words, asked.where)
        if len(asked.vector) != self._dimension:
            raise StoreMismatch(
                f"The query has {len(asked.vector)} dimensions, collection {self._collection} "
                f"{self._dimension}: set embedder= to the one it was made with."
            )
        return self._scope.nearest(asked.vector, asked.where, asked.view, self._exact)

    def _query(
        self, queries: Sequence[models.QueryRequest], limit: int
    ) -> list[list[points.Ranked]]:
        asked = [query.model_copy(update={"limit": limit}) for query in queries]
        found = self._server.ask(lambda c: c.query_batch_points(self._collection, asked))
        return [[(-p.score, (p.payload or {})["id"]) for p in each.points] for each in found]

    def vectors(self, ids: Sequence[str], view: DenseView = "text") -> dict[str, Vector]:
        found: dict[str, Vector] = {}
        places = self._scope.places(ids)
        for record in self._records(list(places), view):
            kept: Any = record.vector
            found[places[str(record.id)]] = np.asarray(kept[view], dtype=np.float32)
        return {id: found[id] for id in ids if id in found}

    def _records(self, places: list[str], view: DenseView) -> list[models.Record]:
        found: list[models.Record] = []
        for start in range(0, len(places), self._page):
            page = places[start : start + self._page]

            def read(client: QdrantClient, page: list[str] = page) -> list[models.Record]:
                return client.retrieve(
                    self._collection, page, with_payload=False, with_vectors=[view]
                )

            found += self._server.ask(read)
        return found

    def stamps(self) -> dict[str, Stamp]:
        found, start = list[tuple[str, Stamp]](), None
        while True:

            def read(client: QdrantClient, start: Any = start) -> tuple[Any, Any]:
                return client.scroll(
                    self._collection,
                    scroll_filter=self._scope.all,
                    limit=PAGE,
                    offset=start,
                    with_payload=STAMP_ONLY,
                )

            page, start = self._server.ask(read)
            found += [points.stamp(record.payload) for record in page]
            if start is None:
                return dict(sorted(found))

    def close(self) -> None:
        self._server.close()
