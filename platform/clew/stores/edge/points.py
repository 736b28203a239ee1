"""How points, filters and hits of the contract are said to Qdrant Edge."""

import hashlib
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

import qdrant_edge as edge

from clew.stores.points import ARCHIVED, SPACES, STAMPED, VIEWS, WORDS, payload
from clew.stores.vectors import Asked, ByMeaning, Point, Where, Words

Said = dict[str, Any]

OVERSAMPLING = 4.0  # hits compared in full for one returned, where all are compared in short
IN_FULL = edge.SearchParams(quantization=edge.QuantizationSearchParams(ignore=True))
IN_SHORT = edge.SearchParams(
    quantization=edge.QuantizationSearchParams(rescore=True, oversampling=OVERSAMPLING)
)
SHORT_ONLY = edge.SearchParams(quantization=edge.QuantizationSearchParams(rescore=False))
INDEXES = {ARCHIVED: edge.PayloadSchemaType.Bool, SPACES: edge.PayloadSchemaType.Keyword}
ID_ONLY = edge.PayloadSelector.Include(["id"])
TIME_ONLY = edge.PayloadSelector.Include(["said_at"])
STAMP_ONLY = edge.PayloadSelector.Include([*STAMPED])


@lru_cache(maxsize=1 << 13)  # 1 µs each is saved
def place(scope: str, id: str) -> int:
    """Return the number of a unit's point, the same in every run.

    Not a UUID, as on a server: the engine makes an object of each, which takes longer
    than to find it.
    """
    digest = hashlib.blake2b(f"{scope}\x00{id}".encode("utf-8", "surrogatepass"), digest_size=8)
    return int.from_bytes(digest.digest(), "big")


def to_point(point: Point, conversation: str) -> Any:
    """Make the engine's point."""
    vectors: dict[str, Any] = {view: point.dense[view] for view in VIEWS}
    vectors[WORDS] = to_sparse(point.words)
    return edge.Point(place(conversation, point.id), vectors, payload(point))


def to_sparse(words: Words) -> Any:
    """Make the engine's sparse vector, its places in rising order."""
    places = sorted(words)
    return edge.SparseVector(places, [float(words[place]) for place in places])


def said(asked: Asked, scope: str, any_archived: bool) -> Said:
    """Return what the engine's request says, but for its limit and how to look."""
    query = (
        edge.Query.Nearest(asked.vector, using=asked.view)  # type: ignore[arg-type]
        if isinstance(asked, ByMeaning)
        else edge.Query.Nearest(to_sparse(asked.words), using=WORDS)
    )
    return {"query": query, "filter": to_filter(asked.where, scope, any_archived)}


@lru_cache(maxsize=16)
def to_filter(where: Where, scope: str, any_archived: bool) -> Any:
    """Make the engine's filter, or None when everything may be a hit."""
    must: list[Any] = []
    earliest, latest = where.said
    if earliest is not None or latest is not None:
        said = edge.RangeFloat(gte=earliest, lte=latest)
        must.append(edge.FieldCondition("said_at", range=said))
    if where.holds_at is not None:
        started = edge.RangeFloat(lte=where.holds_at)
        lasting = edge.RangeFloat(gt=where.holds_at)
        must.append(edge.FieldCondition("valid_from", range=started))
        must.append(edge.FieldCondition("valid_to", range=lasting))
    if where.spaces:
        among = edge.MatchAny(sorted(where.spaces))
        must.append(edge.FieldCondition(SPACES, match=among))
    if any_archived and not where.archived:
        must.append(edge.IsEmptyCondition(ARCHIVED))  # its own `true` is matched as the number 1
    must_not = []
    if where.without:
        must_not.append(_one_of(where.without, scope))
    return edge.Filter(must=must, must_not=must_not) if must or must_not else None


def to_filter_of(ids: Collection[str], scope: str) -> Any:
    """Make the filter that these points alone pass; unknown ones are no error to it."""
    return edge.Filter(must=[_one_of(ids, scope)])


def to_filter_among(places: Collection[int]) -> Any:
    """Make the filter that the points of these numbers alone pass."""
    return edge.Filter(must=[edge.HasIdCondition(set(places))])


def wider(query: Said, limit: int) -> tuple[list[Said], int]:
    """Return what finds all that a question of IN_SHORT compares in full, and its limit."""
    return [query | {"params": SHORT_ONLY, "with_payload": TIME_ONLY}], int(OVERSAMPLING * limit)


def as_written(hits: Sequence[Any]) -> list[int]:
    """Return hits of `wider` by the time of what was said, so about as they lie in the file."""
    said = [(hit.payload.get("said_at", 0.0), hit.id) for hit in hits]
    return [place for _, place in sorted(said)]


def in_full(query: Said, places: Collection[int]) -> Said:
    """Return a question as it compares these points in full, and no others."""
    return query | {"filter": to_filter_among(places), "params": IN_FULL}


def _one_of(ids: Collection[str], scope: str) -> Any:
    return edge.HasIdCondition({place(scope, id) for id in ids})


def measures(record: Any) -> tuple[int, str]:
    """Return how many words a stored point has, and its unit's id."""
    return len(record.vector[WORDS].indices), record.payload["id"]
