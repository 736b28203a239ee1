"""SimpleMem: drop what is no news, put alike memories together, and look only as deep as needed.

Read it beside §3 of the paper (arXiv 2601.02553); what a stage does, and its equation, is
told in the stage's own file. The sources differ: conf/system/simplemem.yaml has the numbers
of a summary that circulates, simplemem_v1.yaml those of the paper's first version. No
released code has the gate, the consolidation or the adaptive depth of that version.

The third version has other mechanisms: it is `simplemem_v3.py`, and has its lines here.

| component | here |
|---|---|
| SIM-01 windows | done: 512 tokens, half seen before; 10 turns by 5. v3: differently: |
| | 20 turns without overlap, as each message is extracted once and no gate looks back |
| SIM-02 gate, -03 entity novelty | done: `novelty.Novelty`, H(W) of 0.35. v3: done: the extractor |
| | may return nothing, `LlmExtract` with `silent`; by rule `selective.Selective` |
| SIM-04 coreference, -05 times, -06 atomic units | done: `extract.RuleBased`, `LlmExtract` |
| SIM-07 metadata | differently: time, place, entities, keywords; no topic and no salience |
| SIM-08 earlier entries shown to the extractor | not: what it is asked depends on a window alone |
| SIM-09 dense, -10 lexical, -11 symbolic index | done; names and times, which are no SQL |
| SIM-12 LanceDB | differently: SQLite or Neo4j, with Qdrant |
| SIM-13 affinity ω, -14 clusters | done: `abstract.Clusters` at 0.7 and 0.3, or one level at |
| | 0.85; when a session has ended, not "in the background" |
| SIM-15 soft archive | done: the ledger's Abstract and Archive |
| SIM-16 synthesis at write | done: `unite.AtWrite`, with `summarise.Joined` or `LlmSummary`; the |
| | fragments are stored too, archived, so that each word has its evidence |
| SIM-17 C_q, -18 depth | done: `depth.Adaptive`, C_q by rule, k from 3 to 20. v3: LOW or HIGH |
| SIM-19 S(q, m), -20 abstracts first | done: `weigh.Weighted`. v3: not, no stage of it has them |
| SIM-21 union by id | done: `views.Union` |
| SIM-22 planner, -24 analysis of a question | done: `intent.LlmInfer`, `InferByRule`; of the |
| | question alone: there is no dialogue before it |
| SIM-23 sub-queries, -26 reflection | not: of the released code; the paper argues against them |
| SIM-25 times of a question | done: they count from when it is asked, not from now |
| SIM-27 context | done: dated lines, `pack.InTime` without a limit |
| SIM-28 answer | differently: one prompt for all systems, `LlmAnswer`; `Extractive` |
| SIM-29 parallel | differently: no order of threads changes a result; windows come in turn |
| SIM-30 JSON and retries | done: `models/structured.py` |
| SIM-31 no reranking | done |
| SIM-32 API, -33 store API | differently: `remember` and `answer`; the contracts of `stores/` |
| SIM-34 MCP tools | not |
| SIM-35 maintenance over sessions | not: the released code never triggers it |
| SIM-36 model | done: any, by `llm=`; at temperature 0 |
| SIM-37 captions of images as text | done, as for every system |
| SIM-38 metrics | done: `f1_set`, BLEU-1, tokens, abstention; not ROUGE, METEOR, BERTScore |
| SIM-39 LongMemEval-S | not: its published table is here, no loader |
| SIM-40 time per sample | differently: seconds by stage and message, and latency.py |
| SIM-41 ablations, depths | done: `sweep=simplemem_table5`, `_table6`; v3 has two ablations |
| SIM-42 small models | not run; each is a setting of `llm=local` |
| none of it: expand, arbitrate | for cross-overs; they add and drop nothing unless chosen |
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from clew.memory import Memory
from clew.model import Add, Answer, Context, Graph, Message, Query, Unit
from clew.stages.abstract import Consolidate
from clew.stages.answer import Synthesise
from clew.stages.arbitrate import Arbitrate, KeepConflicts
from clew.stages.depth import Depth
from clew.stages.expand import Expand
from clew.stages.extract import Extract
from clew.stages.neighbours import Alone
from clew.stages.novelty import WindowGate
from clew.stages.pack import Pack
from clew.stages.summarise import Summarise
from clew.stages.weigh import Weigh
from clew.stages.windows import Sliding


@dataclass(frozen=True, slots=True)
class SimpleMem:
    """The full pipeline; an ablation swaps one field for its plain twin."""

    windows: Sliding
    gate: WindowGate
    extract: Extract
    consolidate: Consolidate
    summarise: Summarise
    depth: Depth
    weigh: Weigh
    pack: Pack
    synthesise: Synthesise
    expand: Expand = Alone()
    arbitrate: Arbitrate = KeepConflicts()

    def remember(self, messages: Iterable[Message], memory: Memory) -> None:
        """Compress each session as it comes in, and consolidate it when it has ended (§3.1-3.2)."""
        last, heard, told = left_open(memory)
        for session, said in groupby(memory.ahead(messages), attrgetter("session")):
            if session != last:
                self._consolidate(told, memory)
                last, heard, told = session, [], []
            told += self._compress(said, heard, memory)
        self._consolidate(told, memory)

    def _compress(
        self, said: Iterable[Message], heard: Sequence[Message], memory: Memory
    ) -> list[Unit]:
        """Return units of the windows of a session that tell anything new (§3.1)."""
        told = list[Unit]()
        for window in self.windows(said, heard):
            if self.gate(window, memory):
                units = self.extract(window.new, memory)
                memory.foresee(units)
                memory.ingest(window.new, (Add(unit) for unit in units), units.how)
                told += units
        return told

    def _consolidate(self, units: Sequence[Unit], memory: Memory) -> None:
        """Put together what a session told, with what was known (§3.2)."""
        memory.revise(self.consolidate(units, self.summarise, memory))

    def gather(self, query: Query, memory: Memory) -> Graph:
        """Return as many units as a question of this complexity needs (§3.3)."""
        found = self.weigh(query, self.depth(query), memory)
        return self.arbitrate(query, self.expand(found, memory))

    def context(self, graph: Graph, memory: Memory, budget: int | None = None) -> Context:
        """Write the units down in order of time."""
        return self.pack(graph, memory, budget)

    def reply(self, query: Query, graph: Graph, context: Context, memory: Memory) -> Answer:
        """Answer once from the units."""
        return self.synthesise(query, graph, context, memory)


def left_open(memory: Memory) -> tuple[str | None, list[Message], list[Unit]]:
    """Return the session that a memory ends with, its messages, and the units that it told.

    The stream may go on with it, or it was not consolidated when a run was stopped.
    """
    messages = memory.graph.messages()
    if not messages:
        return None, [], []
    last = messages[-1].session
    units = [unit for unit in memory.graph.units() if unit.session == last and not unit.level]
    return last, [message for message in messages if message.session == last], units
