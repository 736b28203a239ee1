"""Outcomes: which questions went wrong, and where their evidence was then.

An answer counts as right when it scores at least a half: by the judge where there is one, by
LoCoMo's F1 elsewhere. Evidence counts as retrieved when it is in the context, or in the largest
one that recall was measured in.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from clew.datasets import CATEGORIES
from clew.evaluate.journal import Record
from clew.evaluate.stats import ANSWERABLE

Outcome = Literal["right", "wrong", "failed"]
Place = Literal["context", "cut", "partly", "nowhere", "none"]

HALF = 0.5
PLACES: dict[Place, str] = {
    "context": "all of its evidence was in the context",
    "cut": "its evidence was retrieved, and some of it left out of the context",
    "partly": "some of its evidence was not retrieved",
    "nowhere": "none of its evidence was retrieved",
    "none": "it has no gold evidence",
}
_RECALL = re.compile(r"evidence_recall_(\d+)")


@dataclass(frozen=True, slots=True)
class Selection:
    """A list of questions worth looking at; `counts` are by category, all of them last."""

    name: str
    about: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Selections:
    """The lists of a run over its categories, and of each question the lists that it is on."""

    numbers: tuple[int, ...]
    categories: tuple[str, ...]
    lists: tuple[Selection, ...]
    of: tuple[tuple[int, ...], ...]


def outcome(record: Record) -> Outcome:
    """Tell whether a question was answered right."""
    if record.status == "failed":
        return "failed"
    score = record.scores.get("judge", record.scores.get("f1_locomo", 0.0))
    return "right" if score >= HALF else "wrong"


def place(record: Record) -> Place:
    """Tell where the evidence of a question was; one that nothing answers needs none."""
    if record.category not in ANSWERABLE or "evidence_recall" not in record.scores:
        return "none"
    inside = record.scores["evidence_recall"]
    found = max(inside, _widest(record))
    if found < 1:
        return "partly" if found else "nowhere"
    return "context" if inside == 1 else "cut"


def selections(records: Sequence[Record]) -> Selections:
    """Sort questions into lists; one may be on several."""
    seen = [(outcome(record), place(record)) for record in records]
    known = sorted({record.category for record in records})
    on = [tuple(n for n, (_, _, test) in enumerate(LISTS) if test(*each)) for each in seen]
    lists = []
    for n, (name, about, _) in enumerate(LISTS):
        there = [r.category for r, mine in zip(records, on, strict=True) if n in mine]
        counts = (*(there.count(category) for category in known), len(there))
        lists.append(Selection(name, about, counts))
    names = tuple(CATEGORIES.get(category, str(category)) for category in known)
    return Selections(tuple(known), names, tuple(lists), tuple(on))


def budgets(metrics: Iterable[str]) -> dict[int, str]:
    """Return by budget of tokens the metrics that are evidence recall, fewest tokens first."""
    return dict(
        sorted((int(found[1]), found[0]) for found in map(_RECALL.fullmatch, metrics) if found)
    )


def _widest(record: Record) -> float:
    """Return the recall in the largest context that was measured."""
    return next((record.scores[m] for m in reversed(budgets(record.scores).values())), 0.0)


LISTS: tuple[tuple[str, str, Callable[[Outcome, Place], bool]], ...] = (
    (
        "Wrong, evidence in the context",
        "All gold messages were in the context, and the answer is wrong all the same.",
        lambda outcome, place: outcome == "wrong" and place == "context",
    ),
    (
        "Evidence not retrieved",
        "At least one gold message was not retrieved, right or wrong as the answer may be.",
        lambda outcome, place: place in ("partly", "nowhere"),
    ),
    (
        "Wrong, evidence cut off",
        "All gold messages were retrieved, but the context had no room for some of them.",
        lambda outcome, place: outcome == "wrong" and place == "cut",
    ),
    ("Wrong", "The answer scores less than a half.", lambda outcome, place: outcome == "wrong"),
    (
        "Failed",
        "An error ended the question; it counts as 0.",
        lambda outcome, place: outcome == "failed",
    ),
    ("Right", "The answer scores at least a half.", lambda outcome, place: outcome == "right"),
)
