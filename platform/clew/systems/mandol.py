"""Mandol: agglomerate what was said into layers, and pack what fits and does not repeat itself.

Read it beside §3 of the paper (arXiv 2606.29778). What a stage does, and its equation, is
told in the stage's own file. All of it works without an LLM, and `mandol_llm` with one; no label
of a data set takes part.

| component | here |
|---|---|
| MAN-01 memory unit, -02 spaces, -08 sources of abstracts | done: `Unit`, its `spaces`, ABSTRACTS |
| MAN-03 explicit edges | done: NEXT and BEFORE, mentions of entities, SUPERSEDES |
| MAN-04 implicit edges | done: `MandolApi.traverse_implicit_nodes` |
| MAN-05 episodic, -06 semantic, -07 emotional | done: by rules, or by one call of an LLM a chunk |
| | (`agglomerate_llm.LlmLayers`): events and what they followed and came of, facts of entities, |
| | tastes and feelings; each cites its messages, else rules of `stages/layers/` take over |
| MAN-09 context enhancement | done: the paper's format; of what was said up to then alone |
| MAN-10 session and global summaries | not: they need later messages |
| MAN-11 SemanticMap, -12 SemanticGraph, -13 operators | differently: `Memory` over two stores |
| MAN-14 chunks | differently: at sessions' ends and by size; no session is guessed |
| MAN-15 incremental update | done: chunk by chunk; an entity's old unit is archived |
| MAN-16, -17 clusters merged by an LLM | differently: names are resolved by rules; what an LLM |
| | says again of an entity is on one of its pages once; a change of state has a page version |
| MAN-18 router, -19 budgets | done: by the question's words; budgets of the released code |
| MAN-20 BM25 | done, with Clew's k1 of 1.2 |
| MAN-21 SPLADE | a model from a folder expands the question; without one, RM3 |
| MAN-22 dense | done: any embedder |
| MAN-23 RRF, -24 expansion | done |
| MAN-25 cross-encoder | a model from a folder; without one, cosine and BM25 mixed |
| MAN-26 MAD filter | done |
| MAN-27 conflicts | differently: values that exclude each other, or the same messages |
| MAN-28 to -31 arbitration | done; f_time is held back for questions about the past |
| MAN-32 MMR, -33 redundancy, -34 token budget | done; speakers are no shared entities |
| MAN-35, -36 prune modes by gold category | not: labels of the data set |
| MAN-37 to -42, -44 API | done but for taking edges back: `systems/mandol_api.py` |
| MAN-43, -45 persistence | differently: every write is on disk; `clew copy` |
| MAN-46 paging | done: `store.paging`, least recently or least often used |
| MAN-47, -48 harness | done: `experiments/latency.py`, `table=mandol_5` |
| MAN-49 tables | `table=mandol_3`; `table=mandol_parts`, which no paper has |
| MAN-50 gate by an LLM, -51 queue, -52 Leiden, images | not |
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from clew.memory import Memory
from clew.model import Add, Answer, Context, Graph, Message, Query
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
            units = self.enhance(self.extract(chunk, memory), chunk, memory)
            above = self.agglomerate(units, chunk, memory)
            memory.foresee(units)
            memory.ingest(chunk, chain(map(Add, units), above), units.how)

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
