"""Remembered: what a run's graphs still hold of the units and messages that a page shows."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from clew.errors import ClewError
from clew.evaluate.journal import Record
from clew.model import Message, Unit, View
from clew.report.explain import fates
from clew.stores.graph import GraphStore

Graphs = Callable[[str], GraphStore]  # opens the graph of a conversation, to be read


@dataclass(frozen=True, slots=True)
class Remembered:
    """Units with their views, messages, and what became of gold messages, of a conversation."""

    units: Mapping[str, Unit] = field(default_factory=dict)
    views: Mapping[str, View] = field(default_factory=dict)
    messages: Mapping[str, Message] = field(default_factory=dict)
    fates: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recalled:
    """What is remembered, by conversation, and what could not be read."""

    by: Mapping[str, Remembered]
    doubts: tuple[str, ...] = ()


def read_back(records: Sequence[Record], graphs: Graphs | None) -> Recalled:
    """Read what the records name; after a graph that cannot be read, no other is tried.

    A server that is gone is waited for, and that once is enough.
    """
    asked: dict[str, list[Record]] = {}
    for record in records:
        asked.setdefault(record.conversation, []).append(record)
    found: dict[str, Remembered] = {}
    if graphs is None:
        return Recalled(found)
    for conversation, mine in asked.items():
        try:
            found[conversation] = _read(conversation, mine, graphs)
        except ClewError as error:
            doubt = f"Texts and times are missing from {conversation} on: {error}"
            return Recalled(found, (doubt,))
    lost = sum(len(_units(mine) - found[name].units.keys()) for name, mine in asked.items())
    gone = f"{lost} units that were retrieved are in no memory any more; their texts are missing"
    return Recalled(found, (gone,) * bool(lost))


def _read(conversation: str, records: Sequence[Record], graphs: Graphs) -> Remembered:
    ids = sorted(_units(records))
    gold = sorted({message for record in records for message in record.evidence})
    with closing(graphs(conversation)) as graph:
        units = {unit.id: unit for unit in graph.get(ids)}
        messages = {message.id: message for message in graph.messages()}
        return Remembered(units, graph.views(ids), messages, fates(gold, graph))


def _units(records: Collection[Record]) -> set[str]:
    return {id for record in records for id in record.retrieved}
