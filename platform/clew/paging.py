"""Paging: how much of a memory a process holds at once, and what leaves it first (Mandol §4).

Everything is on disk, so leaving is letting go of a copy, and what is asked for again is read
again (page-in). Answers are the same under every limit; only the time they take is not. What
lies on a server takes no memory here, so there a limit is one of the units at hand. Where there
are many vectors, a search compares them in parts, and lets go of one before it looks at the next.
"""

import sys
from collections.abc import Iterable, MutableMapping
from typing import Annotated, Literal, Protocol, runtime_checkable

from cachetools import LFUCache, LRUCache
from pydantic import AfterValidator, ByteSize
from pydantic_core import PydanticCustomError

from clew.model import Unit
from clew.stage import checked

KEPT = 50_000  # units at hand where there is no limit; about 50 MB
LEAST = 16_000_000  # bytes below which a limit bounds nothing but speed
UNITS, GRAPH, INDEX = 1 / 10, 1 / 10, 1 / 10  # of a limit; the rest is for what an engine keeps
_FRAME = 1_500  # bytes of a unit's own object and the containers in it, about
_EACH = 250  # bytes of a piece of evidence or a claim, about


@runtime_checkable
class Bounded(Protocol):
    """A store that can do with less memory than it would take."""

    def bound(self, size: int) -> None:
        """Hold about `size` bytes of what is stored, and at most for a moment more."""


def _enough(limit: ByteSize) -> ByteSize:
    """Refuse a limit below the least, in the unit that limits are set in."""
    if limit < LEAST:
        least = {"least": f"{LEAST // 10**6}MB"}
        raise PydanticCustomError("limit", "Input should be {least} or more", least)
    return limit


@checked
class Paging:
    """A `limit` in bytes for what a conversation's memory holds in process, none if None.

    `evict` says which units leave first: those used least recently (lru) or least often (lfu).
    """

    limit: Annotated[ByteSize, AfterValidator(_enough)] | None = None
    evict: Literal["lru", "lfu"] = "lru"

    def units(self) -> MutableMapping[str, Unit]:
        """Return an empty cache of units by id."""
        kind = LRUCache if self.evict == "lru" else LFUCache
        cache: MutableMapping[str, Unit]
        if self.limit is None:
            cache = kind(KEPT)
        else:
            most = int(UNITS * self.limit)  # one unit that is larger has all of it
            cache = kind(most, getsizeof=lambda unit: min(size(unit), most))
        return cache

    def bound(self, graph: object, index: object) -> None:
        """Bound what of a memory's stores can be."""
        if self.limit is not None:
            for store, share in ((graph, GRAPH), (index, INDEX)):
                if isinstance(store, Bounded):
                    store.bound(int(share * self.limit))


def size(unit: Unit) -> int:
    """Return the bytes that a unit takes, roughly: all its texts, and the rest on average."""
    own = (unit.id, unit.text, unit.context, unit.session, unit.speaker, unit.place)
    texts: Iterable[str] = (*own, *unit.keywords, *unit.entities)
    pieces = len(unit.evidence) + len(unit.facts)
    return _FRAME + _EACH * pieces + sum(map(sys.getsizeof, texts))
