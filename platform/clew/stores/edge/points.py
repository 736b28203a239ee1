"""How points, filters and hits of the contract are said to Qdrant Edge."""

import uuid
from collections.abc import Collection
from functools import lru_cache
from typing import Any

import qdrant_edge as edge

from clew.stores.edge.shard import VIEWS, WORDS
from clew.stores.graph import Stamp
from clew.stores.vectors import Point, Where, Words

_SPACE = uuid.UUID("c1e0c1e0-0000-4000-8000-636c65770001")
Ranked = tuple[float, str]  # a falling score, negated, and an id
ID_ONLY = edge.PayloadSelector.Include(["id"])
FOREVER = 1e15  # seconds: what no known start or end is kept as, so that a range finds it
STAMP_ONLY = edge.PayloadSelector.Include(["id", "stamp", "valid_to"])


@lru_cache(maxsize=1 << 17)
def point_id(conversation: str, id: str) -> str:
    """Return the UUID under which a unit's point is kept, the same in every run."""
    return str(uuid.uuid5(_SPACE, f"{conversation}\x00{id}"))


def to_point(point: Point, conversation: str) -> Any:
    """Make the engine's point; a unit that was said at no known time has no `said_at`."""
    payload: dict[str, Any] = {"id": point.id, "stamp": point.stamp.text}
    payload["valid_from"] = -FOREVER if point.valid_from is None else point.valid_from
    payload |= to_end(point.stamp.valid_to)
    if point.said_at is not None:
        payload["said_at"] = point.said_at
    vectors: dict[str, Any] = {view: point.dense[view] for view in VIEWS}
    vectors[WORDS] = to_sparse(point.words)
    return edge.Point(point_id(conversation, point.id), vectors, payload)


def to_end(valid_to: float | None) -> dict[str, float]:
    """Return the part of the payload that says when a unit stops being true."""
    return {"valid_to": FOREVER if valid_to is None else valid_to}


def to_sparse(words: Words) -> Any:
    """Make the engine's sparse vector, its places in rising order."""
    places = sorted(words)
    return edge.SparseVector(places, [float(words[place]) for place in places])


@lru_cache(maxsize=16)
def to_filter(where: Where, scope: str) -> Any:
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
    must_not = []
    if where.without:
        must_not.append(_one_of(where.without, scope))
    return edge.Filter(must=must, must_not=must_not) if must or must_not else None


def to_filter_of(ids: Collection[str], scope: str) -> Any:
    """Make the filter that these points alone pass; unknown ones are no error to it."""
    return edge.Filter(must=[_one_of(ids, scope)])


def _one_of(ids: Collection[str], scope: str) -> Any:
    return edge.HasIdCondition({point_id(scope, id) for id in ids})


def rank(found: Any) -> list[Ranked]:
    """Read what was found, best first and equal ones by id."""
    return sorted([(-point.score, point.payload["id"]) for point in found])


def measures(record: Any) -> tuple[int, str]:
    """Return how many words a stored point has, and its unit's id."""
    return len(record.vector[WORDS].indices), record.payload["id"]


def to_stamp(payload: Any) -> tuple[str, Stamp]:
    """Read a unit's id and stamp from a payload."""
    end = payload["valid_to"]
    return payload["id"], Stamp(payload["stamp"], None if end == FOREVER else end)
