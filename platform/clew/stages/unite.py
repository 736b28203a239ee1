"""Unite: which fragments of a session are one memory? (SimpleMem v3 §2.2, F_syn)

Related fragments become one entry as they are written, within their session: "prefers oat
milk" joins "wants coffee". The fragments are kept, archived under what tells of them, so that
it can be traced back and forgotten with its messages.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Protocol

from clew.memory import Memory
from clew.model import Abstract, Add, Archive, Decision, Unit
from clew.stage import Count, Fraction, stage
from clew.stages.summarise import Summarise
from clew.stores.vectors import Where
from clew.when import TimeSpan


class Unite(Protocol):
    """Decide how new units of a session are written, in sight of those written before."""

    def __call__(
        self, units: Sequence[Unit], summarise: Summarise, memory: Memory
    ) -> Iterator[Decision]: ...


@stage
class AtWrite:
    """Unite a new unit with the nearest one of its session and speaker, if that is near enough.

    It is looked for among the `near` nearest of the session. Two that are dated differently stay
    apart, and what has `words` words takes up no more.
    """

    effects: ClassVar = ("abstract.made",)

    likeness: Fraction = 0.6  # this and the next two: unspecified
    words: Count = 60
    near: Count = 10

    def __call__(
        self, units: Sequence[Unit], summarise: Summarise, memory: Memory
    ) -> Iterator[Decision]:
        """Yield decisions, each to be carried out before the next is asked for."""
        for unit in map(_of_session, units):
            known = self._related(unit, memory)
            yield Add(unit)
            if known is not None:
                level = 1 + max(known.level, unit.level)
                whole = summarise((known, unit), level, memory)
                whole = replace(whole, spaces=whole.spaces | unit.spaces)
                yield Abstract(whole, (known, unit))
                yield Archive(known, whole)
                yield Archive(unit, whole)

    def _related(self, unit: Unit, memory: Memory) -> Unit | None:
        where = Where(spaces=unit.spaces)
        hits = memory.similar(unit.text, self.near, where)
        near = memory.units([hit.id for hit in hits if hit.score >= self.likeness])
        known = next((each for each in near if each.speaker == unit.speaker), None)
        if known is None or _apart(known.event, unit.event):
            return None
        full = len(f"{known.text} {unit.text}".split()) > self.words
        return None if full else known


@stage
class Apart:
    """Write every unit by itself: the paper's "w/o Online Synthesis" row."""

    def __call__(
        self, units: Sequence[Unit], summarise: Summarise, memory: Memory
    ) -> Iterator[Decision]:
        """Yield an Add for each unit."""
        return (Add(_of_session(unit)) for unit in units)


def _apart(event: TimeSpan, other: TimeSpan) -> bool:
    """Say whether two are known to be at different times, in whatever words."""
    times = (event.start, event.end), (other.start, other.end)
    return bool(event.start and other.start and times[0] != times[1])


def _of_session(unit: Unit) -> Unit:
    return replace(unit, spaces=unit.spaces | {f"session:{unit.session}"})
