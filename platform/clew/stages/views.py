"""Views: what do three indexes hold of what is looked for? (SimpleMem v3 §2.3, Eq. 5-6)

The n best by meaning, the n best by words, and n of those that have the names and the time
asked for. Their union is the context: nothing is weighed. For who takes the best first, what
is first in any view comes first.
"""

from collections.abc import Mapping
from typing import ClassVar, Protocol

from clew.memory import Memory
from clew.model import Scored
from clew.stage import Count, stage
from clew.stages.intent import Intent
from clew.stages.weigh import archived
from clew.stores.vectors import ByMeaning, ByWords, Vector
from clew.text import query_weights
from clew.trace import count


class Search(Protocol):
    """Return what is looked for, best first."""

    def __call__(self, intent: Intent, memory: Memory) -> tuple[Scored, ...]: ...


@stage
class Union:
    """The n best of each view, each once, by falling (1 + c) / (c + its best rank in any)."""

    effects: ClassVar = ("plan.met",)

    pool: Count = 100  # entries whose names and times are looked at: unspecified
    constant: Count = 60  # c, as reciprocal rank fusion has it: unspecified

    def __call__(self, intent: Intent, memory: Memory) -> tuple[Scored, ...]:
        """Return at most 3 n units."""
        if not intent.semantic.strip():
            return ()
        (vector,) = memory.embed([intent.semantic])
        asked = ByMeaning(vector), ByWords(query_weights(intent.lexical))
        meant, said = memory.vectors.search(asked, max(self.pool, intent.n))
        cosine = {hit.id: hit.score for hit in meant}
        share = {hit.id: hit.score / said[0].score for hit in said}
        named = self._symbolic(intent, vector, cosine, memory)
        views = [[hit.id for hit in hits[: intent.n]] for hits in (meant, said)] + [named]
        best: dict[str, int] = {}
        for view in views:
            for rank, id in enumerate(view, 1):
                best[id] = min(best.get(id, rank), rank)
        return tuple(
            Scored(
                unit, self._score(best[unit.id]), cosine.get(unit.id, 0.0), share.get(unit.id, 0.0)
            )
            for unit in memory.units(sorted(best, key=lambda id: (best[id], id)))
        )

    def _score(self, rank: int) -> float:
        return (1 + self.constant) / (self.constant + rank)

    def _symbolic(
        self, intent: Intent, vector: Vector, cosine: Mapping[str, float], memory: Memory
    ) -> list[str]:
        """Return n entries that have the names and the time asked for, the nearest in meaning.

        The paper does not say which n.
        """
        ids = {*cosine, *intent.wanted.units(self.pool, memory)}
        met = [unit.id for unit in memory.units(sorted(ids)) if intent.wanted.met(unit)]
        away = archived(met, memory)
        active = [id for id in met if id not in away]
        others = memory.vectors.vectors([id for id in active if id not in cosine])
        near = {id: cosine[id] if id in cosine else float(vector @ others[id]) for id in active}
        if near:
            count("plan.met")
        return sorted(near, key=lambda id: (-near[id], id))[: intent.n]
