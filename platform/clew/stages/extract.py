"""Extract: what does a window of messages tell? (AriadneMem §2.2, Eq. 4)

The paper asks an LLM for self-contained facts. The rule-based twin keeps a message's own
words, which lose nothing, and puts beside them what a reader or a store needs: who is
meant, when it happened, where, and the claims it makes.
"""

import itertools
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from clew.memory import Memory
from clew.model import Evidence, Fact, Ingest, Message, Unit
from clew.stage import Count, stage
from clew.stages.claims import claims
from clew.stages.resolve import Referents, is_role, role_phrase
from clew.text import keywords, sentences
from clew.trace import count
from clew.when import TimeSpan, find

_FINEST = ("minute", "day", "week", "month", "year")
_LETTER = re.compile(r"\w")


class Told(list[Unit]):
    """The units that a window tells, in order, and `how` it was read where that is not plain."""

    def __init__(self, units: Iterable[Unit] = (), how: Ingest | None = None) -> None:
        super().__init__(units)
        self.how = how


class Extract(Protocol):
    """Turn a window of messages into units, in order."""

    def __call__(self, window: tuple[Message, ...], memory: Memory) -> Told: ...


@stage
class RuleBased:
    """One unit per message; a message of more words than `longest` is cut at sentences.

    With `around`, a unit's `context` holds what was said just before and after it too.
    """

    longest: Count = 90
    around: bool = True

    def __call__(self, window: tuple[Message, ...], memory: Memory) -> Told:
        """Return the units of a window; what has no letter or digit gives none."""
        referents = Referents((message.speaker for message in window), memory)
        units = [
            _unit(part, referents) for message in window for part in _parts(message, self.longest)
        ]
        referents.store()
        return Told(_in_context(units, memory) if self.around else units)


@stage
class Verbatim:
    """One unit per message, its words and nothing else: nobody resolved, nothing dated.

    What SimpleMem's "w/o atomization" row stores.
    """

    def __call__(self, window: tuple[Message, ...], memory: Memory) -> Told:
        """Return the units of a window; what has no letter or digit gives none."""
        parts = [part for message in window for part in _parts(message, sys.maxsize)]
        return Told(_plain(part) for part in parts)


@dataclass(frozen=True, slots=True)
class _Part:
    message: Message
    number: int
    start: int
    end: int
    caption: str = ""

    @property
    def text(self) -> str:
        return self.message.text[self.start : self.end]

    @property
    def told(self) -> str:
        """Its words, with what a picture shows."""
        text = self.text.strip()
        return f"{text} [image: {self.caption}]".strip() if self.caption else text


def _parts(message: Message, longest: int) -> Iterator[_Part]:
    if not _LETTER.search(message.text + message.caption):
        count("extract.empty")
        return
    spans = _spans(message.text, longest)
    for number, (start, end) in enumerate(spans):
        last = number == len(spans) - 1
        yield _Part(message, number, start, end, message.caption if last else "")


def _spans(text: str, longest: int) -> list[tuple[int, int]]:
    """Return stretches of whole sentences with at most `longest` words, nothing left out."""
    if len(text.split()) <= longest:
        return [(0, len(text))]
    spans: list[tuple[int, int]] = []
    words = longest
    for start, end in _pieces(text, longest):
        more = len(text[start:end].split())
        if words + more > longest:
            spans.append((start, end))
            words = more
        else:
            spans[-1] = (spans[-1][0], end)
            words += more
    return spans


def _pieces(text: str, longest: int) -> Iterator[tuple[int, int]]:
    """Yield sentences, those that are too long in stretches of `longest` words."""
    for start, end in sentences(text):
        edges = [start + m.end() for m in re.finditer(r"\s+", text[start:end])]
        cuts = [start, *edges[longest - 1 :: longest], end]
        yield from ((a, b) for a, b in itertools.pairwise(cuts) if a < b)


def _unit(part: _Part, referents: Referents) -> Unit:
    message, text = part.message, part.text.strip()
    named = referents.read(text, message.speaker)
    speaker = referents.speaker(message.speaker)
    places = [name for name, id in named.items() if referents.is_place(id, name)]
    return replace(
        _plain(part),
        event=_event(text, message),
        keywords=keywords(part.told),
        entities=frozenset({speaker, *named.values()}),
        place=next(iter(places), ""),
        facts=_facts(text, message.speaker, named, referents),
    )


def _plain(part: _Part) -> Unit:
    message = part.message
    return Unit(
        id=f"{message.id}.{part.number:02d}",
        conversation=message.conversation,
        text=f"{message.speaker}: {part.told}",
        said_at=message.said_at,
        session=message.session,
        position=message.position,
        speaker=message.speaker,
        evidence=(Evidence(message.id, part.start, part.end),),
    )


def _event(text: str, message: Message) -> TimeSpan:
    """Return the finest time a text names, the first of its kind; an empty span for none."""
    if message.said_at is None:
        return TimeSpan()
    found = [span for _, span in find(text, message.said_at) if span.precision in _FINEST]
    return min(found, key=lambda span: _FINEST.index(span.precision), default=TimeSpan())


def _facts(
    text: str, speaker: str, named: dict[str, str], referents: Referents
) -> tuple[Fact, ...]:
    def subject(phrase: str) -> str:
        if phrase in ("I", "We", "we"):
            return referents.speaker(speaker)
        last = phrase.split()[-1]
        if last in named:
            return named[last]
        if phrase[:3] in ("My ", "my ") and is_role(last):
            return referents.person(role_phrase(speaker, phrase[3:]))
        return named.get(phrase, "")

    found = (f for a, b in sentences(text) for f in claims(text[a:b], subject))
    return tuple(dict.fromkeys(found))


def _in_context(units: Sequence[Unit], memory: Memory) -> list[Unit]:
    """Give each unit the words around it: its neighbours' of the same session."""
    around: list[Unit | None] = [*_before(units, memory), *units, None]
    result = []
    for before, unit, after in zip(around, units, around[2:], strict=False):
        near = (before, unit, after)
        lines = [u.text for u in near if u is not None and u.session == unit.session]
        result.append(replace(unit, context="\n".join(lines)))
    return result


def _before(units: Sequence[Unit], memory: Memory) -> list[Unit | None]:
    """Return the stored unit before a window, as a list of one; None where there is none."""
    before = memory.graph.previous(units[0]) if units else None
    return [*memory.units([before])] if before else [None]
