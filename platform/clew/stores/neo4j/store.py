"""Neo4jGraph: the graph of a conversation, in the database that others' lie in too.

Statuses, ends and merged evidence are read from the ledger each time, never stored. What a
transaction writes is sent when it ends, or when a query has to see it. The process that
writes keeps notes of what it would otherwise ask for message by message; it is told when
another writes, and then writes no more.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from threading import RLock
from typing import Any

from neo4j import Driver

from clew.model import Decision, Edge, EdgeKind, Entity, Message, Unit, View
from clew.stores import ledger
from clew.stores.facts import held_in
from clew.stores.forget import Forgetting, closing, unsaid
from clew.stores.graph import Entry, Held, Stamp, text_hash
from clew.stores.neo4j import cypher, rows
from clew.stores.neo4j.notes import Notes
from clew.stores.neo4j.reader import rows as found_rows
from clew.stores.neo4j.server import Server
from clew.stores.neo4j.writer import Writer
from clew.stores.neo4j.writes import KINDS
from clew.stores.rows import owned
from clew.text import fold

UNITS = (cypher.PUT_UNITS,)
EVERY = 2**62


class Neo4jGraph:
    """GraphStore in Neo4j; every node of the conversation has its `scope`, space/conversation."""

    def __init__(self, server: Server, space: str, conversation: str) -> None:
        self.server, self._conversation = server, conversation
        self.scope = f"{space}/{conversation}"
        named = {"scope": self.scope, "space": space, "conversation": conversation}
        self._params, self._writer = named, Writer(server, named)
        self._lock, self._depth = RLock(), 0
        self._notes: Notes | None = None  # of the one writer

    @property
    def conversation(self) -> str:
        return self._conversation

    @property
    def driver(self) -> Driver:
        """What talks to the server; it stays this store's."""
        return self.server.driver

    @property
    def database(self) -> str:
        """The name of the database within the server."""
        return self.server.database

    # --- the connection

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._lock:
            mark = self._writer.mark
            self._depth += 1
            try:
                yield
                if self._depth == 1:
                    self._writer.commit()
            except BaseException:
                if self._depth == 1:
                    self._notes = None
                    self._writer.abandon()
                else:
                    self._notes = self._notes and Notes()
                    self._writer.undo(mark)
                raise
            finally:
                self._depth -= 1

    @contextmanager
    def _writing(self) -> Iterator[tuple[Writer, Notes]]:
        """Give the writer, and its notes, inside a transaction."""
        with self.transaction():
            if self._writer.claim() or self._notes is None:
                self._notes = Notes()
            yield self._writer, self._notes

    def _read(self, statement: str, needs: Sequence[str] = KINDS, **params: Any) -> list[list[Any]]:
        with self._lock:
            if self._writer.concerns(needs):
                return self._writer.read(statement, params)
            return self.server.read(statement, {**self._params, **params})

    def _units(self, statement: str, **params: Any) -> list[Unit]:
        found = self._read(statement, UNITS, **params)
        return [rows.to_unit(row, self._conversation) for (row,) in found]

    def _lines(self, statement: str, **params: Any) -> list[ledger.Line]:
        found = self._read(statement, (cypher.RECORD,), **params)
        return [rows.to_line(row, self._conversation) for (row,) in found]

    # --- writing

    def version(self) -> int:
        return int(self._read(cypher.KNOWN, ())[0][0])

    def setting(self, name: str, value: str | None = None) -> str | None:
        if value is not None:
            with self._writing() as (writer, _):
                writer.add(cypher.SET, [(name, {"name": name, "value": value})])
            return value
        return next((row[0] for row in self._read(cypher.SETTING, (cypher.SET,), name=name)), None)

    def record(self, decision: Decision) -> None:
        self.append([ledger.line(decision)])

    def append(self, lines: Iterable[ledger.Line]) -> None:
        with self._writing() as (writer, notes):
            for line in lines:
                line = replace(line, seq=writer.count(line.seq))
                notes.record(line)
                row = rows.line_properties(line, self._conversation)
                writer.add(cypher.RECORD, [(line.seq, row)])

    def put_messages(self, messages: Iterable[Message]) -> None:
        with self._writing() as (writer, notes):
            for message in messages:
                notes.hear(owned(message, self._conversation))
                writer.add(cypher.PUT_MESSAGES, [(message.id, rows.message_properties(message))])

    def put(self, units: Iterable[Unit]) -> None:
        with self._writing() as (writer, notes):
            for unit in units:
                row = rows.unit_properties(owned(unit, self._conversation), self.scope)
                notes.put(unit)
                writer.add(cypher.PUT_UNITS, [(unit.id, row)])

    def put_entities(self, entities: Iterable[Entity]) -> None:
        with self._writing() as (writer, _):
            made = [(e.id, rows.entity_properties(e, self._conversation)) for e in entities]
            writer.add(cypher.PUT_ENTITIES, made)

    def link(self, edges: Iterable[Edge]) -> None:
        with self._writing() as (writer, _):
            made = [((e.source, e.target, e.kind), rows.edge_properties(e)) for e in edges]
            writer.add(cypher.LINK, made)

    def forget(self, messages: Collection[str]) -> list[str]:
        ids = sorted(messages)
        with self._writing() as (writer, _):
            touched = sorted(id for (id,) in self._read(cypher.OWN, ids=ids))
            merges = self._lines(cypher.LINES_OF, ops=["MERGE"])
            forgetting = Forgetting(ids, self.get(touched), merges)
            writer.do(cypher.UNRECORD, {"seqs": sorted(forgetting.unmerged)})
            merged = [
                {"seq": seq, "merged": rows.merged(unit)}
                for seq, unit in sorted(forgetting.merged.items())
            ]
            writer.do(cypher.REMERGE, {"rows": merged})
            self.put(forgetting.changed)
            self._delete(forgetting.gone, ids)
            if texts := sorted(forgetting.unsaid):
                around = [id for (id,) in self._read(cypher.SAID_AROUND, texts=texts)]
                self.put(unsaid(unit, texts) for unit in self.get(sorted(around)))
            self.append([ledger.forgotten(ids)])
            self._notes = Notes()
        return forgetting.gone

    def _delete(self, units: list[str], messages: list[str]) -> None:
        """Delete units, what the ledger says of them, messages, and who is mentioned no more."""
        mentioned = {entity for (entity,) in self._read(cypher.MENTIONED_BY, ids=units)}
        self.link(closing(self.edges(units, ["NEXT"]), units))
        self._writer.do(cypher.UNITS_GO, {"ids": units})
        self._writer.do(cypher.UNRECORD_UNITS, {"ids": units})
        self._writer.do(cypher.MESSAGES_GO, {"ids": messages})
        self._notes = Notes()
        speakers = {fold(name) for name in self.speakers()}
        self._writer.do(cypher.UNMENTIONED_GO, {"ids": sorted(mentioned - speakers)})

    def clear(self) -> None:
        with self._writing() as (writer, _):
            for statement in cypher.CLEAR:
                writer.do(statement, {})
            writer.restart()
            self._notes = Notes()

    # --- reading

    def get(self, ids: Sequence[str]) -> list[Unit]:
        with self._lock:
            known = self._notes.units if self._notes else {}
            found = {id: known[id] for id in ids if id in known}
            if missing := [id for id in dict.fromkeys(ids) if id not in found]:
                read = self._units(cypher.GET, ids=missing)
                found.update((unit.id, unit) for unit in read)
                if self._notes:
                    self._notes.see(read)
            return [found[id] for id in ids if id in found]

    def units(self) -> Iterator[Unit]:
        position, id = -1, ""
        while page := self._units(cypher.PAGE, position=position, id=id):
            yield from page
            position, id = page[-1].position, page[-1].id

    def previous(self, unit: Unit) -> str | None:
        with self._lock:
            notes = self._notes or Notes()
            if unit.session not in notes.sessions:
                stands = self._read(cypher.SESSION, UNITS, session=unit.session)
                notes.sessions[unit.session] = sorted((at, id) for at, id in stands)
            return notes.before(unit)

    def latest(self, n: int) -> list[Unit]:
        return self._units(cypher.LATEST, n=n)

    def views(self, ids: Collection[str]) -> dict[str, View]:
        with self._lock:
            units = self.get(sorted(ids))
            return ledger.views(units, self._about(sorted(ids)))

    def _about(self, ids: Sequence[str]) -> list[ledger.Line]:
        """Return the lines about these units."""
        if self._notes is None:
            return self._lines(cypher.ABOUT, ids=ids)
        if self._notes.about is None:
            about: dict[str, list[ledger.Line]] = {}
            for line in self._lines(cypher.ALL_ABOUT):
                about.setdefault(str(line.about), []).append(line)
            self._notes.about = about
        return self._notes.lines(ids)

    def messages(self) -> list[Message]:
        return [rows.to_message(row, self._conversation) for row in self._read(cypher.MESSAGES)]

    def speakers(self) -> list[str]:
        with self._lock:
            notes = self._notes or Notes()
            if notes.speakers is None:
                heard = self._read(cypher.SPEAKERS, (cypher.PUT_MESSAGES,))
                notes.speakers = {name: at for name, at in heard}
            return [name for _, name in sorted((at, name) for name, at in notes.speakers.items())]

    def entities(self, name: str | None = None) -> list[Entity]:
        needs = (cypher.PUT_ENTITIES,)
        if name is None:
            found = self._read(cypher.ENTITIES, needs)
        else:
            found = self._read(cypher.NAMED, needs, folded=fold(name))
        return sorted((rows.to_entity(row) for row in found), key=lambda entity: entity.id)

    def edges(self, ids: Collection[str], kinds: Sequence[EdgeKind]) -> list[Edge]:
        return self._edges(cypher.EDGES, ids=list(ids), kinds=list(kinds)) if ids else []

    def all_edges(self) -> list[Edge]:
        return self._edges(cypher.ALL_EDGES)

    def _edges(self, statement: str, **params: Any) -> list[Edge]:
        found = self._read(statement, (cypher.PUT_UNITS, cypher.LINK), **params)
        return [Edge(*row) for row in sorted(found)]

    def between(self, start: datetime, end: datetime, n: int | None = None) -> list[Unit]:
        most = EVERY if n is None else n
        return self._units(cypher.BETWEEN, start=rows.said(start), end=rows.said(end), n=most)

    def occupied(self, spans: Sequence[tuple[datetime, datetime]]) -> list[bool]:
        asked = [[n, rows.said(start), rows.said(end)] for n, (start, end) in enumerate(spans)]
        found = self._read(cypher.OCCUPIED, UNITS, spans=asked) if asked else []
        return [any_ for _, any_ in sorted(found)]

    def mentioning(self, entities: Collection[str]) -> list[Unit]:
        return self._units(cypher.MENTIONING, ids=list(entities)) if entities else []

    def facts(
        self,
        subject: str | None = None,
        property: str | None = None,
        as_of: datetime | None = None,
    ) -> list[Held]:
        statement = cypher.CLAIMING if subject is None else cypher.CLAIMING_OF
        slot = {"subject": subject, "property": property}
        return held_in(self._units(statement, **slot), **slot, as_of=as_of)

    def stamps(self, ids: Collection[str] | None = None) -> dict[str, Stamp]:
        with self._lock:
            if ids is None:
                texts = {id: text for id, text in self._read(cypher.STAMPS, UNITS)}
                ends = ledger.ends(self._lines(cypher.ALL_ABOUT))
            else:
                texts = {unit.id: text_hash(unit) for unit in self.get(sorted(ids))}
                ends = ledger.ends(self._about(sorted(texts)))
            return {id: Stamp(text, ends.get(id)) for id, text in texts.items()}

    def lines(self) -> list[ledger.Line]:
        return self._lines(cypher.LINES)

    def ledger(self) -> list[Entry]:
        return [ledger.entry(line) for line in self.lines()]

    def processed(self) -> set[str]:
        ops = ["DROP", "INGEST", "FORGET"]
        return ledger.processed(self._lines(cypher.LINES_OF, ops=ops))

    def rows(self, query: str, **params: Any) -> list[dict[str, Any]]:
        return found_rows(self.server, query, {**self._params, **params})

    def close(self) -> None:
        with self._lock:
            self._writer.abandon()
            self.server.close()
