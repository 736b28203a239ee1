"""Times: when something in the evidence took place, and how long it took.

A reader is told what was said: "last week" on 20 June is "the week before 20 June", not
seven days made up from it, unless the question asks for a date or a range.
"""

import re
from collections.abc import Sequence
from datetime import datetime

from clew.english import CARDINALS
from clew.stages.answers.asking import Asked
from clew.stages.answers.reading import Line, day_of, within
from clew.text import fold
from clew.when import TimeSpan, day, find, say

_EXACT = re.compile(
    r"\b(?:date|day|range|month|year|week)\b|\uc77c\ub85c|\ub0a0\uc9dc|\u65e5\u671f|\u4f55\u65e5",
    re.I,
)
_AMOUNT = (
    r"(?:an?|one|two|three|four|five|six|a few|few|several|a couple(?: of)?|couple(?: of)?|\d+)"
)
_WEEKDAY = re.compile(
    r"\b(?:last|past|on|this|the other)\b.*?"
    r"\b(mon|tues?|wed(?:nes)?|thur?s?|fri|satur|sat|sun)(?:day)?s?\b",
    re.I,
)
_WEEKDAYS = {
    "mon": "Monday", "tue": "Tuesday", "wed": "Wednesday", "thu": "Thursday",
    "fri": "Friday", "sat": "Saturday", "sun": "Sunday",
}  # fmt: skip
_AGO = re.compile(rf"\b(?P<n>{_AMOUNT} (?:days|weeks|weekends|months))\s+(?:ago|back)\b", re.I)
_LAST = re.compile(r"\b(?:last|past|previous)\s+(?P<unit>week(?:end)?)\b", re.I)
_NEXT = re.compile(r"\bnext\s+(?P<unit>week(?:end)?)\b", re.I)
_VAGUE = re.compile(r"\b(?:few|several|couple|some)\b.*\byears?\b", re.I)
_LONG = re.compile(
    rf"\b(?:(?:about|around|over|almost|nearly|more than) )?(?:{_AMOUNT}|{'|'.join(CARDINALS)}) ?"
    r"(?:minutes?|hours?|days?|weeks?|months?|years?|yrs?|decades?)\b(?: (?:ago|old))?"
    r"|\bsince (?:(?:early|late) )?(?:19|20)\d\d\b|\bsince I was [\w ]{1,20}\b",
    re.I,
)
_RIGHT = re.compile(
    r"\b(?P<name>[^\W\d_][\w'-]*)(?:(?:['\u2019](?:re|s|m)| (?:is|was|are|were|am))"
    r"(?: \w+ly| quite)? (?:right|correct)| (?:got|had) (?:it|that) right)\b"
    r"(?! (?:there|here|now|away|after|before|in|on|at|by|next|behind|beside|outside)\b)"
)
_WRONG = re.compile(
    r"\bI(?:['\u2019]m| am| was| stand)(?: \w+ly| quite| so)? (?:wrong|mistaken|corrected)\b"
    r"|\bI (?:got|had) (?:it|that) wrong\b|\bmy mistake\b",
    re.I,
)
_LATEST = re.compile(r"\b(?:latest|newest|last|most recent|current|final|valid)\b", re.I)


def tell(span: TimeSpan, said_at: datetime, asked: Asked) -> str:
    """Say a time as the question wants it: by the calendar, or as it was told."""
    if asked.clock and span.precision == "minute" and span.start:
        return f"{span.start:%H:%M}"
    if span.precision == "minute" and span.start:
        return day(span.start)
    if _EXACT.search(asked.head + " " + asked.only):
        return say(span)
    return _as_told(span.phrase, said_at) or say(span)


def _as_told(phrase: str, said_at: datetime) -> str:
    """Return the phrase tied to the day it was said, or "" where the calendar says it better."""
    said = day(said_at)
    if found := _WEEKDAY.search(phrase):
        return f"The {_WEEKDAYS[found[1].lower()[:3]]} before {said}"
    if found := _AGO.search(phrase):
        exact = re.match(r"(?:an?|one|two|three|four|five|six|\d+) days?\b", found["n"], re.I)
        return "" if exact else f"{found['n']} before {said}"
    if found := _LAST.search(phrase):
        return f"The {found['unit'].lower()} before {said}"
    if found := _NEXT.search(phrase):
        return f"The {found['unit'].lower()} after {said}"
    if re.search(r"\bthis week\b", phrase, re.I):
        return f"The week of {said}"
    return phrase if _VAGUE.search(phrase) else ""


def when(asked: Asked, told: Sequence[Line], asked_at: datetime | None) -> str:
    """Return when what is asked about took place, by the best line and its unit."""
    times = [span for _, span in find(asked.text, asked_at) if span.start]
    told = settled(told)
    if asked.clock or _LATEST.search(asked.only):
        told = sorted(told, key=lambda line: line.unit.order, reverse=True)
        told = sorted(told, key=lambda line: -round(line.share, 2))
    best = ""
    for line in told[:6]:
        said = line.unit.said_at
        for span in _spans(line, asked):
            if said and within(span, times):
                return tell(span, said, asked)
        if said and not best and not asked.clock and (not times or within(day_of(said), times)):
            best = day(said)
            break
    return best or (day(told[0].unit.said_at) if told and told[0].unit.said_at else "")


def settled(told: Sequence[Line]) -> list[Line]:
    """Put first what somebody said whom a later line calls right, or yields to."""
    for line in sorted(told, key=lambda line: line.unit.order, reverse=True):
        before = [other for other in told if other.unit.order < line.unit.order]
        theirs = [other for other in before if line.share > 0 and _upheld(other, line)]
        if dated := [other for other in theirs if other.unit.event.start]:
            return [*dated, *told]
    return list(told)


def _upheld(line: Line, by: Line) -> bool:
    """Tell whether a line's speaker is right by what a later line says, in so many words."""
    found, speaker = _RIGHT.search(by.text), line.unit.speaker
    listened = speaker != by.unit.speaker
    if found and fold(found["name"]) in ("you", "i"):
        return listened == (fold(found["name"]) == "you")
    if found:
        return fold(found["name"]) in fold(speaker).split()
    return listened and _WRONG.search(by.text) is not None


def _spans(line: Line, asked: Asked) -> list[TimeSpan]:
    """Return the times of a line, then of the rest of its unit; clock times only if asked."""
    found = [span for _, span in find(line.text, line.unit.said_at)]
    found = found or ([line.unit.event] if line.unit.event.start else [])
    if asked.clock:
        return [span for span in found if span.precision == "minute"]
    return found


def duration(told: Sequence[Line]) -> str:
    """Return the first length of time that the lines name."""
    for line in told[:8]:
        if found := _LONG.search(line.text):
            return re.sub(r"^since I was", "since", found.group())
    return ""


def days_between(told: Sequence[Line], unit: str) -> str:
    """Return the time from the earliest to the latest of the lines on the topic."""
    top = max((line.share for line in told), default=0.0)
    dates = sorted(
        _began(line).date() for line in told if line.share >= top > 0 and line.unit.said_at
    )
    if len(set(dates)) < 2:
        return ""
    days = (dates[-1] - dates[0]).days
    divide = {"day": 1, "week": 7, "month": 30, "year": 365}[unit]
    return str(round(days / divide))


def _began(line: Line) -> datetime:
    at = line.unit.event.start if line.unit.event.precision == "day" else line.unit.said_at
    assert at is not None
    return at
