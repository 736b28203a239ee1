"""How a value of `model` becomes a row of flat values, and the other way round.

It is the row of a table, or kept as JSON where a unit stands inside something else.
"""

import json
from collections.abc import Sequence
from typing import Any, TypeVar

from clew.errors import StoreError
from clew.model import Entity, Evidence, Fact, Message, Unit
from clew.stores.graph import text_hash
from clew.stores.instants import instant, moment
from clew.when import TimeSpan

Row = Sequence[Any]
Owned = TypeVar("Owned", Message, Unit)
_decoded = json.JSONDecoder().decode
MESSAGE = "id, session, position, speaker, text, said_at, said_zone, caption"
UNIT = """id, text, said_at, said_zone, session, position, speaker, evidence,
    starts, starts_zone, ends, ends_zone, precision, phrase, context,
    keywords, entities, place, facts, kind, level, stamp, spaces"""


def dump(value: Any) -> str:
    """Write a value as JSON that a person can read in the file."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _read(text: str) -> list[Any]:
    return [] if text == "[]" else _decoded(text)


def unit_row(unit: Unit) -> tuple[Any, ...]:
    """Return the columns of UNIT; the stamp is the hash of what its vectors are made from."""
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
        dump(sorted(unit.spaces)),
    )


def to_unit(row: Row, conversation: str) -> Unit:
    """Make a unit of the columns of UNIT."""
    (id, text, said, zone, session, position, speaker, evidence, *time) = row[:14]
    starts, starts_zone, ends, ends_zone, precision, phrase = time
    (context, keywords, entities, place, facts, kind, level, _) = row[14:22]
    spaces = row[22] if len(row) > 22 else "[]"  # older lines of merges know of none
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
        spaces=frozenset(_read(spaces)),
    )


def owned(one: Owned, conversation: str) -> Owned:
    """Return a message or unit of this conversation; another's is refused."""
    if one.conversation != conversation:
        raise StoreError(
            f"{one.id} belongs to conversation {one.conversation}, this store to "
            f"{conversation}: give each conversation a memory of its own."
        )
    return one


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
