"""Workload: one conversation is remembered, added to and asked about, at a rate (Mandol §5.3-5.4).

The first messages are remembered as fast as can be. The last ones come one by one, each to be
remembered by itself (Add); then come questions, each to be answered with a packed context, which
no reader gets (Search). Questions begin anew when there are no more.
"""

import hashlib
import math
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import cycle, islice
from typing import Annotated, Any

from pydantic import Field

from clew.errors import ConfigError
from clew.evaluate.footprint import Footprint
from clew.evaluate.run import settled
from clew.evaluate.serving import Latencies, Queue, Request, serve, without_embedding
from clew.memory import Memory
from clew.model import Context, Conversation, Message, Query
from clew.stage import Count, checked
from clew.systems.base import MemorySystem
from clew.text import count_tokens

Rate = Annotated[float, Field(gt=0, le=100_000, allow_inf_nan=False)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


@checked
class Load:
    """How many requests of each kind come, and how fast: `rate` a second.

    Without `requests` they come for so many `seconds`. Mandol's paper has a rate of 10, on a
    laptop 5 for Search, and does not say how many (Table 5).
    """

    rate: Rate = 10.0
    seconds: Seconds = 30.0  # unspecified
    requests: Count | None = None

    @property
    def n(self) -> int:
        """How many requests of each kind there are."""
        return self.requests or math.ceil(self.rate * self.seconds)


@dataclass(frozen=True, slots=True)
class Served:
    """What requests of one kind took: as they came, and as if embedding took no time."""

    latency: Latencies
    queue: Queue
    latency_noembed: Latencies
    queue_noembed: Queue

    @classmethod
    def of(cls, requests: Sequence[Request]) -> "Served":
        """Sum up at least one request."""
        bare = without_embedding(requests)
        return cls(Latencies.of(requests), Queue.of(requests), Latencies.of(bare), Queue.of(bare))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a workload came to; `contexts` is a hash of all that was packed, in order."""

    conversation: str
    loaded: int  # messages remembered before the first request
    load: Load
    add: Served
    search: Served
    contexts: str
    footprint: Footprint

    @property
    def base(self) -> float:
        """The MB that were resident before there was a memory."""
        return self.footprint.phases[0].rss

    @property
    def content(self) -> dict[str, Any]:
        """All of it as plain values, times rounded to a tenth of a microsecond."""
        return {
            "conversation": self.conversation,
            "loaded": self.loaded,
            "load": asdict(self.load),
            "add": _rounded(asdict(self.add)),
            "search": _rounded(asdict(self.search)),
            "contexts": self.contexts,
            "rss": _rounded({"base": self.base, "peak": self.footprint.peak}),
            "phases": [_rounded(asdict(phase)) for phase in self.footprint.phases],
        }


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    return round(value, 4) if isinstance(value, float) else value


def work(
    system: MemorySystem,
    conversation: Conversation,
    new_memory: Callable[[str], Memory],
    load: Load,
    footprint: Footprint,
) -> Outcome:
    """Open a memory of a conversation, put the load on it, and close it.

    Raises:
        ConfigError: the conversation has nothing to add or to ask.
    """
    _check(conversation)
    first = max(0, len(conversation.messages) - load.n)
    hash = hashlib.sha256()

    def add(message: Message) -> None:
        system.remember([message], memory)

    def search(query: Query) -> None:
        hash.update(searched(system, query, memory).text.encode("utf-8", "surrogatepass"))

    with closing(new_memory(conversation.id)) as memory:
        with footprint.phase("base"):
            count_tokens("")  # it and the embedder load what belongs to no request
            memory.embed([conversation.messages[0].text])
        with footprint.phase("load"):
            system.remember(conversation.messages[:first], memory)
            memory.settle()
        with settled(), footprint.phase("add"):
            added = serve((_of(add, m) for m in conversation.messages[first:]), load.rate)
        queries = islice(cycle(q.query for q in conversation.questions), load.n)
        with settled(), footprint.phase("search"):
            found = serve((_of(search, query) for query in queries), load.rate)
    served = Served.of(added), Served.of(found)
    return Outcome(conversation.id, first, load, *served, hash.hexdigest(), footprint)


def searched(system: MemorySystem, query: Query, memory: Memory) -> Context:
    """Return what a reader would be given: evidence, found and packed."""
    return system.context(system.gather(query, memory), memory)


def _of(do: Callable[[Any], None], what: Message | Query) -> Callable[[], None]:
    return lambda: do(what)


def _check(conversation: Conversation) -> None:
    for what, there in (("messages", conversation.messages), ("questions", conversation.questions)):
        if not there:
            raise ConfigError(
                f"dataset: {conversation.id} has no {what}, so there is nothing to measure: "
                f"choose another with dataset.only=, or another dataset="
            )
