"""Baselines: what a memory has to beat. One unit per message, and no graph in what is found.

All write, pack and answer as AriadneMem does, so that a difference between two rows of a
table comes from how evidence is found. `system=written` turns this round: it finds evidence
in one way, and a difference comes from how units are written.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from clew.memory import Memory
from clew.model import Answer, Context, Decision, Graph, Merge, Message, Query, Scored, Unit
from clew.stage import Count, stage
from clew.stages.agglomerate import Agglomerate, OnlyBasic
from clew.stages.answer import Synthesise
from clew.stages.extract import Extract, Told
from clew.stages.pack import Pack
from clew.stages.recall import reciprocal
from clew.stages.windows import Windows
from clew.stages.write import AddAll, Write


class Rank(Protocol):
    """Rank the units of a memory for a query, best first."""

    def __call__(self, query: Query, memory: Memory) -> tuple[Scored, ...]: ...


@dataclass(frozen=True, slots=True)
class Ranked:
    """Store units of every message, rank them by one rule, and pack what fits.

    Each is added as it is, and no more comes of it, unless `write` or `agglomerate` is another.
    """

    windows: Windows
    extract: Extract
    rank: Rank
    pack: Pack
    synthesise: Synthesise
    write: Write = AddAll()
    agglomerate: Agglomerate = OnlyBasic()

    def remember(self, messages: Iterable[Message], memory: Memory) -> None:
        """Store each message, window by window."""
        for window in self.windows(messages):
            units = self.extract(window, memory)
            memory.foresee(units)
            memory.ingest(window, self._written(units, window, memory), units.how)

    def _written(
        self, units: Told, window: Sequence[Message], memory: Memory
    ) -> Iterator[Decision]:
        """Yield what units come to one by one, and then what those come to that were stored."""
        stored = list[Unit]()
        for unit in units:
            decision = self.write(unit, memory)
            yield decision
            if not isinstance(decision, Merge):
                stored.append(unit)
        yield from self.agglomerate(Told(stored, units.how), window, memory)

    def gather(self, query: Query, memory: Memory) -> Graph:
        """Return the ranked units, with no edge between them."""
        return Graph(self.rank(query, memory))

    def context(self, graph: Graph, memory: Memory, budget: int | None = None) -> Context:
        """Write the best units down in order of time."""
        return self.pack(graph, memory, budget)

    def reply(self, query: Query, graph: Graph, context: Context, memory: Memory) -> Answer:
        """Answer once from the units."""
        return self.synthesise(query, graph, context, memory)


@stage
class Everything:
    """Full context: every unit, the latest first, until a budget cuts."""

    def __call__(self, query: Query, memory: Memory) -> tuple[Scored, ...]:
        """Return all units of the memory."""
        units = sorted(memory.graph.units(), key=lambda unit: unit.order, reverse=True)
        return tuple(Scored(unit, 1.0) for unit in units)


@stage
class Nothing:
    """Always "not mentioned": no unit at all, so that the reader abstains."""

    def __call__(self, query: Query, memory: Memory) -> tuple[Scored, ...]:
        """Return no unit."""
        return ()


@stage
class Dense:
    """The k units nearest in meaning."""

    k: Count = 60

    def __call__(self, query: Query, memory: Memory) -> tuple[Scored, ...]:
        """Return units by falling cosine."""
        hits = memory.similar(query.text, self.k)
        units = memory.units([hit.id for hit in hits])
        return tuple(Scored(u, h.score, dense=h.score) for u, h in zip(units, hits, strict=True))


@stage
class Bm25:
    """The k units with the most telling words in common."""

    k: Count = 60

    def __call__(self, query: Query, memory: Memory) -> tuple[Scored, ...]:
        """Return units by falling BM25, scaled so that the best has 1."""
        hits = memory.lexical(query.text, self.k)
        units = memory.units([hit.id for hit in hits])
        share = [hit.score / hits[0].score for hit in hits]
        return tuple(Scored(u, s, lexical=s) for u, s in zip(units, share, strict=True))


@stage
class Rrf:
    """Both, joined by reciprocal rank: the sum of 1 / (`constant` + rank) over the two."""

    k: Count = 60
    constant: Count = 60

    def __call__(self, query: Query, memory: Memory) -> tuple[Scored, ...]:
        """Return units by falling sum, scaled so that a unit first in both has 1."""
        views = Dense(k=self.k)(query, memory), Bm25(k=self.k)(query, memory)
        units = {s.unit.id: s.unit for view in views for s in view}
        score = reciprocal([[s.unit.id for s in view] for view in views], self.constant)
        return tuple(Scored(units[id], worth) for id, worth in score.items())
