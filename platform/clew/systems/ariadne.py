"""AriadneMem: thread scattered facts into one graph, then answer once.

Read it beside Algorithm 1 of the paper (arXiv 2603.03290): a line here is a line there.
What a stage does, and its equation, is told in the stage's own file.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from clew.memory import Memory
from clew.model import Answer, Context, Graph, Message, Query
from clew.stages.answer import Synthesise
from clew.stages.expand import Expand
from clew.stages.extract import Extract
from clew.stages.gate import Gate
from clew.stages.pack import Pack
from clew.stages.paths import Mine
from clew.stages.plan import FastPath
from clew.stages.recall import Recall
from clew.stages.windows import Windows
from clew.stages.write import Write


@dataclass(frozen=True, slots=True)
class AriadneMem:
    """The full pipeline; an ablation swaps one field for its plain twin."""

    gate: Gate
    windows: Windows
    extract: Extract
    write: Write
    fast_path: FastPath
    recall: Recall
    expand: Expand
    mine: Mine
    pack: Pack
    synthesise: Synthesise

    def remember(self, messages: Iterable[Message], memory: Memory) -> None:
        """Phase I: turn a stream of dialogue into a graph of units."""
        kept = (message for message in memory.ahead(messages) if self.gate(message, memory))
        for window in self.windows(kept):
            units = self.extract(window, memory)
            memory.foresee(units)
            memory.ingest(window, (self.write(unit, memory) for unit in units), units.how)

    def gather(self, query: Query, memory: Memory) -> Graph:
        """Phase II up to the reader: recall, connect, and explain."""
        if known := self.fast_path(query, memory):
            return known
        found = self.recall(query, memory)
        evidence = self.expand(found, memory)
        return self.mine(evidence, query)

    def context(self, graph: Graph, memory: Memory, budget: int | None = None) -> Context:
        """Write the evidence graph down for a reader (the paper's C_graph)."""
        return self.pack(graph, memory, budget)

    def reply(self, query: Query, graph: Graph, context: Context, memory: Memory) -> Answer:
        """Answer once, from the graph and its text (Eq. 11)."""
        return self.synthesise(query, graph, context, memory)
