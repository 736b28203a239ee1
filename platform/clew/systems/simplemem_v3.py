"""SimpleMem, third version: write only what tells something, united; plan a search, then search.

Read it beside §2 of that version (arXiv 2601.02553v3, 29 January 2026), which has other
mechanisms than the first under the same name and tables. What a stage does, and its equation,
is told in the stage's own file; what became of its parts, in the table of `simplemem.py`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from clew.memory import Memory
from clew.model import Answer, Context, Graph, Message, Query
from clew.stages.answer import Synthesise
from clew.stages.extract import Extract
from clew.stages.intent import Infer
from clew.stages.pack import Pack
from clew.stages.summarise import Summarise
from clew.stages.unite import Unite
from clew.stages.views import Search
from clew.stages.windows import Windows


@dataclass(frozen=True, slots=True)
class SimpleMemV3:
    """The full pipeline; an ablation swaps one field for its plain twin."""

    windows: Windows
    extract: Extract
    unite: Unite
    summarise: Summarise
    infer: Infer
    search: Search
    pack: Pack
    synthesise: Synthesise

    def remember(self, messages: Iterable[Message], memory: Memory) -> None:
        """Compress window by window, and unite what belongs together on the way (§2.1-2.2)."""
        for window in self.windows(messages):
            units = self.extract(window, memory)
            memory.foresee(units)
            memory.ingest(window, self.unite(units, self.summarise, memory), units.how)

    def gather(self, query: Query, memory: Memory) -> Graph:
        """Plan what to look for and how deep, and look into three views at once (§2.3)."""
        return Graph(self.search(self.infer(query, memory), memory))

    def context(self, graph: Graph, memory: Memory, budget: int | None = None) -> Context:
        """Write the units down in order of time."""
        return self.pack(graph, memory, budget)

    def reply(self, query: Query, graph: Graph, context: Context, memory: Memory) -> Answer:
        """Answer once from the units."""
        return self.synthesise(query, graph, context, memory)
