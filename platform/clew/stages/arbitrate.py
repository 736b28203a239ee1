"""Arbitrate: which of two memories that cannot both stand is kept? (Mandol §3.3.2, Eq. 2)

Two kinds of conflict are told apart. Memories of different states give a property of the
same subject values that exclude each other; the released code takes any shared name for
that, and so drops evidence that completes other evidence. And an abstract memory and the
basic ones that it was made from tell the same twice.
"""

import math
import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import ClassVar, Protocol, runtime_checkable

from clew.model import Dropped, Fact, Graph, Query, Scored, Unit
from clew.stage import Duration, Fraction, stage
from clew.stages.answers.asking import read
from clew.stages.refine import without
from clew.stages.route import Source, source_of
from clew.stages.write import contradicts
from clew.trace import count
from clew.when import find

_HISTORY = re.compile(
    r"\b(?:used to|before|previous(?:ly)?|former(?:ly)?|earlier|first|original(?:ly)?"
    r"|initial(?:ly)?|beginning|chang(?:e|es|ed|ing)|becom(?:e|es|ing)|became|over time"
    r"|history|ever|back then|at the time|so far|all)\b",
    re.I,
)


@runtime_checkable
class Arbitrate(Protocol):
    """Settle conflicts between the units of a graph, for a query."""

    def __call__(self, query: Query, graph: Graph) -> Graph: ...


@stage
class KeepConflicts:
    """Keep units that exclude each other, and what is told twice: without arbitration."""

    def __call__(self, query: Query, graph: Graph) -> Graph:
        """Return the graph as it is."""
        return graph


@stage
class ByScore:
    """Keep, of units in conflict, those with the higher S_arb (Eq. 2).

    S_arb = `relevance` S_ce + `freshness` f_time + `confidence` f_source. f_time fades with
    exp(-dt / `decay`) from the time that the question is about: the time it names, else when
    it is asked. For a question about the past, or about a change, old states are no worse:
    f_time is 1 for all, and no state is dropped for another.
    """

    relevance: Fraction = 0.5  # w_rel; all but the next three are the released code's
    freshness: Fraction = 0.2  # w_temp
    confidence: Fraction = 0.3  # w_source
    basic: Fraction = 1.0  # f_source, this and the next two from §3.3.2
    episodic: Fraction = 0.8
    semantic: Fraction = 0.6
    emotional: Fraction = 0.7  # unspecified
    decay: Duration = timedelta(hours=720)
    future: Fraction = 0.2  # factor on f_time for what is told of after that time
    undated: Fraction = 0.5  # f_time of what has no time
    told: Fraction = 0.5  # share of its messages told by others that makes it redundant: ours
    effects: ClassVar = ("arbitrate.stale", "arbitrate.redundant")

    def __call__(self, query: Query, graph: Graph) -> Graph:
        """Return the graph without the losers of conflicts, which are noted as dropped."""
        now = as_of(query, graph)
        worth = {node.unit.id: self.worth(node, now) for node in graph.nodes}
        changes = {frozenset((e.source, e.target)) for e in graph.edges if e.kind == "SUPERSEDES"}
        kept = _Kept(self.told, changes if now else None)
        dropped = list[Dropped]()
        for node in sorted(graph.nodes, key=lambda n: (-worth[n.unit.id], n.unit.id)):
            if lost := kept.lost(node):
                dropped.append(lost)
            else:
                kept.add(node)
        redundant = sum(each.reason == "REDUNDANT" for each in dropped)
        count("arbitrate.redundant", redundant)
        count("arbitrate.stale", len(dropped) - redundant)
        return without(graph, dropped)

    def worth(self, node: Scored, now: datetime | None) -> float:
        """Return S_arb of a unit at a time; None for a question to which all times are equal."""
        source: Source = source_of(node.unit)
        return (
            self.relevance * node.score
            + self.freshness * self.fresh(node.unit, now)
            + self.confidence * float(getattr(self, source))
        )

    def fresh(self, unit: Unit, now: datetime | None) -> float:
        """Return f_time of a unit, in [0, 1]."""
        if now is None:
            return 1.0
        if unit.valid_from is None:
            return self.undated
        age = (now - unit.valid_from) / self.decay if self.decay else math.inf
        return math.exp(-abs(age)) * (self.future if age < 0 else 1.0)


def as_of(query: Query, graph: Graph) -> datetime | None:
    """Return the time that a question is about, or None if it asks about the past as such.

    One that is asked at no known time is asked when the last of the evidence was told.
    """
    if read(query.text).kind in ("when", "days", "long") or _HISTORY.search(query.text):
        return None
    if spans := [span for _, span in find(query.text, query.asked_at) if span.end]:
        return max(span.end for span in spans if span.end)
    told = [at for node in graph.nodes if (at := node.unit.valid_from)]
    return query.asked_at or max(told, default=None)


@dataclass(slots=True)
class _Kept:
    """What was kept up to now, by the slots of its facts and by the messages it tells.

    `changes` are the pairs of units that a stored change of state joins; None says that
    states are no matter.
    """

    told: float
    changes: Collection[frozenset[str]] | None
    slots: dict[tuple[str, str], list[tuple[Fact, Unit]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    messages: dict[str, list[Unit]] = field(default_factory=lambda: defaultdict(list))

    def add(self, node: Scored) -> None:
        for fact in node.unit.facts:
            self.slots[fact.subject, fact.property].append((fact, node.unit))
        for message in _messages(node.unit):
            self.messages[message].append(node.unit)

    def lost(self, node: Scored) -> Dropped | None:
        """Return how a unit loses against what is kept, if it does."""
        if self.changes is not None and (other := self._other_state(node.unit, self.changes)):
            late = _later(node.unit, other)
            return Dropped(node, "LOW_SCORE" if late else "STALE", other.id)
        if other := self._told_by(node.unit):
            return Dropped(node, "REDUNDANT", other.id)
        return None

    def _other_state(self, unit: Unit, changes: Collection[frozenset[str]]) -> Unit | None:
        """Return what is kept of another state: what a fact excludes, or a stored change joins."""
        held = ((f, *at) for f in unit.facts for at in self.slots.get((f.subject, f.property), ()))
        for fact, old, other in held:
            if contradicts(fact, old) or frozenset((unit.id, other.id)) in changes:
                return other
        return None

    def _told_by(self, unit: Unit) -> Unit | None:
        """Return the best unit of another source that tells a part, if enough is told by such."""
        own, mine = source_of(unit), _messages(unit)
        by = [
            next((u for u in self.messages.get(m, ()) if source_of(u) != own), None) for m in mine
        ]
        tellers = [unit for unit in by if unit is not None]
        return tellers[0] if tellers and len(tellers) >= self.told * len(mine) else None


def _messages(unit: Unit) -> Sequence[str]:
    return list(dict.fromkeys(evidence.message for evidence in unit.evidence))


def _later(unit: Unit, other: Unit) -> bool:
    one, two = unit.valid_from, other.valid_from
    return one is not None and two is not None and one > two
