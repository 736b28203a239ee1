"""Agglomerate, by a language model: what does a chunk come to? (Mandol §3.1.2)

One call a chunk notes events with what they followed and came of, facts of entities, and
tastes. Each has to name the messages that bear it out; it becomes a unit over the basic units
of those. Chains, pages and changes of taste over chunks are made here, in sight of what is
stored. What no reply reads goes by the rules of `layers`, and the ledger counts it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from clew.memory import Memory
from clew.model import Abstract, Decision, Edge, Ingest, Message, Relate, StoredKind, Unit
from clew.stage import Count, Number, stage
from clew.stages.agglomerate import Layers
from clew.stages.extract import Told
from clew.stages.grounding import Grounding
from clew.stages.inquire import Inquiry, Reading, outcome
from clew.stages.layers.acyclic import Acyclic, leads
from clew.stages.layers.drawn import Drawn, Members
from clew.stages.layers.emotional import held
from clew.stages.layers.episodic import akin, order
from clew.stages.layers.noted import Event, Layered, Linked, Taste, Trait
from clew.stages.layers.pages import pages
from clew.stages.resolve import Referents

PROMPT = "mandol_layers"
_WORST = ("failed", "fell_back", "repaired", "accepted")


@stage
class LlmLayers(Inquiry[Linked | Trait | Taste]):
    """Events, facts and tastes that a language model notes of a chunk.

    A chunk is asked for again up to `retries` times and halved up to `splits` times. By rule
    goes then what the model answers unusably, with `by_rule` "always" also what it cannot be
    asked; with "never" the run stops.
    """

    needs: ClassVar = ("llm",)
    prompts: ClassVar = (PROMPT,)
    prompt: ClassVar = PROMPT
    shape: ClassVar = Layered
    effects: ClassVar = ("abstract.made",)

    retries: Number = 2  # this and the next three: unspecified
    splits: Number = 3
    reply: Count = 4096  # tokens
    by_rule: Literal["unusable", "always", "never"] = "unusable"
    words: Count = 60  # that a page of an entity holds, but for changes: unspecified

    def __call__(self, told: Told, chunk: Sequence[Message], memory: Memory) -> Iterator[Decision]:
        """Return the decisions about a chunk; the last says how it was read."""
        if not told:
            return iter(())
        pending = memory.llm.begin(self.ask(chunk))
        reading = self.read(chunk, memory.llm, pending, self.splits)
        return self._decisions(reading, _drawn(reading, told, chunk, memory), chunk, memory)

    def _decisions(
        self,
        reading: Reading[Linked | Trait | Taste],
        drawn: Drawn,
        chunk: Sequence[Message],
        memory: Memory,
    ) -> Iterator[Decision]:
        """Yield the decisions one by one; the rules' are about the units that are left to them."""
        stated, wrong = _stated(drawn.events)
        acyclic = Acyclic(memory, stated)
        left = {message.id for message in reading.left}
        rest = [unit for unit in drawn.told if any(e.message in left for e in unit.evidence)]
        yield from acyclic(self._noted(drawn, stated, memory))
        yield from acyclic(Layers(words=self.words).decisions(rest, memory))
        figures = reading.figures + drawn.refused + drawn.ground.refused
        figures += Counter(relations=wrong, cycles=acyclic.refused)
        yield _how(drawn.told.how, chunk, reading.reason, figures)

    def _noted(self, drawn: Drawn, stated: Sequence[Edge], memory: Memory) -> Iterator[Decision]:
        """Yield what comes of what the model noted."""
        memory.foresee([made for _, made, _ in drawn.events] + [made for made, _ in drawn.tastes])
        for _, event, members in drawn.events:
            known = akin(event, memory)
            yield Abstract(event, members)
            if edges := tuple(order(event, known)):
                yield Relate(edges)
        if stated:
            yield Relate(tuple(dict.fromkeys(stated)))
        yield from pages(drawn.claims, memory, self.words)
        for made, members in sorted(drawn.tastes, key=_told):
            yield from held(made, members, memory)


def _drawn(
    reading: Reading[Linked | Trait | Taste], told: Told, chunk: Sequence[Message], memory: Memory
) -> Drawn:
    referents = Referents((message.speaker for message in chunk), memory)
    drawn = Drawn(told, Grounding(chunk, referents))
    for item, sources in reading.notes:
        drawn.draw(item, sources)
    referents.store()
    return drawn


def _stated(events: Sequence[tuple[Linked, Unit, Members]]) -> tuple[list[Edge], int]:
    """Return the edges that a model stated between events, and how many others cannot be.

    Those are to an event that is not there, or would have one before itself, or by its date
    after what came of it.
    """
    units = {id(item.event): unit for item, unit, _ in events}
    edges, refused = list[Edge](), 0
    for item, unit, _ in events:
        refused += item.lost
        named: list[tuple[StoredKind, Event]] = [("BEFORE", event) for event in item.after]
        named += [("CAUSES", event) for event in item.because]
        for kind, event in named:
            source = units.get(id(event))
            if source is None or _later(source, unit) or leads(unit.id, source.id, lambda _: edges):
                refused += 1
            else:
                edges.append(Edge(source.id, unit.id, kind))
    return edges, refused


def _told(taste: tuple[Unit, Members]) -> tuple[bool, float, int]:
    """A key that sorts by when something was told; what one message tells stays as it is."""
    undated, seconds, position, _ = taste[0].order
    return undated, seconds, position


def _later(source: Unit, unit: Unit) -> bool:
    """Tell whether an event is dated after another."""
    start, other = source.event.start, unit.event.start
    return start is not None and other is not None and start > other


def _how(
    how: Ingest | None, chunk: Sequence[Message], reason: str, figures: Counter[str]
) -> Ingest:
    """Return how a chunk was read, by extraction and then here; its worse part counts."""
    read = how or Ingest(tuple(chunk), 0)
    mended = {f"abstract.{name}": n for name, n in sorted((+figures).items())}
    return replace(
        read,
        outcome=min(read.outcome, outcome(figures), key=_WORST.index),
        reason="; ".join(filter(None, (read.reason, reason))),
        figures={**read.figures, **mended},
    )
