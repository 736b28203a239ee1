"""Refine: how well does each candidate fit, and which are noise? (Mandol §3.3.1-2, Eq. 1)

The paper's cross-encoder reads question and candidate together. Its twin here, for machines
without such a model, is a mix of what was measured already; both give S_ce in [0, 1], since
all that follows compares and adds it.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import median
from typing import Annotated, ClassVar, Protocol, runtime_checkable

from pydantic import Field

from clew.memory import Memory
from clew.model import Dropped, Graph, Query, Scored
from clew.models.rerank import PairModel
from clew.stage import Count, Fraction, stage
from clew.stages.recall import Views, Weights, named
from clew.stages.route import source_of
from clew.stores.vectors import DenseView
from clew.trace import count

ALIKE = 1e-9  # a MAD below this is none


class Rerank(Protocol):
    """Score every unit of a graph for a query in [0, 1], and put the best first."""

    def __call__(self, query: Query, graph: Graph, memory: Memory) -> Graph: ...


@runtime_checkable
class Denoise(Protocol):
    """Leave out of a graph what scores too low among its kind."""

    def __call__(self, graph: Graph) -> Graph: ...


@stage
class Mixed:
    """Score by cosine and BM25: the twin of a cross-encoder.

    S_ce = (`text` cos_text + `context` cos_context + `lexical` BM25 / best BM25) / (the sum of
    the three weights), times `mismatch` for a unit of nobody and nothing that the question names.
    """

    stands_in: ClassVar = "cosine and BM25 mixed, in place of a cross-encoder"

    text: Fraction = 0.3  # this and the rest: ours
    context: Fraction = 0.3
    lexical: Fraction = 0.4
    mismatch: Fraction = 0.7
    pool: Count = 400  # units whose BM25 sum is known; another's is 0

    def __call__(self, query: Query, graph: Graph, memory: Memory) -> Graph:
        """Return the graph, its units by falling S_ce."""
        ids = [node.unit.id for node in graph.nodes]
        words = {hit.id: hit.score for hit in memory.lexical(query.text, self.pool)}
        text, context = (_cosines(query, ids, view, memory) for view in ("text", "context"))
        units = [node.unit for node in graph.nodes]
        asked = named(query.text, memory)
        found = self._weights().mixed(units, Views(text, context, words), asked)
        return ranked(graph, [found[node.unit.id].scored(node.role) for node in graph.nodes])

    def _weights(self) -> Weights:
        total = self.text + self.context + self.lexical or 1.0
        shares = self.text / total, self.context / total, self.lexical / total
        return Weights(*shares, self.mismatch)


@stage
class Paired:
    """Score by a cross-encoder, which reads the question and each unit together."""

    model: PairModel

    def __call__(self, query: Query, graph: Graph, memory: Memory) -> Graph:
        """Return the graph, its units by falling S_ce."""
        texts = [node.unit.text for node in graph.nodes]
        scores = self.model(query.text, texts) if texts else []
        nodes = zip(graph.nodes, scores, strict=True)
        return ranked(graph, [replace(node, score=score) for node, score in nodes])


@stage
class KeepAllHits:
    """Keep every candidate, however low it scores: without denoising."""

    def __call__(self, graph: Graph) -> Graph:
        """Return the graph as it is."""
        return graph


@stage
class Mad:
    """Drop, in each source, what scores below median - `kappa` MAD (Eq. 1).

    MAD is the median distance from the median. Where more than half of the scores are the
    same it is 0 and tells nothing: all are kept.
    """

    kappa: Annotated[float, Field(ge=0)] = 2.5  # κ
    effects: ClassVar = ("denoise.dropped",)

    def __call__(self, graph: Graph) -> Graph:
        """Return the graph without its noise, which is noted as dropped."""
        by_source = defaultdict[str, list[Scored]](list)
        for node in graph.nodes:
            by_source[source_of(node.unit)].append(node)
        least = {s: self.threshold([n.score for n in nodes]) for s, nodes in by_source.items()}
        low = [node for node in graph.nodes if node.score < least[source_of(node.unit)]]
        count("denoise.dropped", len(low))
        return without(graph, [Dropped(node, "LOW_SCORE") for node in low])

    def threshold(self, scores: Sequence[float]) -> float:
        """Return tau_mad, or minus infinity where the scores are too much alike."""
        middle = median(scores)
        mad = median(abs(score - middle) for score in scores)
        return middle - self.kappa * mad if mad > ALIKE else float("-inf")


def ranked(graph: Graph, nodes: Iterable[Scored]) -> Graph:
    """Return a graph with these nodes in place of its own, the best first."""
    return replace(graph, nodes=tuple(sorted(nodes, key=lambda n: (-n.score, n.unit.id))))


def without(graph: Graph, dropped: Sequence[Dropped]) -> Graph:
    """Return a graph without these units and their edges; it says what was dropped."""
    gone = {each.node.unit.id for each in dropped}
    return replace(
        graph,
        nodes=tuple(node for node in graph.nodes if node.unit.id not in gone),
        edges=tuple(e for e in graph.edges if e.source not in gone and e.target not in gone),
        dropped=(*graph.dropped, *dropped),
    )


def _cosines(query: Query, ids: Sequence[str], view: DenseView, memory: Memory) -> dict[str, float]:
    """Return the cosines of units to a query in a view, none below 0."""
    if not ids or not query.text.strip():
        return {}
    (asked,) = memory.embed([query.text])
    stored = memory.vectors.vectors(ids, view)
    return {id: max(0.0, float(vector @ asked)) for id, vector in stored.items()}
