"""SqliteGraph: the graph of a conversation in one SQLite file, shared by all of a run.

Statuses, ends and merged evidence are read from the ledger each time, never stored. One
connection serves all threads behind a lock; processes are kept apart by WAL for reading
and by a lock per conversation for writing.
"""

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from threading import RLock
from typing import Any

from clew.errors import StoreError, StoreMissing
from clew.model import Decision, Edge, EdgeKind, Entity, Message, Unit, View
from clew.stores import ledger
from clew.stores.facts import FromClaims
from clew.stores.forget import Forgetting, closing, unsaid
from clew.stores.graph import Entry, Stamp
from clew.stores.instants import instant
from clew.stores.lock import Lock, safe_name
from clew.stores.rows import dump, message_row, owned, to_entity, to_message, to_unit, unit_row
from clew.stores.sqlite import ledger as book
from clew.stores.sqlite import sql
from clew.stores.sqlite.reader import Reader
from clew.stores.sqlite.schema import connect, explained
from clew.text import fold

_OUTER = ("BEGIN IMMEDIATE", "COMMIT", ("ROLLBACK",))
_INNER = ("SAVEPOINT part", "RELEASE part", ("ROLLBACK TO part", "RELEASE part"))


class SqliteGraph(FromClaims):
    """GraphStore in one SQLite file in a run's folder, the rows of each conversation apart.

    Raises (on construction):
        StoreMissing: an `existing` file was asked for, and there is none.
        StoreBusy, StoreMismatch, StoreError: it cannot be opened; the text says why.
    """

    def __init__(
        self,
        folder: str | Path,
        conversation: str,
        path: str | Path = "memory.db",
        existing: bool = False,
    ) -> None:
        self._path, self._scope = Path(folder) / path, conversation
        if existing and not self._path.is_file():
            raise StoreMissing(
                f"The memory of {conversation} is gone: {self._path} is not there. Put the file "
                f"back, or build it again with overwrite=true."
            )
        self._lock, self._depth = RLock(), 0
        self._writer: Lock | None = None
        self._reader: Reader | None = None
        self._db: sqlite3.Connection | None = connect(self._path)

    @property
    def conversation(self) -> str:
        return self._scope

    # --- the connection

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._lock:
            self._claim()
            begin, end, undo = _OUTER if self._depth == 0 else _INNER
            self._run(begin)
            before = self._open.total_changes
            self._depth += 1
            try:
                yield
                if self._depth == 1 and self._open.total_changes > before:
                    self._run(sql.NEXT_VERSION)
                self._run(end)
            except BaseException:
                for statement in undo if self._open.in_transaction else ():
                    self._run(statement)
                raise
            finally:
                self._depth -= 1

    def bound(self, size: int) -> None:
        """Hold at most so many bytes of the file's pages."""
        self._run(f"PRAGMA cache_size = -{size // 1024}")  # takes no parameters

    @property
    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            raise StoreError(f"The store {self._path} was closed: open it again to use it.")
        return self._db

    def _claim(self) -> None:
        if self._writer is None:
            name = f"{self._path.name}.{safe_name(self._scope)}.lock"
            self._writer = Lock(self._path.with_name(name), self._scope, "store.graph.path=")

    def _run(self, statement: str, **params: Any) -> list[Any]:
        with self._lock, explained(self._path):
            return self._open.execute(statement, {"c": self._scope, **params}).fetchall()

    def _many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        with self._lock, explained(self._path):
            self._open.executemany(statement, [(self._scope, *row) for row in rows])

    def _units(self, statement: str, **params: Any) -> list[Unit]:
        return [to_unit(row, self._scope) for row in self._run(statement, **params)]

    def _lines(self, statement: str, **params: Any) -> list[ledger.Line]:
        return [book.to_line(row, self._scope) for row in self._run(statement, **params)]

    # --- writing

    def version(self) -> int:
        return int(next((row[0] for row in self._run(sql.VERSION)), 0))

    def setting(self, name: str, value: str | None = None) -> str | None:
        if value is not None:
            with self.transaction():
                self._run(sql.SET, name=name, value=value)
            return value
        return next((row[0] for row in self._run(sql.SETTING, name=name)), None)

    def record(self, decision: Decision) -> None:
        self.append(ledger.kept(decision))

    def append(self, lines: Iterable[ledger.Line]) -> None:
        with self.transaction():
            for line in lines:
                self._run(book.RECORD, **book.row(line))

    def put_messages(self, messages: Iterable[Message]) -> None:
        with self.transaction():
            own = (owned(message, self._scope) for message in messages)
            self._many(sql.PUT_MESSAGE, map(message_row, own))

    def put(self, units: Iterable[Unit]) -> None:
        with self.transaction():
            for unit in units:
                self._put(owned(unit, self._scope))

    def _put(self, unit: Unit) -> None:
        for statement in sql.PARTS_GO:
            self._many(statement, [(unit.id,)])
        self._many(sql.PUT_UNIT, [unit_row(unit)])
        self._many(sql.PUT_EVIDENCE, [(unit.id, each.message) for each in unit.evidence])
        self._many(sql.PUT_MENTION, [(unit.id, entity) for entity in sorted(unit.entities)])
        self._many(
            sql.PUT_FACT,
            [
                (unit.id, at, f.subject, f.property, f.value, f.functional, f.negated)
                for at, f in enumerate(unit.facts)
            ],
        )

    def put_entities(self, entities: Iterable[Entity]) -> None:
        with self.transaction():
            for entity in entities:
                aliases = dump(list(entity.aliases))
                named = {"id": entity.id, "name": entity.name, "type": entity.type}
                self._run(sql.PUT_ENTITY, **named, aliases=aliases)
                self._many(sql.ALIASES_GO, [(entity.id,)])
                names = sorted({fold(name) for name in (entity.name, *entity.aliases)})
                self._many(sql.PUT_ALIAS, [(name, entity.id) for name in names])

    def link(self, edges: Iterable[Edge]) -> None:
        with self.transaction():
            self._many(sql.LINK, [(e.source, e.target, e.kind, e.weight) for e in edges])

    def forget(self, messages: Collection[str]) -> list[str]:
        ids = dump(sorted(messages))
        with self.transaction():
            touched = self.get([id for (id,) in self._run(sql.OWN, ids=ids)])
            merges = self._lines(book.OF_OPS, ops=dump(["MERGE"]))
            forgetting = Forgetting(messages, touched, merges)
            self._run(book.UNRECORD, seqs=dump(sorted(forgetting.unmerged)))
            for seq, unit in sorted(forgetting.merged.items()):
                self._run(book.REMERGE, seq=seq, merged=dump(unit_row(unit)))
            self.put(forgetting.changed)
            self._delete(forgetting.gone, ids)
            texts = sorted(forgetting.unsaid)
            around = [id for (id,) in self._run(sql.SAID_AROUND, texts=dump(texts))]
            self.put(unsaid(unit, texts) for unit in self.get(around))
            self.append([ledger.forgotten(messages)])
        self._run(sql.CHECKPOINT)
        return forgetting.gone

    def _delete(self, units: list[str], messages: str) -> None:
        """Delete units, what the ledger says of them, messages, and who is mentioned no more."""
        ids = dump(units)
        mentioned = {entity for (entity,) in self._run(sql.MENTIONED_BY, ids=ids)}
        self.link(closing(self.edges(units, ["NEXT"]), units))
        self._run(sql.UNITS_GO, ids=ids)
        self._run(book.UNRECORD_UNITS, ids=ids)
        self._run(sql.MESSAGES_GO, ids=messages)
        speakers = {fold(name) for name in self.speakers()}
        self._run(sql.UNMENTIONED_GO, ids=dump(sorted(mentioned - speakers)))

    def clear(self) -> None:
        with self.transaction():
            for statement in sql.CLEAR:
                self._run(statement)
        self._run(sql.CHECKPOINT)

    # --- reading

    def get(self, ids: Sequence[str]) -> list[Unit]:
        found = {unit.id: unit for unit in self._units(sql.GET, ids=dump(list(ids)))}
        return [found[id] for id in ids if id in found]

    def units(self) -> Iterator[Unit]:
        position, id = -1, ""
        while page := self._units(sql.PAGE, position=position, id=id):
            yield from page
            position, id = page[-1].position, page[-1].id

    def previous(self, unit: Unit) -> str | None:
        params = {"session": unit.session, "position": unit.position, "id": unit.id}
        return next((row[0] for row in self._run(sql.PREVIOUS, **params)), None)

    def latest(self, n: int) -> list[Unit]:
        return self._units(sql.LATEST, n=n)

    def views(self, ids: Collection[str]) -> dict[str, View]:
        with self._lock:
            about = self._lines(book.ABOUT, ids=dump(sorted(ids)))
            return ledger.views(self.get(sorted(ids)), about)

    def messages(self) -> list[Message]:
        return [to_message(row, self._scope) for row in self._run(sql.MESSAGES)]

    def said_before(self, position: int) -> Message | None:
        found = self._run(sql.SAID_BEFORE, position=position)
        return next((to_message(row, self._scope) for row in found), None)

    def speakers(self) -> list[str]:
        return [name for (name,) in self._run(sql.SPEAKERS)]

    def entities(self, name: str | None = None) -> list[Entity]:
        found = self._run(sql.ENTITIES) if name is None else self._run(sql.NAMED, folded=fold(name))
        return [to_entity(row) for row in found]

    def edges(self, ids: Collection[str], kinds: Sequence[EdgeKind]) -> list[Edge]:
        found = self._run(sql.EDGES, ids=dump(list(ids)), kinds=dump(list(kinds)))
        return [Edge(*row) for row in found]

    def all_edges(self) -> list[Edge]:
        return [Edge(*row) for row in self._run(sql.ALL_EDGES)]

    def between(self, start: datetime, end: datetime, n: int | None = None) -> list[Unit]:
        most = -1 if n is None else n
        return self._units(sql.BETWEEN, start=instant(start)[0], end=instant(end)[0], n=most)

    def occupied(self, spans: Sequence[tuple[datetime, datetime]]) -> list[bool]:
        return [bool(self.between(start, end, 1)) for start, end in spans]

    def mentioning(self, entities: Collection[str]) -> list[Unit]:
        return self._units(sql.MENTIONING, ids=dump(list(entities)))

    def _claiming(self, subject: str | None, property: str | None) -> list[Unit]:
        statement = sql.CLAIMING if subject is None else sql.CLAIMING_OF
        return self._units(statement, subject=subject, property=property)

    def stamps(self, ids: Collection[str] | None = None) -> dict[str, Stamp]:
        with self._lock:
            these = None if ids is None else dump([*ids])
            texts = dict(self._run(sql.STAMPS_OF if these else sql.STAMPS, ids=these))
            about = self._lines(book.ABOUT if these else book.ALL_ABOUT, ids=these)
            return ledger.stamps(texts, about)

    def lines(self) -> list[ledger.Line]:
        return self._lines(book.LINES)

    def ledger(self) -> list[Entry]:
        return [ledger.entry(line) for line in self.lines()]

    def processed(self) -> set[str]:
        return ledger.processed(self._lines(book.OF_OPS, ops=dump(["DROP", "INGEST", "FORGET"])))

    def rows(self, query: str, **params: Any) -> list[dict[str, Any]]:
        with self._lock:
            if self._reader is None:
                self._reader = Reader(self._path)
            return self._reader.rows(query, {"conversation": self._scope, **params})

    def close(self) -> None:
        with self._lock:
            for held in (self._reader, self._db):
                if held is not None:
                    held.close()
            self._reader = self._db = None
            if self._writer is not None:
                self._writer.release()
            self._writer = None
