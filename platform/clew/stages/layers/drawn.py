"""Drawn: what a model noted of a chunk becomes abstract units over the basic units of the chunk.

Who is meant and when it was is worked out as for any note. What names nobody, or is said by no
message that a basic unit is from, is refused and counted.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from clew.model import Evidence, Fact, Unit
from clew.stages.grounding import Grounding
from clew.stages.layers.making import Draft, abstract_unit
from clew.stages.layers.noted import Linked, Taste, Trait
from clew.text import fold, keywords
from clew.when import day

Members = tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A fact of an entity that goes by `name`, with the basic units that tell it."""

    fact: Fact
    name: str
    members: Members
    evidence: tuple[Evidence, ...]
    entities: frozenset[str]


@dataclass(slots=True)
class Drawn:
    """Draws units; `told` are the basic units of the chunk, `refused` counts what has no ground."""

    told: Sequence[Unit]
    ground: Grounding
    refused: Counter[str] = field(default_factory=Counter)
    events: list[tuple[Linked, Unit, Members]] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    tastes: list[tuple[Unit, Members]] = field(default_factory=list)
    _numbers: Counter[str] = field(default_factory=Counter)

    def draw(self, item: Linked | Trait | Taste, sources: Sequence[str]) -> None:
        """Draw what an item comes to that cites these messages."""
        cited = set(sources)
        members = tuple(u for u in self.told if any(e.message in cited for e in u.evidence))
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
        for fact in self.ground.facts([item], {fold(name): subject}):
            named = self.ground.referents.read(fact.value, members[-1].speaker).values()
            self.claims.append(Claim(fact, name, members, quoted, frozenset({subject, *named})))

    def _taste(self, item: Taste, sources: Sequence[str], members: Members) -> None:
        person = self.ground.referent(item.person, "person", sources)
        name, what, feeling = (t.strip(" .") for t in (item.person, item.what, item.feeling))
        if not (person and what and (feeling or item.attitude != "feels")):
            self.refused["tastes"] += 1
            return
        if item.attitude == "feels":
            fact = Fact(person, f"feels about {fold(what)}", feeling, functional=True)
            text = f"{name} feels {feeling} about {what}"
        else:
            fact = Fact(person, "likes", what, negated=item.attitude == "dislikes")
            text = f"{name} {'does not like' if fact.negated else 'likes'} {what}"
        at, quoted = members[-1].said_at, self.ground.quoted(sources)
        text = f"{text} ({day(at)})" if at else text
        draft = Draft("emotional", text, quoted, keywords(text), frozenset({person}), (fact,))
        self.tastes.append((abstract_unit(draft, self._id(members), members), members))

    def _id(self, members: Members) -> str:
        last = max(members, key=lambda unit: unit.order).id
        self._numbers[last] += 1
        return f"{last}.noted{self._numbers[last] - 1}"
