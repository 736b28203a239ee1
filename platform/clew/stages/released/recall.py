"""Recall, as released: LIKE in place of BM25."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import ClassVar

from clew.memory import Memory
from clew.model import Unit
from clew.stage import Count, stage
from clew.stages.recall import Hybrid
from clew.stores.vectors import Hit
from clew.text import stems
from clew.trace import count

STOP = frozenset("the and are was were did does has have had for with you".split()) | frozenset(
    "what when where who why how which".split()
)  # twenty, as there; which twenty is our choice
MARKS = "?.,!'"
_OWNED = re.compile(r"\w['\u2019]s (\w+)")


@stage
class LikeSearch(Hybrid):
    """Look for the query's words as parts of words, in the units that were stored first (D11).

    The first `rows` units with any of up to `words` words in their text are taken as they
    were stored, and only these are ranked: two points for a word within one of a unit's
    keywords, one for a word within its text.
    """

    effects: ClassVar = ("recall.like_full",)

    rows: Count = 15  # three times k_lex
    words: Count = 5

    def views(self, text: str, n: int, memory: Memory) -> list[list[Hit]]:
        """Return the best by text, by context, and by LIKE."""
        dense, context, _ = Hybrid.views(self, text, n, memory)
        asked = sought(text)[: self.words]
        rows = list(islice(_having(asked, memory), self.rows))
        count("recall.like_full", len(rows) == self.rows)  # more were not looked at
        ranked = sorted(rows, key=lambda unit: -_points(asked, unit))  # ties stay as stored
        points = [Hit(unit.id, _points(asked, unit)) for unit in ranked[: self.k_lex]]
        return [dense, context, points]


def sought(text: str) -> list[str]:
    """Return the words that are looked for: those of the query, then variants of what is owned.

    Of "Nora's kids" also "kid", "kidses" and "kidss" are looked for: in the alphabet's order.
    """
    plain = [word.strip(MARKS) for word in text.lower().split()]
    words = [word for word in plain if len(word) > 2 and word not in STOP]
    for owned in _OWNED.findall(text.lower()):
        words += sorted({owned.removesuffix("s"), f"{owned}s", f"{owned}es"} - {owned})
    return list(dict.fromkeys(words))


def _having(words: list[str], memory: Memory) -> Iterator[Unit]:
    """Yield the units with any of the words in their text, as they were stored."""
    if words:
        for unit in memory.graph.units():
            told = unit.text.lower()
            if any(word in told for word in words):
                yield unit


def _points(words: list[str], unit: Unit) -> float:
    """Count hits; our keywords are stems, so the stem of a word is looked for in them."""
    told, points = unit.text.lower(), 0
    for word in words:
        roots = stems(word)
        points += 2 * any(root in keyword for root in roots for keyword in unit.keywords)
        points += word in told
    return float(points)
