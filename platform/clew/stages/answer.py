"""Answer: what do the gathered units say to the question? (AriadneMem §2.3, Eq. 11)"""

from typing import Protocol

from clew.memory import Memory
from clew.model import Answer, Context, Graph, Query
from clew.stage import Count, stage

UNKNOWN = "Not mentioned"


class Synthesise(Protocol):
    """Answer a query once, from the graph and its text."""

    def __call__(self, query: Query, graph: Graph, context: Context, memory: Memory) -> Answer: ...


@stage
class Extractive:
    """Answer without an LLM: pick the supporting units and the shortest span that answers."""

    most: Count = 12  # words in an answer

    def __call__(self, query: Query, graph: Graph, context: Context, memory: Memory) -> Answer:
        """Return a short answer, or abstain."""
        if graph.known:
            return Answer(graph.known, context, graph)
        if not graph.nodes:
            return Answer(UNKNOWN, context, graph, abstained=True)
        told = graph.nodes[0].unit.text.partition(": ")[2]
        return Answer(" ".join(told.split()[: self.most]), context, graph)
