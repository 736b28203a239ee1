"""Episodic memory: what happened, when, and what came of it (Mandol §3.1.2)

An event is a sentence that names a time or tells of a consequence, with its time resolved:
"last Friday" alone is of no use in another session. Events that share a person, a thing or
their words are chained in the order of time; a sentence that says why goes to its cause.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from clew.memory import Memory
from clew.model import Abstract, Decision, Edge, Evidence, Relate, Unit
from clew.stages.layers.making import Draft, abstract_unit, own_words, quote
from clew.stores.vectors import Where
from clew.text import fold, keywords, names, sentences
from clew.when import TimeSpan, find, say

EPISODIC = Where(spaces=frozenset({"episodic"}))
SHARED = 2  # keywords that two events have in common when they are of one chain: unspecified
NEAR = 8  # stored events that a new one is compared with: unspecified

_AFTER = re.compile(
    r"^(?:and )?(?:so|that['\u2019]s why|as a result|therefore|because of (?:that|this|it)"
    r"|thanks to (?:that|this|it)|after that|since then)\b",
    re.I,
)
_WHY = re.compile(r"\b(?:because(?: of)?|due to|thanks to|as a result of) (?P<why>.+)", re.I)


def events(units: Sequence[Unit]) -> Iterator[tuple[Unit, Unit, str]]:
    """Yield the events that basic units tell, each with its unit and its own sentence."""
    for unit in units:
        said = own_words(unit)
        for number, (start, end) in enumerate(sentences(said)):
            sentence = said[start:end]
            time = _time(sentence, unit)
            told = time.start or _AFTER.match(sentence) or _WHY.search(sentence)
            if told and not sentence.endswith("?"):
                draft = _draft(unit, sentence, time, quote(unit, start, end))
                yield abstract_unit(draft, f"{unit.id}.event{number}", [unit]), unit, sentence


def _time(sentence: str, unit: Unit) -> TimeSpan:
    found = [span for _, span in find(sentence, unit.said_at)] if unit.said_at else []
    return found[0] if found else TimeSpan()


def _draft(unit: Unit, sentence: str, time: TimeSpan, told: Evidence) -> Draft:
    when = f" ({say(time)})" if time.start else ""
    named = {fold(name) for name in names(sentence)}
    entities = {id for id in unit.entities if id == fold(unit.speaker) or id.split(":")[0] in named}
    text = f"{unit.speaker}{when}: {sentence}"
    return Draft("episodic", text, (told,), keywords(sentence), frozenset(entities), event=time)


def episodic(units: Sequence[Unit], memory: Memory) -> Iterator[Decision]:
    """Yield decisions that store the events of new units, and chain them to those known.

    Each is made in sight of those before it.
    """
    before: Unit | None = None
    told = list(events(units))
    memory.foresee([event for event, _, _ in told])
    for event, unit, sentence in told:
        known = akin(event, memory)
        yield Abstract(event, (unit,))
        edges = [*order(event, known), *_causes(event, sentence, known, before)]
        if edges:
            yield Relate(tuple(dict.fromkeys(edges)))
        before = event


def akin(event: Unit, memory: Memory) -> list[Unit]:
    """Return stored events of the same chain: that share an entity or enough words."""
    near = memory.similar(event.text, NEAR, EPISODIC)
    mine = event.entities - memory.speakers
    mentioned = memory.graph.mentioning(mine) if mine else []
    found = {unit.id: unit for unit in chain(memory.units([hit.id for hit in near]), mentioned)}
    return [
        unit
        for id, unit in sorted(found.items())
        if unit.kind == "event"
        and (mine & unit.entities or len(event.keywords & unit.keywords) >= SHARED)
    ]


def order(event: Unit, known: Sequence[Unit]) -> Iterator[Edge]:
    """Yield edges from the event right before it in its chain, and to the one right after."""
    at = event.valid_from
    if at is None:
        return
    dated = sorted((u.valid_from, u.position, u.id) for u in known if u.valid_from)
    earlier = [id for when, position, id in dated if (when, position) < (at, event.position)]
    later = [id for when, position, id in dated if (when, position) > (at, event.position)]
    yield from (Edge(id, event.id, "BEFORE") for id in earlier[-1:])
    yield from (Edge(event.id, id, "BEFORE") for id in later[:1])


def _causes(
    event: Unit, sentence: str, known: Sequence[Unit], before: Unit | None
) -> Iterator[Edge]:
    """Yield the edge from the event that a sentence says this one came of, if it is known."""
    if _AFTER.match(sentence) and before is not None and before.session == event.session:
        yield Edge(before.id, event.id, "CAUSES")
    elif why := _WHY.search(sentence):
        told = keywords(why["why"])
        fits = [(len(told & unit.keywords), unit.id) for unit in known]
        most, id = max(fits, default=(0, ""))
        if most >= SHARED:
            yield Edge(id, event.id, "CAUSES")
