"""The ledger, the same in every store: decisions as lines, and what these say of a unit today.

A store keeps lines and finds them again; what they mean is worked out here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import assert_never

from clew.errors import StoreError
from clew.model import (
    STORED,
    Abstract,
    Add,
    Archive,
    Decision,
    Drop,
    Edge,
    Ingest,
    Merge,
    Relate,
    Supersede,
    Unit,
    View,
)
from clew.stores.graph import Entry, Stamp


@dataclass(frozen=True, slots=True)
class Line:
    """A decision, or a part of one, as it is kept; `seq` counts from 1, 0 is yet to be given.

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


def kept(decision: Decision) -> list[Line]:
    """Return the lines that keep a decision.

    Raises:
        StoreError: it says what cannot be.
    """
    match decision:
        case Add(unit):
            return [Line("ADD", (unit.id,))]
        case Merge():
            return [_merged(decision)]
        case Supersede():
            return [_superseded(decision)]
        case Abstract():
            return [_abstracted(decision)]
        case Archive(unit, under):
            return [Line("ARCHIVE", (unit.id, under.id), about=unit.id)]
        case Relate(edges):
            return [_related(edge) for edge in edges]
        case Drop(message, "", _):
            return [Line("DROP", (message.id,))]
        case Drop(message, known_id, likeness):
            return [Line("DROP", (message.id, known_id), {"likeness": likeness})]
        case Ingest(messages, units, outcome, reason, figures):
            ids = tuple(message.id for message in messages)
            scores = {"units": float(units), **{name: float(n) for name, n in figures.items()}}
            return [Line("INGEST", ids, scores, outcome, reason)]
        case _:
            assert_never(decision)


def _merged(decision: Merge) -> Line:
    unit, known = decision.unit, decision.known
    if known.level > 0:
        raise StoreError(
            f"{unit.id} cannot be merged into the abstract unit {known.id}, whose words are not "
            f"its own: add it, or merge it into what that abstract tells of."
        )
    scores = {"likeness": decision.likeness, "overlap": decision.overlap}
    return Line("MERGE", (unit.id, known.id), scores, about=known.id, merged=unit)


def _superseded(decision: Supersede) -> Line:
    unit, known, ends = decision.unit, decision.known, decision.ends
    scores = {"likeness": decision.likeness, "overlap": decision.overlap, "ends": float(ends)}
    if not ends:
        return Line("SUPERSEDE", (unit.id, known.id), scores)
    earlier, later = decision.states
    end = later.valid_from
    return Line("SUPERSEDE", (unit.id, known.id), scores, about=earlier.id, until=end)


def _abstracted(decision: Abstract) -> Line:
    unit, members = decision.unit, decision.members
    if not members or unit.level <= max(member.level for member in members):
        raise StoreError(
            f"The abstract unit {unit.id} has level {unit.level}: it has to have members, and "
            f"a level above theirs."
        )
    heard = {each.message for member in members for each in member.evidence}
    if lacking := sorted(heard - {each.message for each in unit.evidence}):
        raise StoreError(
            f"The abstract unit {unit.id} tells of {', '.join(lacking)} without saying so: its "
            f"evidence has to have that of its members, to be forgotten with it."
        )
    return Line("ABSTRACT", (unit.id, *(member.id for member in members)))


def _related(edge: Edge) -> Line:
    if edge.kind not in STORED:
        raise StoreError(
            f"Edges of kind {edge.kind!r} are not stored: relate units by one of "
            f"{', '.join(sorted(STORED))}."
        )
    return Line("RELATE", (edge.source, edge.target), {"weight": edge.weight}, edge.kind)


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


def stamps(texts: Mapping[str, str], lines: Iterable[Line]) -> dict[str, Stamp]:
    """Return stamps of the hashes of units, and of all lines that end or archive some of them."""
    ends: dict[str, float] = {}
    archived: set[str] = set()
    for one in lines:
        if one.about is not None and one.until is not None:
            seconds = one.until.timestamp()
            ends[one.about] = min(seconds, ends.get(one.about, seconds))
        elif one.about is not None and one.op == "ARCHIVE":
            archived.add(one.about)
    return {id: Stamp(text, ends.get(id), id in archived) for id, text in texts.items()}


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
    under = next((one.targets[1] for one in reversed(about) if one.op == "ARCHIVE"), None)
    said = [one.said_at for one in told if one.said_at is not None]
    messages = [each.message for one in told for each in one.evidence]
    return View(
        status="superseded" if over else "archived" if under else "active",
        valid_to=min((at for at in over if at is not None), default=None),
        last_seen=max(said, default=None),
        messages=tuple(dict.fromkeys(messages)),
        under=under,
    )
