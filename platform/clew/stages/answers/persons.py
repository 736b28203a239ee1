"""Persons: who did what a sentence tells, and whom a question means by a description."""

import re
from collections.abc import Sequence

from clew.memory import Memory
from clew.stages.answers.asking import Asked, roots
from clew.stages.answers.reading import Line, words
from clew.stages.resolve import is_role
from clew.text import fold, names

_ROLE = re.compile(r"(?P<phrase>[^\W\d_][\w'-]*['\u2019]s (?P<role>(?:[a-z-]+ )?[a-z-]+))")
_FULL = re.compile(
    r"\b(?:full|whole|complete|proper|real|actual|official|formal|given)(?: \w+)? names?\b", re.I
)
_I = re.compile(r"\b(?:I|[Ww]e|I['\u2019](?:m|ve|d|ll)|[Ww]e['\u2019](?:ve|re|d))\b")
_GROUP = re.compile(
    r"\b(?:[Mm]y|[Oo]ur) (?P<who>(?:[a-z]+(?:, | and |, and | )){0,4}?[a-z]+)"
    r"(?= (?:are|is|was|were|have|has|all|gave|made|help|support|came|who|did|said|told)\b)"
)


def who(asked: Asked, told: Sequence[Line], memory: Memory) -> str:
    """Return the name of the one the best line is about; for "first", of the earliest."""
    top = max((line.share for line in told), default=0.0)
    near = [line for line in told if line.share >= 0.8 * top]
    if asked.first:
        near.sort(key=lambda line: line.unit.order)
    for line in near[:4]:
        if found := _subject(line, asked):
            return _whole(found, asked, memory)
    return ""


def _subject(line: Line, asked: Asked) -> str:
    """Return the name before the words asked about, else a name after them, else the speaker."""
    at = min((w.start for w in words(line.text) if w.root in asked.roots), default=len(line.text))
    known = {fold(part) for name in asked.names for part in name.split()}
    found = [n for n in names(line.text) if not known & set(fold(n).split())]
    before = [name for name in found if line.text.find(name) < at]
    if before and not _I.search(line.text[line.text.find(before[-1]) : at]):
        return before[-1]
    asks_other = bool(asked.names) or re.match(r"(?:to|with|by|for|from) ", asked.text, re.I)
    if asks_other:
        group = _GROUP.search(line.text)
        return found[-1] if found else (group["who"] if group else "")
    return line.unit.speaker


def _whole(name: str, asked: Asked, memory: Memory) -> str:
    """Return the name somebody is known by, for one of their other names."""
    if not _FULL.search(f"{asked.text} {asked.only}"):
        return name
    known = [e for e in memory.graph.entities(name) if e.type == "person"]
    return known[0].name if len(known) == 1 else name


def described(asked: Asked, memory: Memory) -> tuple[str, ...]:
    """Return the names of those a question means by what they are to somebody."""
    found: dict[str, None] = {}
    for match in _ROLE.finditer(asked.text):
        phrase = match["phrase"]
        while " " in phrase:
            for entity in memory.graph.entities(phrase):
                if fold(entity.name) != fold(phrase):
                    found[entity.name] = None
            phrase = phrase.rpartition(" ")[0]
    return tuple(found)


def role_roots(asked: Asked) -> frozenset[str]:
    """Return the roots of the roles a question speaks of: "sister" of "Pia's sister"."""
    plain = (re.sub(r"['\u2019]s$", "", word.text) for word in words(asked.text))
    return frozenset(r for word in plain if is_role(word) for r in roots(word))


def namesakes(asked: Asked, memory: Memory) -> frozenset[str]:
    """Return the ids of those who bear a name of the question but are not meant by it.

    A person and a place may share a name; "in" or "to" before it means the place.
    """
    found: set[str] = set()
    for name in asked.names:
        known = memory.graph.entities(name)
        place = re.search(rf"\b(?:in|to|from|near|visit\w*) {re.escape(name)}\b", asked.text)
        fits = [entity.id for entity in known if (entity.type == "place") == bool(place)]
        if fits:
            found |= {entity.id for entity in known if entity.id not in fits}
    return frozenset(found)
