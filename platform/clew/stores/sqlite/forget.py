"""Forgetting in SQLite: a message, and what came from it alone, as if never said."""

import json
import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from clew.model import Unit
from clew.stores.sqlite.rows import dump, to_unit, unit_row
from clew.stores.sqlite.sql import SPEAKERS
from clew.text import fold

OWN = """
SELECT DISTINCT unit FROM evidence
WHERE conversation = :c AND message IN (SELECT value FROM json_each(:ids))
"""
MERGES = (
    "SELECT seq, about, merged FROM ledger WHERE conversation = :c AND op = 'MERGE' ORDER BY seq"
)
REMERGE = "UPDATE ledger SET merged = :merged WHERE conversation = :c AND seq = :seq"
UNRECORD = "DELETE FROM ledger WHERE conversation = :c AND seq = :seq"
UNRECORD_UNIT = """
DELETE FROM ledger WHERE conversation = :c AND op IN ('ADD', 'MERGE', 'SUPERSEDE', 'DROP')
AND EXISTS (SELECT 1 FROM json_each(ledger.targets) WHERE value = :id)
"""
CLOSE_GAP = """
INSERT OR IGNORE INTO edge
SELECT a.conversation, a.source, b.target, 'NEXT', 1.0 FROM edge a JOIN edge b
ON a.conversation = b.conversation AND a.target = b.source
WHERE a.conversation = :c AND a.target = :id AND a.kind = 'NEXT' AND b.kind = 'NEXT'
"""
UNIT_GOES = "DELETE FROM unit WHERE conversation = :c AND id = :id"
SAID_AROUND = """
SELECT id FROM unit WHERE conversation = :c
AND EXISTS (SELECT 1 FROM json_each(:texts) WHERE instr(unit.context, value) > 0)
"""
MESSAGES_GO = """
DELETE FROM message WHERE conversation = :c AND id IN (SELECT value FROM json_each(:ids))
"""
MENTIONED_BY = """
SELECT DISTINCT entity FROM mention
WHERE conversation = :c AND unit IN (SELECT value FROM json_each(:ids))
"""
UNMENTIONED_GO = """
DELETE FROM entity WHERE conversation = :c AND id IN (SELECT value FROM json_each(:ids))
AND NOT EXISTS (
    SELECT 1 FROM mention m WHERE m.conversation = entity.conversation AND m.entity = entity.id
)
"""


class Forget:
    """One act of forgetting, inside the caller's transaction."""

    def __init__(self, db: sqlite3.Connection, scope: str, messages: Collection[str]) -> None:
        self._db, self._scope = db, scope
        self._gone = frozenset(messages)
        self._merges: dict[str, list[tuple[int, Unit]]] = {}

    def touched(self) -> list[str]:
        """Return the units that have some of the messages as evidence; trim what was merged."""
        for seq, about, row in self._db.execute(MERGES, {"c": self._scope}).fetchall():
            merged = to_unit(json.loads(row), self._scope)
            left = self._without(merged)
            if left is None:
                self._run(UNRECORD, seq=seq)
            else:
                self._merges.setdefault(about, []).append((seq, left))
                if left is not merged:
                    self._run(REMERGE, seq=seq, merged=dump(unit_row(left)))
        return sorted(id for (id,) in self._run(OWN, ids=dump(sorted(self._gone))))

    def remainder(self, unit: Unit) -> Unit | None:
        """Return what stays of a unit: itself, what once repeated it, or nothing."""
        left = self._without(unit)
        if left is None and (merges := self._merges.get(unit.id)):
            seq, repeat = merges[0]
            self._run(UNRECORD, seq=seq)
            left = replace(repeat, id=unit.id)
        return left

    def delete(self, ids: Iterable[str]) -> None:
        """Delete units, what the ledger says of them, and entities no other unit mentions."""
        every = dump(list(ids))
        entities = [entity for (entity,) in self._run(MENTIONED_BY, ids=every)]
        for id in json.loads(every):
            self._run(CLOSE_GAP, id=id)
            self._run(UNIT_GOES, id=id)
            self._run(UNRECORD_UNIT, id=id)
        self._run(MESSAGES_GO, ids=dump(sorted(self._gone)))
        speakers = self._speakers()
        self._run(UNMENTIONED_GO, ids=dump([id for id in entities if id not in speakers]))

    def around(self, texts: Collection[str]) -> list[str]:
        """Return units that hold such texts in the words around them; trim what was merged."""
        for seq, _, row in self._run(MERGES):
            merged = to_unit(json.loads(row), self._scope)
            if (left := unsaid(merged, texts)) != merged:
                self._run(REMERGE, seq=seq, merged=dump(unit_row(left)))
        return [id for (id,) in self._run(SAID_AROUND, texts=dump(sorted(texts)))]

    def _speakers(self) -> set[str]:
        return {fold(name) for (name,) in self._run(SPEAKERS)}

    def _without(self, unit: Unit) -> Unit | None:
        left = tuple(each for each in unit.evidence if each.message not in self._gone)
        if len(left) == len(unit.evidence):
            return unit
        return replace(unit, evidence=left) if left else None

    def _run(self, sql: str, **params: Any) -> list[Any]:
        return self._db.execute(sql, {"c": self._scope, **params}).fetchall()


def unsaid(unit: Unit, texts: Collection[str]) -> Unit:
    """Return a unit with these texts, its own apart, taken out of the words around it."""
    around = f"\n{unit.context}\n"
    for text in texts:
        if text != unit.text:
            around = around.replace(f"\n{text}\n", "\n")
    return replace(unit, context=around[1:-1])
