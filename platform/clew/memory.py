"""Memory: graph, vectors and embedder of one conversation, and the single way to write.

Stages read through it; systems write through `apply`. The graph is written first and is
the truth, the vectors are an index of it. A process that dies between the two leaves a
difference, which `repair` finds by comparing stamps and mends.
"""

from collections.abc import Collection, Iterable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import ClassVar, assert_never

from clew.errors import ConfigError, StoreError
from clew.foresight import Coming, Foresight
from clew.indexing import Indexed, texts_of
from clew.model import (
    Abstract,
    Add,
    Archive,
    Decision,
    Drop,
    Edge,
    Entity,
    Ingest,
    Merge,
    Message,
    Relate,
    Supersede,
    Unit,
)
from clew.models.embed import Embedder
from clew.models.llm import Llm
from clew.paging import Paging
from clew.repeats import Repeats
from clew.stores.graph import GraphAlgorithms, GraphStore
from clew.stores.vectors import EVERYWHERE, DenseView, Hit, Vector, VectorStore, Where
from clew.text import fold, query_weights
from clew.trace import span


class Memory(Indexed):
    """The long-term memory of one conversation; `known` is where units that were read are kept.

    Raises (on construction):
        StoreMismatch: the store was written with another embedder than this one.
        StoreMissing: there are vectors, and the graph that they are an index of is gone.
    """

    existing: ClassVar[frozenset[str]] = frozenset()  # of "graph" and "index": never made anew

    def __init__(
        self,
        graph: GraphStore,
        vectors: VectorStore,
        embedder: Embedder,
        algorithms: GraphAlgorithms,
        llm: Llm | None = None,
        known: MutableMapping[str, Unit] | None = None,
    ) -> None:
        self.graph, self.vectors = graph, vectors
        self.algorithms, self._llm, self.coming = algorithms, llm, Coming()
        self._embedder = embedder
        self._expected: list[str] = []
        self._at_hand: dict[str, Vector] = {}
        self._known = Paging().units() if known is None else known
        self._speakers: frozenset[str] | None = None
        self._repeats: Repeats | None = None
        self._met: dict[str, Entity] = {}
        self._check_embedder()
        self.repair()

    @property
    def conversation(self) -> str:
        """The id of the conversation this is the memory of."""
        return self.graph.conversation

    @property
    def speakers(self) -> frozenset[str]:
        """The folded names of all who speak in the conversation."""
        if self._speakers is None:
            self._speakers = frozenset(fold(name) for name in self.graph.speakers())
        return self._speakers

    def speaker(self, name: str) -> str:
        """Return the folded name of the one speaker a name stands for, or "".

        A short form of three letters or more counts for the speaker it begins.
        """
        short = fold(name)
        fits = [s for s in self.speakers if s == short or (len(short) > 2 and s.startswith(short))]
        return fits[0] if len(fits) == 1 else ""

    @property
    def llm(self) -> Llm:
        """The language model that stages may ask.

        Raises:
            ConfigError: there is none.
        """
        if self._llm is None:
            raise ConfigError("llm: a stage asks a language model: set llm= to one, as llm=openai")
        return self._llm

    @cached_property
    def foresight(self) -> Foresight:
        """What was asked of the language model before it is needed."""
        return Foresight(self.llm)

    # --- reading

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return one unit vector per text; texts that `ahead` foresaw are embedded with them."""
        if all(text in self._at_hand for text in texts):
            return [self._at_hand[text] for text in texts]
        with span("embed"):
            if not set(texts).isdisjoint(self._expected):
                self._embedder(self._expected)  # one batch; a caching embedder keeps it
                self._expected = []
            return list(self._embedder(texts))

    def ahead(self, messages: Iterable[Message], n: int = 32) -> Iterator[Message]:
        """Pass messages on, looking n ahead, so that a gate's embeddings come in batches."""
        self.coming = Coming(messages)
        while batch := self.coming.peek(n):
            self._expected = [message.text for message in batch if message.text.strip()]
            yield from (self.coming.take() for _ in batch)

    def foresee(self, units: Sequence[Unit]) -> None:
        """Embed all that writing these units asks for in one batch, and let the vectors know."""
        texts = dict.fromkeys(text for unit in units for text in texts_of(unit))
        try:
            self._at_hand = dict(zip(texts, self.embed(list(texts)), strict=True))
        except BaseException:
            self._met = {}  # nothing of the window is written
            raise
        self.vectors.expect([self._at_hand[unit.text] for unit in units])

    def settle(self) -> None:
        """Give up what was asked ahead and is not wanted any more, when nothing else comes."""
        if self._llm is not None:
            self.foresight.settle()

    def similar(
        self, text: str, k: int, where: Where = EVERYWHERE, view: DenseView = "text"
    ) -> list[Hit]:
        """Return the k units nearest to `text` by cosine; none for an empty text."""
        return self.vectors.dense(self.embed([text])[0], k, where, view) if text.strip() else []

    def near(self, text: str, k: int, above: float) -> list[Hit]:
        """Return, of the k units nearest to `text`, archived or not, those above `above`."""
        return self.vectors.near(self.embed([text])[0], k, above) if text.strip() else []

    def said_again(self, start: datetime, end: datetime) -> list[str]:
        """Return the ids of units that something was merged into, last said in [start, end]."""
        if self._repeats is None:
            self._repeats = Repeats(self.graph)
        return self._repeats.between(start, end)

    def lexical(self, text: str, k: int, where: Where = EVERYWHERE) -> list[Hit]:
        """Return the k units with the highest BM25 sum for the words of `text`."""
        words = query_weights(text)
        return self.vectors.sparse(words, k, where) if words else []

    def units(self, ids: Sequence[str]) -> list[Unit]:
        """Return these units in the order asked; they never change, so they are kept at hand."""
        known = {id: self._known[id] for id in ids if id in self._known}
        if missing := [id for id in ids if id not in known]:
            read = {unit.id: unit for unit in self.graph.get(missing)}
            self._known.update(read)
            known |= read
        return [known[id] for id in ids if id in known]

    def entities(self, name: str) -> list[Entity]:
        """Return who and what goes by a name; what was met and is not written yet counts too."""
        met = {e.id: e for e in self._met.values() if fold(name) in map(fold, (e.name, *e.aliases))}
        known = {entity.id: entity for entity in self.graph.entities(name)} | met
        return [known[id] for id in sorted(known)]

    # --- writing

    def meet(self, entities: Iterable[Entity]) -> None:
        """Take in who and what a window tells of; it is written with its units, or not at all."""
        self._met |= {entity.id: entity for entity in entities}

    def _write_met(self) -> None:
        if self._met:
            self.graph.put_entities(self._met[id] for id in sorted(self._met))
            self._met = {}

    def _look_again(self) -> None:
        """Let go of what is held in process, as the store may say something else now."""
        self._known.clear()
        self._met = {}
        self._speakers = self._repeats = None

    def _hear(self, messages: Sequence[Message]) -> None:
        self.graph.put_messages(messages)
        self._speakers = None

    def ingest(
        self, window: Sequence[Message], decisions: Iterable[Decision], how: Ingest | None = None
    ) -> None:
        """Carry out all decisions about a window of messages, or none of them.

        Decisions are pulled one by one, so each is made in sight of those before it. `how`
        tells what is not plain about the way the window was read; so does, in its place, an
        Ingest among the decisions, where that is known only once they are made.
        """
        with self._whole():
            self._hear(window)
            n = 0
            for decision in decisions:
                if isinstance(decision, Ingest):
                    how = decision
                    continue
                self.apply(decision)
                n += 1
            self.apply(replace(how or Ingest(tuple(window), n), units=n))

    def revise(self, decisions: Iterable[Decision]) -> None:
        """Carry out all decisions about what is stored already, or none of them."""
        with self._whole():
            for decision in decisions:
                self.apply(decision)

    @contextmanager
    def _whole(self) -> Iterator[None]:
        try:
            with self.graph.transaction():
                yield
                self._write_met()
        except BaseException:
            self._look_again()
            with suppress(StoreError):  # else it is mended when the memory is opened next
                self.repair()
            raise

    def apply(self, decision: Decision) -> None:
        """Carry out a decision and keep it in the ledger."""
        with self.graph.transaction():
            if not isinstance(decision, Drop):  # of another message than those that tell of them
                self._write_met()
            self.graph.record(decision)
            match decision:
                case Add(unit):
                    self._store(unit)
                case Supersede(unit):
                    self._store(unit)
                    self._follow(decision)
                case Merge(unit, known):  # the ledger entry is the effect: no row is rewritten
                    if self._repeats is not None:
                        self._repeats.note(known, unit)
                case Abstract(unit, members):
                    self._store(unit)
                    self.graph.link(Edge(unit.id, each.id, "ABSTRACTS") for each in members)
                case Archive(unit):
                    self.vectors.archive([unit.id])
                case Relate(edges):
                    self.graph.link(edges)
                case Ingest():
                    pass
                case Drop(message):
                    self._hear([message])
                case _:
                    assert_never(decision)

    def forget(self, messages: Collection[str]) -> list[str]:
        """Delete messages and all that came from them alone; return the deleted units' ids."""
        gone = self.graph.forget(messages)
        self._look_again()
        self.repair()
        return gone

    def clear(self) -> None:
        """Delete the whole conversation from both stores."""
        self._look_again()
        self.vectors.clear()  # first: vectors without a graph would be a graph that was lost
        self.graph.clear()

    def close(self) -> None:
        """Write out and let go of both stores, and of what algorithms made of the graph."""
        self.algorithms.close()
        self.vectors.close()
        self.graph.close()

    def _store(self, unit: Unit) -> None:
        self.graph.put([unit])
        self._known[unit.id] = unit
        if unit.level == 0 and (before := self.graph.previous(unit)):
            self.graph.link([Edge(before, unit.id, "NEXT")])
        self.vectors.put(self._points([unit]))

    def _follow(self, decision: Supersede) -> None:
        earlier, later = decision.states
        self.graph.link([Edge(earlier.id, later.id, "SUPERSEDES")])
        if decision.ends:
            self.vectors.end(earlier.id, self.graph.stamps([earlier.id])[earlier.id].valid_to)
