"""Reading: which sentences of the evidence bear on a question?

A sentence counts for as much as its unit was ranked, for the content words it shares with
the question (rare ones more), and for being said by, or to, the person asked about.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache

from clew.memory import Memory
from clew.model import Graph, Unit
from clew.stages.answers.asking import WORD, Asked, root, roots
from clew.text import fold, sentences
from clew.when import TimeSpan, find

UNITS = 20  # units read for one question

_CAPTION = re.compile(r"\[image: ([^\]]*)\]")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence: its text, where it stands, and its root ("" for a stop word)."""

    text: str
    start: int
    end: int
    root: str


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of a unit, and how well it bears on the question.

    `share` is the weighted share of the question's words that it holds, in [0, 1]; `own`
    tells that the person asked about said it, or that nobody in particular was asked about.
    """

    unit: Unit
    text: str
    score: float
    share: float
    own: bool
    caption: bool = False
    rank: int = 0


@lru_cache(maxsize=1 << 13)
def words(text: str) -> tuple[Word, ...]:
    """Return the words of a sentence."""
    return tuple(Word(m.group(), m.start(), m.end(), root(m.group())) for m in WORD.finditer(text))


@lru_cache(maxsize=1 << 13)
def content(text: str) -> frozenset[str]:
    """Return the roots of the content words of a sentence."""
    return frozenset(word.root for word in words(text)) - {""}


@lru_cache(maxsize=1 << 12)
def split(told: str) -> tuple[tuple[str, bool], ...]:
    """Return the sentences of a unit's text without its speaker, and captions marked so."""
    said = told.partition(": ")[2] or told
    plain = _CAPTION.sub("", said)
    found = [(plain[a:b], False) for a, b in sentences(plain)]
    return (*found, *((caption, True) for caption in _CAPTION.findall(said)))


def owners(asked: Asked, memory: Memory) -> tuple[str, ...]:
    """Return the speakers a question names, folded, in order."""
    found: dict[str, None] = {}
    for name in asked.names:
        for part in (name, name.split()[0]):
            if speaker := memory.speaker(part):
                found[speaker] = None
    return tuple(found)


def topic(
    asked: Asked,
    people: Sequence[str],
    meant: Sequence[str] = (),
    times: Sequence[TimeSpan] = (),
) -> frozenset[str]:
    """Return the words evidence should share, without the speakers' names and any times.

    Names in `meant` count as asked for too: who "Nia's coach" turned out to be.
    """
    named = roots(" ".join(people)) | {
        r for n in asked.names if fold(n.split()[0]) in people for r in roots(n)
    }
    named |= {
        r
        for n in asked.names
        for p in people
        if len(n) > 2 and p.startswith(fold(n))
        for r in roots(n)
    }
    named |= roots(" ".join(time.phrase for time in times))
    return (asked.roots - named) | roots(" ".join(meant))


def limits(asked: Asked, asked_at: datetime | None) -> tuple[TimeSpan, ...]:
    """Return the times that a question confines itself to."""
    return tuple(span for _, span in find(asked.text, asked_at) if span.start)


def within(span: TimeSpan, times: Sequence[TimeSpan]) -> bool:
    """Tell whether a span meets each of these times."""
    return all(
        span.start
        and span.end
        and time.start
        and time.end
        and span.start < time.end
        and time.start < span.end
        for time in times
    )


def timely(unit: Unit, times: Sequence[TimeSpan]) -> bool:
    """Tell whether what a unit tells may have taken place at these times."""
    return not times or within(unit.event, times) or within(day_of(unit.said_at), times)


def day_of(at: datetime | None) -> TimeSpan:
    """Return the whole day of an instant."""
    if at is None:
        return TimeSpan()
    start = at.replace(hour=0, minute=0, second=0, microsecond=0)
    return TimeSpan(start, start + timedelta(days=1), "day")


def lines(
    graph: Graph,
    people: Sequence[str],
    weight: Mapping[str, float],
    times: Sequence[TimeSpan],
    apart: frozenset[str] = frozenset(),
) -> list[Line]:
    """Return the sentences of the best units, best first, by the weight of their words.

    Units that do not fit the `times` a question names, or that speak of a namesake (an
    entity id in `apart`), fall behind.
    """
    nodes = [(rank, node) for rank, node in enumerate(graph.nodes[:UNITS])]
    told = [(rank, node, *sentence) for rank, node in nodes for sentence in split(node.unit.text)]
    total = sum(weight.values()) or 1.0

    def share(found: frozenset[str]) -> float:
        return sum(weight[root] for root in weight if root in found) / total

    result = []
    for rank, node, text, caption in told:
        own = not people or fold(node.unit.speaker) in people
        whole, before = content(node.unit.text), content(heard(node.unit))
        line = Line(node.unit, text, node.score, share(content(text)), own, caption, rank)
        misfit = (not timely(node.unit, times)) + (not apart.isdisjoint(node.unit.entities))
        reply = share(before) if own and "?" in heard(node.unit) else 0.0
        score = _score(line, reply, share(whole | before))
        result.append(replace(line, score=score - 0.3 * misfit))
    return sorted(result, key=lambda line: (-line.score, line.rank))


def heard(unit: Unit) -> str:
    """Return what was said right before a unit, without its speaker."""
    before, _, _ = unit.context.partition(unit.text)
    return before.strip().partition(": ")[2]


def _score(line: Line, reply: float, around: float) -> float:
    asks = line.text.rstrip().endswith("?")
    return (
        line.score + 0.5 * line.share + 0.5 * reply + 0.4 * around
        + 0.15 * line.own - 0.3 * asks
    )  # fmt: skip


def weights(wanted: frozenset[str], graph: Graph) -> dict[str, float]:
    """Return how much each wanted word tells: the fewer sentences hold it, the more."""
    told = [content(text) for node in graph.nodes[:UNITS] for text, _ in split(node.unit.text)]
    counts = Counter(root for found in told for root in wanted & found)
    return {root: math.log(1 + len(told) / (1 + counts[root])) for root in sorted(wanted)}
