"""Mandol: agglomerate what was said into layers, and pack what fits and does not repeat itself.

Read it beside §3 of the paper (arXiv 2606.29778). What a stage does, and its equation, is
told in the stage's own file.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from clew.memory import Memory
from clew.model import Add, Answer, Context, Decision, Graph, Message, Query, Unit
from clew.stages.agglomerate import Agglomerate
from clew.stages.answer import Synthesise
from clew.stages.arbitrate import Arbitrate
from clew.stages.enhance import Enhance
from clew.stages.expand import Expand
from clew.stages.extract import Extract
from clew.stages.pack import Pack
from clew.stages.refine import Denoise, Rerank
from clew.stages.route import Route
from clew.stages.sources import RecallPlan
from clew.stages.windows import Windows


@dataclass(frozen=True, slots=True)
class Mandol:
    """The full pipeline; an ablation swaps one field for its plain twin."""

    windows: Windows
    extract: Extract
    enhance: Enhance
    agglomerate: Agglomerate
    route: Route
    recall: RecallPlan
    expand: Expand
    rerank: Rerank
    denoise: Denoise
    arbitrate: Arbitrate
    pack: Pack
    synthesise: Synthesise

    def remember(self, messages: Iterable[Message], memory: Memory) -> None:
        """§3.1: build the basic and the abstract layer, chunk by chunk."""
        for chunk in self.windows(messages):
            told = self.extract(chunk, memory)
            units = self.enhance(told, memory)
            memory.foresee(units)
            memory.ingest(chunk, self._layers(units, memory), told.how)

    def _layers(self, units: Sequence[Unit], memory: Memory) -> Iterator[Decision]:
        yield from (Add(unit) for unit in units)
        yield from self.agglomerate(units, memory)

    def gather(self, query: Query, memory: Memory) -> Graph:
        """§3.3.1-2: route, recall and expand; then rerank, denoise, and settle conflicts."""
        plan = self.route(query, memory)
        found = self.recall(query, plan, memory)
        graph = self.expand(found, memory)
        graph = self.rerank(query, graph, memory)
        graph = self.denoise(graph)
        return self.arbitrate(query, graph)

    def context(self, graph: Graph, memory: Memory, budget: int | None = None) -> Context:
        """§3.3.3: write down what is relevant and adds something, under a budget of tokens."""
        return self.pack(graph, memory, budget)

    def reply(self, query: Query, graph: Graph, context: Context, memory: Memory) -> Answer:
        """Answer once from the context."""
        return self.synthesise(query, graph, context, memory)
