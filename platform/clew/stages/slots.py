"""Slots: which property of whom does a question ask for, and what do the facts hold?"""

import re
from dataclasses import dataclass
from datetime import datetime

from clew.memory import Memory
from clew.model import Query
from clew.stores.graph import Held
from clew.text import fold, keywords
from clew.when import find

_OWNER = r"(?P<who>[A-Z\u00c0-\u00de][\w\u2019'-]*?(?:['\u2019]s [a-z][\w -]*?)?)"
_NOW = r"(?: (?:now|currently|at the moment|today))?"
_TAIL = r"[?.!]*(?: (?:Give|Answer|Name)\b.*)?$"


@dataclass(frozen=True, slots=True)
class Slot:
    """A property of one entity, as of an instant where the question names a time."""

    subject: str
    property: str
    several: bool = False
    as_of: datetime | None = None


_ASKED = tuple(
    (re.compile(words + _TAIL), property, several)
    for words, property, several in (
        (
            rf"^(?:Where|In (?:which|what) (?:city|town|place|country)) (?:does|did|do) {_OWNER}"
            rf"(?: currently| now)? live{_NOW}(?P<when> (?:in|on|during) [\w ,]*\d[\w ,]*)?",
            "home",
            False,
        ),
        (rf"^(?:Where|For whom) does {_OWNER}(?: currently| now)? work{_NOW}", "works at", False),
        (rf"^(?:What|Which) languages (?:does|can|do) {_OWNER} speak{_NOW}", "speaks", True),
        (
            rf"^How many (?P<thing>[a-z]+) (?:does|do) {_OWNER}(?: currently| now)? "
            rf"(?:have|keep|own|raise){_NOW}",
            "number of",
            False,
        ),
    )
)


def asked_slot(query: Query, memory: Memory) -> Slot | None:
    """Return the slot a question asks for, if it asks for exactly one."""
    for pattern, property, several in _ASKED:
        if found := pattern.match(query.text.strip()):
            subject = _entity(found["who"], memory)
            parts = found.groupdict()
            if thing := parts.get("thing"):
                property = f"number of {next(iter(keywords(thing)), fold(thing))}"
            as_of = query.asked_at
            if parts.get("when") and query.asked_at:
                spans = find(parts["when"], query.asked_at)
                as_of = spans[0][1].start if spans else as_of
            return Slot(subject, property, several, as_of) if subject else None
    return None


def values(slot: Slot, memory: Memory) -> list[Held]:
    """Return the facts that fill a slot at its time, without those denied."""
    held = memory.graph.facts(slot.subject, slot.property, slot.as_of)
    denied = {fold(item.fact.value) for item in held if item.fact.negated}
    return [item for item in held if fold(item.fact.value) not in denied]


def _entity(name: str, memory: Memory) -> str:
    """Return the id of the only entity of this name; a short form counts for one speaker."""
    short = fold(name)
    full = [s for s in memory.speakers if s == short or (len(short) > 2 and s.startswith(short))]
    if len(full) == 1:
        return full[0]
    known = [entity.id for entity in memory.graph.entities(name)]
    return known[0] if len(known) == 1 else ""
