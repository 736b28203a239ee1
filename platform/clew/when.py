"""Time spans with a precision, and phrases resolved against the moment they were said."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Precision = Literal["unknown", "year", "month", "week", "day", "minute"]


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
