"""The ledger in SQLite: its lines as rows."""

import json
from typing import Any

from clew.stores.instants import instant, moment
from clew.stores.ledger import Line
from clew.stores.rows import Row, dump, to_unit, unit_row

COLUMNS = "seq, op, targets, scores, outcome, reason, about, merged, until, until_zone"

RECORD = """
INSERT INTO ledger VALUES (
    :c,
    coalesce(
        nullif(:seq, 0),
        (SELECT seq + 1 FROM ledger WHERE conversation = :c ORDER BY seq DESC LIMIT 1),
        1
    ),
    :op, :targets, :scores, :outcome, :reason, :about, :merged, :until, :until_zone
)
"""
LINES = f"SELECT {COLUMNS} FROM ledger WHERE conversation = :c ORDER BY seq"
OF_OPS = f"""
SELECT {COLUMNS} FROM ledger
WHERE conversation = :c AND op IN (SELECT value FROM json_each(:ops)) ORDER BY seq
"""
ABOUT = f"""
SELECT {COLUMNS} FROM ledger INDEXED BY ledger_about
WHERE conversation = :c AND about IN (SELECT value FROM json_each(:ids)) ORDER BY +seq
"""
ALL_ABOUT = f"""
SELECT {COLUMNS} FROM ledger
WHERE conversation = :c AND op IN ('SUPERSEDE', 'ARCHIVE') AND about > '' ORDER BY seq
"""
REMERGE = "UPDATE ledger SET merged = :merged WHERE conversation = :c AND seq = :seq"
UNRECORD = """
DELETE FROM ledger WHERE conversation = :c AND seq IN (SELECT value FROM json_each(:seqs))
"""
UNRECORD_UNITS = """
DELETE FROM ledger WHERE conversation = :c
AND op IN ('ADD', 'MERGE', 'SUPERSEDE', 'ABSTRACT', 'ARCHIVE', 'RELATE', 'DROP')
AND EXISTS (
    SELECT 1 FROM json_each(ledger.targets)
    WHERE value IN (SELECT value FROM json_each(:ids))
)
"""


def row(line: Line) -> dict[str, Any]:
    """Return the parameters of RECORD."""
    until, zone = instant(line.until)
    return {
        "seq": line.seq,
        "op": line.op,
        "targets": dump(line.targets),
        "scores": dump(dict(line.scores)),
        "outcome": line.outcome,
        "reason": line.reason,
        "about": line.about,
        "merged": line.merged and dump(unit_row(line.merged)),
        "until": until,
        "until_zone": zone,
    }


def to_line(row: Row, conversation: str) -> Line:
    """Make a line of COLUMNS."""
    seq, op, targets, scores, outcome, reason, about, merged, until, zone = row
    return Line(
        op=op,
        targets=tuple(json.loads(targets)),
        scores=json.loads(scores),
        outcome=outcome,
        reason=reason,
        about=about,
        merged=merged and to_unit(json.loads(merged), conversation),
        until=moment(until, zone),
        seq=seq,
    )
