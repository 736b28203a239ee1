"""Entries: a run's questions as its page shows them, every text written down once.

Contexts repeat each other, and the units they are made of, line by line: lines are kept in one
table and named by their places in it. So are whole contexts, and units.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from clew.evaluate.evidence import EvidenceGraph, Step
from clew.evaluate.journal import Record
from clew.model import Unit, View
from clew.report.html.outcomes import PLACES, Outcome, outcome, place
from clew.report.html.remembered import Recalled, Remembered

MOST = 60  # units of a drawing, besides gold ones: a baseline may retrieve everything
ROLES = {"t": "terminal", "b": "bridge", "n": "neighbour", "f": "fact", "": "unit"}


@dataclass(frozen=True, slots=True)
class Node:
    """A unit as it is drawn: its text's place, and the seconds of its own clock it was said at."""

    id: str
    text: int | None
    at: float | None
    position: int
    when: str
    note: str
    messages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gold:
    """A gold message, its text's place, and what became of it."""

    id: str
    text: int | None
    fate: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """An evidence graph: `nodes` are places of units, `ranks` count from 1, `left` are not drawn.

    `packed` and `gold` are places in `nodes`, as the ends of edges are; paths are places in
    `edges`. An old journal tells no roles, edges or paths, nor what was packed.
    """

    nodes: tuple[int, ...]
    ranks: tuple[int, ...]
    roles: tuple[str, ...]
    packed: tuple[int, ...] | None
    gold: tuple[int, ...]
    left: int
    edges: tuple[Step, ...] = ()
    paths: tuple[tuple[int, ...], ...] = ()
    rest: Mapping[str, int] = field(default_factory=dict)
    known: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A question, its answer, and all that is told of it when it is opened."""

    id: str
    conversation: str
    category: int
    query: str
    asked: str
    gold: str
    answer: str
    abstained: bool
    outcome: Outcome
    place: str
    scores: Mapping[str, float]
    milliseconds: Mapping[str, float]
    tokens: int
    context: int | None
    evidence: tuple[Gold, ...]
    drawing: Drawing
    error: str


class Places:
    """A table that gives each different value its place, in the order they come."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def __call__(self, value: str) -> int:
        """Return the place of a value, a new one at the end."""
        return self._places.setdefault(value, len(self._places))

    @property
    def values(self) -> tuple[str, ...]:
        """All values by place."""
        return tuple(self._places)


@dataclass(frozen=True, slots=True)
class Book:
    """The questions of a run, and what they name by place: units, contexts, lines of text."""

    entries: tuple[Entry, ...]
    nodes: tuple[Node, ...]
    contexts: tuple[tuple[int, ...], ...]
    lines: tuple[str, ...]


def book(records: Sequence[Record], recalled: Recalled) -> Book:
    """Write down records, with what is remembered of their units and messages."""
    lines, contexts, places, nodes = Places(), Places(), Places(), list[Node]()
    entries = []
    for record in records:
        known = recalled.by.get(record.conversation, Remembered())
        named = [places(f"{record.conversation}\0{id}") for id in record.retrieved]
        for id, where in zip(record.retrieved, named, strict=True):
            if where == len(nodes):
                nodes.append(_node(id, known.units.get(id), known.views.get(id, View()), lines))
        drawing = _drawing(record, named, [set(nodes[where].messages) for where in named])
        context = contexts(record.context) if record.context else None
        entries.append(_entry(record, drawing, context, _gold(record, known, lines)))
    told = tuple(tuple(map(lines, text.split("\n"))) for text in contexts.values)
    return Book(tuple(entries), tuple(nodes), told, lines.values)


def _node(id: str, unit: Unit | None, view: View, lines: Places) -> Node:
    if unit is None:
        return Node(id, None, None, 0, "", "", ())
    clock = unit.said_at.replace(tzinfo=UTC).timestamp() if unit.said_at else None
    replaced = f"superseded, held until {_moment(view.valid_to)}" if view.valid_to else view.status
    own = tuple(dict.fromkeys(piece.message for piece in unit.evidence))
    return Node(
        id=id,
        text=lines(unit.text),
        at=clock,
        position=unit.position,
        when=_moment(unit.said_at),
        note="" if view.status == "active" else replaced,
        messages=view.messages or own,
    )


def _drawing(record: Record, named: Sequence[int], messages: Sequence[set[str]]) -> Drawing:
    """Return the graph of a question: its first units, and all that are gold."""
    wanted = set(record.evidence)
    gold = {n for n, made_of in enumerate(messages) if wanted & made_of}
    kept = [n for n in range(len(named)) if n < MOST or n in gold]
    graph = record.graph or EvidenceGraph()
    roles = [ROLES.get(letter, ROLES[""]) for letter in graph.roles] or [ROLES[""]] * len(named)
    new = {old: place for place, old in enumerate(kept)}
    edges, paths = _between(graph, new)
    packed = tuple(new[n] for n in kept if graph.packed[n] == "1") if graph.packed else None
    return Drawing(
        nodes=tuple(named[n] for n in kept),
        ranks=tuple(n + 1 for n in kept),
        roles=tuple(roles[n] for n in kept),
        packed=packed,
        gold=tuple(new[n] for n in sorted(gold)),
        left=len(named) - len(kept),
        edges=edges,
        paths=paths,
        rest=graph.rest,
        known=graph.known,
    )


def _between(
    graph: EvidenceGraph, new: Mapping[int, int]
) -> tuple[tuple[Step, ...], tuple[tuple[int, ...], ...]]:
    """Return the edges between the units that are drawn, by their new places, and the paths."""
    inside = [n for n, (one, other, _) in enumerate(graph.edges) if one in new and other in new]
    number = {old: place for place, old in enumerate(inside)}
    steps = (graph.edges[n] for n in inside)
    whole = (path for path in graph.paths if all(n in number for n in path))
    edges = tuple((new[one], new[other], kind) for one, other, kind in steps)
    return edges, tuple(tuple(number[n] for n in path) for path in whole)


def _entry(
    record: Record, drawing: Drawing, context: int | None, evidence: tuple[Gold, ...]
) -> Entry:
    return Entry(
        id=record.question,
        conversation=record.conversation,
        category=record.category,
        query=record.query,
        asked=_moment(datetime.fromisoformat(record.asked_at)) if record.asked_at else "",
        gold=record.gold,
        answer=record.answer,
        abstained=record.abstained,
        outcome=outcome(record),
        place=PLACES[place(record)],
        scores={name: round(100 * score, 1) for name, score in sorted(record.scores.items())},
        milliseconds={name: round(1000 * s, 1) for name, s in sorted(record.seconds.items())},
        tokens=record.context_tokens,
        context=context,
        evidence=evidence,
        drawing=drawing,
        error=record.error,
    )


def _gold(record: Record, known: Remembered, lines: Places) -> tuple[Gold, ...]:
    """Say what became of each gold message: the context has it, a hit has it, or neither."""
    hits = {m for unit in record.retrieved for m in known.views.get(unit, View()).messages}
    found = []
    for id in record.evidence:
        message = known.messages.get(id)
        text = lines(f"{message.speaker}: {message.text}") if message else None
        if id in record.messages:
            fate = "in the context"
        elif id in hits:
            fate = "retrieved, left out of the context"
        else:
            fate = known.fates.get(id, "not in the context")
        found.append(Gold(id, text, fate))
    return tuple(found)


def _moment(at: datetime | None) -> str:
    return f"{at.day} {at:%B %Y, %H:%M}" if at else "no date"
