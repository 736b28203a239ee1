"""Neo4jGraph: the graph of a conversation, in the database that others' lie in too.

Statuses, ends and merged evidence are read from the ledger each time, never stored. What a
transaction writes is sent when it ends, or when a query has to see it. The process that
writes keeps notes of what it would otherwise ask for message by message; it is told when
another writes, and then writes no more.

What is forgotten is in no answer from then on. Its bytes leave the server's disk when the
server writes over them, and its transaction logs when these are pruned.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from neo4j import Driver

from clew.errors import StoreError
from clew.model import Decision, Edge, Entity, Message, Unit
from clew.stores import ledger
from clew.stores.forget import Forgetting, closing, unsaid
from clew.stores.neo4j import cypher, queries, rows
from clew.stores.neo4j.notes import Notes
from clew.stores.neo4j.reading import Reading
from clew.stores.neo4j.server import Server
from clew.stores.neo4j.writer import Writer
from clew.stores.rows import owned
from clew.text import fold


class Neo4jGraph(Reading):
    """GraphStore in Neo4j; every node of the conversation has its `scope`, space/conversation."""

    def __init__(self, server: Server, space: str, conversation: str) -> None:
        super().__init__(server, space, conversation)
        self._depth = 0

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

    # --- writing

    def setting(self, name: str, value: str | None = None) -> str | None:
        if value is not None:
            with self._writing() as (writer, _):
                writer.add(cypher.SET, [(name, {"name": name, "value": value})])
            return value
        return next((row[0] for row in self._read(queries.SETTING, (cypher.SET,), name=name)), None)

    def record(self, decision: Decision) -> None:
        self.append(ledger.kept(decision))

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
        with self._writing() as (writer, notes):
            for entity in entities:
                if notes.names is not None:
                    notes.meet([entity])
                row = rows.entity_properties(entity, self._conversation)
                writer.add(cypher.PUT_ENTITIES, [(entity.id, row)])

    def link(self, edges: Iterable[Edge]) -> None:
        with self._writing() as (writer, _):
            for edge in edges:
                if edge.kind not in cypher.LINK:
                    raise StoreError(f"There are no edges of kind {edge.kind!r}: see EdgeKind.")
                row = ((edge.source, edge.target), rows.edge_properties(edge))
                writer.add(cypher.LINK[edge.kind], [row])

    def forget(self, messages: Collection[str]) -> list[str]:
        ids = sorted(messages)
        with self._writing() as (writer, _):
            touched = sorted(id for (id,) in self._read(cypher.OWN, ids=ids))
            merges = self._lines(queries.LINES_OF, ops=["MERGE"])
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

    def close(self) -> None:
        with self._lock:
            self._writer.abandon()
            self.server.close()
