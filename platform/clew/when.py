"""Time spans with a precision, and phrases resolved against the moment they were said.

A week runs from Monday to Sunday; "last week" is all of it. A day is the speaker's own,
by the offset of the stamp; a stamp without one is UTC. "On Friday" is the last one before
the day it was said, unless its clause is a plan. No clock is read: what cannot be resolved
from the words and their stamp stays unresolved.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Literal

from clew.errors import TimeError
from clew.phrases import asian, dates, named, relative
from clew.phrases.days import DAY, MONTHS, SEASONS, Days
from clew.phrases.grammar import Found, Rule, Said, combined, lowered

Precision = Literal["unknown", "year", "month", "week", "day", "minute"]
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A stretch of time [start, end) at a stated precision; both ends aware of their zone.

    The zone is the speaker's, so the calendar day stays the one that was meant. An empty
    span has no ends and precision "unknown". `phrase` holds the words it was read from.
    """

    start: datetime | None = None
    end: datetime | None = None
    precision: Precision = "unknown"
    phrase: str = ""


# --- instants

_INSTANT = re.compile(
    r"(?:(?P<first>\d{1,2}:\d\d(?::\d\d)?\s*(?:[ap]\.?m\.?)?)\s+on\s+)?(?P<day>.+?)(?:\s*\(\w+\))?"
    r"(?:,?\s+(?:at\s+)?(?P<last>\d{1,2}:\d\d(?::\d\d)?\s*(?:[ap]\.?m\.?)?))?",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d))?\s*(?:([ap])\.?m\.?)?", re.IGNORECASE)


def parse_instant(text: str, zone: tzinfo = UTC) -> datetime:
    """Read a stamp; one without an offset is in `zone`.

    Raises:
        TimeError: it is in none of the accepted forms.
    """
    try:
        instant = _iso(text.strip()) or _spelled(text.strip())
        if not 1 < instant.year < 9999:  # else another zone's calendar may have no such day
            raise ValueError(text)
    except ValueError as error:
        raise TimeError(
            f"The time {text[:80]!r} cannot be read. Write it as 2024-05-15T12:00:00+02:00, "
            f"2031-05-09, 2031/05/09 (Fri) 13:20, or 1:20 pm on 9 May, 2031."
        ) from error
    return instant if instant.tzinfo else instant.replace(tzinfo=zone)


def _iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _spelled(text: str) -> datetime:
    match = _INSTANT.fullmatch(text) if len(text) < 80 else None
    days = relative.read_days(match["day"].strip(), Said(None)) if match else None
    if match is None or days is None or days.precision != "day":
        raise ValueError(text)
    clock = _CLOCK.fullmatch((match["first"] or match["last"] or "0:00").strip())
    if clock is None or (match["first"] and match["last"]):
        raise ValueError(text)
    hour, half = int(clock[1]), (clock[4] or "").lower()
    if half and not 1 <= hour <= 12:
        raise ValueError(text)
    hour = hour % 12 + 12 * (half == "p") if half else hour
    return datetime.combine(days.start, time(hour, int(clock[2]), int(clock[3] or 0)))


# --- phrases

_WESTERN = (*relative.RULES, *named.RULES, *dates.RULES)
_ENGLISH = combined(_WESTERN, r"(?<!\w)")
_HINT = re.compile(  # every English rule asks for one of these
    r"\d|day|night|week|month|year|decade|hour|minute|morning|noon|evening|tomorrow|tmrw|spring"
    r"|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september"
    r"|october|november|december|christmas|halloween|valentine|boxing"
    r"|\b(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|feb|aug|sept?|oct|nov|dec)\b"
)
_ASIAN = combined(asian.RULES, "")
_ASIAN_LETTER = re.compile("[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_DAY_TIME = re.compile(r"\s*(?:,\s*)?(?:at|around|by)?\s*", re.IGNORECASE)
_TIME_DAY = re.compile(r"\s*(?:,\s*)?(?:on)?\s*", re.IGNORECASE)
_FILLER = re.compile(
    r"(?:\b(?:about|around|back|on|in|at|the|just|sometime|over|within|during|by|since|until|from|of"
    r"|approximately|almost|nearly|exactly)\b|[\s.,!?]|에는?|に|は)*",
    re.IGNORECASE,
)


def find(text: str, said_at: datetime | None) -> list[tuple[Place, TimeSpan]]:
    """Return every time phrase that can be resolved, with its place in the text.

    The place leaves out a leading "on" or "in"; a day and a time of day beside each other
    are one phrase. Without `said_at` only phrases with a date of their own are found.
    """
    at = said_at.replace(tzinfo=UTC) if said_at and not said_at.tzinfo else said_at
    zone = at.tzinfo if at and at.tzinfo else UTC
    found = []
    for place, read in _joined(text, sorted(_hits(text, at), key=lambda hit: hit[0])):
        if span := _span(read, at, zone, text[slice(*place)]):
            found.append((place, span))
    return found


def resolve(phrase: str, said_at: datetime | None) -> TimeSpan:
    """Return the span of a phrase that is nothing but a time; an empty one if it is not."""
    for lead in ("", "on ", "in "):
        text = lead + phrase.strip()
        found = find(text, said_at)
        if len(found) == 1:
            (start, end), span = found[0]
            if _FILLER.fullmatch(text[:start]) and _FILLER.fullmatch(text[end:]):
                return replace(span, phrase=phrase)
    return TimeSpan(phrase=phrase)


def _hits(text: str, at: datetime | None) -> Iterator[tuple[Place, Found]]:
    lower = lowered(text)
    if _HINT.search(lower):
        yield from _scan(_ENGLISH, _WESTERN, (text, lower), at)
    if not text.isascii() and _ASIAN_LETTER.search(text):
        yield from _scan(_ASIAN, asian.RULES, (text, lower), at)


def _scan(
    pattern: re.Pattern[str], rules: Sequence[Rule], texts: tuple[str, str], at: datetime | None
) -> Iterator[tuple[Place, Found]]:
    (text, lower), position = texts, 0
    while hit := pattern.search(lower, position):
        one = rules[int((hit.lastgroup or "r0")[1:])]
        match = one.pattern.match(text, hit.start())
        position = match.end() if match else hit.start() + 1
        if match is None:
            continue  # only in lower case it looked like a phrase
        place = match.span("core") if "core" in one.pattern.groupindex else match.span()
        try:
            read = one.read(match, Said(at, text, place))
        except (ValueError, OverflowError):
            continue  # no such day, or nothing to count from
        if read is not None:
            yield place, read


def _joined(text: str, hits: Sequence[tuple[Place, Found]]) -> list[tuple[Place, Found]]:
    """Join a day and a time of day that stand beside each other; drop what overlaps."""
    result: list[tuple[Place, Found]] = []
    for place, read in hits:
        if result and place[0] < result[-1][0][1]:
            continue
        if result and (both := _both(text, result[-1], (place, read))):
            result[-1] = ((result[-1][0][0], place[1]), both)
        else:
            result.append((place, read))
    return result


def _both(text: str, one: tuple[Place, Found], two: tuple[Place, Found]) -> datetime | None:
    (_, start), first = one
    (end, _), second = two
    if isinstance(first, Days) and isinstance(second, time):
        days, clock, gap = first, second, _DAY_TIME
    elif isinstance(first, time) and isinstance(second, Days):
        days, clock, gap = second, first, _TIME_DAY
    else:
        return None
    if days.precision != "day" or not gap.fullmatch(text, start, end):
        return None
    return datetime.combine(days.start, clock)


def _span(read: Found, at: datetime | None, zone: tzinfo, phrase: str) -> TimeSpan | None:
    if isinstance(read, Days):
        start, end = (datetime.combine(one, time(), zone) for one in (read.start, read.end))
        return TimeSpan(start, end, read.precision, phrase)
    if isinstance(read, time):
        read = datetime.combine(at.date(), read) if at else None
    if read is None:
        return None
    start = read if read.tzinfo else read.replace(tzinfo=zone)
    return TimeSpan(start, start + timedelta(minutes=1), "minute", phrase)


# --- telling

_SEASON = re.compile("|".join(SEASONS), re.IGNORECASE)
_PART = re.compile(r"\b(?:early|mid|late|beginning|start|middle|end)\b", re.IGNORECASE)


def day(at: datetime | date) -> str:
    """Return a day as a reader is told it: "9 May 2031"."""
    return f"{at.day} {MONTHS[at.month - 1].title()} {at.year}"


def say(span: TimeSpan) -> str:
    """Return a span as a reader is told it, as exact as it is known; its phrase if unknown."""
    if span.start is None or span.end is None:
        return span.phrase
    if span.precision == "minute":
        return f"{span.start:%H:%M} on {day(span.start)}"
    first, last = span.start.date(), span.end.date() - DAY
    if first == last:
        return day(first)
    return _whole(first, last, span.phrase) or _range(first, last)


def _whole(first: date, last: date, phrase: str) -> str:
    """Say whole years and months, seasons, and early, mid or late in one; else nothing."""
    part, whole = bool(_PART.search(phrase)), first.day == 1 and (last + DAY).day == 1
    months = 12 * (last.year - first.year) + last.month - first.month + 1
    if whole and months % 12 == 0 and first.month == 1:
        return f"{first.year}" if months == 12 else f"{first.year}-{last.year}"
    if whole and months == 4 and part:
        return f"{('early', 'mid', 'late')[first.month // 4]} {first.year}"
    if whole and months == 3 and (named := _SEASON.search(phrase)):
        return f"{named.group().lower()} {first.year}"
    if whole:
        start, end = (f"{MONTHS[one.month - 1].title()} {one.year}" for one in (first, last))
        same = first.year == last.year
        return start if months == 1 else f"{start[:-5] if same else start} - {end}"
    if part and first.day in (1, 11, 21) and months == 1 and (last - first).days >= 7:
        return f"{('early', 'mid', 'late')[first.day // 10]} {day(first).partition(' ')[2]}"
    return ""


def _range(first: date, last: date) -> str:
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}-{day(last)}"
    start = day(first) if first.year != last.year else day(first)[:-5]
    return f"{start} - {day(last)}"
