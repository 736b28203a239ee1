"""Weigh: which units does a question want, by three views at once? (SimpleMem §3.3, S(q, m))

S(q, m) = λ1 cos(q, m) + λ2 BM25(q, m) + λ3 [m meets what q asks for], over a dense, a
lexical and a symbolic view. Abstract units come first; a question that wants details is led
on from them to what they tell of, which is archived and is reached by no other way.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar, Protocol, runtime_checkable

from clew.memory import Memory
from clew.model import Query, Scored, Unit
from clew.stage import Count, Fraction, stage
from clew.stages.depth import Depth, Reach
from clew.stages.recall import Named, named
from clew.stores.vectors import ARCHIVED_TOO, ByMeaning, ByWords, Hit
from clew.text import query_weights
from clew.trace import count
from clew.when import TimeSpan, find


@runtime_checkable
class Weigh(Protocol):
    """Return units for a query, best first, as deep as it reaches."""

    def __call__(self, query: Query, reach: Reach, memory: Memory) -> tuple[Scored, ...]: ...


@stage
class Weighted:
    """The best k by S(q, m), abstract units first.

    BM25 is divided by the best there is. cos is the mean of two: with what a unit says, and,
    for a share of `around`, with the words around it, which for an abstract unit are those
    that it tells of.
    """

    effects: ClassVar = ("weigh.met",)

    dense: Fraction = 0.5  # λ1
    lexical: Fraction = 0.3  # λ2
    symbolic: Fraction = 0.2  # λ3
    around: Fraction = 0.33  # unspecified
    pool: Count = 100  # candidates per view that are scored: unspecified

    def __call__(self, query: Query, reach: Reach, memory: Memory) -> tuple[Scored, ...]:
        """Return at most k units by falling score."""
        if not query.text.strip():
            return ()
        found = self._candidates(query, memory)
        first = _best(_abstracted(found, memory), reach.k)
        tells = [each for each in first if each.members]
        if reach.detailed and tells:
            count("weigh.detailed", len(tells))
            first = _best([detail for each in first for detail in each.in_detail()], reach.k)
        return tuple(each.scored for each in first)

    def _candidates(self, query: Query, memory: Memory) -> dict[str, Scored]:
        """Score the best of every view, archived units with them."""
        (vector,) = memory.embed([query.text])
        asked = (
            ByMeaning(vector, ARCHIVED_TOO),
            ByMeaning(vector, ARCHIVED_TOO, "context"),
            ByWords(query_weights(query.text), ARCHIVED_TOO),
        )
        text, context, words = map(_by_id, memory.vectors.search(asked, self.pool))
        wanted = Wanted.of(query, memory)
        ids = sorted({*text, *context, *words, *wanted.units(self.pool, memory)})
        missing = memory.vectors.vectors([id for id in ids if id not in text])
        text |= {id: float(vector @ other) for id, other in missing.items()}
        top = max(words.values(), default=1.0)
        units = memory.units(ids)
        met = {unit.id for unit in units if wanted.met(unit)}
        count("weigh.met", bool(met))
        return {
            unit.id: self._scored(
                unit,
                _mixed(text[unit.id], context.get(unit.id), self.around),
                words.get(unit.id, 0.0) / top,
                unit.id in met,
            )
            for unit in units
        }

    def _scored(self, unit: Unit, cosine: float, words: float, met: bool) -> Scored:
        score = self.dense * cosine + self.lexical * words + self.symbolic * met
        return Scored(unit, score, cosine, words, role="terminal")


@stage
class InDepth:
    """Recall as deep as a question needs: what SimpleMem gathers, for any system."""

    stages: ClassVar = ("depth", "weigh")

    depth: Depth
    weigh: Weigh

    def __call__(self, query: Query, memory: Memory) -> tuple[Scored, ...]:
        """Return units by falling score."""
        return self.weigh(query, self.depth(query), memory)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a question asks for by name and time: the symbolic view."""

    named: Named
    start: datetime | None
    end: datetime | None

    @classmethod
    def of(cls, query: Query, memory: Memory) -> "Wanted":
        """Read it off a question; time words count from when it is asked."""
        spans = (span for _, span in find(query.text, query.asked_at) if span.start and span.end)
        span = next(spans, TimeSpan())
        return cls(named(query.text, memory), span.start, span.end)

    @classmethod
    def nothing(cls) -> "Wanted":
        """Ask for nobody, and for no time."""
        return cls(Named(frozenset(), frozenset()), None, None)

    def met(self, unit: Unit) -> bool:
        """Tell whether a unit has what is asked for; of a question that names nothing, none has."""
        if self.start is None and not (self.named.speakers or self.named.entities):
            return False
        return self.named.fits(unit) and self._in_time(unit)

    def _in_time(self, unit: Unit) -> bool:
        if self.start is None or self.end is None:
            return True
        began = unit.valid_from
        ended = unit.event.end or began
        return began is not None and ended is not None and began < self.end and ended >= self.start

    def units(self, n: int, memory: Memory) -> Iterable[str]:
        """Return the ids of units that mention what is named, and of those said in the time."""
        mentioning = memory.graph.mentioning(self.named.entities)
        if self.start is None or self.end is None:
            return [unit.id for unit in mentioning[:n]]
        said = memory.graph.between(self.start, self.end, n)
        return [unit.id for unit in (*mentioning[:n], *said)]


def _mixed(text: float, context: float | None, share: float) -> float:
    """Return the mean of two cosines; that with the context where it is among the best."""
    return text if context is None else (1 - share) * text + share * context


@dataclass(frozen=True, slots=True)
class Told:
    """A unit that is told, and those of what it tells of that were found, best first."""

    scored: Scored
    members: tuple[Scored, ...] = ()

    def in_detail(self) -> "list[Told]":
        """Return what it tells of in its place, if that was found."""
        return [Told(member) for member in self.members] or [self]


def _abstracted(found: Mapping[str, Scored], memory: Memory) -> list[Told]:
    """Return active units; an abstract one is worth as much as the best of what it tells of."""
    tops = _tops(found, memory)
    members: dict[str, list[Scored]] = {}
    for id, scored in found.items():
        for top in tops.get(id, ()):
            if not scored.unit.level:
                members.setdefault(top, []).append(scored)
    told = [Told(scored) for id, scored in found.items() if id not in tops and id not in members]
    for unit in memory.units(sorted(members)):
        best = sorted(members[unit.id], key=_rank)
        own = found.get(unit.id, Scored(unit, 0.0))
        worth = max(own.score, best[0].score)
        told.append(Told(replace(own, score=worth), tuple(best)))
    return told


def _tops(found: Iterable[str], memory: Memory) -> dict[str, list[str]]:
    """Return for each archived unit the active ones that tell of it, at any depth."""
    above: dict[str, list[str]] = {}
    asked = archived(found, memory)
    while asked:
        for edge in memory.graph.edges(asked, ["ABSTRACTS"]):
            if edge.target in asked:
                above.setdefault(edge.target, []).append(edge.source)
        parents = {id for child in asked for id in above.get(child, ())}
        asked = archived(parents - above.keys(), memory)
    tops: dict[str, list[str]] = {}

    def climb(id: str) -> list[str]:
        if id not in above:
            return [id]
        if id not in tops:
            tops[id] = sorted({top for parent in above[id] for top in climb(parent)})
        return tops[id]

    return {id: climb(id) for id in above}


def archived(ids: Iterable[str], memory: Memory) -> set[str]:
    """Return which of these units are told of by others."""
    return {id for id, stamp in memory.graph.stamps(sorted(ids)).items() if stamp.archived}


def _rank(scored: Scored) -> tuple[float, str]:
    return -scored.score, scored.unit.id


def _best(told: Sequence[Told], k: int) -> list[Told]:
    return sorted(told, key=lambda each: _rank(each.scored))[:k]


def _by_id(hits: Iterable[Hit]) -> dict[str, float]:
    return {hit.id: hit.score for hit in hits}
