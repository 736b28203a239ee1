"""Named times without a date: weekdays, months, seasons and feasts, as "last", "this", "next"."""

from datetime import date

from clew.phrases.dates import every_month, every_year, last_or_next, part_of
from clew.phrases.days import (
    DAY,
    SEASONS,
    STEP,
    Days,
    month,
    of_month,
    of_weekday,
    on,
    season,
    week,
    weekday_after,
    weekday_before,
)
from clew.phrases.grammar import Found, Match, Rule, Said, rule

RULES: list[Rule] = []
_HOLIDAYS = {"christmas": (12, 25), "halloween": (10, 31), "valentine": (2, 14)} | {
    "boxing": (12, 26), "new": (1, 1), "christmas eve": (12, 24), "new eve": (12, 31),
}  # fmt: skip


@rule(
    RULES,
    r"(?:(?:in|during|since) )?(?P<core>(?P<m>{MONTH}|{SEASON})(?: of|,)? "
    r"(?P<rel>last|this|next) year)",
    r"(?P<rel>last|this|next) year,? in (?:the )?(?P<m>{MONTH}|{SEASON})",
)
def _in_year(match: Match, said: Said) -> Found:
    name, of = match["m"].lower(), said.today.year + STEP[match["rel"].lower()]
    return season(name, of) if name in SEASONS else month(date(of, of_month(name), 1))


def _relative_to(rel: str, candidates: list[Days], said: Said, current: Days) -> Days | None:
    """Choose among occurrences by "last", "this" or "next"."""
    if rel == "this":
        return current
    if rel in ("next", "coming", "this coming"):
        return min((days for days in candidates if days.start > said.today), default=None)
    return max((days for days in candidates if days.end <= said.today), default=None)


@rule(RULES, r"(?:(?P<part>{PARTOF}) )?(?P<rel>{REL}) (?P<m>{MONTH})(?!'s|,? \d)")
def _month(match: Match, said: Said) -> Found:
    if match["m"] in ("may", "march"):
        return None  # "this may take a while"
    around = every_month(said.today, of_month(match["m"]))
    days = _relative_to(match["rel"].lower(), around, said, around[1])
    return days and part_of(days, match["part"])


@rule(
    RULES,
    r"(?:(?P<part>{PARTOF}) )?(?:the )?(?P<rel>{REL}) (?P<s>{SEASON})",
    r"(?:in|during|since|over|for|until) (?:the )?(?P<core>(?:(?P<part>early|mid|late) )?"
    r"(?P<s>{SEASON}))(?!,? (?:of )?\d| (?:break|clean|fashion|coat|sport|semester|camp|job))",
)
def _season(match: Match, said: Said) -> Found:
    around = [season(match["s"].lower(), said.today.year + n) for n in (-2, -1, 0, 1)]
    rel = match.groupdict().get("rel")
    if rel is None:
        days = last_or_next(around, said)
    else:
        now = [one for one in around if one.start <= said.today < one.end]
        days = _relative_to(rel.lower(), around, said, (now or around[2:])[0])
    return days and part_of(days, match["part"])


@rule(
    RULES,
    r"(?P<rel>{REL}) (?P<wd>{WD})(?: {OFDAY})?(?!,? (?:the )?\d)",
    r"(?:on|(?P<to>by|until|till|come)|since|from|for) (?P<core>(?P<wd>{WD})(?: {OFDAY})?)"
    r"(?!,? (?:the )?\d|,? {MON} \d)",
    r"(?P<wd>{WEEKDAY}) {OFDAY}",
    r"(?P<wd>(?-i:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(?=\s?(?:[.,!?;)]|$)| at )"
    r"(?!, (?:{MON} )?\d)",
)
def _weekday(match: Match, said: Said) -> Found:
    words = match.groupdict()
    number, rel = of_weekday(match["wd"]), (words.get("rel") or "").lower()
    if rel == "this":
        return on(_this(week(said.today).start + number * DAY, said))
    if rel:
        ahead: bool | None = rel in ("next", "coming", "this coming")
    else:
        ahead = said.ahead is not False if words.get("to") else said.ahead
    return on((weekday_after if ahead else weekday_before)(said.today, number))


def _this(day: date, said: Said) -> date:
    """Move this week's day by a week where its clause says that it is past, or is to come."""
    ahead = said.ahead
    if ahead is None or day == said.today or (day > said.today) == ahead:
        return day
    return day + 7 * DAY if ahead else day - 7 * DAY


@rule(
    RULES,
    r"(?P<rel>{REL}) {FEAST}",
    r"(?:on|at|since|over|for|until|by) (?P<core>{FEAST})(?!,? (?:of )?\d)",
    r"{FEAST},? (?:of )?(?P<y>{Y})",
)
def _holiday(match: Match, said: Said) -> Found:
    name = match["h"].lower().split()[0] + (" eve" if match["eve"] else "")
    when = _HOLIDAYS.get(name, _HOLIDAYS[name.split()[0]])
    if "y" in match.groupdict():
        return on(date(int(match["y"]), *when))
    days = every_year(said.today, *when)
    rel = match.groupdict().get("rel")
    if rel is None:
        return last_or_next(days, said)
    current = next(one for one in days if one.start.year == said.today.year)
    return _relative_to(rel.lower(), days, said, current)
