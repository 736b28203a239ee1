"""Instants as numbers: microseconds since 1970 in UTC, which sort, and an offset in seconds.

So what is read is the same instant on the same calendar day that was spoken of.
"""

from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache

from clew.errors import TimeError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def instant(at: datetime | None) -> tuple[int | None, int | None]:
    """Take an instant apart into microseconds since 1970 and its offset in seconds."""
    if at is None:
        return None, None
    offset = at.utcoffset()
    if offset is None:
        raise TimeError(f"The instant {at.isoformat()} has no zone: give it one when it is read.")
    return (at - _EPOCH) // _MICROSECOND, round(offset.total_seconds())


def moment(micros: int | None, offset: int | None) -> datetime | None:
    """Put an instant together again."""
    if micros is None:
        return None
    return (_EPOCH + timedelta(microseconds=micros)).astimezone(_zone(offset or 0))


@lru_cache(maxsize=256)
def _zone(offset: int) -> timezone:
    return timezone(timedelta(seconds=offset))
