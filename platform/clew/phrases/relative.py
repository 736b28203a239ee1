"""Phrases that need the day they were said: "yesterday", "last week", "two weekends ago"."""

from datetime import date, timedelta

from clew.phrases.dates import RULES as DATES
from clew.phrases.dates import part_of
from clew.phrases.days import (
    DAY,
    STEP,
    Days,
    join,
    month,
    of_weekday,
    on,
    shifted,
    week,
    weekday_after,
    weekday_before,
    weekend,
    year,
)
from clew.phrases.grammar import Found, Match, Rule, Said, counted, rule
from clew.phrases.named import RULES as NAMED

RULES: list[Rule] = []
_ANCHOR = (
    r"(?P<anchor>\d{4}-\d\d-\d\d|(?:{WD},? )?(?:the )?{D}(?: of)? {MON}(?:,? {Y})?"
    r"|(?:{WD},? )?{MON} (?:the )?{D}(?:,? {Y})?|{MONTH},? {Y}|yesterday|today|tomorrow"
    r"|(?:last|next|this) (?:{UNIT}|{WD}|{MONTH}|{SEASON})|{WEEKDAY}|last|next)"
)


@rule(
    RULES,
    r"(?:every|each|most|any|all)(?: other| single| second)? "
    r"(?:{WD}|{UNIT}|{MONTH}|{SEASON}|{OFDAY})[a-z]*",
    r"(?:{WEEKDAY}|{OFDAY}|{UNIT})s? (?:and|or|to|through) {WEEKDAY}s",
    r"(?:feels?|felt|seems?|seemed) like(?: it was)?(?: just| only)? "
    r"(?:yesterday|last (?:week|year))",
)
def _undated(match: Match, said: Said) -> Found:
    return None  # a habit, or a way of speaking


@rule(
    RULES,
    r"(?:the )?(?:(?P<n>{N}) )?(?P<u>{UNIT}|{WD})s? "
    r"(?P<side>before|after|prior to|following|of|from) " + _ANCHOR,
)
def _beside(match: Match, said: Said) -> Found:
    text, unit, side = match["anchor"].lower(), match["u"].lower(), match["side"].lower()
    least, most = counted(match["n"], unit) if match["n"] else (1, 1)
    anchor: Days | None
    if text in ("last", "next"):
        anchor = _step(unit, on(said.today), -1 if text == "last" else 1)
    else:
        anchor = read_days(match["anchor"], said)
    if anchor is None:
        return None
    if side == "of":
        return None if match["n"] else _within(unit, anchor)
    way = -1 if side in ("before", "prior to") else 1
    return join(*sorted((_step(unit, anchor, way * least), _step(unit, anchor, way * most))))


def read_days(text: str, said: Said) -> Days | None:
    """Read a phrase that is nothing but days, whichever rule it takes."""
    for one in (*RULES, *NAMED, *DATES):
        if (match := one.pattern.fullmatch(text)) and isinstance(
            days := one.read(match, said), Days
        ):
            return days
    return None


def _step(unit: str, anchor: Days, n: int) -> Days:
    """Return the n-th such unit or weekday after an anchor, before it if n is negative."""
    edge = anchor.start if n < 0 else anchor.end - DAY
    if unit in ("night", "day", "week", "weekend", "fortnight", "month", "year", "decade"):
        return shifted(unit, edge, n)
    step = weekday_before if n < 0 else weekday_after
    nearest = step(edge, of_weekday(unit))
    return on(nearest + (n + 1 if n < 0 else n - 1) * 7 * DAY)


def _within(unit: str, anchor: Days) -> Days | None:
    if unit in ("day", "night"):
        return anchor
    if unit in ("week", "weekend", "month", "year"):
        return shifted(unit, anchor.start, 0) if anchor.precision == "day" else None
    if anchor.precision == "week":
        return on(week(anchor.start).start + of_weekday(unit) * DAY)
    return None


@rule(
    RULES,
    r"(?:the )?(?P<n>first|second|third|fourth|last) (?P<u>week|weekend|{WEEKDAY}) (?:of|in) "
    r"(?P<anchor>{MONTH}(?:,? {Y})?|(?:last|this|next) month|the month)",
)
def _nth_of(match: Match, said: Said) -> Found:
    text, unit = match["anchor"], match["u"].lower()
    whole = read_days(text if " " in text else f"in {text}", said)
    whole = month(said.today) if text.lower() == "the month" else whole
    if whole is None:
        return None
    n = {"first": 0, "second": 1, "third": 2, "fourth": 3}.get(match["n"].lower(), -1)
    if unit == "week":
        start = whole.end - 7 * DAY if n < 0 else whole.start + 7 * n * DAY
        return Days(start, start + 7 * DAY, "week")
    number = 5 if unit == "weekend" else of_weekday(unit)
    first = weekday_after(whole.start - DAY, number) + 7 * n * DAY
    day = weekday_before(whole.end, number) if n < 0 else first
    return Days(day, day + 2 * DAY, "week") if unit == "weekend" else on(day)


@rule(RULES, r"this time last (?P<u>year|month|week)")
def _this_time(match: Match, said: Said) -> Found:
    if match["u"].lower() == "year":
        return month(said.today, -12)
    return shifted(match["u"].lower(), said.today, -1)


@rule(RULES, r"(?P<part>{PARTOF}) the (?P<u>month|year)")
def _part_of_this(match: Match, said: Said) -> Found:
    return part_of(shifted(match["u"].lower(), said.today, 0), match["part"])


@rule(
    RULES,
    r"(?P<wd>{WD})(?: {OFDAY})?(?: of|,)? (?P<rel>last|this|next) week",
    r"(?P<rel>last|this|next) week(?:'s| on|,)? (?P<wd>{WD})(?: {OFDAY})?",
)
def _weekday_of_week(match: Match, said: Said) -> Found:
    monday = week(said.today, STEP[match["rel"].lower()]).start
    return on(monday + of_weekday(match["wd"]) * DAY)


@rule(
    RULES,
    r"(?:(?:early|late)(?:er)? )?(?P<word>today|tonight|yesterday|tomorrow|tmrw)(?: {OFDAY})?",
    r"this {OFDAY}",
    r"(?P<word>last) (?:night|evening)",
)
def _near(match: Match, said: Said) -> Found:
    word = (match.groupdict().get("word") or "today").lower()
    offset = {"yesterday": -1, "last": -1, "tomorrow": 1, "tmrw": 1}.get(word, 0)
    return on(said.today + offset * DAY)


@rule(
    RULES,
    r"(?P<n>{N})(?: |-)(?P<u>minute|hour|{UNIT}|{WEEKDAY})s?(?P<half> and a half)? (?:ago|back)",
    r"(?P<n>{N})(?P<half> and a half) (?P<u>year|decade)s? (?:ago|back)",
    r"half an? (?P<u>minute|hour|day|month|year|decade) (?:ago|back)",
)
def _ago(match: Match, said: Said) -> Found:
    parts, unit = match.groupdict(), match["u"].lower()
    least, most = counted(match["n"], unit) if "n" in parts else (0, 0)
    if unit in ("minute", "hour"):
        return _passed(said, timedelta(**{f"{unit}s": most}))
    if unit in ("year", "decade") and ("n" not in parts or parts["half"]):
        months = 12 if unit == "year" else 120
        return month(said.today, -(months * most + months // 2))
    return join(*(_step(unit, on(said.today), -n) for n in (most, least)))


def _passed(said: Said, gone: timedelta) -> Days | None:
    return on((said.at - gone).date()) if said.at else None


@rule(
    RULES,
    r"(?P<n>{N}) (?P<u>{UNIT})s? from (?:now|today)",
    r"in (?P<n>{N}) (?P<u>{UNIT})s?(?P<time>'? time)?",
)
def _from_now(match: Match, said: Said) -> Found:
    if "time" in match.groupdict() and not match["time"] and not said.ahead:
        return None  # "I learnt it in two weeks" is how long it took
    least, most = counted(match["n"], match["u"].lower())
    return join(*(shifted(match["u"].lower(), said.today, n) for n in (least, most)))


@rule(RULES, r"(?:these|(?:the )?(?P<rel>last|past|next|coming)) (?P<n>{N}) (?P<u>{UNIT})s?")
def _stretch(match: Match, said: Said) -> Found:
    n = counted(match["n"], match["u"].lower())[1]
    forward = (match["rel"] or "last").lower() in ("next", "coming")
    return _trailing(match["u"].lower(), n, said.today, forward)


def _trailing(unit: str, n: int, today: date, forward: bool = False) -> Days | None:
    """Return the last or next n units, counted from the day itself."""
    way = 1 if forward else -1
    if unit in ("year", "decade"):
        n = 10 * n if unit == "decade" else n
        return join(*sorted((year(today), year(today, way * n))))
    if unit == "month":
        return join(*sorted((month(today), month(today, way * n))))
    far = today + way * n * {"week": 7, "weekend": 7, "fortnight": 14}.get(unit, 1) * DAY
    first, last = sorted((today, far))
    return Days(first, last + DAY, "week")


@rule(
    RULES,
    r"(?:(?P<part>{PARTOF}|earlier|later) )?(?P<lead>(?:the|my|our|your|his|her|their) )?"
    r"(?P<rel>{REL}) (?P<u>weekend|week|fortnight|month|year|decade)(?! of(?! (?:last|this|next)))",
)
def _unit(match: Match, said: Said) -> Found:
    lead, rel, unit = match["lead"], match["rel"].lower(), match["u"].lower()
    if lead and (not lead.lower().startswith("the") or rel == "next"):
        return None  # "my last year" and "the next week" are counted from elsewhere
    if unit == "weekend":
        return _weekend(rel, said)
    if rel in ("past", "this past") or (lead and rel == "last"):
        return _trailing(unit, 1, said.today)
    days = shifted(unit, said.today, STEP[rel.split()[-1]])
    part = (match["part"] or "").lower()
    return part_of(days, part) if unit in ("month", "year") and part[-2:] != "er" else days


def _weekend(rel: str, said: Said) -> Days:
    at_it = said.today.weekday() >= 5
    if rel == "this past" or (rel == "this" and said.ahead is False):
        return weekend(said.today, 0 if at_it else -1)
    if rel in ("this", "coming", "this coming", "the coming"):
        return weekend(said.today)
    return weekend(said.today, STEP[rel])


@rule(RULES, r"(?:over|at|during|on|for) (?P<core>the weekend)(?! (?:before|after|of))")
def _the_weekend(match: Match, said: Said) -> Found:
    return _weekend("coming" if said.ahead else "this past", said)
