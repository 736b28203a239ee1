"""Making: an abstract unit out of the stored ones that it tells of in short."""

from collections.abc import Sequence
from dataclasses import dataclass

from clew.model import Fact, Unit, UnitKind
from clew.stages.route import SOURCES, Source
from clew.when import TimeSpan

KINDS: dict[Source, UnitKind] = {
    "episodic": "event", "semantic": "summary", "emotional": "preference"
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Draft:
    """What an abstract unit is to say, of which source, and about whom and when."""

    source: Source
    text: str
    keywords: frozenset[str]
    entities: frozenset[str]
    facts: tuple[Fact, ...] = ()
    event: TimeSpan = TimeSpan()
    speaker: str = ""


def abstract_unit(draft: Draft, id: str, members: Sequence[Unit]) -> Unit:
    """Return the unit of a draft; its evidence is its members', its time that of the last."""
    last = max(members, key=lambda unit: unit.order)
    evidence = dict.fromkeys(each for unit in members for each in unit.evidence)
    inherited = {space for unit in members for space in unit.spaces - frozenset(SOURCES)}
    return Unit(
        id=id,
        conversation=last.conversation,
        text=draft.text,
        said_at=last.said_at,
        session=last.session,
        position=last.position,
        speaker=draft.speaker or last.speaker,
        evidence=tuple(evidence),
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
