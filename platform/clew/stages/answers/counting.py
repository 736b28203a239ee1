"""Counting: a number the evidence states, or how many different things or days it tells of."""

import re
from collections.abc import Sequence

from clew.english import CARDINALS, ORDINALS
from clew.stages.answers.asking import Asked, root
from clew.stages.answers.reading import Line, Word, words
from clew.stages.claims import number

_TIMES = re.compile(rf"\b(?:(?P<n>{'|'.join(CARDINALS)}|\d+) times|(?P<word>once|twice))\b", re.I)
_OFTEN = re.compile(
    r"\b(?:(?:once|twice|two or three times|\w+ times)(?: or twice)?(?: an?| every| each| per) \w+"
    r"|every (?:other )?\w+|(?:each|most) (?:day|week|weekend|month|year)|daily|weekly|monthly)\b",
    re.I,
)
_THING = re.compile(r"how many (?:different |other |kinds of |types of )*(?P<thing>[\w-]+)", re.I)
_BACK = frozenset({"that", "this", "the", "those", "these"})
_SAME = frozenset({"the", "that", "this", "a", "an", "my", "our", "another", "one", "it"})


def how_many(asked: Asked, told: Sequence[Line]) -> str:
    """Return how many, as the evidence states it or by counting; "" when there is nothing."""
    if re.match(r"how often", asked.text, re.I):
        return next((m.group() for line in told[:8] if (m := _OFTEN.search(line.text))), "")
    found = _THING.search(asked.text)
    thing = root(found["thing"]) if found else ""
    if thing in ("time", ""):
        return _occasions(told)
    return _stated(thing, told) or _different(thing, told)


def _stated(thing: str, told: Sequence[Line]) -> str:
    """Return the number that stands right before the thing, by the latest of the best lines."""
    found: list[tuple[Line, str]] = []
    top = max((line.share for line in told), default=0.0)
    for line in told:
        near = words(line.text)
        for at, word in enumerate(near):
            for before in near[max(0, at - 3) : at]:
                if word.root == thing and _number(before.text) and line.share >= 0.6 * top:
                    found.append((line, number(before.text)))
    latest = max(found, key=lambda pair: pair[0].unit.order, default=None)
    return latest[1] if latest else ""


def _number(word: str) -> bool:
    return word.isdigit() or (word.casefold() in CARDINALS and word.casefold() != "one")


def _occasions(told: Sequence[Line]) -> str:
    """Count times: as stated, else by the highest ordinal, else by the days told of."""
    top = max((line.share for line in told), default=0.0)
    near = [line for line in told if line.share >= 0.3 * top > 0]
    for line in near:
        if found := _TIMES.search(line.text):
            once = {"once": "1", "twice": "2"}
            return once[found["word"].casefold()] if found["word"] else number(found["n"])
    ordinal = max((_ordinal(line.text) for line in near), default=0)
    days = {
        at.date() if (at := line.unit.valid_from) else line.unit.id
        for line in near
        if line.share >= 0.9 * top
    }
    return str(max(ordinal, len(days))) if near else ""


def _ordinal(text: str) -> int:
    return max((ORDINALS.get(word.text.casefold(), 0) for word in words(text)), default=0)


def _different(thing: str, told: Sequence[Line]) -> str:
    """Count things by what stands before their noun; "that X" again is no new one."""
    known: set[str] = set()
    unnamed = 0
    for line in sorted(told, key=lambda line: line.unit.order):
        near = words(line.text)
        for at, word in enumerate(near):
            if word.root == thing:
                name = _modifier(near, at)
                back = not name and at > 0 and near[at - 1].text.casefold() in _BACK
                unnamed += not name and not back and line.own
                known |= {name} if name and line.own else set()
    return str(len(known) + unnamed) if known or unnamed else ""


def _modifier(near: Sequence[Word], at: int) -> str:
    before = near[at - 1].text.casefold() if at else ""
    return "" if before in _SAME or not near[at - 1].root else near[at - 1].root
