"""A small system over real stores and a small dataset; run as a script, it can be killed.

python tiny_run.py FOLDER [SECONDS_PER_STEP]
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from clew.evaluate.manifest import Settings
from clew.evaluate.run import run
from clew.evaluate.summary import Summary
from clew.memory import Memory
from clew.model import (
    Add,
    Answer,
    Context,
    Conversation,
    Decision,
    Drop,
    Evidence,
    Graph,
    Ingest,
    Merge,
    Message,
    Query,
    Question,
    Scored,
    Unit,
)
from clew.models.words import WordCounts
from clew.stores.edge import EdgeVectors
from clew.stores.rustworkx import RustworkxAlgorithms
from clew.stores.sqlite import SqliteGraph
from clew.text import count_tokens, fold
from clew.trace import count

START = datetime(2024, 5, 15, 12, tzinfo=UTC)
ANIMALS = ("otter", "heron", "beetle", "marmot", "lizard", "badger", "falcon", "weasel")


@dataclass(frozen=True)
class Gate:
    """Drops what says exactly what the last message said."""

    effects: ClassVar[tuple[str, ...]] = ("gate.dropped",)


@dataclass(frozen=True)
class Tiny:
    """Stores messages in threes, finds by words, and answers with the best text.

    Messages that say "spill" are never taken up, "garble" makes their window fail,
    questions that say "explode" raise.
    """

    pause: float = 0.0
    log: Path | None = None
    gate: Gate = field(default_factory=Gate)

    def remember(self, messages: Iterable[Message], memory: Memory) -> None:
        kept = self._kept(messages, memory)
        while window := list(islice(kept, 3)):
            time.sleep(self.pause)
            count("llm.calls")
            count("llm.prompt_tokens", 100)
            count("llm.completion_tokens", 20)
            if self.log:
                with self.log.open("a") as file:
                    file.write(f"{memory.conversation} {window[0].id}\n")
            if any("garble" in message.text for message in window):
                memory.apply(Ingest(tuple(window), 0, "failed", "the reply was no JSON"))
            else:
                memory.ingest(window, self._decisions(window, memory))

    def _kept(self, messages: Iterable[Message], memory: Memory) -> Iterator[Message]:
        for message in messages:
            if "spill" in message.text:
                continue
            known = [hit for hit in memory.similar(message.text, 1) if hit.score > 0.99]
            if known and "again" in message.text:
                memory.apply(Drop(message, known[0].id, known[0].score))
            else:
                yield message

    def _decisions(self, window: list[Message], memory: Memory) -> Iterator[Decision]:
        for m in window:
            unit = Unit(
                id=f"{m.id}.00",
                conversation=m.conversation,
                text=f"{m.speaker}: {m.text}",
                said_at=m.said_at,
                session=m.session,
                position=m.position,
                speaker=m.speaker,
                evidence=(Evidence(m.id, 0, len(m.text)),),
            )
            like = [hit for hit in memory.similar(unit.text, 1) if hit.score > 0.99]
            if like:
                yield Merge(unit, memory.units([like[0].id])[0], like[0].score, 1.0)
            else:
                yield Add(unit)

    def gather(self, query: Query, memory: Memory) -> Graph:
        if "explode" in query.text:
            raise RuntimeError("boom")
        time.sleep(self.pause)
        memory.embed([query.text])
        hits = memory.lexical(query.text, 4)
        count("tiny.found", len(hits))
        units = memory.units([hit.id for hit in hits])
        return Graph(tuple(Scored(u, h.score) for u, h in zip(units, hits, strict=True)))

    def context(self, graph: Graph, memory: Memory, budget: int | None = None) -> Context:
        taken: list[Unit] = []
        for node in graph.nodes:
            text = "\n".join(unit.text for unit in [*taken, node.unit])
            if count_tokens(text) <= (20 if budget is None else budget):
                taken.append(node.unit)
        text = "\n".join(unit.text for unit in taken)
        ids = tuple(unit.id for unit in taken)
        return Context(text, count_tokens(text), ids, tuple(id[:-3] for id in ids))

    def reply(self, query: Query, graph: Graph, context: Context, memory: Memory) -> Answer:
        count("llm.calls")
        count("llm.prompt_tokens", 50)
        count("llm.completion_tokens", 5)
        if not graph.nodes:
            return Answer("I cannot tell", context, abstained=True)
        return Answer(graph.nodes[0].unit.text.partition(": ")[2], context)


def conversation(id: str, texts: Iterable[str], asked: Iterable[Question] = ()) -> Conversation:
    messages = tuple(
        Message(f"D1:{n}", id, "D1", n, "Ana", text, START + timedelta(minutes=n))
        for n, text in enumerate(texts)
    )
    return Conversation(id, messages, tuple(asked))


def question(
    id: str, text: str, gold: str, category: int = 4, evidence: tuple[str, ...] = ()
) -> Question:
    query = Query(text, START, id.rpartition(":")[0])
    return Question(id, query, gold, category, evidence, unanswerable=category == 5)


def animals(id: str) -> Conversation:
    """Return a talk about animals: twelve messages, a repeat and a near repeat, six questions."""
    texts = [f"the {fold(animal)} came by at {n} o'clock" for n, animal in enumerate(ANIMALS)]
    texts += ["the weasel came by at 7 o'clock", "nothing new, again", "nothing new, again", ""]
    asked = [
        question(f"{id}:0", "When came the otter?", "0 o'clock", 2, ("D1:0",)),
        question(f"{id}:1", "Who came by at 4?", "lizard, falcon", 1, ("D1:4", "D1:6")),
        question(f"{id}:2", "Is the beetle shy?", "likely; it hides", 3),
        question(f"{id}:3", "Where is the heron?", "came by", 4, ("D1:1",)),
        question(f"{id}:4", "Zebra?", "Not mentioned in the conversation", 5, ("D1:2",)),
        question(f"{id}:5", "What of the badger?", "it came", 4, ("D1:5", "D1:0")),
    ]
    return conversation(id, texts, asked)


@dataclass(frozen=True)
class Talks:
    """A dataset of given conversations."""

    conversations: tuple[Conversation, ...]
    sha256: str = "0" * 64
    name: str = "talks"
    version: str = "1"

    def __iter__(self) -> Iterator[Conversation]:
        return iter(self.conversations)


ALL = Talks(
    (animals("a"), conversation("silent", ["hello"]), conversation("empty", []), animals("b"))
)


def new_memory(folder: Path) -> Callable[[str], Memory]:
    def opened(id: str) -> Memory:
        with ExitStack() as stores:
            graph = SqliteGraph(folder, id)
            stores.callback(graph.close)
            vectors = EdgeVectors(folder, id, 64, "vectors")
            stores.callback(vectors.close)
            memory = Memory(graph, vectors, WordCounts(64), RustworkxAlgorithms(graph))
            stores.pop_all()  # from now on the memory closes them
            return memory

    return opened


def settings(name: str = "tiny", **more: Any) -> Settings:
    return Settings(name, "tiny", models={"embedder": "words-64"}, **more)


def start(folder: Path, system: Tiny | None = None, data: Talks = ALL, **more: Any) -> Summary:
    """Run `system` over `data` in `folder`."""
    return run(system or Tiny(), data, new_memory(folder), folder, settings(**more))


if __name__ == "__main__":
    place = Path(sys.argv[1])
    start(place, Tiny(float(sys.argv[2]) if len(sys.argv) > 2 else 0.0, place / "extracted.log"))
