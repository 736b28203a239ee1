"""Drawn: what a model noted of a chunk becomes abstract units over the basic units of the chunk.

Who is meant and when it was is worked out as for any note. What names nobody, or is said by no
message that a basic unit is from, is refused and counted.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from clew.model import Evidence, Fact, Unit
from clew.stages.extract import Told
from clew.stages.grounding import Grounding
from clew.stages.layers.attitudes import felt
from clew.stages.layers.making import Draft, abstract_unit
from clew.stages.layers.noted import Linked, Taste, Trait
from clew.text import fold, keywords
from clew.when import TimeSpan, day

Members = tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A fact of an entity that goes by `name`, with the basic units that tell it.

    `since` is when it began to hold, where the messages say so.
    """

    fact: Fact
    name: str
    members: Members
    evidence: tuple[Evidence, ...]
    entities: frozenset[str]
    since: TimeSpan

    @property
    def last(self) -> Unit:
        """The basic unit that tells it last."""
        return max(self.members, key=lambda unit: unit.order)

    @property
    def at(self) -> datetime | None:
        """The instant from which it holds: its own, else when it was told."""
        return self.since.start or self.last.said_at

    @property
    def order(self) -> tuple[bool, float, int]:
        """A key that sorts by when it holds, undated claims last, then as told."""
        at = self.at
        return (at is None, at.timestamp() if at else 0.0, self.last.position)


@dataclass(slots=True)
class Drawn:
    """Draws units; `told` are the basic units of the chunk, `refused` counts what has no ground."""

    told: Told
    ground: Grounding
    refused: Counter[str] = field(default_factory=Counter)
    events: list[tuple[Linked, Unit, Members]] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    tastes: list[tuple[Unit, Members]] = field(default_factory=list)
    _numbers: Counter[str] = field(default_factory=Counter)

    def draw(self, item: Linked | Trait | Taste, sources: Sequence[str]) -> None:
        """Draw what an item comes to that cites these messages."""
        cited = set(sources)
        members = tuple(
            unit for unit in self.told if any(each.message in cited for each in unit.evidence)
        )
        if not members:
            self.refused["refused"] += 1
        elif isinstance(item, Linked):
            self.events.append((item, self._event(item, sources, members), members))
        elif isinstance(item, Trait):
            self._claim(item, sources, members)
        else:
            self._taste(item, sources, members)

    def _event(self, item: Linked, sources: Sequence[str], members: Members) -> Unit:
        unit = self.ground.unit(item.event, sources)
        draft = Draft(
            "episodic", unit.text, unit.evidence, unit.keywords, unit.entities,
            event=unit.event, speaker=unit.speaker,
        )  # fmt: skip
        return abstract_unit(draft, self._id(members), members)

    def _claim(self, item: Trait, sources: Sequence[str], members: Members) -> None:
        subject = self.ground.referent(item.subject, item.kind, sources)
        name, quoted = item.subject.strip(), self.ground.quoted(sources)
        since = self.ground.event(item, sources)
        for fact in self.ground.facts([item], {fold(name): subject}):
            named = self.ground.referents.read(fact.value, members[-1].speaker).values()
            entities = frozenset({subject, *named})
            self.claims.append(Claim(fact, name, members, quoted, entities, since))

    def _taste(self, item: Taste, sources: Sequence[str], members: Members) -> None:
        person = self.ground.referent(item.person, "person", sources)
        name, what = (told.strip(" .") for told in (item.person, item.what))
        attitude, feeling = item.meant
        if not (person and what and (feeling or attitude != "feels")):
            self.refused["tastes"] += 1
            return
        if attitude != "feels":
            fact = Fact(person, "likes", what, negated=attitude == "dislikes")
            said = f"{name} {'does not like' if fact.negated else 'likes'} {what}"
            self._preference(said, fact, sources, members)
        if feeling:
            fact = Fact(person, f"feels about {fold(what)}", feeling, functional=True)
            self._preference(felt(name, feeling, what), fact, sources, members)

    def _preference(self, said: str, fact: Fact, sources: Sequence[str], members: Members) -> None:
        at, quoted = members[-1].said_at, self.ground.quoted(sources)
        text, whose = f"{said} ({day(at)})" if at else said, frozenset({fact.subject})
        draft = Draft("emotional", text, quoted, keywords(text), whose, (fact,))
        self.tastes.append((abstract_unit(draft, self._id(members), members), members))

    def _id(self, members: Members) -> str:
        last = max(members, key=lambda unit: unit.order).id
        self._numbers[last] += 1
        return f"{last}.noted{self._numbers[last] - 1}"
