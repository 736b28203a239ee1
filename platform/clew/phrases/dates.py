"""Dates and times of day, with or without a year: "9 May 2031", "June", "in 2016", "at 3pm"."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta

from clew.phrases.days import (
    DAY,
    Days,
    add_months,
    join,
    month,
    of_month,
    on,
    season,
    year,
)
from clew.phrases.grammar import Found, Match, Rule, Said, rule

RULES: list[Rule] = []
_ANY_YEAR = range(-8, 9)  # 29 February is at most eight years off


def nearest(candidates: Iterable[Days], said: Said) -> Days | None:
    """Choose the occurrence that is meant: ahead, behind, or else the nearest."""
    today, ahead, far = said.today, said.ahead, timedelta.max

    def distance(days: Days) -> timedelta:
        late, early = days.start > today, days.end <= today
        if (late and ahead is False) or (early and ahead):
            return far
        return days.start - today if late else today + DAY - days.end if early else timedelta()

    return min(candidates, key=distance, default=None)


def last_or_next(candidates: Iterable[Days], said: Said) -> Days | None:
    """Choose the latest that has begun, or for a plan the first that is not yet over."""
    days = sorted(candidates)
    if said.ahead:
        return next((one for one in days if one.end > said.today), None)
    return next((one for one in reversed(days) if one.start <= said.today), None)


def every_year(today: date, number: int, day: int) -> list[Days]:
    """Return a day of the calendar in the years around."""
    found = []
    for n in _ANY_YEAR:
        try:
            found.append(on(date(today.year + n, number, day)))
        except ValueError:
            continue  # no 29 February in that year
    return found


def every_month(today: date, number: int) -> list[Days]:
    """Return a month of the calendar in the years around."""
    return [month(date(today.year + n, number, 1)) for n in (-1, 0, 1)]


def part_of(days: Days, part: str | None) -> Days:
    """Return the early, middle or late third of a stretch; the whole without a part."""
    if not part:
        return days
    word = part.lower().split()[-2 if part.lower().endswith("of") else -1]
    third = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1}.get(word, 2)
    if days.precision == "month" and (days.end - days.start).days < 32:
        cuts = [days.start, days.start + 10 * DAY, days.start + 20 * DAY, days.end]
        return Days(cuts[third], cuts[third + 1], "week")
    months = 1 if (days.end - days.start).days < 100 else 4
    start = add_months(days.start, third * months)
    return Days(start, add_months(start, months), "month")


def _number(text: str) -> int:
    return int("".join(char for char in text if char.isdigit()))


def _verb(match: Match) -> bool:
    """Tell whether "may" or "march" beside a bare number is the verb ("12 may enter")."""
    if match["m"] not in ("may", "march") or match["y"] or not match["d"].isdigit():
        return False
    before = match.string[max(0, match.start() - 12) : match.start()].split()
    leads = before and before[-1].lower() in ("on", "since", "until", "till", "by", "from")
    return not leads or match.start("m") < match.start("d")


def _day(match: Match, said: Said, number: int, day: int) -> Days | None:
    if match["y"]:
        return on(date(int(match["y"]), number, day))
    return nearest(every_year(said.today, number, day), said)


@rule(
    RULES,
    r"(?P<date>\d{4}-\d\d-\d\d)(?:(?:T| )"
    r"(?P<time>\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?))?",
)
def _iso(match: Match, said: Said) -> Found:
    if match["time"]:
        return datetime.fromisoformat(f"{match['date']}T{match['time'].upper()}")
    return on(date.fromisoformat(match["date"]))


@rule(
    RULES,
    r"(?P<y>{Y})[/.](?P<b>\d\d?)[/.](?P<a>\d\d?)",
    r"(?P<a>\d\d?)[/.](?P<b>\d\d?)[/.](?P<y>{Y})",
)
def _numeric(match: Match, said: Said) -> Found:
    first, second = int(match["a"]), int(match["b"])
    if match.start("y") == match.start():
        return on(date(int(match["y"]), second, first))
    if first != second and max(first, second) <= 12:
        return None  # day and month could be either
    return on(date(int(match["y"]), min(first, second), max(first, second)))


@rule(
    RULES,
    r"(?P<d>{D}) (?P<m>{MON})(?:,? (?P<y>{Y}))?{TO}(?P<e>{D}) (?P<n>{MON})(?:,? (?P<z>{Y}))?",
    r"(?P<m>{MON}) (?P<d>{D})(?:,? (?P<y>{Y}))?{TO}(?P<n>{MON}) (?P<e>{D})(?:,? (?P<z>{Y}))?",
)
def _from_to(match: Match, said: Said) -> Found:
    first, last = of_month(match["m"]), of_month(match["n"])
    ends = match["z"] or match["y"]
    close = nearest(every_year(said.today, last, _number(match["e"])), said) if not ends else None
    until = int(ends) if ends else close.start.year if close else 0
    since = int(match["y"]) if match["y"] else until - (first > last)
    start = on(date(since, first, _number(match["d"])))
    return _forward(start, on(date(until, last, _number(match["e"]))))


def _forward(first: Days, last: Days) -> Days | None:
    if last.end <= first.start:
        return None
    return join(first, last)


@rule(
    RULES,
    r"(?:{WD},? )?(?:the )?(?P<d>{D})(?:{TO}(?:the )?(?P<e>{D}))?(?: of)?(?: |-)(?P<m>{MON})"
    r"(?:(?:,? |-)(?P<y>{Y}))?",
    r"(?:{WD},? )?(?P<m>{MON}) (?:the )?(?P<d>{D})(?![.:/]\d)"
    r"(?:{TO}(?:the )?(?P<e>{D})(?![.:/]\d))?(?:,? (?P<y>{Y}))?",
)
def _day_of_month(match: Match, said: Said) -> Found:
    if _verb(match):
        return None
    number, day = of_month(match["m"]), _number(match["d"])
    first = _day(match, said, number, day)
    if first is None or not match["e"]:
        return first
    return _forward(first, on(first.start.replace(day=_number(match["e"]))))


@rule(RULES, r"(?P<m>{MONTH})(?: (?P<y>{Y}))?{TO}(?P<n>{MONTH}),? (?P<z>{Y})")
def _months(match: Match, said: Said) -> Found:
    first, last, until = of_month(match["m"]), of_month(match["n"]), int(match["z"])
    since = int(match["y"]) if match["y"] else until - (first > last)
    return _forward(month(date(since, first, 1)), month(date(until, last, 1)))


@rule(RULES, r"(?:(?P<part>{PARTOF})(?: |-))?(?P<m>{MON})(?: of)?,? (?P<y>{Y})")
def _month_of_year(match: Match, said: Said) -> Found:
    return part_of(month(date(int(match["y"]), of_month(match["m"]), 1)), match["part"])


@rule(
    RULES,
    r"(?P<part>{PARTOF})(?: |-)(?P<m>{MONTH})",
    r"(?:in|since|until|till|during) (?P<core>(?P<m>{MONTH}))(?!'s|,? \d)",
    r"(?:by|from|for|around|of|about) (?P<core>(?P<m>(?-i:January|February|July|September|October"
    r"|November|December)))(?!'s|,? \d)",
    r"(?:in|since|until|till|by) (?P<core>(?P<m>(?-i:Feb|Aug|Sept?|Oct|Nov|Dec)\b))(?!\.? \d)",
    r"(?P<m>(?-i:January|February|July|September|October|November|December))(?!'s|,? \d)",
)
def _month(match: Match, said: Said) -> Found:
    part = match.groupdict().get("part")
    days = last_or_next(every_month(said.today, of_month(match["m"])), said)
    return days and part_of(days, part)


@rule(RULES, r"(?:(?P<part>{PARTOF})(?: |-))?(?P<s>{SEASON})(?: of|,)? (?P<y>{Y})")
def _season(match: Match, said: Said) -> Found:
    return part_of(season(match["s"].lower(), int(match["y"])), match["part"])


@rule(RULES, r"(?P<y>{Y}){TO}(?P<z>{Y})(?![-/\d])")
def _years(match: Match, said: Said) -> Found:
    first, last = int(match["y"]), int(match["z"])
    return join(year(date(first, 1, 1)), year(date(last, 1, 1))) if first < last else None


_COUNTED = (
    r"(?!'s|[-/:]\d|[.,]\d|\s?(?:%|[a-z]*(?:people|steps|words|miles|met(?:er|re)s|feet|euros"
)
_COUNTED += "|dollars|bucks|calories|pages|points|copies|followers|members|hours|minutes|pieces)))"


@rule(
    RULES,
    r"(?P<part>{PARTOF})(?: |-)(?P<y>{Y})" + _COUNTED,
    r"(?:in|since|until|till|by|during|around|from|of|back in|the year|summer) (?P<core>(?P<y>{Y}))"
    + _COUNTED,
)
def _year(match: Match, said: Said) -> Found:
    return part_of(year(date(int(match["y"]), 1, 1)), match.groupdict().get("part"))


@rule(RULES, r"(?:the )?(?:(?:early|mid|late)(?: |-))?(?P<y>1[6-9]\d|20\d)0s")
def _decade(match: Match, said: Said) -> Found:
    first = year(date(int(match["y"]) * 10, 1, 1))
    return join(first, year(first.start, 9))


@rule(RULES, r"on the (?P<core>(?P<d>\d\d?)(?:st|nd|rd|th))(?=\s*(?:[.,!?;)]|$)| (?:at|and|we|i) )")
def _nth(match: Match, said: Said) -> Found:
    found = []
    for n in (-2, -1, 0, 1, 2):
        first = month(said.today, n)
        day = first.start + (int(match["d"]) - 1) * DAY
        found += [on(day)] if day < first.end else []
    return nearest(found, said)


@rule(
    RULES,
    r"(?<![\d:.,/$\u20ac-])(?P<h>1[0-2]|0?[1-9])(?:[:.](?P<min>[0-5]\d))?\s?(?P<half>[ap])(?:m\b|\.m\b\.?)",
    r"(?<![\d:.,/$\u20ac-])(?P<h>[01]?\d|2[0-3]):(?P<min>[0-5]\d)(?!:?\d|%)(?P<half>)",
)
def _clock(match: Match, said: Said) -> Found:
    hour = int(match["h"])
    if match["half"]:
        hour = hour % 12 + 12 * (match["half"].lower() == "p")
    return time(hour, int(match["min"] or 0))


@rule(RULES, r"(?:at|around|by|until|before|after) (?P<core>noon)")
def _noon(match: Match, said: Said) -> Found:
    return time(12)
