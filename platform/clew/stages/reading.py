"""Reading: which sentences of the evidence bear on a question?

A sentence counts for as much as its unit was ranked, for the content words it shares with
the question (rare ones more), and for being said by, or to, the person asked about.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from clew.memory import Memory
from clew.model import Graph, Scored, Unit
from clew.stages.asking import Asked, root, roots
from clew.text import fold, sentences

_WORD = re.compile(r"[^\W_]+(?:['\u2019.:+-][^\W_]+)*")
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
    return tuple(Word(m.group(), m.start(), m.end(), root(m.group())) for m in _WORD.finditer(text))


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
            short = fold(part)
            fits = [
                s for s in memory.speakers if s == short or (len(short) > 2 and s.startswith(short))
            ]
            if len(fits) == 1:
                found[fits[0]] = None
    return tuple(found)


def topic(asked: Asked, people: Sequence[str]) -> frozenset[str]:
    """Return the question's words without the speakers' names."""
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
    return asked.roots - named


def lines(
    asked: Asked, graph: Graph, people: Sequence[str], meant: Sequence[str] = (), most: int = 20
) -> list[Line]:
    """Return the sentences of the best units, best first.

    Names in `meant` count as asked for too: who "Nia's coach" turned out to be.
    """
    wanted = topic(asked, people) | roots(" ".join(meant))
    nodes = graph.nodes[:most]
    told = [
        (rank, node, text, cap)
        for rank, node in enumerate(nodes)
        for text, cap in split(node.unit.text)
    ]
    weight = _weights(wanted, [content(text) for _, _, text, _ in told])
    total = sum(weight.values()) or 1.0
    found = []
    for rank, node, text, caption in told:
        share = sum(weight[r] for r in wanted & content(text)) / total
        own = not people or fold(node.unit.speaker) in people
        found.append(
            Line(node.unit, text, _score(node, share, own, text), share, own, caption, rank)
        )
    return sorted(found, key=lambda line: (-line.score, line.rank))


def _score(node: Scored, share: float, own: bool, text: str) -> float:
    asks = text.rstrip().endswith("?")
    return node.score + 0.5 * share + 0.15 * own - 0.3 * asks


def _weights(wanted: frozenset[str], told: Sequence[frozenset[str]]) -> dict[str, float]:
    counts = Counter(r for found in told for r in wanted & found)
    return {r: math.log(1 + len(told) / (1 + counts[r])) for r in sorted(wanted)}
