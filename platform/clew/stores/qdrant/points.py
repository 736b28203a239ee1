"""How points, filters and queries of the contract are said to a Qdrant server."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from qdrant_client import models

from clew.stores import points
from clew.stores.vectors import DenseView, Point, Vector, Where, Words

SCOPE = "scope"  # the tenant: a conversation of a run
ID_ONLY = models.PayloadSelectorInclude(include=["id"])
STAMP_ONLY = models.PayloadSelectorInclude(include=[*points.STAMPED])
KEYWORDS = ("space", "conversation")


@dataclass(frozen=True, slots=True)
class Scope:
    """A conversation of a run: what is in it, and what it is called on the server."""

    space: str
    conversation: str

    @property
    def name(self) -> str:
        """The name by which its points are told from all others; a space has no slash."""
        return f"{self.space}/{self.conversation}"

    @property
    def all(self) -> models.Filter:
        """The filter that all points of it pass."""
        return one(SCOPE, self.name)

    def filter(self, where: Where) -> models.Filter:
        """Return the filter that a query's hits in it pass."""
        must: list[Any] = [_equals(SCOPE, self.name)]
        earliest, latest = where.said
        if earliest is not None or latest is not None:
            must.append(_range("said_at", models.Range(gte=earliest, lte=latest)))
        if where.holds_at is not None:
            must.append(_range("valid_from", models.Range(lte=where.holds_at)))
            must.append(_range("valid_to", models.Range(gt=where.holds_at)))
        if where.spaces:
            among = models.MatchAny(any=sorted(where.spaces))
            must.append(models.FieldCondition(key=points.SPACES, match=among))
        without: list[Any] = [self.these(where.without)] if where.without else []
        if not where.archived:
            without.append(_equals(points.ARCHIVED, True))
        return models.Filter(must=must, must_not=without or None)

    def these(self, ids: Collection[str]) -> models.HasIdCondition:
        """Return the condition that these units pass; unknown ones are no error to it."""
        return models.HasIdCondition(has_id=[*self.places(sorted(ids))])

    def places(self, ids: Collection[str]) -> dict[str, str]:
        """Return the units' ids by those of their points."""
        return {points.point_id(self.name, id): id for id in ids}

    def point(self, point: Point) -> models.PointStruct:
        """Make the server's point."""
        vectors: dict[str, Any] = {view: point.dense[view].tolist() for view in points.VIEWS}
        vectors[points.WORDS] = sparse(point.words)
        kept = {SCOPE: self.name, "space": self.space, "conversation": self.conversation}
        return models.PointStruct(
            id=points.point_id(self.name, point.id),
            vector=vectors,
            payload=kept | points.payload(point),
        )

    def nearest(self, vector: Vector, where: Where, view: DenseView, exact: bool) -> Any:
        """Return a query by meaning, without its limit."""
        return models.QueryRequest(
            query=vector.tolist(),
            using=view,
            filter=self.filter(where),
            with_payload=ID_ONLY,
            params=models.SearchParams(exact=True) if exact else None,
        )

    def wordy(self, words: Words, where: Where) -> Any:
        """Return a query by words, rare ones being those that are rare in this conversation.

        The engine counts for that the points that are there, not those that were deleted.
        """
        return models.QueryRequest(
            query=sparse(words),
            using=points.WORDS,
            filter=self.filter(where),
            with_payload=ID_ONLY,
            params=models.SearchParams(idf=models.IdfCorpusParams(corpus=self.all)),
        )


def one(key: str, value: str) -> models.Filter:
    """Return the filter of one value in a payload."""
    return models.Filter(must=[_equals(key, value)])


def sparse(words: Words) -> models.SparseVector:
    """Make the server's sparse vector, its places in rising order."""
    places = sorted(words)
    return models.SparseVector(indices=places, values=[float(words[at]) for at in places])


def _equals(key: str, value: str | bool) -> models.FieldCondition:
    return models.FieldCondition(key=key, match=models.MatchValue(value=value))


def _range(key: str, range: models.Range) -> models.FieldCondition:
    return models.FieldCondition(key=key, range=range)
