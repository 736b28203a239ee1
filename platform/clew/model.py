"""The nouns: what is said, what is remembered, what is asked, and what is decided.

All are frozen values. Nothing here knows a store, a model or a paper's numbers. A unit
row is never rewritten: its status, the end of its validity and the time it was last
seen are views over the ledger of decisions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

from clew.parts import parts
from clew.when import TimeSpan

UnitKind = Literal[
    "atomic", "abstract", "fact", "event", "observation", "summary", "insight", "preference"
]
StoredKind = Literal["NEXT", "SUPERSEDES", "MERGED_INTO", "ABSTRACTS", "BEFORE", "CAUSES"]
MadeKind = Literal["SHARED_ENTITY", "TIME_NEAR", "BRIDGE"]  # for one question, never stored
EdgeKind = Literal[StoredKind, "MENTIONS", MadeKind]  # a mention goes to the id of an entity
STORED: frozenset[str] = frozenset(get_args(StoredKind))
EntityType = Literal["person", "place", "organization", "thing", "unknown"]
Role = Literal["terminal", "bridge", "neighbour", "fact"]
Status = Literal["active", "archived", "superseded"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation, as it came in.

    `position` is its place in the order of ingestion, from 0 and without gaps; `said_at`
    is aware of its zone, or None where the source has no time. `caption` describes an
    image the speaker shared.
    """

    id: str
    conversation: str
    session: str
    position: int
    speaker: str
    text: str
    said_at: datetime | None
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where in a message a unit comes from: characters [start, end) of its text.

    Of an abstract unit an empty stretch means that it tells of the message without its words.
    """

    message: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Entity:
    """A person, place or thing that units mention; `id` is unique in its conversation."""

    id: str
    name: str
    type: EntityType = "unknown"
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A claim in a slot: of `subject` (an entity id), `property` is `value`.

    A functional property holds one value at a time (a home, a count), so a later value
    ends an earlier one; any other property gathers values (languages spoken). `negated`
    says that the claim denies the value.
    """

    subject: str
    property: str
    value: str
    functional: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Unit:
    """One atomic memory: a sentence that can be understood alone (the paper's entry m).

    `text` is what a reader is shown; `context` is the same in the words around it, for
    the second dense view. `event` is when what it tells took place, `said_at` when it
    was told. `entities` are entity ids. Every unit has evidence.

    An abstract unit has a `level` of 1 or more: it tells in short what stored units of lower
    levels say, its evidence is theirs, and it stands in no chain of NEXT. `spaces` names the
    parts of the memory that it belongs to.
    """

    id: str
    conversation: str
    text: str
    said_at: datetime | None
    session: str
    position: int
    speaker: str
    evidence: tuple[Evidence, ...]
    event: TimeSpan = TimeSpan()
    context: str = ""
    keywords: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()
    place: str = ""
    facts: tuple[Fact, ...] = ()
    kind: UnitKind = "atomic"
    level: int = 0
    spaces: frozenset[str] = frozenset()

    @property
    def valid_from(self) -> datetime | None:
        """The instant from which it holds: the event's start, else when it was said."""
        return self.event.start or self.said_at

    @property
    def order(self) -> tuple[bool, float, int, str]:
        """A key that sorts by when it was said, undated units last, then as told."""
        at = self.said_at
        return (at is None, at.timestamp() if at else 0.0, self.position, self.id)


@dataclass(frozen=True, slots=True)
class View:
    """What the ledger says of a unit today.

    `valid_to` is set by a Supersede that ends it, `under` is the abstract unit that it was
    archived under last. One that is both is "superseded", which tells what is true, and
    stays archived.
    """

    status: Status = "active"
    valid_to: datetime | None = None
    last_seen: datetime | None = None
    messages: tuple[str, ...] = ()  # its own evidence, then that of what was merged into it
    under: str | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """A typed, directed edge between two units, from the earlier to the later."""

    source: str
    target: str
    kind: EdgeKind
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Scored:
    """A unit with the scores that brought it up; `score` is the one it is ranked by.

    `dense` and `lexical` are in [0, 1] (cosine; BM25 over the best), `entity` is the
    factor for matching the query's entities. `role` says how it entered the evidence.
    """

    unit: Unit
    score: float
    dense: float = 0.0
    lexical: float = 0.0
    entity: float = 1.0
    role: Role = "terminal"


@dataclass(frozen=True, slots=True)
class Add:
    """Decision: news, keep it."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Merge:
    """Decision: it says again what `known` says; only its evidence and time are kept."""

    unit: Unit
    known: Unit
    likeness: float
    overlap: float


@dataclass(frozen=True, slots=True)
class Supersede:
    """Decision: keep it as another state of what `known` tells (the paper's LINK).

    `ends` says that the earlier state stops being true when the later begins; without it
    both stay current and only the edge tells of the change. Which of the two is the
    later is a matter of when they hold, not of the order they came in.
    """

    unit: Unit
    known: Unit
    likeness: float
    overlap: float
    ends: bool = False

    @property
    def states(self) -> tuple[Unit, Unit]:
        """The two units, earlier state first."""
        new, old = self.unit.valid_from, self.known.valid_from
        late = new is not None and old is not None and new < old
        return (self.unit, self.known) if late else (self.known, self.unit)


@dataclass(frozen=True, slots=True)
class Abstract:
    """Decision: keep a unit of level 1 or more, which tells in short what `members` say.

    An edge ABSTRACTS leads from it to each member. Its evidence has all of theirs, so that
    it is forgotten with any message that its words were made of.
    """

    unit: Unit
    members: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class Archive:
    """Decision: the stored `unit` is told of through the abstract `under` from now on.

    It stays in the graph with all it has, and is found by id, edge, time and mention; its
    vectors are hits only for those who ask for archived ones.
    """

    unit: Unit
    under: Unit


@dataclass(frozen=True, slots=True)
class Relate:
    """Decision: stored units stand to each other as these edges say."""

    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Drop:
    """Decision: the gate kept a message out, as a near repeat of unit `known` if there is one."""

    message: Message
    known: str = ""
    likeness: float = 0.0


@dataclass(frozen=True, slots=True)
class Ingest:
    """Decision: a window of messages was turned into `units` units, in this way.

    It "fell_back" when a model was to do it and rules did, at least in part; "failed" leaves
    the messages out of the memory. `figures` counts what had to be mended, or was changed, by kind.
    """

    messages: tuple[Message, ...]
    units: int
    outcome: Literal["accepted", "repaired", "fell_back", "failed"] = "accepted"
    reason: str = ""
    figures: Mapping[str, int] = field(default_factory=dict)


Decision = Add | Merge | Supersede | Abstract | Archive | Relate | Drop | Ingest


@dataclass(frozen=True, slots=True)
class Query:
    """What a system is asked: never the category, the gold answer or the evidence."""

    text: str
    asked_at: datetime | None
    conversation: str


@dataclass(frozen=True, slots=True)
class Question:
    """A query with what evaluation knows of it; `id` is `<conversation>:<index>`."""

    id: str
    query: Query
    gold: str
    category: int
    evidence: tuple[str, ...] = ()
    unanswerable: bool = False


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages in the order of ingestion, and the questions about them.

    `faults` counts what the loader had to mend or leave out, by kind.
    """

    id: str
    messages: tuple[Message, ...]
    questions: tuple[Question, ...] = ()
    faults: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Path:
    """A chain of units, earliest first, and the kinds of the edges between them."""

    units: tuple[str, ...]
    kinds: tuple[EdgeKind, ...]
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Dropped:
    """A unit that was found for a question and left out again, and why.

    It scored too low among its kind, or `kept`, the id of a unit that was kept, tells of a
    later state (STALE) or the same again (REDUNDANT).
    """

    node: Scored
    reason: Literal["LOW_SCORE", "STALE", "REDUNDANT"]
    kept: str = ""


@dataclass(frozen=True, slots=True)
class Graph:
    """The evidence graph of one question: units by falling score, edges, and paths.

    `known` is set when a fast path already found the answer; `dropped` are units left out.
    """

    nodes: tuple[Scored, ...] = ()
    edges: tuple[Edge, ...] = ()
    paths: tuple[Path, ...] = ()
    known: str = ""
    dropped: tuple[Dropped, ...] = ()

    def parts(self) -> list[frozenset[str]]:
        """Return the ids of units that hang together, parts with smaller ids first."""
        return parts((s.unit.id for s in self.nodes), ((e.source, e.target) for e in self.edges))


@dataclass(frozen=True, slots=True)
class Context:
    """Evidence as the reader gets it, with the units and messages it is built from."""

    text: str
    tokens: int
    units: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A short answer, or an abstention, with the evidence and context behind it."""

    text: str
    context: Context
    graph: Graph = Graph()
    abstained: bool = False
