"""The ledger in SQLite: decisions as rows, and what they say of a unit today."""

import json
import sqlite3
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, assert_never

from clew.model import Add, Decision, Drop, Ingest, Merge, Supersede, Unit, View
from clew.stores.graph import Entry
from clew.stores.sqlite.rows import dump, instant, moment, to_unit, unit_row

RECORD = """
INSERT INTO ledger VALUES (
    :c,
    coalesce((SELECT seq FROM ledger WHERE conversation = :c ORDER BY seq DESC LIMIT 1), 0) + 1,
    :op, :targets, :scores, :outcome, :reason, :about, :merged, :until, :until_zone
)
"""
ENTRIES = """
SELECT seq, op, targets, scores, trim(outcome || ': ' || reason, ' :') FROM ledger
WHERE conversation = :c ORDER BY seq
"""
ABOUT = """
SELECT about, op, merged, until, until_zone FROM ledger INDEXED BY ledger_about
WHERE conversation = :c AND about IN (SELECT value FROM json_each(:ids)) ORDER BY +seq
"""
PROCESSED = """
SELECT targets, op FROM ledger
WHERE conversation = :c AND op IN ('DROP', 'INGEST', 'FORGET') AND outcome <> 'failed'
"""
ENDS = """
SELECT about, min(until) FROM ledger WHERE conversation = :c AND op = 'SUPERSEDE' AND about > ''
GROUP BY about
"""
ENDS_OF = """
SELECT about, min(until) FROM ledger INDEXED BY ledger_about
WHERE conversation = :c AND about IN (SELECT value FROM json_each(:ids)) AND op = 'SUPERSEDE'
GROUP BY about
"""


def row(decision: Decision) -> dict[str, Any]:
    """Return the parameters of RECORD for a decision.

    `about` is the unit that is seen differently from now on, if there is one.
    """
    match decision:
        case Add(unit):
            return _row("ADD", [unit.id])
        case Merge(unit, known):
            scores = {"likeness": decision.likeness, "overlap": decision.overlap}
            merged = {"about": known.id, "merged": dump(unit_row(unit))}
            return _row("MERGE", [unit.id, known.id], scores) | merged
        case Supersede(unit, known):
            scores = {"likeness": decision.likeness, "overlap": decision.overlap}
            scores["ends"] = float(decision.ends)
            return _row("SUPERSEDE", [unit.id, known.id], scores) | _end(decision)
        case Drop(message, known_id, likeness):
            return _row("DROP", [message.id, known_id], {"likeness": likeness})
        case Ingest(messages, units, outcome, reason):
            found = _row("INGEST", [m.id for m in messages], {"units": float(units)})
            return found | {"outcome": outcome, "reason": reason}
        case _:
            assert_never(decision)


def forgotten(messages: Iterable[str]) -> dict[str, Any]:
    """Return the parameters of RECORD that keep forgotten messages from coming back."""
    return _row("FORGET", sorted(messages))


def _row(op: str, targets: list[str], scores: dict[str, float] | None = None) -> dict[str, Any]:
    empty = dict.fromkeys(("about", "merged", "until", "until_zone"))
    found = {"op": op, "targets": dump(targets), "scores": dump(scores or {})}
    return {**empty, **found, "outcome": "", "reason": ""}


def _end(decision: Supersede) -> dict[str, Any]:
    if not decision.ends:
        return {}
    earlier, later = decision.states
    until, zone = instant(later.valid_from)
    return {"about": earlier.id, "until": until, "until_zone": zone}


def entries(db: sqlite3.Connection, scope: str) -> list[Entry]:
    """Return every line of the ledger."""
    return [
        Entry(seq, op, tuple(json.loads(targets)), json.loads(scores), reason)
        for seq, op, targets, scores, reason in db.execute(ENTRIES, {"c": scope})
    ]


def processed(db: sqlite3.Connection, scope: str) -> set[str]:
    """Return the messages that need not come in again."""
    done: set[str] = set()
    for targets, op in db.execute(PROCESSED, {"c": scope}):
        ids = json.loads(targets)
        done.update(ids[:1] if op == "DROP" else ids)
    return done


def ends(db: sqlite3.Connection, scope: str, ids: Collection[str] | None) -> dict[str, float]:
    """Return the instants, in seconds, at which units stop being true."""
    if ids is None:
        found = db.execute(ENDS, {"c": scope})
    else:
        found = db.execute(ENDS_OF, {"c": scope, "ids": dump(list(ids))})
    return {id: micros / 1e6 for id, micros in found if micros is not None}


def views(db: sqlite3.Connection, units: Collection[Unit], scope: str) -> dict[str, View]:
    """Return what the ledger says of these units."""
    about: dict[str, list[tuple[Any, ...]]] = {unit.id: [] for unit in units}
    for id, *entry in db.execute(ABOUT, {"c": scope, "ids": dump(list(about))}):
        about[id].append(tuple(entry))
    return {unit.id: _view(unit, about[unit.id], scope) for unit in units}


def _view(unit: Unit, about: list[tuple[Any, ...]], scope: str) -> View:
    merged = [to_unit(json.loads(row), scope) for op, row, *_ in about if op == "MERGE"]
    over = [moment(until, zone) for op, _, until, zone in about if op == "SUPERSEDE"]
    said = [one.said_at for one in (unit, *merged) if one.said_at is not None]
    messages = [e.message for one in (unit, *merged) for e in one.evidence]
    return View(
        status="superseded" if over else "active",
        valid_to=_first(over),
        last_seen=max(said, default=None),
        messages=tuple(dict.fromkeys(messages)),
    )


def _first(instants: list[datetime | None]) -> datetime | None:
    return min((at for at in instants if at is not None), default=None)
