"""What a graph in Neo4j is asked: of the server, or of the notes of the one who writes."""

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from operator import attrgetter
from threading import RLock
from typing import Any

from clew.model import Edge, EdgeKind, Entity, Message, Unit, View
from clew.stores import ledger
from clew.stores.facts import FromClaims
from clew.stores.graph import Entry, Stamp, text_hash
from clew.stores.neo4j import cypher, queries, rows
from clew.stores.neo4j.curious import rows as found_rows
from clew.stores.neo4j.notes import Notes
from clew.stores.neo4j.server import Server
from clew.stores.neo4j.writer import Writer
from clew.stores.neo4j.writes import KINDS
from clew.text import fold

UNITS = (cypher.PUT_UNITS,)
EDGES = (cypher.PUT_UNITS, *cypher.LINKS)
EVERY = 2**62
PAGE = 500  # units read at once
by_id: Callable[[Entity], str] = attrgetter("id")


class Reading(FromClaims):
    """The part of GraphStore that changes nothing."""

    def __init__(self, server: Server, space: str, conversation: str) -> None:
        self.server, self._conversation = server, conversation
        self.scope = f"{space}/{conversation}"
        named = {"scope": self.scope, "space": space, "conversation": conversation}
        self._params, self._writer = named, Writer(server, named)
        self._lock = RLock()
        self._notes: Notes | None = None  # of the one writer

    @property
    def conversation(self) -> str:
        return self._conversation

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

    def version(self) -> int:
        return int(self._read(cypher.KNOWN, ())[0][0])

    def get(self, ids: Sequence[str]) -> list[Unit]:
        with self._lock:
            known = self._notes.units if self._notes else {}
            found = {id: known[id] for id in ids if id in known}
            if missing := [id for id in dict.fromkeys(ids) if id not in found]:
                read = self._units(queries.GET, ids=missing)
                found.update((unit.id, unit) for unit in read)
                if self._notes:
                    self._notes.see(read)
            return [found[id] for id in ids if id in found]

    def units(self) -> Iterator[Unit]:
        ids = [id for _, id in sorted(self._read(queries.PLACES, UNITS))]
        for start in range(0, len(ids), PAGE):
            yield from self.get(ids[start : start + PAGE])

    def previous(self, unit: Unit) -> str | None:
        with self._lock:
            notes = self._notes or Notes()
            if unit.session not in notes.sessions:
                stored = {
                    id: at for at, id in self._read(queries.SESSION, (), session=unit.session)
                }
                notes.sit(unit.session, stored, self._writer.waiting(cypher.PUT_UNITS))
            return notes.before(unit)

    def latest(self, n: int) -> list[Unit]:
        with self._lock:
            notes = self._notes or Notes()
            if n == 1 and notes.newest is not None:
                return [notes.newest]
            found = self._units(queries.LATEST, n=n)
            notes.newest = next(iter(found), None)
            return found

    def views(self, ids: Collection[str]) -> dict[str, View]:
        with self._lock:
            units = self.get(sorted(ids))
            return ledger.views(units, self._about(sorted(ids)))

    def _about(self, ids: Sequence[str]) -> list[ledger.Line]:
        """Return the lines about these units."""
        if self._notes is None:
            return self._lines(queries.ABOUT, ids=ids)
        if self._notes.about is None:
            about: dict[str, list[ledger.Line]] = {}
            for line in self._lines(queries.ALL_ABOUT):
                about.setdefault(str(line.about), []).append(line)
            self._notes.about = about
        return self._notes.lines(ids)

    def messages(self) -> list[Message]:
        return [rows.to_message(row, self._conversation) for row in self._read(queries.MESSAGES)]

    def said_before(self, position: int) -> Message | None:
        needs = (cypher.PUT_MESSAGES,)
        found = self._read(queries.SAID_BEFORE, needs, position=position)
        return next((rows.to_message(row, self._conversation) for row in found), None)

    def speakers(self) -> list[str]:
        with self._lock:
            notes = self._notes or Notes()
            if notes.speakers is None:
                heard = self._read(queries.SPEAKERS, (cypher.PUT_MESSAGES,))
                notes.speakers = {name: at for name, at in heard}
            return [name for _, name in sorted((at, name) for name, at in notes.speakers.items())]

    def entities(self, name: str | None = None) -> list[Entity]:
        needs = (cypher.PUT_ENTITIES,)
        with self._lock:
            if name is not None and self._notes is None:
                found = self._read(queries.NAMED, needs, folded=fold(name))
                return sorted(map(rows.to_entity, found), key=by_id)
            notes = self._notes or Notes()
            if notes.names is None:
                notes.meet(map(rows.to_entity, self._read(queries.ENTITIES, needs)))
            return sorted(notes.called(name), key=by_id)

    def edges(self, ids: Collection[str], kinds: Sequence[EdgeKind]) -> list[Edge]:
        asked = {"ids": list(ids), "kinds": list(kinds)}
        ((found,),) = self._read(queries.EDGES, EDGES, **asked) if ids else [[[]]]
        return [Edge(*row) for row in sorted(found)]

    def all_edges(self) -> list[Edge]:
        return [Edge(*row) for row in sorted(self._read(queries.ALL_EDGES, EDGES))]

    def between(self, start: datetime, end: datetime, n: int | None = None) -> list[Unit]:
        most = EVERY if n is None else n
        return self._units(queries.BETWEEN, start=rows.said(start), end=rows.said(end), n=most)

    def occupied(self, spans: Sequence[tuple[datetime, datetime]]) -> list[bool]:
        asked = [[n, rows.said(start), rows.said(end)] for n, (start, end) in enumerate(spans)]
        found = self._read(queries.OCCUPIED, UNITS, spans=asked) if asked else []
        return [any_ for _, any_ in sorted(found)]

    def mentioning(self, entities: Collection[str]) -> list[Unit]:
        return self._units(queries.MENTIONING, ids=list(entities)) if entities else []

    def _claiming(self, subject: str | None, property: str | None) -> list[Unit]:
        statement = queries.CLAIMING if subject is None else queries.CLAIMING_OF
        slot = {"subject": subject, "property": property}
        with self._lock:
            waiting = [row["id"] for row in self._writer.waiting(cypher.PUT_UNITS)]
            known = self._notes.units if self._notes else {}
            if not known.keys() >= set(waiting):
                waiting = []  # they have to be sent, to be read
            found = self._read(statement, () if waiting else UNITS, **slot)
            claiming = {row[0]: rows.to_unit(row, self._conversation) for (row,) in found}
            claiming |= {id: known[id] for id in waiting}
            return list(claiming.values())

    def stamps(self, ids: Collection[str] | None = None) -> dict[str, Stamp]:
        with self._lock:
            if ids is None:
                texts = {id: text for id, text in self._read(queries.STAMPS, UNITS)}
                about = self._lines(queries.ALL_ABOUT)
            else:
                texts = {unit.id: text_hash(unit) for unit in self.get(sorted(ids))}
                about = self._about(sorted(texts))
            return ledger.stamps(texts, about)

    def lines(self) -> list[ledger.Line]:
        return self._lines(queries.LINES)

    def ledger(self) -> list[Entry]:
        return [ledger.entry(line) for line in self.lines()]

    def processed(self) -> set[str]:
        ops = ["DROP", "INGEST", "FORGET"]
        return ledger.processed(self._lines(queries.LINES_OF, ops=ops))

    def rows(self, query: str, **params: Any) -> list[dict[str, Any]]:
        return found_rows(self.server, query, {**self._params, **params})
