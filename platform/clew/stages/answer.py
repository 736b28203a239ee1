"""Answer: what do the gathered units say to the question? (AriadneMem §2.3, Eq. 11)"""

from typing import Protocol

from clew.memory import Memory
from clew.model import Answer, Context, Graph, Query
from clew.stage import Count, stage
from clew.stages import spans
from clew.stages.asking import read
from clew.stages.reading import lines, owners, topic
from clew.when import day, find, say

UNKNOWN = "Not mentioned"


class Synthesise(Protocol):
    """Answer a query once, from the graph and its text."""

    def __call__(self, query: Query, graph: Graph, context: Context, memory: Memory) -> Answer: ...


@stage
class Extractive:
    """Answer without an LLM: pick the supporting units and the shortest span that answers."""

    most: Count = 8  # words in an answer

    def __call__(self, query: Query, graph: Graph, context: Context, memory: Memory) -> Answer:
        """Return a short answer, or abstain."""
        if graph.known:
            return Answer(graph.known, context, graph)
        asked = read(query.text)
        people = owners(asked, memory)
        told = lines(asked, graph, people)
        if not told:
            return Answer(UNKNOWN, context, graph, abstained=True)
        best = told[0]
        wanted = topic(asked, people)
        if asked.kind == "when":
            at = find(best.text, best.unit.said_at)
            return Answer(say(at[0][1]) if at else day(best.unit.said_at), context, graph)
        text = ""
        if asked.verb:
            text = spans.after(best.text, {asked.verb}, self.most)
        text = text or spans.predicate(best.text, self.most)
        return Answer(text or UNKNOWN, context, graph, abstained=not text)
