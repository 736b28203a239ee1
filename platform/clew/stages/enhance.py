"""Enhance: in what time and on what topic was a snippet said? (Mandol §3.1.2)

A short utterance is hard to find by itself: "[26 May 2026 | beijing, hotel] Booked it." is
found by its session's day and topic as well. The released code has an LLM rewrite messages
in sight of the whole session; here only what was said up to then is looked at, so that a
memory can be built while people talk.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log
from typing import ClassVar, Protocol

from clew.memory import Memory
from clew.model import Ingest, Message, Unit
from clew.stage import Count, stage
from clew.stages.extract import Told
from clew.stages.layers.making import own_words
from clew.stages.pack import heading
from clew.text import fold, stems, words


class Enhance(Protocol):
    """Put the units of a chunk of one session into their spaces, and tell what is around them."""

    def __call__(self, told: Told, chunk: Sequence[Message], memory: Memory) -> Told: ...


@stage
class Bare:
    """Put units into basic memory and their session's space: without context enhancement."""

    def __call__(self, told: Told, chunk: Sequence[Message], memory: Memory) -> Told:
        """Return the units in their spaces."""
        return Told([_spaced(unit, ()) for unit in told], told.how)


@stage
class SessionContext:
    """Put "[time | topic]" before the words that a unit is found by, and it into its topic's space.

    A topic is the `words` words that most units of the session up to then share, and fewest of
    the `background` units before it (TF-IDF). One that a single unit has is no topic yet.
    """

    words: Count = 3  # this and the next: unspecified
    background: Count = 200
    effects: ClassVar = ("extract.topics",)

    def __call__(self, told: Told, chunk: Sequence[Message], memory: Memory) -> Told:
        """Return the units in their spaces, each with its session's time and topic so far."""
        if not told:
            return told
        known, made, topics = _Session.begun(told[0].session, memory, self.background), [], 0
        for unit in told:
            known.hear(unit)
            topic = known.topic(self.words)
            topics += bool(topic)
            made.append(_headed(_spaced(unit, topic), topic))
        how = told.how or Ingest(tuple(chunk), len(made))
        return Told(made, replace(how, figures={**how.figures, "topics": topics}))


@dataclass(slots=True)
class _Session:
    """What a session speaks of up to now, and how common its words were before."""

    n: int
    before: Counter[str]
    here: Counter[str]
    written: dict[str, str]  # a stem as it was first written

    @classmethod
    def begun(cls, session: str, memory: Memory, n: int) -> "_Session":
        """Return what is known of a session from the last n units of the memory."""
        told = [unit for unit in memory.graph.latest(n) if unit.level == 0]
        past = [unit for unit in told if unit.session != session]
        made = cls(len(past), Counter(w for u in past for w in _topical(u)), Counter(), {})
        for unit in reversed([unit for unit in told if unit.session == session]):
            made.hear(unit)
        return made

    def hear(self, unit: Unit) -> None:
        for stem, word in _topical(unit).items():
            self.here[stem] += 1
            self.written.setdefault(stem, word)

    def topic(self, most: int) -> tuple[str, ...]:
        """Return the words that tell this session from those before it, the best first."""
        worth = {
            stem: n * log((self.n + 2) / (self.before[stem] + 1))
            for stem, n in self.here.items()
            if n > 1
        }
        best = sorted(worth, key=lambda stem: (-worth[stem], stem))[:most]
        return tuple(self.written[stem] for stem in best)


def _topical(unit: Unit) -> dict[str, str]:
    """Return the words of three letters or more that a unit says, by stem."""
    return _stemmed(own_words(unit), fold(unit.speaker))


@lru_cache(maxsize=512)  # the last units are looked at again for every chunk
def _stemmed(said: str, speaker: str) -> dict[str, str]:
    found = {stem: word for word in words(said) for stem in stems(word)}
    return {s: w for s, w in found.items() if w.isalpha() and len(w) > 2 and w != speaker}


def _headed(unit: Unit, topic: Sequence[str]) -> Unit:
    head = f"{heading(unit)[:-1]} | {', '.join(topic)}]" if topic else heading(unit)
    return replace(unit, context=f"{head}\n{unit.context or unit.text}")


def _spaced(unit: Unit, topic: Sequence[str]) -> Unit:
    about = {f"topic:{word}" for word in topic}
    return replace(unit, spaces=unit.spaces | {"basic", f"session:{unit.session}"} | about)
