"""Recall: which units does the question point at? (AriadneMem §2.3, Eq. 7)

The paper joins the best of a dense and a lexical view. Two things decide how much of a
small context budget is evidence: the order that one score gives to the joined set, and
that what was said just before and after a hit comes with it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import NamedTuple, Protocol

from clew.memory import Memory
from clew.model import Query, Role, Scored, Unit
from clew.stage import Count, Fraction, Number, stage
from clew.stores.vectors import ByMeaning, ByWords, Hit
from clew.text import fold, names, query_weights
from clew.trace import count


class Recall(Protocol):
    """Return units for a query, best first."""

    def __call__(self, query: Query, memory: Memory) -> tuple[Scored, ...]: ...


@stage
class Hybrid:
    """Join the k_sem best by meaning and the k_lex best by words, and rank them by one score.

    score = (`text` cos_text + `context` cos_context + `lexical` BM25 / max BM25), times
    `mismatch` for units that do not match a person or thing the query names. The dense
    view is the mean of its two cosines by their weights. Units within `reach` stored NEXT
    edges of a terminal follow as neighbours.
    """

    k_sem: Count = 20  # k_sem
    k_lex: Count = 5  # k_lex
    text: Fraction = 0.4  # this and the next five: unspecified in the paper
    context: Fraction = 0.2
    lexical: Fraction = 0.4
    mismatch: Fraction = 0.7
    reach: Number = 1
    pool: Count = 100  # candidates per view that are scored

    def __call__(self, query: Query, memory: Memory) -> tuple[Scored, ...]:
        """Return terminals and their neighbours by falling score."""
        found = self._candidates(query, memory)
        dense = nsmallest(self.k_sem, found.values(), key=lambda s: (-s.dense * s.entity, s.id))
        lexical = nsmallest(self.k_lex, found.values(), key=lambda s: (-s.lexical * s.entity, s.id))
        terminals = {s.id for s in dense} | {s.id for s in lexical if s.lexical > 0}
        nearby = self._neighbours(terminals, memory) - terminals
        chosen = [found[id].scored("terminal") for id in terminals]
        for unit in memory.units(sorted(nearby)):
            chosen.append(found.get(unit.id, Candidate(unit)).scored("neighbour"))
        return tuple(sorted(chosen, key=lambda s: (-s.score, s.unit.id)))

    def views(self, text: str, n: int, memory: Memory) -> list[list[Hit]]:
        """Return the best n by text, by context and by words, in one call."""
        if not text.strip():
            return [[], [], []]
        (vector,) = memory.embed([text])
        views = ByMeaning(vector), ByMeaning(vector, view="context"), ByWords(query_weights(text))
        return memory.vectors.search(views, n)

    def _candidates(self, query: Query, memory: Memory) -> dict[str, "Candidate"]:
        """Score the best of every view, and weigh down what does not match the query's names."""
        n = max(self.pool, self.k_sem, self.k_lex)
        text, context, words = (_by_id(hits) for hits in self.views(query.text, n, memory))
        asked = named(query.text, memory)
        units = memory.units(sorted({*text, *context, *words}))
        weights = Weights(self.text, self.context, self.lexical, self.mismatch)
        found = weights.mixed(units, Views(text, context, words), asked)
        if self.mismatch < 1:  # or it is off, and that is no stage that changed nothing
            count("recall.weighed_down", sum(s.entity < 1 for s in found.values()))
        return found

    def _neighbours(self, ids: set[str], memory: Memory) -> set[str]:
        reached = set(ids)
        for _ in range(self.reach):
            edges = memory.graph.edges(reached, ["NEXT"])
            reached |= {edge.source for edge in edges} | {edge.target for edge in edges}
        return reached


class Candidate(NamedTuple):
    """A unit with its scores, before it is known whether it is chosen: a quarter are."""

    unit: Unit
    score: float = 0.0
    dense: float = 0.0
    lexical: float = 0.0
    entity: float = 1.0

    @property
    def id(self) -> str:
        """The unit's id."""
        return self.unit.id

    def scored(self, role: Role) -> Scored:
        """Return it as evidence."""
        return Scored(*self, role=role)


class Views(NamedTuple):
    """What units score by text, by context (cosines) and by words (BM25 sums), by their ids."""

    text: Mapping[str, float]
    context: Mapping[str, float]
    words: Mapping[str, float]


class Weights(NamedTuple):
    """What each view counts in one score, and the factor for who does not fit the names."""

    text: float
    context: float
    lexical: float
    mismatch: float

    def mixed(self, units: Iterable[Unit], views: Views, asked: "Named") -> dict[str, Candidate]:
        """Score units by all views: in [0, 1] where the weights sum to 1 and no cosine is below 0.

        BM25 counts as a share of the best sum of all in the view.
        """
        top, weight = max(views.words.values(), default=1.0), self.text + self.context
        found = dict[str, Candidate]()
        for unit in units:
            id, fits = unit.id, asked.fits(unit)
            meant = self.text * views.text.get(id, 0.0) + self.context * views.context.get(id, 0.0)
            dense, lexical = meant / weight if weight else 0.0, views.words.get(id, 0.0) / top
            entity = 1.0 if fits else self.mismatch
            score = (weight * dense + self.lexical * lexical) * entity
            found[id] = Candidate(unit, score, dense, lexical, entity)
        return found


def reciprocal(views: Sequence[Sequence[str]], constant: int) -> dict[str, float]:
    """Join rankings by reciprocal rank: the sum over views of 1 / (constant + rank).

    Scaled so that what is first in every view has 1; best first, then by id.
    """
    score: dict[str, float] = {}
    for view in views:
        for rank, id in enumerate(view, 1):
            score[id] = score.get(id, 0.0) + (constant + 1) / (constant + rank) / len(views)
    return dict(sorted(score.items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, slots=True)
class Named:
    """Whom and what a query names: speakers, and other entities of the memory, by id."""

    speakers: frozenset[str]
    entities: frozenset[str]

    def fits(self, unit: Unit) -> bool:
        """Tell whether a named speaker said it, or it mentions another named entity."""
        if not (self.speakers or self.entities):
            return True
        return fold(unit.speaker) in self.speakers or not self.entities.isdisjoint(unit.entities)


def named(text: str, memory: Memory) -> Named:
    """Find the speakers and other known entities that a text names."""
    speakers, entities = set[str](), set[str]()
    for name in names(text):
        if speaker := memory.speaker(name):
            speakers.add(speaker)
        else:
            entities.update(entity.id for entity in memory.graph.entities(name))
    return Named(frozenset(speakers), frozenset(entities) - memory.speakers)


def _by_id(hits: Iterable[Hit]) -> dict[str, float]:
    return {hit.id: hit.score for hit in hits}
