"""Agglomerate: what do basic memories come to? (Mandol §3.1.2)

The paper has an LLM make abstract memories of three kinds. Rules make them here, out of the
units' own sentences, so that what a reader is shown was said. Every one has edges ABSTRACTS
to what it was made from, and their evidence.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Protocol

from clew.memory import Memory
from clew.model import Decision, Unit
from clew.stage import Count, stage
from clew.stages.layers.emotional import emotional
from clew.stages.layers.episodic import episodic
from clew.stages.layers.semantic import semantic


class Agglomerate(Protocol):
    """Yield decisions that bring abstract memory up to date with new, stored basic units."""

    def __call__(self, units: Sequence[Unit], memory: Memory) -> Iterator[Decision]: ...


@stage
class OnlyBasic:
    """Leave basic memory to itself: without abstract memory."""

    def __call__(self, units: Sequence[Unit], memory: Memory) -> Iterator[Decision]:
        """Yield nothing."""
        return iter(())


@stage
class Layers:
    """Make events in chains, a unit for each entity, and preferences with their changes.

    It looks at new units and what they touch alone, chunk by chunk.
    """

    words: Count = 60  # that the unit of an entity quotes, about: unspecified
    effects: ClassVar = ("abstract.made", "abstract.archived", "write.related", "write.linked")

    def __call__(self, units: Sequence[Unit], memory: Memory) -> Iterator[Decision]:
        """Yield the decisions one by one, each in sight of those before it."""
        yield from episodic(units, memory)
        yield from semantic(units, memory, self.words)
        yield from emotional(units, memory)
