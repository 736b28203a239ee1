"""Mandol's core API (Table 2 of the paper) over one conversation's memory.

Every operator gives or takes unit ids, so that they compose: what a search found is walked
on from, and cut to spaces by the operators of Python's sets. Three things differ, since
rows of a memory are never rewritten: a unit is updated by one that supersedes it, it is
deleted by forgetting the messages it is from, and an edge stays once it is there. Saving
needs no call: what was written is on disk, and `clew copy` takes it to another store.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from clew.memory import Memory
from clew.model import Add, Context, Edge, Message, Query, Relate, StoredKind, Supersede, Unit
from clew.stages.write import shared
from clew.stores.vectors import Hit, Where
from clew.systems.mandol import Mandol

KINDS: tuple[StoredKind, ...] = ("NEXT", "SUPERSEDES", "ABSTRACTS", "BEFORE", "CAUSES")


@dataclass(frozen=True, slots=True)
class MandolApi:
    """A Mandol with the memory of one conversation."""

    system: Mandol
    memory: Memory

    # --- units

    def add_unit(self, unit: Unit, *spaces: str) -> None:
        """Store a unit, in these spaces besides its own."""
        self.memory.apply(Add(_in(unit, spaces)))

    def update_unit(self, id: str, unit: Unit, *spaces: str) -> None:
        """Store a unit as the later state of a stored one, which ends."""
        (known,) = self.memory.units([id])
        overlap = shared(unit, known)
        self.memory.apply(Supersede(_in(unit, spaces), known, 0.0, overlap, ends=True))

    def delete_unit(self, id: str) -> list[str]:
        """Forget the messages that a unit is from; return the ids of all units that go."""
        (unit,) = self.memory.units([id])
        return self.memory.forget({evidence.message for evidence in unit.evidence})

    def space(self, *names: str) -> frozenset[str]:
        """Return the ids of the units in any of these spaces: join and cut them as sets."""
        wanted = frozenset(names)
        return frozenset(u.id for u in self.memory.graph.units() if not wanted.isdisjoint(u.spaces))

    # --- relationships

    def add_relationship(self, source: str, target: str, kind: StoredKind) -> None:
        """Store a typed edge between two units."""
        self.memory.apply(Relate((Edge(source, target, kind),)))

    def traverse_explicit_nodes(self, id: str, kinds: Sequence[StoredKind] = KINDS) -> list[str]:
        """Return the ids of the units that stored edges of these kinds join with one, by id."""
        edges = self.memory.graph.edges({id}, kinds)
        return sorted({end for edge in edges for end in (edge.source, edge.target)} - {id})

    def traverse_implicit_nodes(self, id: str, k: int = 5) -> list[Hit]:
        """Return the k units nearest in meaning to one, which are joined by no stored edge."""
        vector = self.memory.vectors.vectors([id])[id]
        return self.memory.vectors.dense(vector, k, Where(without=frozenset({id})))

    # --- retrieval

    def search_unit(
        self,
        text: str,
        spaces: Collection[str] = (),
        by: Literal["meaning", "words"] = "meaning",
        k: int = 10,
    ) -> list[Hit]:
        """Return the k units in any of these spaces, or of all, that fit a text best."""
        where = Where(spaces=frozenset(spaces))
        search = self.memory.similar if by == "meaning" else self.memory.lexical
        return search(text, k, where)

    def quantitative_search(
        self, text: str, asked_at: datetime | None = None, budget: int | None = None
    ) -> Context:
        """Return the context for a question: the whole of §3.3."""
        query = Query(text, asked_at, self.memory.conversation)
        graph = self.system.gather(query, self.memory)
        return self.system.context(graph, self.memory, budget)

    # --- construction

    def build_memory_from_raw(self, messages: Iterable[Message]) -> None:
        """Build both layers from messages; those that were taken up already are passed over."""
        known = self.memory.graph.processed()
        self.system.remember((m for m in messages if m.id not in known), self.memory)


def _in(unit: Unit, spaces: Iterable[str]) -> Unit:
    return replace(unit, spaces=unit.spaces | frozenset(spaces))
