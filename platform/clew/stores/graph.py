"""The contracts GraphStore and GraphAlgorithms.

A graph store holds one conversation: its messages, units, entities, edges and the ledger.
It is the truth; vectors are an index that can be made again from it. Every list a method
returns has the order its docstring names, the same in every store.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from clew.model import Decision, Edge, EdgeKind, Entity, Fact, Message, Unit, View

if TYPE_CHECKING:
    from clew.stores.ledger import Line


@dataclass(frozen=True, slots=True)
class Held:
    """A fact with the unit that holds it and the time in which it is true.

    It is true from the unit's `valid_from`; `until` is None while it holds. The end is a
    view: the start of the next fact of the same subject and functional property with
    another value, or of the next fact that denies the same value.
    """

    fact: Fact
    unit: Unit
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a store says of a unit, for comparing stores.

    `text` is a hash of what its vectors are made from, `valid_to` its end in seconds.
    """

    text: str
    valid_to: float | None = None
    archived: bool = False


def text_hash(unit: Unit) -> str:
    """Hash what the vectors of a unit are made from: its texts, its times and its spaces."""
    times = _seconds(unit.said_at), _seconds(unit.valid_from)
    spaces = (sorted(unit.spaces),) if unit.spaces else ()  # none leave the hash as it ever was
    made_from = (unit.text, unit.context, *times, *spaces)
    return hashlib.sha256(repr(made_from).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _seconds(at: datetime | None) -> float | None:
    return None if at is None else at.timestamp()


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the ledger: `scores` are by name, `targets` are unit or message ids."""

    seq: int
    op: str
    targets: tuple[str, ...]
    scores: dict[str, float]
    reason: str = ""


class GraphStore(Protocol):
    """Messages, units, entities, edges and decisions of one conversation."""

    @property
    def conversation(self) -> str:
        """The id of the conversation that everything here belongs to."""

    def transaction(self) -> AbstractContextManager[None]:
        """Make all writes inside happen together or not at all; nested ones join the outer."""

    def version(self) -> int:
        """Return a number that every outer transaction that wrote something makes greater.

        What was read before it changed, a projection say, may be out of date.
        """

    def setting(self, name: str, value: str | None = None) -> str | None:
        """Return a named note about the whole store, first writing `value` if given."""

    def record(self, decision: Decision) -> None:
        """Append a decision to the ledger, from which statuses and ends are derived.

        Raises:
            StoreError: it says what cannot be, as an edge of a kind that is not stored.
        """

    def append(self, lines: "Iterable[Line]") -> None:
        """Append lines to the ledger with the numbers they have, or, having none, the next."""

    def put_messages(self, messages: Iterable[Message]) -> None:
        """Insert messages; one whose id is there already is left as it is."""

    def put(self, units: Iterable[Unit]) -> None:
        """Insert units with their evidence, entities and facts, replacing the same ids."""

    def put_entities(self, entities: Iterable[Entity]) -> None:
        """Insert entities, replacing the same ids."""

    def link(self, edges: Iterable[Edge]) -> None:
        """Insert edges; linking twice is linking once."""

    def get(self, ids: Sequence[str]) -> list[Unit]:
        """Return the units with these ids, in the order asked, skipping the unknown."""

    def units(self) -> Iterator[Unit]:
        """Yield every unit by position, then id."""

    def previous(self, unit: Unit) -> str | None:
        """Return the id of the unit that stands before this one in its session, if any.

        Abstract units stand before none.
        """

    def latest(self, n: int) -> list[Unit]:
        """Return the n units said last, latest first; undated ones come last."""

    def views(self, ids: Collection[str]) -> dict[str, View]:
        """Return what the ledger says of these units today, by id."""

    def messages(self) -> list[Message]:
        """Return every message by position."""

    def said_before(self, position: int) -> Message | None:
        """Return the last message that stands before a position, if any."""

    def speakers(self) -> list[str]:
        """Return the names of all who speak, in the order of their first message."""

    def entities(self, name: str | None = None) -> list[Entity]:
        """Return entities by id: all, or those with this name or alias (accents and case aside)."""

    def edges(self, ids: Collection[str], kinds: Sequence[EdgeKind]) -> list[Edge]:
        """Return the edges of these kinds that touch any of these units, sorted by value."""

    def all_edges(self) -> list[Edge]:
        """Return every stored edge, and every mention as an edge MENTIONS, sorted by value.

        A mention goes from a unit to the id of an entity.
        """

    def between(self, start: datetime, end: datetime, n: int | None = None) -> list[Unit]:
        """Return the units said in [start, end], or the first n, oldest first, then by position."""

    def occupied(self, spans: Sequence[tuple[datetime, datetime]]) -> list[bool]:
        """Tell of each [start, end] whether any unit was said in it, in one go."""

    def mentioning(self, entities: Collection[str]) -> list[Unit]:
        """Return the units that mention any of these entities, by position."""

    def facts(
        self,
        subject: str | None = None,
        property: str | None = None,
        as_of: datetime | None = None,
    ) -> list[Held]:
        """Return facts in these slots by start, then position: all ever held, or as of a time."""

    def stamps(self, ids: Collection[str] | None = None) -> dict[str, Stamp]:
        """Return the stamps of these units, or of all, by id."""

    def ledger(self) -> list[Entry]:
        """Return every entry in the order it was recorded."""

    def lines(self) -> "list[Line]":
        """Return every line as it is kept: `append` makes the same ledger of them elsewhere."""

    def processed(self) -> set[str]:
        """Return the ids of messages that were ingested or dropped for good."""

    def forget(self, messages: Collection[str]) -> list[str]:
        """Delete messages and what came from them alone; return the ids of deleted units.

        A unit that also has other evidence stays, without the deleted evidence. Ends that
        a deleted unit had put on others are undone, and what it said is taken out of the
        words around others. An abstract unit goes with any of its evidence, as its words
        cannot be taken apart; what was archived under it is active again.
        """

    def clear(self) -> None:
        """Delete everything of this conversation."""

    def rows(self, query: str, **params: Any) -> list[dict[str, Any]]:
        """Run a read-only query in the store's own language (SQL or Cypher).

        Raises:
            StoreError: the query would write, or is wrong.
        """

    def close(self) -> None:
        """Let go of the store; closing twice is closing once."""


class GraphAlgorithms(Protocol):
    """Algorithms over the stored graph of one conversation as it stands when they are called.

    Nodes are units and the entities that they mention. Edges are walked both ways; results
    are stored edges with their lengths as weights (see `roads`), so that a mention goes from
    the unit to the entity whichever way it was walked. Of equally good results the same one
    is returned by every process, whatever the order of writing.
    """

    def steiner(self, terminals: Collection[str]) -> list[Edge]:
        """Return a short tree that joins these units, or one for each part they lie in.

        It is at most twice as long as the shortest. Edges come sorted by value.
        """

    def prize_steiner(self, seeds: Collection[str]) -> list[Edge]:
        """Return a tree through what lies near these units, worth more than it is long.

        A node's prize is its personalised PageRank with the seeds as sources. Edges come
        sorted by value.

        Raises:
            ConfigError: this implementation cannot.
        """

    def shortest(self, source: str, target: str) -> tuple[Edge, ...]:
        """Return the edges of the shortest path between two units, if there is any."""

    def paths(self, source: str, target: str, k: int) -> list[tuple[Edge, ...]]:
        """Return up to k simple paths between two units, the shortest first."""

    def close(self) -> None:
        """Let go of what was made of the graph; closing twice is closing once."""
