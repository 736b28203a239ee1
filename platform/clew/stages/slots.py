"""Slots: which property of whom does a question ask for, and what do the facts hold?"""

import re
from dataclasses import dataclass
from datetime import datetime

from clew.memory import Memory
from clew.model import Query
from clew.stores.graph import Held
from clew.text import fold, stems
from clew.when import find

_WHO = r"(?P<who>[A-Z\u00c0-\u00de][\w\u2019'-]*?(?:['\u2019]s [a-z][\w -]*?)?)"
_OWNER = r"(?P<who>[A-Z\u00c0-\u00de][\w-]*)['\u2019]s?"
_NOW = r"(?: (?:now|currently|at the moment|today|these days))?"
_DOES = rf"(?:does|do|did|can) {_WHO}{_NOW}"
_TAIL = r"[?.!]*(?: (?:Give|Answer|Name)\b.*)?$"
_CITY = r"(?:Where|In (?:which|what) (?:city|town|village|place|country))"


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
            rf"{_CITY} {_DOES} live{_NOW}(?P<when> (?:in|on|during) [\w ,]*\d[\w ,]*)?",
            "home",
            False,
        ),
        (rf"(?:Where|For whom|What company) {_DOES} work(?: at| for)?{_NOW}", "works at", False),
        (rf"What {_DOES} (?:work as|do (?:for (?:a living|work)))", "works as", False),
        (rf"What(?: is|'s) {_OWNER} (?:job|occupation|profession)", "works as", False),
        (rf"(?:What|Which) languages {_DOES} speak{_NOW}", "speaks", True),
        (
            rf"(?:What|Which) (?:(?:musical )?instruments?|sports?|games?) {_DOES} play{_NOW}",
            "plays",
            True,
        ),
        (rf"What {_DOES} (?:like|love|enjoy)(?: doing| to do)?{_NOW}", "likes", True),
        (
            rf"How many (?P<thing>[a-z]+) {_DOES} (?:have|keep|own|raise|got){_NOW}",
            "number of {}",
            False,
        ),
        (
            rf"(?:What|Who)(?: is|'s) (?:the name of )?{_OWNER} (?P<thing>[a-z][a-z -]*?)"
            r"(?:['\u2019]s name| called| named)?",
            "{}",
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
            name = property.format(_thing(property, parts.get("thing") or ""))
            when = _asked_for(parts.get("when") or "", query.asked_at)
            return Slot(subject, name, several, when) if subject else None
    return None


def values(slot: Slot, memory: Memory) -> list[Held]:
    """Return the facts that fill a slot at its time, without those denied."""
    held = memory.graph.facts(slot.subject, slot.property, slot.as_of)
    denied = {fold(item.fact.value) for item in held if item.fact.negated}
    return [item for item in held if fold(item.fact.value) not in denied]


def _thing(property: str, thing: str) -> str:
    """Return a thing as facts name it: counted things by their stem, others as they stand."""
    counted = property.startswith("number")
    return (stems(thing) or [fold(thing)])[-1] if counted else fold(thing)


def _asked_for(phrase: str, asked_at: datetime | None) -> datetime | None:
    """Return the instant a question asks about: the time it names, else its own."""
    spans = find(phrase, asked_at) if phrase else []
    return spans[0][1].start if spans else asked_at


def _entity(name: str, memory: Memory) -> str:
    """Return the id of the only entity of this name; a short form counts for one speaker."""
    if speaker := memory.speaker(name):
        return speaker
    known = [entity.id for entity in memory.graph.entities(name)]
    return known[0] if len(known) == 1 else ""
