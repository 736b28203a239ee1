"""Emotional memory: what people like, and how that changes (Mandol §3.1.2)

A preference is read from what people say of their tastes. One that takes an earlier one back
supersedes it, so that a chain of states shows how it came about. The released code has no
such memory.
"""

from collections.abc import Iterator, Sequence

from clew.memory import Memory
from clew.model import Abstract, Decision, Edge, Fact, Relate, Supersede, Unit
from clew.stages.layers.making import Draft, abstract_unit, value
from clew.stages.write import contradicts, shared
from clew.text import fold, keywords
from clew.when import day


def is_preference(fact: Fact) -> bool:
    """Tell whether a fact is about somebody's taste."""
    return fact.property == "likes" or fact.property.startswith(("favorite", "favourite"))


def emotional(units: Sequence[Unit], memory: Memory) -> Iterator[Decision]:
    """Yield decisions that store the preferences of new units, and end those taken back."""
    names = {fold(unit.speaker): unit.speaker for unit in units}
    names |= {entity.id: entity.name for entity in memory.graph.entities()}
    told = [(unit, made) for unit in units for made in _preferences(unit, names)]
    memory.foresee([made for _, made in told])
    for unit, made in told:
        yield from held(made, (unit,), memory)


def held(made: Unit, members: tuple[Unit, ...], memory: Memory) -> Iterator[Decision]:
    """Yield decisions that store a preference over its members, and end the one it takes back."""
    if (known := _taken_back(made, memory)) is None:
        yield Abstract(made, members)
    else:
        yield Supersede(made, known, 0.0, shared(made, known), ends=True)
        yield Relate(tuple(Edge(made.id, unit.id, "ABSTRACTS") for unit in members))


def _preferences(unit: Unit, names: dict[str, str]) -> Iterator[Unit]:
    """Yield one preference unit for each subject, property and polarity that a unit tells of."""
    facts = [fact for fact in unit.facts if is_preference(fact)]
    groups = dict.fromkeys((f.subject, f.property, f.negated) for f in facts)
    for number, group in enumerate(groups):
        own = tuple(f for f in facts if (f.subject, f.property, f.negated) == group)
        text = _told(own, names.get(group[0], group[0]), unit)
        told = tuple(value(unit, fact) for fact in own)
        draft = Draft("emotional", text, told, keywords(text), frozenset({group[0]}), own)
        yield abstract_unit(draft, f"{unit.id}.taste{number}", [unit])


def _told(facts: Sequence[Fact], name: str, unit: Unit) -> str:
    values = ", ".join(fact.value for fact in facts)
    property, negated = facts[0].property, facts[0].negated
    if property == "likes":
        said = f"{name} {'does not like' if negated else 'likes'} {values}"
    else:
        said = f"{name}'s {property}: {values}"
    return f"{said} ({day(unit.said_at)})" if unit.said_at else said


def _taken_back(unit: Unit, memory: Memory) -> Unit | None:
    """Return the latest preference that a new one contradicts, if none has taken it back yet."""
    fact = unit.facts[0]
    told = {
        old.unit.id: old.unit
        for old in memory.graph.facts(fact.subject, fact.property)
        if old.unit.kind == "preference" and any(contradicts(f, old.fact) for f in unit.facts)
    }
    views = memory.graph.views(list(told)) if told else {}
    current = [old for id, old in told.items() if views[id].status == "active"]
    return current[-1] if current else None
