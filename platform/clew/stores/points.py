"""How points look in Qdrant, in process or on a server: their ids, payloads and order."""

import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from clew.errors import StoreMismatch
from clew.stores.graph import Stamp
from clew.stores.vectors import (
    EVERYWHERE,
    Asked,
    ByMeaning,
    ByWords,
    DenseView,
    Hit,
    Point,
    Vector,
    Where,
    Words,
)

VIEWS: tuple[DenseView, ...] = ("text", "context")
WORDS = "words"
TIMES = ("said_at", "valid_from", "valid_to")
ARCHIVED, SPACES = "archived", "spaces"  # kept of points that are, or are in any
STAMPED = ("id", "stamp", "valid_to", ARCHIVED)  # what a stamp is read from
FOREVER = 1e15  # seconds: what no known start or end is kept as, so that a range finds it
DIGITS = 5  # of a score that count: machines and builds of the engine differ in the seventh
SPARE = 16  # hits asked for beyond k, so that equal scores at the cut are settled by id
DEEPEST = 4096  # the same, where they are still equal; of more, those that the engine has first

Ranked = tuple[float, str]  # a falling score, negated, and an id
Query = TypeVar("Query")
_SPACE = uuid.UUID("c1e0c1e0-0000-4000-8000-636c65770001")


@lru_cache(maxsize=1 << 17)
def point_id(scope: str, id: str) -> str:
    """Return the UUID under which a unit's point is kept, the same in every run."""
    return str(uuid.uuid5(_SPACE, f"{scope}\x00{id}"))


def payload(point: Point) -> dict[str, Any]:
    """Return what is kept beside the vectors; said at no known time means no `said_at`."""
    kept: dict[str, Any] = {"id": point.id, "stamp": point.stamp.text}
    kept["valid_from"] = -FOREVER if point.valid_from is None else point.valid_from
    kept |= end(point.stamp.valid_to)
    if point.stamp.archived:
        kept |= archive()
    if point.spaces:
        kept[SPACES] = sorted(point.spaces)
    if point.said_at is not None:
        kept["said_at"] = point.said_at
    return kept


def end(valid_to: float | None) -> dict[str, float]:
    """Return the part of the payload that says when a unit stops being true."""
    return {"valid_to": FOREVER if valid_to is None else valid_to}


def archive() -> dict[str, bool]:
    """Return the part of the payload that says that a unit is archived."""
    return {ARCHIVED: True}


def stamp(payload: Mapping[str, Any]) -> tuple[str, Stamp]:
    """Read a unit's id and stamp from a payload; a server may round the last bit of a time."""
    valid_to = round(float(payload["valid_to"]), 6)
    ends, archived = None if valid_to == FOREVER else valid_to, bool(payload.get(ARCHIVED))
    return payload["id"], Stamp(payload["stamp"], ends, archived)


def check_dimension(point: Point, dimension: int, place: object) -> None:
    """Refuse a point that was embedded otherwise than what lies at `place`.

    Raises:
        StoreMismatch: one of its vectors has another dimension.
    """
    for view in VIEWS:
        if len(point.dense[view]) != dimension:
            raise StoreMismatch(
                f"The vector {view} of {point.id} has {len(point.dense[view])} dimensions, the "
                f"vectors at {place} {dimension}: set embedder= to the one they were made with."
            )


class Batched(ABC):
    """The part of VectorStore that asks one question, as a batch of one."""

    @abstractmethod
    def search(self, asked: Sequence[Asked], k: int) -> list[list[Hit]]: ...

    def dense(
        self, vector: Vector, k: int, where: Where = EVERYWHERE, view: DenseView = "text"
    ) -> list[Hit]:
        return self.search([ByMeaning(vector, where, view)], k)[0]

    def sparse(self, words: Words, k: int, where: Where = EVERYWHERE) -> list[Hit]:
        return self.search([ByWords(words, where)], k)[0]


def search(
    asked: Sequence[Asked],
    k: int,
    said: Callable[[Asked], Query],
    ask: Callable[[list[Query], int], Sequence[list[Ranked]]],
) -> list[list[Hit]]:
    """Return the k best for each question, asking for more while the cut is undecided.

    `said` puts a question as an engine's query, and `ask` returns for each of some queries
    what the engine finds, up to a limit. To no words there is no answer.
    """
    spare, found = SPARE, [list[Ranked]() for _ in asked]
    left = [at for at, one in enumerate(asked) if isinstance(one, ByMeaning) or one.words]
    queries = {at: said(asked[at]) for at in left}
    while left and k > 0 and spare <= DEEPEST:
        answers = ask([queries[at] for at in left], k + spare)
        for at, ranked in zip(left, answers, strict=True):
            found[at] = sorted((round(score, DIGITS), id) for score, id in ranked)
        left = [at for at in left if _undecided(found[at], k, spare)]
        spare *= 16
    return [[Hit(id, -score) for score, id in each[:k]] for each in found]


def _undecided(found: Sequence[Ranked], k: int, spare: int) -> bool:
    """Say whether points that were not returned may score the same as the last that counts."""
    return len(found) == k + spare and found[-1][0] == found[k - 1][0]
