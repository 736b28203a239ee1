"""Pages: what a model says of each entity, gathered over chunks (Mandol §3.1.2, semantic memory).

A page lists an entity's facts with the day on which each was told, earlier ones first, so that
a change can be seen. What is new is added by a page that takes the old one's place, until it is
full; then another is begun. So all that a page is evidence of stands on it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from clew.memory import Memory
from clew.model import Abstract, Archive, Decision, Fact, Unit
from clew.stages.layers.drawn import Claim
from clew.stages.layers.making import Draft, abstract_unit
from clew.stages.write import contradicts
from clew.text import fold, keywords
from clew.when import day


def pages(claims: Sequence[Claim], memory: Memory, words: int) -> Iterator[Decision]:
    """Yield decisions that write down claims, on a page of at most about `words` words each."""
    by_subject = sorted(claims, key=lambda claim: claim.fact.subject)
    for subject, group in groupby(by_subject, key=lambda claim: claim.fact.subject):
        last = _last(subject, memory)
        known = {_slot(fact) for fact in last.facts} if last else set()
        news = {_slot(claim.fact): claim for claim in group if _slot(claim.fact) not in known}
        if news:
            yield from _written(list(news.values()), last, memory, words)


def _written(
    claims: Sequence[Claim], last: Unit | None, memory: Memory, words: int
) -> Iterator[Decision]:
    told = "; ".join(map(_said, claims))
    members = {unit.id: unit for claim in claims for unit in claim.members}
    if last is not None and len(f"{last.text} {told}".split()) <= words:
        old = [
            e.target for e in memory.graph.edges([last.id], ["ABSTRACTS"]) if e.source == last.id
        ]
        members |= {unit.id: unit for unit in memory.units(old)}
        page = _page(f"{last.text[:-1]}; {told}.", claims, members.values(), last)
    else:
        last, page = None, _page(f"{claims[0].name}: {told}.", claims, members.values())
    yield page
    if last is not None:
        yield Archive(last, page.unit)


def _page(
    text: str, claims: Sequence[Claim], units: Iterable[Unit], last: Unit | None = None
) -> Abstract:
    ordered = tuple(sorted(units, key=lambda unit: unit.order))
    facts = list(last.facts if last else ())
    for claim in claims:
        facts = [fact for fact in facts if not _ends(claim.fact, fact)] + [claim.fact]
    evidence = dict.fromkeys(e for claim in claims for e in claim.evidence)
    entities = frozenset().union(*(claim.entities for claim in claims))
    if last:
        evidence = dict.fromkeys((*(e for e in last.evidence if e.end > e.start), *evidence))
        entities |= last.entities
    draft = Draft("semantic", text, tuple(evidence), keywords(text), entities, tuple(facts))
    id = f"{_name(claims[0].fact.subject)}{ordered[-1].id}"
    return Abstract(abstract_unit(draft, id, ordered), ordered)


def _last(subject: str, memory: Memory) -> Unit | None:
    """Return the page of an entity that was begun last."""
    found = (h.unit for h in memory.graph.facts(subject) if h.unit.id.startswith(_name(subject)))
    return max(found, key=lambda unit: unit.order, default=None)


def _name(subject: str) -> str:
    return f"about:{subject}@"


def _ends(fact: Fact, other: Fact) -> bool:
    return fact.property == other.property and contradicts(fact, other)


def _slot(fact: Fact) -> tuple[str, str]:
    return fact.property, fold(fact.value)


def _said(claim: Claim) -> str:
    at = max(claim.members, key=lambda unit: unit.order).said_at
    return f"{claim.fact.property} {claim.fact.value}" + (f" ({day(at)})" if at else "")
