"""Semantic memory: what is known of each person, place and thing (Mandol §3.1.2)

One unit per entity gathers what is scattered over sessions: its attributes, and the
sentences that name it. Its mentions are the edges of reference of the entity graph, its
facts those of attribute. When more is said, a new unit takes its place and the old one is
archived under it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from clew.memory import Memory
from clew.model import Abstract, Archive, Decision, Entity, Fact, Unit
from clew.stages.layers.emotional import is_preference
from clew.stages.layers.making import Draft, abstract_unit, own_words, quote, value
from clew.stores.graph import Held
from clew.text import fold, keywords, sentences
from clew.when import Place, day

FEWEST = 2  # units that an entity is told of in, before it is gathered: unspecified


def semantic(units: Sequence[Unit], memory: Memory, words: int) -> Iterator[Decision]:
    """Yield decisions that bring the units of all entities told of in new units up to date.

    A unit quotes at most about `words` words, the latest first to be chosen.
    """
    new = {unit.id for unit in units}
    touched = {id for unit in units for id in unit.entities}
    touched |= {fact.subject for unit in units for fact in unit.facts}
    known = {entity.id: entity for entity in memory.graph.entities()}
    subjects = [_Subject.of(known[id], memory) for id in sorted(touched & known.keys())]
    drawn = [(subject.last, made) for subject in subjects if (made := subject.drawn(words))]
    fresh = [(old, made) for old, made in drawn if any(u.id in new for u in made.members)]
    memory.foresee([made.unit for _, made in fresh])
    for old, made in fresh:
        yield made
        if old:
            yield Archive(old, made.unit)


@dataclass(frozen=True, slots=True)
class _Subject:
    """An entity, what basic units tell of it, and the unit that stood for it up to now."""

    entity: Entity
    told: Mapping[str, Unit]
    held: Sequence[Held]
    last: Unit | None

    @classmethod
    def of(cls, entity: Entity, memory: Memory) -> "_Subject":
        """Gather what a memory has of an entity; a speaker is in every unit, and only has facts."""
        spoken = entity.id in memory.speakers
        told = [] if spoken else memory.graph.mentioning({entity.id})
        held = memory.graph.facts(entity.id)
        stood = [u for u in (*told, *(h.unit for h in held)) if u.id.startswith(_name(entity))]
        return cls(
            entity,
            {unit.id: unit for unit in told if unit.level == 0},
            [h for h in held if h.unit.level == 0 and not h.until and not is_preference(h.fact)],
            max(stood, key=lambda unit: unit.order, default=None),
        )

    def drawn(self, words: int) -> Abstract | None:
        """Return the unit that stands for the entity now, if enough is told of it."""
        quotes = self._quotes(words)
        members = {unit.id: unit for unit in (*(h.unit for h in self.held), *quotes)}
        if len(members) < FEWEST:
            return None
        ordered = sorted(members.values(), key=lambda unit: unit.order)
        facts = tuple(dict.fromkeys(held.fact for held in self.held))
        about = f"{self.entity.name}: {'; '.join(map(_said, facts))}." if facts else ""
        text = " ".join(filter(None, [about, *(_quoted(u, at) for u, at in quotes.items())]))
        told = [value(held.unit, held.fact) for held in self.held]
        told += [quote(unit, *place) for unit, places in quotes.items() for place in places]
        named = {id for unit in quotes for id in unit.entities if id != fold(unit.speaker)}
        draft = Draft(
            "semantic", text, tuple(told), keywords(text), frozenset(named | {self.entity.id}),
            facts, speaker=_by(ordered),
        )  # fmt: skip
        id = f"{_name(self.entity)}{ordered[-1].id}"
        return Abstract(abstract_unit(draft, id, ordered), tuple(ordered))

    def _quotes(self, words: int) -> dict[Unit, list[Place]]:
        """Return where the latest sentences that name the entity stand, in the order of time."""
        called = [fold(name) for name in (self.entity.name, *self.entity.aliases)]
        chosen: dict[Unit, list[Place]] = {}
        for unit in sorted(self.told.values(), key=lambda unit: unit.order, reverse=True):
            said = own_words(unit)
            places = [
                (start, end)
                for start, end in sentences(said)
                if any(name in fold(said[start:end]) for name in called)
            ]
            if places and not said[: places[-1][1]].endswith("?"):
                words -= sum(len(said[start:end].split()) for start, end in places)
                if words < 0 and chosen:
                    break
                chosen[unit] = places
        return dict(reversed(chosen.items()))


def _quoted(unit: Unit, places: Sequence[Place]) -> str:
    said, when = own_words(unit), f" ({day(unit.said_at)})" if unit.said_at else ""
    return f"{unit.speaker}{when}: {' '.join(said[start:end] for start, end in places)}"


def _name(entity: Entity) -> str:
    return f"entity:{entity.id}@"


def _said(fact: Fact) -> str:
    return f"{fact.property} {'not ' * fact.negated}{fact.value}"


def _by(units: Sequence[Unit]) -> str:
    """Return who speaks of an entity most; of several, the first by name."""
    speakers = sorted(unit.speaker for unit in units)
    return max(dict.fromkeys(speakers), key=speakers.count)
