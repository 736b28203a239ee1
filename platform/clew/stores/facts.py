"""When a claim stops being true: read from the claims themselves, the same in every store."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby

from clew.model import Fact, Unit
from clew.stores.graph import Held
from clew.text import fold

Claim = tuple[Fact, Unit]


def held(claims: Iterable[Claim], as_of: datetime | None = None) -> list[Held]:
    """Close the time of each claim, and keep those true at `as_of`, or all.

    Every claim about a slot must be among `claims`. A claim of unknown start stands
    before the dated ones and counts as true before them.
    """
    slots = sorted(claims, key=lambda claim: (_slot(claim[0]), *_order(claim)))
    closed: list[Held] = []
    for _, slot in groupby(slots, key=lambda claim: _slot(claim[0])):
        closed += _closed(list(slot))
    return [
        found
        for found in sorted(closed, key=lambda one: (*_order((one.fact, one.unit)), one.fact.value))
        if as_of is None or _true_at(found, as_of)
    ]


class FromClaims(ABC):
    """The part of GraphStore that tells facts, by the units that claim something."""

    def facts(
        self,
        subject: str | None = None,
        property: str | None = None,
        as_of: datetime | None = None,
    ) -> list[Held]:
        claims = [
            (fact, unit)
            for unit in self._claiming(subject, property)
            for fact in unit.facts
            if subject in (None, fact.subject) and property in (None, fact.property)
        ]
        return held(claims, as_of)

    @abstractmethod
    def _claiming(self, subject: str | None, property: str | None) -> Iterable[Unit]:
        """Return all units that claim anything in these slots; each once, in any order."""


def _slot(fact: Fact) -> tuple[str, str]:
    return fact.subject, fact.property


def _order(claim: Claim) -> tuple[float, int, str, str, str]:
    fact, unit = claim
    start = unit.valid_from
    seconds = start.timestamp() if start else float("-inf")
    return seconds, unit.position, unit.id, fact.subject, fact.property


def _closed(slot: Sequence[Claim]) -> list[Held]:
    return [
        Held(
            fact,
            unit,
            next((later[1].valid_from for later in slot[at + 1 :] if _ends(fact, later[0])), None),
        )
        for at, (fact, unit) in enumerate(slot)
    ]


def _ends(fact: Fact, later: Fact) -> bool:
    if fold(fact.value) == fold(later.value):
        return fact.negated != later.negated
    one_at_a_time = fact.functional or later.functional
    return one_at_a_time and not fact.negated and not later.negated


def _true_at(held: Held, instant: datetime) -> bool:
    start = held.unit.valid_from
    return (start is None or start <= instant) and (held.until is None or instant < held.until)
