"""Pages: what a model says of each entity, gathered over chunks (Mandol §3.1.2, semantic memory).

A page lists an entity's facts with the day from which each holds, or on which it was told,
earlier ones first, so that a change can be seen. What is new is added by a page that takes the
old one's place while it has room, else on another. What ends an older fact goes on the page
that has this, room or not. So all that a page is evidence of stands on it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

from clew.memory import Memory
from clew.model import Abstract, Archive, Decision, Fact, Unit
from clew.stages.layers.drawn import Claim
from clew.stages.layers.making import Draft, abstract_unit
from clew.stages.write import contradicts
from clew.stores.facts import held
from clew.stores.graph import Held
from clew.text import fold, keywords
from clew.when import TimeSpan, day, say

Slot = tuple[str, str]  # a property and a value, folded


def pages(claims: Sequence[Claim], memory: Memory, words: int) -> Iterator[Decision]:
    """Yield decisions that write claims down in the order of time, each once.

    A page has at most `words` words, but for what it says of changes, and for a claim that has
    more by itself.
    """
    ordered = sorted(claims, key=lambda claim: (claim.fact.subject, *claim.order))
    for subject, group in groupby(ordered, key=lambda claim: claim.fact.subject):
        yield from _Book.of(subject, memory, words).written(group)


@dataclass(slots=True, eq=False)
class _Page:
    """A page that is to be written in place of `stored`, if that is there: what is added to it."""

    stored: Unit | None
    facts: list[Fact]
    claims: list[Claim] = field(default_factory=list)

    @property
    def text(self) -> str:
        told = "; ".join(map(_said, self.claims))
        if self.stored is None:
            return f"{self.claims[0].name}: {told}."
        return f"{self.stored.text[:-1]}; {told}." if told else self.stored.text

    def add(self, claim: Claim) -> None:
        kept = [fact for fact in self.facts if not _ends(claim.fact, fact)]
        self.facts = list(dict.fromkeys([*kept, claim.fact]))
        self.claims.append(claim)

    def has_room(self, claim: Claim, words: int) -> bool:
        return len(f"{self.text} {_said(claim)}".split()) <= words

    def turned_by(self, claim: Claim) -> bool:
        """Tell whether a claim ends an earlier one that has not been stored yet."""
        return any(
            _ends(claim.fact, each.fact) and _before(each.at, claim.at) for each in self.claims
        )


@dataclass(slots=True)
class _Book:
    """The pages of an entity: `open` ones take more, oldest first, and `past` facts are over.

    `since` tells from when each fact of an open page holds.
    """

    subject: str
    memory: Memory
    words: int
    open: list[_Page]
    past: list[Held]
    since: dict[Slot, datetime | None]

    @classmethod
    def of(cls, subject: str, memory: Memory, words: int) -> "_Book":
        """Read what is stored of an entity; a page on what is over takes no more."""
        found = (each.unit for each in memory.graph.facts(subject))
        units = {unit.id: unit for unit in found if unit.id.startswith(_name(subject))}
        told = held((fact, unit) for unit in units.values() for fact in unit.facts)
        past = [each for each in told if each.until]
        since: dict[Slot, datetime | None] = {}
        for each in told:
            if not each.until:
                since.setdefault(_slot(each.fact), each.unit.valid_from)
        stamps = memory.graph.stamps(list(units)) if units else {}
        over = {each.unit.id for each in past}
        ordered = sorted(units.values(), key=lambda unit: unit.order)
        pages = [
            _Page(unit, list(unit.facts))
            for unit in ordered
            if not stamps[unit.id].archived and unit.id not in over
        ]
        return cls(subject, memory, words, pages, past, since)

    def written(self, claims: Iterable[Claim]) -> Iterator[Decision]:
        """Yield decisions that write down claims in the order of time."""
        for claim in claims:
            if self._knows(claim):
                continue
            page = self._page(claim)
            if page.turned_by(claim):
                yield from self._turned(page)
            page.add(claim)
            if page in self.open:
                self.since[_slot(claim.fact)] = claim.at
            else:
                yield from self._turned(page)
        for page in self.open:
            yield from self._turned(page)

    def _knows(self, claim: Claim) -> bool:
        """Tell whether a claim only says again what is, or was, known to hold at its time."""
        slot = _slot(claim.fact)
        for page in self.open:
            if any(_slot(fact) == slot for fact in page.facts):
                earlier = _before(claim.since.start, self.since.get(slot))
                return not earlier or _said(claim) in page.text
        return any(
            _slot(each.fact) == slot
            and _before(claim.at, each.until)
            and not _before(claim.at, each.unit.valid_from)
            for each in self.past
        )

    def _page(self, claim: Claim) -> _Page:
        """Return the page that a claim goes on: that of what it ends, one with room, or a new one.

        What was over before what is known began, is told on a page of its own.
        """
        for page in self.open:
            if ended := [_slot(fact) for fact in page.facts if _ends(claim.fact, fact)]:
                over = any(_before(claim.at, self.since.get(slot)) for slot in ended)
                return _Page(None, []) if over else page
        for page in reversed(self.open):
            if page.has_room(claim, self.words):
                return page
        self.open.append(_Page(None, []))
        return self.open[-1]

    def _turned(self, page: _Page) -> Iterator[Decision]:
        """Yield decisions that store what was added to a page, which is then as stored."""
        if page.claims:
            made, old = self._abstract(page), page.stored
            yield made
            if old is not None:
                yield Archive(old, made.unit)
            page.stored, page.claims = made.unit, []

    def _abstract(self, page: _Page) -> Abstract:
        old, claims = page.stored, page.claims
        members = {unit.id: unit for claim in claims for unit in claim.members}
        evidence = [each for claim in claims for each in claim.evidence]
        entities = frozenset().union(*(claim.entities for claim in claims))
        if old is not None:
            edges = self.memory.graph.edges([old.id], ["ABSTRACTS"])
            below = [edge.target for edge in edges if edge.source == old.id]
            members |= {unit.id: unit for unit in self.memory.units(below)}
            evidence = [*(each for each in old.evidence if each.end > each.start), *evidence]
            entities |= old.entities
        ordered = tuple(sorted(members.values(), key=lambda unit: unit.order))
        draft = Draft(
            "semantic", page.text, tuple(dict.fromkeys(evidence)), keywords(page.text), entities,
            tuple(page.facts), event=_since(claims[-1], old),
        )  # fmt: skip
        return Abstract(abstract_unit(draft, self._id(ordered[-1]), ordered), ordered)

    def _id(self, last: Unit) -> str:
        """Return an id that no page has: of several up to one unit, later ones have a number."""
        first = id = f"{_name(self.subject)}{last.id}"
        number = 0
        while self.memory.units([id]):
            number += 1
            id = f"{first}.{number:02d}"
        return id


def _since(claim: Claim, old: Unit | None) -> TimeSpan:
    """Return from when a page whose last claim this is holds: never before the one it replaces."""
    early = old is not None and _before(claim.since.start, old.valid_from)
    return old.event if old is not None and early else claim.since


def _name(subject: str) -> str:
    return f"about:{subject}@"


def _ends(fact: Fact, other: Fact) -> bool:
    """Tell whether a fact ends another, or the other way round: whichever is the later."""
    one_slot = fact.property == other.property
    return one_slot and (contradicts(fact, other) or contradicts(other, fact))


def _slot(fact: Fact) -> Slot:
    return fact.property, fold(fact.value)


def _before(one: datetime | None, other: datetime | None) -> bool:
    return one is not None and other is not None and one < other


def _said(claim: Claim) -> str:
    at = claim.last.said_at
    when = say(claim.since) if claim.since.start else day(at) if at else ""
    return f"{claim.fact.property} {claim.fact.value}" + (f" ({when})" if when else "")
