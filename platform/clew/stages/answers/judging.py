"""Judging: yes or no, and which of two, by what the evidence says of it."""

import re
from collections.abc import Sequence

from clew.stages.answers.asking import Asked, roots
from clew.stages.answers.reading import Line, content
from clew.stages.claims import is_plan
from clew.text import details

_WOULD = re.compile(r"^(?:would|could|might)\b", re.I)
_KNOWN = r"(?:is it (?:known|said|certain|clear)|do we know) (?:that|whether) .*"
_DONE = re.compile(
    rf"^(?:{_KNOWN}|)(?:has|have|had|did|was|were)\b|\bhas been\b|\bhave been\b", re.I
)
_AHEAD = re.compile(r"\b(?:planning|plan|hoping|hope|thinking of|dreaming|dream|want|wish)\b", re.I)


def yes_or_no(asked: Asked, told: Sequence[Line], enough: float) -> str:
    """Return yes or no: the latest of the lines that bear on it decides."""
    top = max((line.share for line in told if line.own), default=0.0)
    near = [line for line in told if line.own and line.share >= max(0.75 * top, 0.01)]
    if _WOULD.match(asked.text):
        return "Likely yes" if top >= enough and not _negated(near) else "Likely no"
    if not near:
        return ""
    if _negated(near) or (_DONE.search(asked.text) and all(_planned(line) for line in near)):
        return "No"
    return "Yes"


def _negated(near: Sequence[Line]) -> bool:
    latest = max(near, key=lambda line: line.unit.order, default=None)
    return latest is not None and details(latest.text).negated


def _planned(line: Line) -> bool:
    return is_plan(line.text) or _AHEAD.search(line.text) is not None


def which(asked: Asked, told: Sequence[Line]) -> str:
    """Return the choice that goes with the rest of the question, or that came first."""
    assert asked.choices is not None
    found = [_support(choice, asked, told) for choice in asked.choices]
    if asked.first:
        starts = [_start([line for _, line in lines]) for lines in found]
        if all(starts):
            return asked.choices[0 if starts <= starts[::-1] else 1]
    scores = [max((s for s, _ in f), default=0.0) for f in found]
    return asked.choices[scores.index(max(scores))]


def _start(lines: Sequence[Line]) -> float:
    """Return when the earliest of these lines came true, in seconds; 0 if none has a date."""
    return min((at.timestamp() for line in lines if (at := line.unit.valid_from)), default=0.0)


def _support(choice: str, asked: Asked, told: Sequence[Line]) -> list[tuple[float, Line]]:
    own = roots(choice)
    others = {r for c in asked.choices or () for r in roots(c)}
    rest = roots(asked.text) - others
    return [
        (len(own & content(line.text)) + len(rest & content(line.text)) + line.score, line)
        for line in told
        if own & content(line.text)
    ]
