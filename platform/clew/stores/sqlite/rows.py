"""How a value of `model` becomes a row of the SQLite store, and the other way round.

An instant is kept as microseconds since 1970 in UTC, which sorts, and the offset it was
spoken in, in seconds; so what is read is the same instant on the same calendar day.
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import Any

from clew.errors import TimeError
from clew.model import Entity, Evidence, Fact, Message, Unit
from clew.stores.graph import text_hash
from clew.when import TimeSpan

Row = Sequence[Any]
_decoded = json.JSONDecoder().decode
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

MESSAGE = "id, session, position, speaker, text, said_at, said_zone, caption"
UNIT = """id, text, said_at, said_zone, session, position, speaker, evidence,
    starts, starts_zone, ends, ends_zone, precision, phrase, context,
    keywords, entities, place, facts, kind, level"""


def dump(value: Any) -> str:
    """Write a value as JSON that a person can read in the file."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _read(text: str) -> list[Any]:
    return [] if text == "[]" else _decoded(text)


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


def unit_row(unit: Unit) -> tuple[Any, ...]:
    """Return the columns of UNIT, and the hash of the unit's texts."""
    return (
        unit.id,
        unit.text,
        *instant(unit.said_at),
        unit.session,
        unit.position,
        unit.speaker,
        dump([(e.message, e.start, e.end) for e in unit.evidence]),
        *instant(unit.event.start),
        *instant(unit.event.end),
        unit.event.precision,
        unit.event.phrase,
        unit.context,
        dump(sorted(unit.keywords)),
        dump(sorted(unit.entities)),
        unit.place,
        dump([(f.subject, f.property, f.value, f.functional, f.negated) for f in unit.facts]),
        unit.kind,
        unit.level,
        text_hash(unit),
    )


def to_unit(row: Row, conversation: str) -> Unit:
    """Make a unit of the columns of UNIT."""
    (id, text, said, zone, session, position, speaker, evidence, *time) = row[:14]
    starts, starts_zone, ends, ends_zone, precision, phrase = time
    (context, keywords, entities, place, facts, kind, level) = row[14:21]
    return Unit(
        id=id,
        conversation=conversation,
        text=text,
        said_at=moment(said, zone),
        session=session,
        position=position,
        speaker=speaker,
        evidence=tuple([Evidence(*each) for each in _read(evidence)]),
        event=TimeSpan(moment(starts, starts_zone), moment(ends, ends_zone), precision, phrase),
        context=context,
        keywords=frozenset(_read(keywords)),
        entities=frozenset(_read(entities)),
        place=place,
        facts=tuple([Fact(*each) for each in _read(facts)]),
        kind=kind,
        level=level,
    )


def message_row(message: Message) -> tuple[Any, ...]:
    """Return the columns of MESSAGE."""
    return (
        message.id,
        message.session,
        message.position,
        message.speaker,
        message.text,
        *instant(message.said_at),
        message.caption,
    )


def to_message(row: Row, conversation: str) -> Message:
    """Make a message of the columns of MESSAGE."""
    id, session, position, speaker, text, said, zone, caption = row
    return Message(id, conversation, session, position, speaker, text, moment(said, zone), caption)


def to_entity(row: Row) -> Entity:
    """Make an entity of its id, name, type and aliases."""
    id, name, type, aliases = row
    return Entity(id, name, type, tuple(json.loads(aliases)))
