"""Calendar arithmetic: days, weeks, weekends, months, seasons and years as stretches.

A stretch is [start, end) in whole days. A week runs from Monday to Sunday; the seasons are
those of the northern hemisphere, three whole months each.
"""

from calendar import monthrange
from datetime import date, timedelta
from typing import Literal, NamedTuple

DAY = timedelta(days=1)
MONTHS = (
    "january february march april may june july august september october november december"
).split()
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  # first month

STEP = {"last": -1, "past": -1, "this": 0, "next": 1, "coming": 1}


class Days(NamedTuple):
    """Whole days [start, end), and how exact that is."""

    start: date
    end: date
    precision: Literal["year", "month", "week", "day"]


def on(day: date) -> Days:
    """Return one day."""
    return Days(day, day + DAY, "day")


def week(day: date, n: int = 0) -> Days:
    """Return the week n weeks after the one that holds a day."""
    monday = day + (7 * n - day.weekday()) * DAY
    return Days(monday, monday + 7 * DAY, "week")


def weekend(day: date, n: int = 0) -> Days:
    """Return the Saturday and Sunday n weeks after those of a day's week."""
    sunday = week(day, n).end
    return Days(sunday - 2 * DAY, sunday, "week")


def month(day: date, n: int = 0) -> Days:
    """Return the month n months after the one that holds a day."""
    start = add_months(day.replace(day=1), n)
    return Days(start, add_months(start, 1), "month")


def year(day: date, n: int = 0) -> Days:
    """Return the calendar year n years after the one that holds a day."""
    start = date(day.year + n, 1, 1)
    return Days(start, date(start.year + 1, 1, 1), "year")


def season(name: str, of: int) -> Days:
    """Return a season by name; a winter belongs to the year it begins in."""
    start = date(of, SEASONS[name], 1)
    return Days(start, add_months(start, 3), "month")


def join(first: Days, last: Days) -> Days:
    """Return the stretch from one to the other; several days are no longer exact to a day."""
    several = first.start != last.start and last.precision == "day"
    return Days(first.start, last.end, "week" if several else last.precision)


def add_months(day: date, n: int) -> date:
    """Move by whole months; the 31st becomes the last day of a shorter month."""
    years, index = divmod(day.month - 1 + n, 12)
    target = date(day.year + years, index + 1, 1)
    return target.replace(day=min(day.day, monthrange(target.year, target.month)[1]))


def weekday_before(day: date, weekday: int) -> date:
    """Return the last such weekday strictly before a day."""
    return day - ((day.weekday() - weekday - 1) % 7 + 1) * DAY


def weekday_after(day: date, weekday: int) -> date:
    """Return the first such weekday strictly after a day."""
    return day + ((weekday - day.weekday() - 1) % 7 + 1) * DAY


def shifted(unit: str, day: date, n: int) -> Days:
    """Return the day, week, weekend, month, year or decade that lies n of them from a day."""
    match unit:
        case "day" | "night":
            return on(day + n * DAY)
        case "week" | "fortnight":
            return week(day, n if unit == "week" else 2 * n)
        case "weekend":
            return weekend(day, n)
        case "month":
            return month(day, n)
        case "decade":
            return year(day, 10 * n)
        case _:
            return year(day, n)


def of_month(text: str) -> int:
    """Return the number of a month by its name or the first three letters of it."""
    return next(n for n, name in enumerate(MONTHS, 1) if name[:3] == text[:3].lower())


def of_weekday(text: str) -> int:
    """Return the number of a weekday, Monday 0, by its name or first letters."""
    return next(n for n, name in enumerate(WEEKDAYS) if name[:3] == text[:3].lower())
