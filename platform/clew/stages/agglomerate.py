"""Agglomerate: what do basic memories come to? (Mandol §3.1.2)

The paper has an LLM make abstract memories of three kinds. Rules make them here, out of the
units' own sentences, so that what a reader is shown was said. Every one has edges ABSTRACTS
to what it was made from, and their evidence.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Protocol

from clew.memory import Memory
from clew.model import Decision, Message, Unit
from clew.stage import Count, stage
from clew.stages.abstract import Consolidate
from clew.stages.extract import Told
from clew.stages.layers.emotional import emotional
from clew.stages.layers.episodic import episodic
from clew.stages.layers.semantic import semantic
from clew.stages.summarise import Summarise


class Agglomerate(Protocol):
    """Bring abstract memory up to date with what a chunk told.

    Its basic units are stored by the time that decisions are pulled, each in sight of those
    before it. The last is an Ingest where the chunk was read once more, for what it comes to.
    """

    def __call__(
        self, told: Told, chunk: Sequence[Message], memory: Memory
    ) -> Iterator[Decision]: ...


@stage
class OnlyBasic:
    """Leave basic memory to itself: without abstract memory."""

    def __call__(self, told: Told, chunk: Sequence[Message], memory: Memory) -> Iterator[Decision]:
        """Return no decision."""
        return iter(())


@stage
class Layers:
    """Make events in chains, a unit for each entity, and preferences with their changes.

    It looks at new units and what they touch alone, chunk by chunk.
    """

    words: Count = 60  # that the unit of an entity quotes, about: unspecified
    effects: ClassVar = ("abstract.made", "abstract.archived", "write.related", "write.linked")

    def __call__(self, told: Told, chunk: Sequence[Message], memory: Memory) -> Iterator[Decision]:
        """Return the decisions of all three layers."""
        return self.decisions(told, memory)

    def decisions(self, units: Sequence[Unit], memory: Memory) -> Iterator[Decision]:
        """Yield the decisions about stored units one by one, each in sight of those before it."""
        yield from episodic(units, memory)
        yield from semantic(units, memory, self.words)
        yield from emotional(units, memory)


@stage
class Consolidated:
    """Put alike memories of a chunk together, and archive them under what they come to.

    That is SimpleMem's consolidation (its §3.2), where Mandol has layers: in neither paper.
    """

    stages: ClassVar = ("consolidate", "summarise")

    consolidate: Consolidate
    summarise: Summarise

    def __call__(self, told: Told, chunk: Sequence[Message], memory: Memory) -> Iterator[Decision]:
        """Return the decisions of the consolidation."""
        return self.consolidate(told, self.summarise, memory)
