"""What stories are made of, and what a conversation still has to offer them.

A topic that one speaker has told of is claimed, so no two stories of a conversation
contradict each other, and an unanswerable question is about a topic that nobody will
tell of.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import TypeVar

from clew.datasets.invented.lexicon import POOLS

_ALIKE = {  # topics whose questions one could mistake for each other
    **dict.fromkeys(("novel", "shelf"), "books"),
    **dict.fromkeys(("photo-dinner", "cooking"), "dishes"),
    **dict.fromkeys(("treat", "photo-ride", "wheels", "origin", "photo-gift"), "belongings"),
    **dict.fromkeys(("pain", "ankle", "cast"), "injury"),
    **dict.fromkeys(("phobia", "heights"), "fear"),
    **dict.fromkeys(("photo-guest", "dog"), "dog"),
}
_NAMES_ONE = ("person", "firm")  # pools whose members must not come back as something else
_Way = TypeVar("_Way")
_VOWEL = re.compile(r"\b([Aa]) (?=[aeio]|u(?!ni|ku))")


@dataclass(frozen=True, slots=True)
class Line:
    """A turn of a story; `key` names it as evidence."""

    speaker: str
    text: str
    key: str = ""
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Beat:
    """Turns that follow each other in one session, what they are about and who is named."""

    session: int
    lines: tuple[Line, ...]
    about: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Probe:
    """A question with its answer and the keys of the turns that hold it."""

    text: str
    gold: str
    category: int
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Story:
    """What belongs together: turns in sessions, and the questions about them."""

    beats: tuple[Beat, ...]
    probes: tuple[Probe, ...]


class Exhausted(Exception):
    """There is no name, topic or session left for another story of this kind."""


@dataclass(slots=True)
class Scene:
    """What a conversation still has to offer: sessions with room, names, topics."""

    rng: Random
    speakers: tuple[str, str]
    starts: Sequence[datetime]
    room: list[int]
    claimed: set[tuple[str, str]] = field(default_factory=set)
    asked: list[tuple[str, str, str]] = field(default_factory=list)  # topic, speaker, question
    keys: int = 0
    _pools: dict[str, list[str]] = field(default_factory=dict)
    _piles: dict[str, list[int]] = field(default_factory=dict)

    def draw(self, pool: str) -> str:
        """Return a name not drawn before; pools of mere values begin anew when empty."""
        if pool not in self._pools or not (self._pools[pool] or pool in _NAMES_ONE):
            self._pools[pool] = self.rng.sample(POOLS[pool], len(POOLS[pool]))
        if not self._pools[pool]:
            raise Exhausted(pool)
        return self._pools[pool].pop()

    def sessions(self, n: int, lines: int = 3) -> list[int]:
        """Return `n` sessions in order that have room for so many lines."""
        free = [index for index, room in enumerate(self.room) if room >= lines]
        if len(free) < n:
            raise Exhausted("sessions")
        return sorted(self.rng.sample(free, n))

    def claim(self, topics: Iterable[str]) -> tuple[str, str]:
        """Return a topic and a speaker who has not told of it nor of the like."""
        free = [(topic, who) for topic in topics for who in self.speakers if self.open(topic, who)]
        if not free:
            raise Exhausted("topics")
        topic, who = self.rng.choice(free)
        self.close(topic, who)
        return topic, who

    def other(self, who: str) -> str:
        """Return the speaker who listens."""
        return self.speakers[who == self.speakers[0]]

    def key(self) -> str:
        """Return a new name for a turn."""
        self.keys += 1
        return f"k{self.keys}"

    def fresh(self, pile: str, ways: Sequence[_Way]) -> _Way | None:
        """Return one of the ways not used before, or None when there is no more."""
        left = self._piles.setdefault(pile, list(range(len(ways))))
        return ways[left.pop(self.rng.randrange(len(left)))] if left else None

    def open(self, topic: str, who: str) -> bool:
        """Say whether this speaker may still be asked or tell about a topic."""
        return (_ALIKE.get(topic, topic), who) not in self.claimed

    def close(self, topic: str, who: str) -> None:
        """Keep this speaker from telling of a topic, or being asked for it, again."""
        self.claimed.add((_ALIKE.get(topic, topic), who))


def fill(template: str, **slots: str) -> str:
    """Fill a template's slots, with "an" before vowels and a capital at the beginning."""
    text = _VOWEL.sub(r"\1n ", template.format(**slots))
    return text[0].upper() + text[1:]
