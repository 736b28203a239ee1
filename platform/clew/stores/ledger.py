"""The ledger, the same in every store: decisions as lines, and what these say of a unit today.

A store keeps lines and finds them again; what they mean is worked out here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import assert_never

from clew.model import Add, Decision, Drop, Ingest, Merge, Supersede, Unit, View
from clew.stores.graph import Entry


@dataclass(frozen=True, slots=True)
class Line:
    """A decision as it is kept; `seq` counts from 1, and 0 says that it is yet to be given.

    `about` is the unit that is seen differently from now on, if there is one: `merged` is
    what was merged into it, `until` when it stopped being true.
    """

    op: str
    targets: tuple[str, ...]
    scores: Mapping[str, float] = field(default_factory=dict)
    outcome: str = ""
    reason: str = ""
    about: str | None = None
    merged: Unit | None = None
    until: datetime | None = None
    seq: int = 0


def line(decision: Decision) -> Line:
    """Return the line that keeps a decision."""
    match decision:
        case Add(unit):
            return Line("ADD", (unit.id,))
        case Merge(unit, known, likeness, overlap):
            scores = {"likeness": likeness, "overlap": overlap}
            return Line("MERGE", (unit.id, known.id), scores, about=known.id, merged=unit)
        case Supersede(unit, known, likeness, overlap, ends):
            scores = {"likeness": likeness, "overlap": overlap, "ends": float(ends)}
            if not ends:
                return Line("SUPERSEDE", (unit.id, known.id), scores)
            earlier, later = decision.states
            end = later.valid_from
            return Line("SUPERSEDE", (unit.id, known.id), scores, about=earlier.id, until=end)
        case Drop(message, known_id, likeness):
            return Line("DROP", (message.id, known_id), {"likeness": likeness})
        case Ingest(messages, units, outcome, reason, figures):
            ids = tuple(message.id for message in messages)
            scores = {"units": float(units), **{name: float(n) for name, n in figures.items()}}
            return Line("INGEST", ids, scores, outcome, reason)
        case _:
            assert_never(decision)


def forgotten(messages: Iterable[str]) -> Line:
    """Return the line that keeps forgotten messages from coming back."""
    return Line("FORGET", tuple(sorted(messages)))


def entry(line: Line) -> Entry:
    """Return what people are told of a line."""
    reason = f"{line.outcome}: {line.reason}".strip(" :")
    return Entry(line.seq, line.op, line.targets, dict(line.scores), reason)


def processed(lines: Iterable[Line]) -> set[str]:
    """Return the messages that need not come in again."""
    done: set[str] = set()
    for one in lines:
        if one.op in ("INGEST", "FORGET") and one.outcome != "failed":
            done.update(one.targets)
        elif one.op == "DROP":
            done.add(one.targets[0])
    return done


def ends(lines: Iterable[Line]) -> dict[str, float]:
    """Return the instants, in seconds, at which units stop being true."""
    found: dict[str, float] = {}
    for one in lines:
        if one.about is not None and one.until is not None:
            seconds = one.until.timestamp()
            found[one.about] = min(seconds, found.get(one.about, seconds))
    return found


def views(units: Iterable[Unit], lines: Iterable[Line]) -> dict[str, View]:
    """Return what lines, in the order they were recorded, say of these units."""
    about: dict[str, list[Line]] = {}
    for one in lines:
        if one.about is not None:
            about.setdefault(one.about, []).append(one)
    return {unit.id: _view(unit, about.get(unit.id, ())) for unit in units}


def _view(unit: Unit, about: Sequence[Line]) -> View:
    told = [unit, *(one.merged for one in about if one.merged is not None)]
    over = [one.until for one in about if one.op == "SUPERSEDE"]
    said = [one.said_at for one in told if one.said_at is not None]
    messages = [each.message for one in told for each in one.evidence]
    return View(
        status="superseded" if over else "active",
        valid_to=min((at for at in over if at is not None), default=None),
        last_seen=max(said, default=None),
        messages=tuple(dict.fromkeys(messages)),
    )
