"""Ways to say a day without its date, and which day, week, month or year is meant.

The answers come from plain calendar sums of its own, not from `clew.when`, so that a
dataset can find a fault in that. A weekday is only used when both of its usual readings
(the nearest one, and the one in the neighbouring week) name the same day.
"""

from collections.abc import Callable
from datetime import date, timedelta
from random import Random

MONTHS = (
    "January February March April May June July August September October November December"
).split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
NUMBERS = "zero one two three four five six".split()

Phrase = tuple[str, date]  # an exact day
Told = tuple[str, str]  # a phrase and the answer it stands for


def say(day: date) -> str:
    """Write a day as the answers do."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def exact_past(rng: Random, day: date) -> Phrase:
    """Return a phrase for a day up to two weeks before `day`, and that day."""
    ago = rng.randint(3, 6)
    ways: list[tuple[str, int]] = [
        (rng.choice(("today", "this morning")), 0),
        ("yesterday", 1),
        ("the day before yesterday", 2),
        (f"{rng.choice((NUMBERS[ago], str(ago)))} days ago", ago),
        (f"{rng.choice(('one week', 'two weeks'))} ago today", 0),
    ]
    if day.weekday() > 0:
        back = rng.randint(1, day.weekday())  # in the same week
        ways.append((f"on {WEEKDAYS[day.weekday() - back]}", back))
    if day.weekday() < 6:
        back = rng.randint(day.weekday() + 1, 6)  # in the week before, less than 7 days back
        ways.append((f"last {WEEKDAYS[(day.weekday() - back) % 7]}", back))
    phrase, days = rng.choice(ways)
    days = {"one week ago today": 7, "two weeks ago today": 14}.get(phrase, days)
    return phrase, day - timedelta(days=days)


def past(rng: Random, day: date) -> Told:
    """Return a phrase for a time before `day`, exact or vague, and the answer."""
    return rng.choice((_exact, _exact, _exact, _last_week, _last_month, _month_back, _last_year))(
        rng, day
    )


def coming(rng: Random, day: date) -> Told:
    """Return a phrase for a time after `day`, and the answer."""
    ahead = rng.randint(3, 6)
    ways: list[Callable[[], Told]] = [
        lambda: ("tomorrow", say(day + timedelta(days=1))),
        lambda: ("the day after tomorrow", say(day + timedelta(days=2))),
        lambda: (f"in {NUMBERS[ahead]} days", say(day + timedelta(days=ahead))),
        lambda: ("next month", _month(day, 1)),
    ]
    if day.weekday() > 0:
        on = rng.randint(7 - day.weekday(), 6)  # in the week after, less than 7 days ahead
        weekday = WEEKDAYS[(day.weekday() + on) % 7]
        ways.append(lambda: (f"next {weekday}", say(day + timedelta(days=on))))
    return rng.choice(ways)()


def _exact(rng: Random, day: date) -> Told:
    phrase, meant = exact_past(rng, day)
    return phrase, say(meant)


def _last_week(rng: Random, day: date) -> Told:
    monday = day - timedelta(days=day.weekday() + 7)
    sunday = monday + timedelta(days=6)
    if monday.month != sunday.month:  # a range over two months is written in several ways
        return _exact(rng, day)
    return "last week", f"{monday.day}-{say(sunday)}"


def _last_month(rng: Random, day: date) -> Told:
    return "last month", _month(day, -1)


def _month_back(rng: Random, day: date) -> Told:
    answer = _month(day, -rng.randint(2, 7))
    return f"back in {answer.split()[0]}", answer


def _last_year(rng: Random, day: date) -> Told:
    return "last year", str(day.year - 1)


def _month(day: date, shift: int) -> str:
    year, month = divmod(day.year * 12 + day.month - 1 + shift, 12)
    return f"{MONTHS[month]} {year}"
