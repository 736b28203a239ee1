"""Making: an abstract unit out of the stored ones that it tells of in short."""

from collections.abc import Sequence
from dataclasses import dataclass

from clew.model import Evidence, Fact, Unit, UnitKind
from clew.stages.route import SOURCES, Source
from clew.when import TimeSpan

KINDS: dict[Source, UnitKind] = {
    "episodic": "event", "semantic": "summary", "emotional": "preference"
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Draft:
    """What an abstract unit is to say, of which source, and about whom and when.

    `evidence` are the stretches of messages that its text has words of.
    """

    source: Source
    text: str
    evidence: tuple[Evidence, ...]
    keywords: frozenset[str]
    entities: frozenset[str]
    facts: tuple[Fact, ...] = ()
    event: TimeSpan = TimeSpan()
    speaker: str = ""


def abstract_unit(draft: Draft, id: str, members: Sequence[Unit]) -> Unit:
    """Return the unit of a draft; its time is that of the last of its members.

    It is evidence of what it quotes; a message it tells of without its words stands in it too.
    """
    last = max(members, key=lambda unit: unit.order)
    quoted = {each.message for each in draft.evidence if each.end > each.start}
    heard = (each.message for unit in members for each in unit.evidence)
    untold = (Evidence(message) for message in dict.fromkeys(heard) if message not in quoted)
    inherited = {space for unit in members for space in unit.spaces - frozenset(SOURCES)}
    return Unit(
        id=id,
        conversation=last.conversation,
        text=draft.text,
        said_at=last.said_at,
        session=last.session,
        position=last.position,
        speaker=draft.speaker or last.speaker,
        evidence=tuple(dict.fromkeys((*draft.evidence, *untold))),
        event=draft.event,
        keywords=draft.keywords,
        entities=draft.entities,
        facts=draft.facts,
        kind=KINDS[draft.source],
        level=1 + max(unit.level for unit in members),
        spaces=frozenset({draft.source, *inherited}),
    )


def own_words(unit: Unit) -> str:
    """Return what a basic unit says, without its speaker."""
    return unit.text.removeprefix(f"{unit.speaker}: ")


def quote(unit: Unit, start: int, end: int) -> Evidence:
    """Return where the characters [start, end) of a basic unit's own words stand in its message.

    Words of a picture's caption stand in none: the stretch is empty.
    """
    told = unit.evidence[0]
    return Evidence(
        told.message, min(told.start + start, told.end), min(told.start + end, told.end)
    )


def value(unit: Unit, fact: Fact) -> Evidence:
    """Return where a fact's value stands in the message of the basic unit that tells it."""
    at = own_words(unit).casefold().find(fact.value.casefold())
    return quote(unit, max(at, 0), at + len(fact.value) if at >= 0 else 0)
