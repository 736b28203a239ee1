"""What the one writer of a conversation knows without asking: no other may change it.

All of it can be thrown away at any time, and is whenever something goes wrong.
"""

from bisect import bisect_left, insort
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from clew.model import Message, Unit
from clew.stores.ledger import Line

Place = tuple[int, str]  # a position and an id
KEPT = 50_000  # units


@dataclass(slots=True)
class Notes:
    """Units lately read or written, lines of the ledger about units, and who stands where.

    `about` and `speakers` are None, and a session is not in `sessions`, until they were read.
    """

    units: dict[str, Unit] = field(default_factory=dict)
    about: dict[str, list[Line]] | None = None
    speakers: dict[str, int] | None = None
    sessions: dict[str, list[Place]] = field(default_factory=dict)

    def see(self, units: Iterable[Unit]) -> None:
        """Note units that are stored."""
        for unit in units:
            if len(self.units) >= KEPT:
                self.units.clear()
            self.units[unit.id] = unit

    def knows(self, ids: Collection[str]) -> bool:
        """Tell whether all of these units are noted."""
        return self.units.keys() >= set(ids)

    def put(self, unit: Unit) -> None:
        """Note a unit that is written, and its place in its session."""
        before = self.units.get(unit.id)
        if before is not None and (before.session, before.position) != (
            unit.session,
            unit.position,
        ):
            self.sessions.clear()
        self.see([unit])
        stands = self.sessions.get(unit.session)
        place = (unit.position, unit.id)
        if stands is not None and not _holds(stands, place):
            insort(stands, place)

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

    def hear(self, message: Message) -> None:
        """Note who speaks; a speaker who is new or spoke earlier is asked for again."""
        known = self.speakers or {}
        if message.position < known.get(message.speaker, -1) or message.speaker not in known:
            self.speakers = None


def _holds(stands: Sequence[Place], place: Place) -> bool:
    at = bisect_left(stands, place)
    return at < len(stands) and stands[at] == place
