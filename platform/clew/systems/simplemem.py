"""SimpleMem: drop what is no news, put alike memories together, and look only as deep as needed.

Read it beside §3 of the paper (arXiv 2601.02553); what a stage does, and its equation, is
told in the stage's own file. The sources differ: conf/system/simplemem.yaml has the numbers
of a summary that circulates, simplemem_v1.yaml those of the paper's first version. No
released code has the gate, the consolidation or the adaptive depth of that version.

What became of its parts:

    window of 512 tokens, half seen before; 10 turns by 5   windows.SlidingTokens, SlidingTurns
    H(W), entity novelty, threshold 0.35                    novelty.Novelty, per window
    coreference, time anchors, atomic units, metadata       extract.RuleBased, LlmExtract; a
                                                            message is extracted once, and a
                                                            salience is not kept
    earlier entries shown to the extractor                  no: what it reads are its messages
    dense, lexical and symbolic view, S(q, m)               weigh.Weighted, BM25 over the best
    ω, clusters at 0.7 and 0.3; one level at 0.85           abstract.Clusters, when a session
                                                            has ended and not "in the background"
    G_syn, soft archive, from an abstract to its details    summarise.Medoid, LlmSummary; the
                                                            ledger's Abstract and Archive
    C_q, k_dyn = ⌊3 (1 + 5.67 C_q)⌋                         depth.Adaptive, C_q by rule
    context as dated lines, no budget of tokens             pack.InTime without a limit
    answer                                                  answer.Extractive, LlmAnswer
    third version: planner, synthesis at write, union       no: only what it shares with these
    released code: reflection, sub-queries, 25 + 5 + 5      no: the paper argues against them
    parallel ingest, store API, MCP tools, images as text   as for every system of Clew, or not
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from clew.memory import Memory
from clew.model import Add, Answer, Context, Graph, Message, Query, Unit
from clew.stages.abstract import Consolidate
from clew.stages.answer import Synthesise
from clew.stages.depth import Depth
from clew.stages.extract import Extract
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
        return Graph(self.weigh(query, self.depth(query), memory))

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
