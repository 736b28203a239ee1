"""The contract MemorySystem: remember a conversation, gather evidence, and reply.

A system is asked in three steps, so that a run can time the search apart from the
reading, and pack the same evidence again at other budgets. `answer` takes them in turn.
"""

from collections.abc import Iterable
from typing import Protocol

from clew.memory import Memory
from clew.model import Answer, Context, Graph, Message, Query


class MemorySystem(Protocol):
    """A long-term memory method: one file per paper, its stages as fields."""

    def remember(self, messages: Iterable[Message], memory: Memory) -> None:
        """Turn a stream of messages, in the order of ingestion, into memories."""

    def gather(self, query: Query, memory: Memory) -> Graph:
        """Find the evidence for a query, without any LLM but one that plans the search."""

    def context(self, graph: Graph, memory: Memory, budget: int | None = None) -> Context:
        """Pack evidence as a reader gets it, within `budget` tokens or the system's own."""

    def reply(self, query: Query, graph: Graph, context: Context, memory: Memory) -> Answer:
        """Answer from a context; the Answer carries the graph and the context."""


def answer(system: MemorySystem, query: Query, memory: Memory) -> Answer:
    """Gather, pack and reply."""
    graph = system.gather(query, memory)
    context = system.context(graph, memory)
    return system.reply(query, graph, context, memory)
