"""How a value of `model` becomes the properties of a node, and the other way round.

Instants are kept as Neo4j's own datetimes, in the offset they were spoken in; `said` repeats
a unit's as a number, because datetimes at the same instant but in different offsets are not
equal to Neo4j. They travel as numbers: the driver's types know offsets of whole minutes only,
and lose a second of an instant before 1970.
"""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from clew.errors import TimeError
from clew.model import Edge, Entity, Evidence, Fact, Message, Unit
from clew.stores.graph import text_hash
from clew.stores.instants import instant, moment
from clew.stores.ledger import Line
from clew.stores.rows import Row, dump, unit_row
from clew.stores.rows import to_message as to_message
from clew.stores.rows import to_unit as from_row
from clew.text import fold
from clew.when import TimeSpan

Properties = Mapping[str, Any]
NEVER = -(2**63)  # the `said` of what was said at no known time: before all else
FARTHEST = 18 * 3600  # seconds from UTC, for Neo4j


def stamped(at: datetime | None) -> Properties | None:
    """Return what Neo4j makes an instant of, with its offset in whole seconds."""
    micros, offset = instant(at)
    if at is None or micros is None or offset is None:
        return None
    if abs(offset) > FARTHEST:
        raise TimeError(
            f"The instant {at.isoformat()} is more than 18 hours from UTC, where no place is and "
            f"Neo4j keeps none: mend it in the data, or set store=sqlite."
        )
    seconds, micros = divmod(micros, 1_000_000)
    zone = f"{'-' if offset < 0 else '+'}{timedelta(seconds=abs(offset))!s:0>8}"
    return {"epochSeconds": seconds, "nanosecond": 1000 * micros, "timezone": zone}


def said(at: datetime | None) -> int:
    """Return an instant as a number that sorts, undated ones first."""
    micros, _ = instant(at)
    return NEVER if micros is None else micros


def unit_properties(unit: Unit, scope: str) -> Properties:
    """Return the row of PUT_UNITS."""
    return {
        "id": unit.id,
        "properties": {"scope": scope, **_own_properties(unit)},
        "said_at": stamped(unit.said_at),
        "starts": stamped(unit.event.start),
        "ends": stamped(unit.event.end),
        "messages": sorted({each.message for each in unit.evidence}),
        "entities": sorted(unit.entities),
        "facts": [_fact(unit, at, fact) for at, fact in enumerate(unit.facts)],
    }


def _own_properties(unit: Unit) -> Properties:
    return {
        "conversation": unit.conversation,
        "id": unit.id,
        "text": unit.text,
        "said": said(unit.said_at),
        "session": unit.session,
        "position": unit.position,
        "speaker": unit.speaker,
        "evidence": [each.message for each in unit.evidence],
        "spans": [place for each in unit.evidence for place in (each.start, each.end)],
        "precision": unit.event.precision,
        "phrase": unit.event.phrase,
        "context": unit.context,
        "keywords": sorted(unit.keywords),
        "entities": sorted(unit.entities),
        "place": unit.place,
        "facts": dump([_flat(fact) for fact in unit.facts]),
        "kind": unit.kind,
        "level": unit.level,
        "spaces": sorted(unit.spaces),
        "stamp": text_hash(unit),
    }


def _flat(fact: Fact) -> Row:
    return (fact.subject, fact.property, fact.value, fact.functional, fact.negated)


def _fact(unit: Unit, at: int, fact: Fact) -> Properties:
    return {
        "id": f"{unit.id}#{at:02d}",
        "conversation": unit.conversation,
        "subject": fact.subject,
        "property": fact.property,
        "value": fact.value,
        "functional": fact.functional,
        "negated": fact.negated,
    }


def to_unit(row: Row, conversation: str) -> Unit:
    """Make a unit of UNIT."""
    (id, text, said, zone, session, position, speaker, messages, spans) = row[:9]
    (starts, starts_zone, ends, ends_zone, precision, phrase, context) = row[9:16]
    (keywords, entities, place, facts, kind, level, spaces) = row[16:]
    evidence = zip(messages, spans[::2], spans[1::2], strict=True)
    return Unit(
        id=id,
        conversation=conversation,
        text=text,
        said_at=None if said == NEVER else moment(said, zone),
        session=session,
        position=position,
        speaker=speaker,
        evidence=tuple([Evidence(*each) for each in evidence]),
        event=TimeSpan(moment(starts, starts_zone), moment(ends, ends_zone), precision, phrase),
        context=context,
        keywords=frozenset(keywords),
        entities=frozenset(entities),
        place=place,
        facts=tuple([Fact(*each) for each in json.loads(facts)]),
        kind=kind,
        level=level,
        spaces=frozenset(spaces),
    )


def message_properties(message: Message) -> Properties:
    """Return the row of PUT_MESSAGES."""
    properties = {
        "conversation": message.conversation,
        "session": message.session,
        "position": message.position,
        "speaker": message.speaker,
        "text": message.text,
        "caption": message.caption,
    }
    return {"id": message.id, "properties": properties, "said_at": stamped(message.said_at)}


def entity_properties(entity: Entity, conversation: str) -> Properties:
    """Return the row of PUT_ENTITIES."""
    properties = {
        "conversation": conversation,
        "name": entity.name,
        "type": entity.type,
        "aliases": list(entity.aliases),
    }
    names = sorted({fold(name) for name in (entity.name, *entity.aliases)})
    return {"id": entity.id, "properties": properties, "names": names}


def to_entity(row: Row) -> Entity:
    """Make an entity of its id, name, type and aliases."""
    id, name, type, aliases = row
    return Entity(id, name, type, tuple(aliases))


def edge_properties(edge: Edge) -> Properties:
    """Return the row of LINK."""
    return {"source": edge.source, "target": edge.target, "weight": edge.weight}


def line_properties(line: Line, conversation: str) -> Properties:
    """Return the row of RECORD."""
    properties = {
        "conversation": conversation,
        "op": line.op,
        "targets": list(line.targets),
        "scores": dump(dict(line.scores)),
        "outcome": line.outcome,
        "reason": line.reason,
        "about": line.about,
        "merged": merged(line.merged),
    }
    return {"seq": line.seq, "properties": properties, "until": stamped(line.until)}


def merged(unit: Unit | None) -> str | None:
    """Return a unit as it stands in the line of its merge."""
    return None if unit is None else dump(unit_row(unit))


def to_line(row: Row, conversation: str) -> Line:
    """Make a line of LINE."""
    seq, op, targets, scores, outcome, reason, about, kept, until, zone = row
    return Line(
        op=op,
        targets=tuple(targets),
        scores=json.loads(scores),
        outcome=outcome,
        reason=reason,
        about=about,
        merged=None if kept is None else from_row(json.loads(kept), conversation),
        until=moment(until, zone),
        seq=seq,
    )
