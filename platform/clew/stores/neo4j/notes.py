"""What the one writer of a conversation knows without asking: no other may change it.

All of it can be thrown away at any time, and is whenever something goes wrong.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clew.model import Entity, Message, Unit
from clew.stores.ledger import Line
from clew.text import fold

Place = tuple[int, str]  # a position and an id
KEPT = 50_000  # units


@dataclass(slots=True)
class Notes:
    """Units lately read or written, lines of the ledger about units, and who stands where.

    `about`, `speakers`, `names` and `newest` are None, and a session is not in `sessions`,
    until they were read.
    """

    units: dict[str, Unit] = field(default_factory=dict)
    about: dict[str, list[Line]] | None = None
    speakers: dict[str, int] | None = None
    sessions: dict[str, list[Place]] = field(default_factory=dict)
    names: dict[str, set[str]] | None = None  # folded, of the entities that have them
    entities: dict[str, Entity] = field(default_factory=dict)
    newest: Unit | None = None

    def see(self, units: Iterable[Unit]) -> None:
        """Note units that are stored."""
        for unit in units:
            if len(self.units) >= KEPT:
                self.units.clear()
            self.units[unit.id] = unit

    def put(self, unit: Unit) -> None:
        """Note a unit that is written, and its place in its session."""
        old = self.units.get(unit.id, unit)
        if (old.session, old.position) != (unit.session, unit.position):
            self.sessions.clear()
        if self.newest is not None and unit.id == self.newest.id:
            self.newest = None
        elif self.newest is not None:
            self.newest = max(self.newest, unit, key=_said)
        self.see([unit])
        stands = None if unit.level else self.sessions.get(unit.session)
        place = (unit.position, unit.id)
        if stands is not None and not _holds(stands, place):
            insort(stands, place)

    def sit(
        self, session: str, stored: Mapping[str, int], waiting: Iterable[Mapping[str, Any]]
    ) -> None:
        """Note who stands in a session, by what was read and what is still to be sent."""
        places = dict(stored)
        for row in waiting:
            places.pop(row["id"], None)
            if row["properties"]["session"] == session and not row["properties"]["level"]:
                places[row["id"]] = row["properties"]["position"]
        self.sessions[session] = sorted((at, id) for id, at in places.items())

    def before(self, unit: Unit) -> str | None:
        """Return the id that stands before a unit in its session, which was read."""
        stands = self.sessions[unit.session]
        at = bisect_left(stands, (unit.position, unit.id))
        return stands[at - 1][1] if at else None

    def record(self, line: Line) -> None:
        """Note a line that is written."""
        if self.about is not None and line.about is not None:
            self.about.setdefault(line.about, []).append(line)

    def lines(self, ids: Iterable[str]) -> list[Line]:
        """Return the lines about these units, each unit's in order; all were read."""
        about = self.about or {}
        return [line for id in ids for line in about.get(id, ())]

    def meet(self, entities: Iterable[Entity]) -> None:
        """Note entities, those that are stored or one that is written."""
        names = self.names = {} if self.names is None else self.names
        for entity in entities:
            for name in _names(self.entities.get(entity.id)):
                names[name].discard(entity.id)
            self.entities[entity.id] = entity
            for name in _names(entity):
                names.setdefault(name, set()).add(entity.id)

    def called(self, name: str | None) -> list[Entity]:
        """Return the entities of a name, or all; they were read."""
        if name is None or self.names is None:
            return list(self.entities.values())
        return [self.entities[id] for id in self.names.get(fold(name), ())]

    def hear(self, message: Message) -> None:
        """Note who speaks; a speaker who is new or spoke earlier is asked for again."""
        known = self.speakers or {}
        if message.position < known.get(message.speaker, -1) or message.speaker not in known:
            self.speakers = None


def _said(unit: Unit) -> tuple[bool, float, int, str]:
    undated, *_ = unit.order
    return (not undated, *unit.order[1:])


def _names(entity: Entity | None) -> set[str]:
    return set() if entity is None else {fold(n) for n in (entity.name, *entity.aliases)}


def _holds(stands: Sequence[Place], place: Place) -> bool:
    at = bisect_left(stands, place)
    return at < len(stands) and stands[at] == place
