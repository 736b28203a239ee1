"""Write: is a new unit news, a repetition, or a new state? (AriadneMem §2.2, Eq. 5-6)

A policy only decides; `Memory.apply` carries the decision out. Cosine cannot tell "at
2pm" from "at 3pm", so a merge needs more than nearness: nothing that differs in a number,
time, date, code, negation or speaker is ever merged.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol

from clew.memory import Memory
from clew.model import Add, Decision, Fact, Merge, Supersede, Unit
from clew.stage import Cosine, Count, Fraction, stage
from clew.stores.vectors import Hit
from clew.text import differ, fold
from clew.trace import count


class Write(Protocol):
    """Decide what to do with a new unit."""

    def __call__(self, unit: Unit, memory: Memory) -> Decision: ...


@stage
class ConflictAware:
    """Merge duplicates, link new states to old ones, add the rest (Eq. 6).

    A unit with another value for a slot that holds one value at a time ends the old
    state even where the wording is far from it; that is our addition to the paper.
    """

    effects: ClassVar[tuple[str, ...]] = ("write.merged", "write.linked")

    likeness: Cosine = 0.7  # λ_coal
    overlap: Fraction = 0.8  # λ_ovlp: unspecified in the paper
    nearest: Count = 5  # stored units compared: unspecified

    def __call__(self, unit: Unit, memory: Memory) -> Decision:
        """Return the decision for `unit`, looking at the whole memory."""
        near = {hit.id: hit.score for hit in self.near(unit, memory)}
        known = [other for other in memory.units(list(near)) if other.level == 0]
        if merge := self._repeated(unit, known, near, memory):
            count("write.merged")
            return merge
        if link := self.link(unit, known, near, memory):
            count("write.linked")
            return link
        return Add(unit)

    def near(self, unit: Unit, memory: Memory) -> list[Hit]:
        """Return the stored units that a new one is compared with."""
        return memory.near(unit.text, k=self.nearest, above=self.likeness)

    def link(
        self, unit: Unit, known: Sequence[Unit], near: Mapping[str, float], memory: Memory
    ) -> Supersede | None:
        """Return the link from an old state to the new unit, if it is one (the paper's LINK)."""
        other, ends = _earlier_state(unit, memory), True
        if other is None and known:
            other = known[0]
            ends = shared(unit, other) > self.overlap and unit.speaker == other.speaker
        if other is None:
            return None
        return Supersede(unit, other, near.get(other.id, 0.0), shared(unit, other), ends)

    def _repeated(
        self, unit: Unit, known: Sequence[Unit], near: Mapping[str, float], memory: Memory
    ) -> Merge | None:
        views = memory.graph.views(list(near)) if near else {}
        for other in known:
            if views[other.id].status == "superseded":
                continue  # what became true again is news
            if shared(unit, other) > self.overlap and not _changed(unit, other):
                return Merge(unit, other, near[other.id], shared(unit, other))
        return None


@stage
class AddAll:
    """Store every unit as news: the paper's "w/o Coarsening" row."""

    def __call__(self, unit: Unit, memory: Memory) -> Decision:
        """Return Add."""
        return Add(unit)


def shared(unit: Unit, other: Unit) -> float:
    """Return ovlp of Eq. 5: the share of the new unit's keywords that the old one has."""
    return len(unit.keywords & other.keywords) / max(1, len(unit.keywords))


def _changed(unit: Unit, other: Unit) -> bool:
    """Tell whether the speaker, a detail, or the day meant differs ("today" moves on)."""
    if unit.speaker != other.speaker or unit.event.start != other.event.start:
        return True
    return bool(differ(unit.text, other.text))


def _earlier_state(unit: Unit, memory: Memory) -> Unit | None:
    """Return the unit that holds another value for one of this unit's slots, if any."""
    for fact in unit.facts:
        held = memory.graph.facts(fact.subject, fact.property)
        if current := [o for o in held if o.until is None and contradicts(fact, o.fact)]:
            return current[-1].unit
    return None


def contradicts(fact: Fact, other: Fact) -> bool:
    """Tell whether two facts of one slot cannot hold at the same time."""
    same = fold(fact.value) == fold(other.value)
    if fact.negated != other.negated:
        return same
    return fact.functional and not fact.negated and not same
