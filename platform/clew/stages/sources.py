"""Sources: what does each memory source give to a question? (Mandol §3.3.1)

In every source that the route chose, rankings by words, by an expansion of these words and
by meaning are joined by reciprocal rank. The paper expands with SPLADE, a learned model. Its
twin is pseudo-relevance feedback as in RM3: what the best hits tell besides is asked for too.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import ClassVar, Protocol

from clew.memory import Memory
from clew.model import Query, Scored
from clew.models.sparse import SparseModel
from clew.stage import Count, Fraction, stage
from clew.stages.recall import reciprocal
from clew.stages.route import Plan
from clew.stores.vectors import Asked, ByMeaning, ByWords, Hit, Where, Words
from clew.text import query_weights, term_weights
from clew.trace import count


class RecallPlan(Protocol):
    """Return units for a query from the sources of a plan, best first."""

    def __call__(self, query: Query, plan: Plan, memory: Memory) -> tuple[Scored, ...]: ...


class _BySource:
    """What both kinds of expansion have in common: views per source, joined by rank."""

    constant: int

    def expanded(self, query: Query, found: Sequence[Hit], memory: Memory) -> Words:
        """Return weights of the query's words and of others; `found` are hits by its words."""
        raise NotImplementedError

    def __call__(self, query: Query, plan: Plan, memory: Memory) -> tuple[Scored, ...]:
        """Return the best of each source, as many as the plan allows, by falling RRF score."""
        if not query.text.strip() or not any(plan.values()):
            return ()
        chosen: dict[str, float] = {}
        for k, views in zip(plan.values(), self._views(query, plan, memory), strict=True):
            joined = reciprocal([[hit.id for hit in view] for view in views], self.constant)
            chosen.update(list(joined.items())[:k])
        ids = sorted(chosen, key=lambda id: (-chosen[id], id))
        return tuple(Scored(unit, chosen[unit.id]) for unit in memory.units(ids))

    def _views(self, query: Query, plan: Plan, memory: Memory) -> list[list[list[Hit]]]:
        """Return of each source of a plan the best by text, by context, by words, and by more."""
        wheres = [Where(spaces=frozenset({source})) for source in plan]
        (vector,), n = memory.embed([query.text]), max(plan.values())
        words = query_weights(query.text)
        asked: list[Asked] = []
        for where in wheres:
            asked += [ByMeaning(vector, where), ByMeaning(vector, where, "context")]
            asked.append(ByWords(words, where))
        first = memory.vectors.search(asked, n)
        told = sorted((h for hits in first[2::3] for h in hits), key=lambda h: (-h.score, h.id))
        more = self.expanded(query, told, memory)
        again = memory.vectors.search([ByWords(more, where) for where in wheres], n)
        return [[*first[3 * at : 3 * at + 3], again[at]] for at in range(len(wheres))]


@stage
class WithFeedback(_BySource):
    """Expand a query by the words that its best hits by words tell besides: RM3, not learned.

    The `terms` words that weigh most in the `hits` best units are asked for too, with at most
    `weight` of the weight of the query's own.
    """

    stands_in: ClassVar = "pseudo-relevance feedback, in place of a learned sparse model"
    effects: ClassVar = ("recall.expanded",)

    constant: Count = 60  # of RRF: Mandol §3.3.1 cites it, the released code has 60
    hits: Count = 10  # this and the rest: unspecified, RM3's usual numbers
    terms: Count = 10
    weight: Fraction = 0.5

    def expanded(self, query: Query, found: Sequence[Hit], memory: Memory) -> Words:
        """Return the query's words with weight 1, and those of its hits with less."""
        own, worth = query_weights(query.text), defaultdict[int, float](float)
        best = found[: self.hits]
        for unit, hit in zip(memory.units([hit.id for hit in best]), best, strict=True):
            for word, weight in term_weights(unit.text).items():
                if word not in own:
                    worth[word] += weight * hit.score
        telling = sorted(worth, key=lambda word: (-worth[word], word))[: self.terms]
        count("recall.expanded", len(telling))
        return own | {w: self.weight * worth[w] / worth[telling[0]] for w in telling}


@stage
class WithModel(_BySource):
    """Expand a query by a learned sparse model, and ask the index of words for what it adds.

    The units' side stays BM25: the model reads questions only, so that one index serves all.
    """

    model: SparseModel
    constant: Count = 60  # of RRF
    terms: Count = 30  # unspecified
    effects: ClassVar = ("recall.expanded",)

    def expanded(self, query: Query, found: Sequence[Hit], memory: Memory) -> Words:
        """Return the query's words with weight 1, and what the model adds with its weights."""
        own = query_weights(query.text)
        said = self.model(query.text)
        top = max(said.values(), default=1.0)
        weighed = sorted(said, key=lambda word: (-said[word], word))[: self.terms]
        more = {
            w: said[word] / top for word in weighed for w in query_weights(word) if w not in own
        }
        count("recall.expanded", len(more))
        return own | more
