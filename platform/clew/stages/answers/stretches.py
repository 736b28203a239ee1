"""Stretches: which run of words in the evidence says what was asked, and no more?

Every run of words inside a clause is a candidate, and a sum of few signs picks one: it is
in the sentence that bears best on the question, brings words the question lacks, follows
the verb or another word asked with, is a title or a name, and is short.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from clew.stages.answers.asking import Asked, root, roots
from clew.stages.answers.reading import Line, Word, words
from clew.stages.answers.spans import BREAK

LINES = 6  # sentences looked at for one answer
SOURCES = 10  # and for a list
ITEM = 3  # words in an item of a list
BEHIND = 0.3  # by which an item may be less likely than the first

# The weights of the signs: unspecified in the paper; fitted by least squares to the F1 of
# each candidate on two LoCoMo conversations (26 and 30) and rounded.
BEST_LINE = 0.09
BEHIND_BEST = -0.1  # times how far the sentence scores behind the best
NEW = 0.065  # for each content word that the question lacks
LENGTH = -0.01  # for each word
AFTER_ASKED = 0.055  # the content word before it is one of the question's
AFTER_VERB = 0.13  # the question's verb comes before it in its clause
NAME = 0.1  # it begins with a capital inside a sentence
TITLE = 0.36  # it begins inside quotation marks
SPEAKS = -0.14  # it holds "I" or "we", or who is asked about
HEAD = 0.13  # it holds the noun that "what" or "which" stands before

_FILLING = frozenset(
    root(word)
    for word in """thing stuff lot great awesome amazing good nice cool really time way sure bit
    kind hey wow thanks love like get know think make look""".split()
)
_SPEAKERS = frozenset(("i", "we"))
_QUOTES = '"\u201c'


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run of words in a sentence, and how likely it is the answer."""

    text: str
    score: float
    line: Line


@lru_cache(maxsize=1 << 13)
def _clauses(text: str) -> tuple[tuple[int, int], ...]:
    """Return for each word the number of its clause, and of its clause were commas no break."""
    breaks = [(found.start(), found.group() != ",") for found in BREAK.finditer(text)]
    result, passed, hard = [], 0, 0
    for word in words(text):
        while passed < len(breaks) and breaks[passed][0] <= word.start:
            hard += breaks[passed][1]
            passed += 1
        result.append((passed, hard))
    return tuple(result)


def ranked(asked: Asked, told: Sequence[Line], wanted: frozenset[str], most: int) -> list[Stretch]:
    """Return candidates of at most `most` words, best first: the best of each start."""
    found = [
        stretch
        for rank, line in enumerate(told[:LINES])
        for stretch in _of_line(asked, line, wanted, most, _bonus(line, told[0], rank))
    ]
    return sorted(found, key=lambda stretch: -stretch.score)


def _bonus(line: Line, best: Line, rank: int) -> float:
    return BEHIND_BEST * (best.score - line.score) + BEST_LINE * (rank == 0)


def listed(asked: Asked, told: Sequence[Line], wanted: frozenset[str], most: int) -> list[Stretch]:
    """Return at most `most` short stretches that name different things, one of a sentence.

    Only sentences of the person asked about count, and only stretches not far behind the best.
    """
    found: list[Stretch] = []
    known = frozenset[str]()
    for line in [line for line in told if line.own][:SOURCES]:
        for best in ranked(asked, [line], wanted, ITEM)[:1]:
            fresh = roots(best.text)
            near = not found or best.score >= found[0].score - BEHIND
            if fresh and near and 2 * len(fresh & known) < len(fresh) and len(found) < most:
                found.append(best)
                known |= fresh
    return found


def _of_line(
    asked: Asked, line: Line, wanted: frozenset[str], most: int, bonus: float
) -> Iterator[Stretch]:
    near = words(line.text)
    head = frozenset(root(word) for word in asked.head.split()) - {""}
    sought = (wanted, head, roots(" ".join(asked.names)))
    for start, first in enumerate(near):
        if first.root:
            base = bonus + _before(asked, line.text, start, wanted)
            end, score = _end(start, line.text, sought, most)
            yield Stretch(line.text[first.start : near[end].end], base + score, line)


def _before(asked: Asked, text: str, start: int, wanted: frozenset[str]) -> float:
    """Return what the place of a stretch is worth, whatever its end."""
    near, clauses = words(text), _clauses(text)
    before = next((word.root for word in reversed(near[:start]) if word.root), "")
    score = AFTER_ASKED if before in wanted and before else 0.0
    if asked.verb and any(
        word.root == asked.verb and clauses[at][0] == clauses[start][0]
        for at, word in enumerate(near[:start])
    ):
        score += AFTER_VERB
    if start and near[start].text[0].isupper() and near[start].root not in wanted:
        score += NAME
    if near[start].start and text[near[start].start - 1] in _QUOTES:
        score += TITLE
    return score


def _end(start: int, text: str, sought: tuple[frozenset[str], ...], most: int) -> tuple[int, float]:
    """Return the best last word for a stretch, and what its words are worth."""
    near, clauses = words(text), _clauses(text)
    (wanted, head, people), score, best = sought, 0.0, (start, float("-inf"))
    headed = spoke = False
    for at in range(start, min(len(near), start + most)):
        word = near[at]
        if clauses[at][1] != clauses[start][1] or _closed(text, near[at - 1], word, at > start):
            break
        score += LENGTH + NEW * bool(word.root and word.root not in wanted | _FILLING)
        score += HEAD * (word.root in head and not headed)
        speaks = word.text.casefold() in _SPEAKERS or word.root in people
        score += SPEAKS * (speaks and not spoke)
        headed = headed or word.root in head
        spoke = spoke or speaks
        if word.root and score > best[1]:
            best = (at, score)
    return best


def _closed(text: str, before: Word, word: Word, inside: bool) -> bool:
    """Tell whether a quotation ends between two words of a stretch."""
    return inside and any(mark in text[before.end : word.start] for mark in '"\u201d')
