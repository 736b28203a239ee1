"""Write: the paper's own story, a meeting moved from 2pm to 3pm, and its neighbours."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from clew.memory import Memory
from clew.model import Abstract, Add, Archive, Edge, Fact, Merge, Supersede, Unit
from clew.stages.released.write import BatchDedup
from clew.stages.write import AddAll, ConflictAware

MakeUnit = Callable[..., Unit]
AT_TWO = "Alice meets Bob at the tea house at 2pm"
AT_THREE = "Alice meets Bob at the tea house at 3pm"


def test_what_is_far_from_everything_is_added(memory: Memory, unit: MakeUnit) -> None:
    memory.apply(Add(unit(1, AT_TWO)))
    news = unit(2, "The ferry was painted green")
    assert ConflictAware()(news, memory) == Add(news)
    assert ConflictAware()(unit(3, ""), memory) == Add(unit(3, ""))


def test_a_repetition_is_merged_and_lends_its_evidence_and_time(
    memory: Memory, unit: MakeUnit
) -> None:
    first, again = unit(1, AT_TWO), unit(2, AT_TWO, hours=30)
    memory.apply(Add(first))
    decision = ConflictAware()(again, memory)
    assert isinstance(decision, Merge)
    assert (decision.known, decision.overlap) == (first, 1.0)
    memory.apply(decision)
    view = memory.graph.views([first.id])[first.id]
    assert view.messages == ("D1:1", "D1:2")
    assert view.last_seen == again.said_at
    assert memory.graph.get([again.id]) == []


def test_a_unit_that_only_an_abstract_is_near_to_is_news(memory: Memory, unit: MakeUnit) -> None:
    first, again = unit(1, "Ilse waters the ferns"), unit(2, AT_TWO)
    short = replace(unit(3, AT_TWO), level=1, evidence=first.evidence)
    memory.revise([Add(first), Abstract(short, (first,)), Archive(first, short)])
    assert ConflictAware()(again, memory) == Add(again)
    assert BatchDedup()(again, memory) == Add(again)
    archived = unit(4, "Ilse waters the ferns")
    assert isinstance(ConflictAware()(archived, memory), Merge)  # it was said, if told in short


def test_a_changed_time_supersedes_and_both_states_stay(memory: Memory, unit: MakeUnit) -> None:
    two, three = unit(1, AT_TWO), unit(2, AT_THREE, hours=1)
    memory.apply(Add(two))
    decision = ConflictAware()(three, memory)
    assert isinstance(decision, Supersede)
    memory.apply(decision)
    assert memory.graph.edges([two.id], ["SUPERSEDES"]) == [Edge(two.id, three.id, "SUPERSEDES")]
    assert memory.graph.get([two.id, three.id]) == [two, three]


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("The parcel code is A-113", "The parcel code is A-114"),
        ("The fair opens on 4 May 2024", "The fair opens on 5 May 2024"),
        ("Nora can swim", "Nora can not swim"),
        ("We sold seven lamps", "We sold eight lamps"),
    ],
)
def test_a_changed_detail_is_never_a_merge(
    memory: Memory, unit: MakeUnit, known: str, said: str
) -> None:
    memory.apply(Add(unit(1, known)))
    assert not isinstance(ConflictAware(likeness=0.1, overlap=0.0)(unit(2, said), memory), Merge)


def test_the_same_words_of_another_speaker_are_never_a_merge(
    memory: Memory, unit: MakeUnit
) -> None:
    memory.apply(Add(unit(1, AT_TWO)))
    decision = ConflictAware()(unit(2, AT_TWO, speaker="Bob"), memory)
    assert isinstance(decision, Supersede)
    assert not decision.ends


def test_near_with_other_keywords_is_linked_not_merged(memory: Memory, unit: MakeUnit) -> None:
    memory.apply(Add(unit(1, AT_TWO)))
    other = unit(2, AT_TWO, keywords=frozenset({"cake", "bake"}))
    decision = ConflictAware()(other, memory)
    assert isinstance(decision, Supersede)
    assert (decision.overlap, decision.ends) == (0.0, False)


def test_a_new_value_of_a_slot_ends_the_old_one_however_it_is_worded(
    memory: Memory, unit: MakeUnit
) -> None:
    old = unit(1, "Home is a loft by the canal", facts=(Fact("alice", "home", "Ghent", True),))
    new = unit(2, "Boxes everywhere", hours=9, facts=(Fact("alice", "home", "Bruges", True),))
    memory.apply(Add(old))
    decision = ConflictAware()(new, memory)
    assert isinstance(decision, Supersede) and decision.ends
    memory.apply(decision)
    view = memory.graph.views([old.id])[old.id]
    assert (view.status, view.valid_to) == ("superseded", new.valid_from)
    assert len(memory.drift()) == 0


def test_a_denial_ends_the_claim_it_denies(memory: Memory, unit: MakeUnit) -> None:
    claim = unit(1, "I eat no meat", facts=(Fact("alice", "is", "vegetarian"),))
    denial = unit(
        2, "Fish again", hours=9, facts=(Fact("alice", "is", "vegetarian", negated=True),)
    )
    memory.apply(Add(claim))
    decision = ConflictAware()(denial, memory)
    assert isinstance(decision, Supersede) and decision.known == claim


def test_what_becomes_true_again_is_news_not_a_repetition(memory: Memory, unit: MakeUnit) -> None:
    homes = ["Oslo", "Bergen", "Oslo"]
    for n, home in enumerate(homes):
        facts = (Fact("alice", "home", home, True),)
        told = unit(n, f"I live in {home}", hours=30 * n, facts=facts)
        memory.apply(ConflictAware(likeness=0.5)(told, memory))
    assert len(list(memory.graph.units())) == 3
    (now,) = [held for held in memory.graph.facts("alice", "home") if held.until is None]
    assert (now.fact.value, now.unit.id) == ("Oslo", "D1:2.00")


def test_values_that_gather_end_nothing(memory: Memory, unit: MakeUnit) -> None:
    memory.apply(Add(unit(1, "Basque at home", facts=(Fact("alice", "speaks", "Basque"),))))
    more = unit(2, "Now Catalan", hours=9, facts=(Fact("alice", "speaks", "Catalan"),))
    assert ConflictAware()(more, memory) == Add(more)


def test_an_older_state_told_late_does_not_end_the_newer(memory: Memory, unit: MakeUnit) -> None:
    newer = unit(1, "Here", hours=99, facts=(Fact("alice", "home", "Bruges", True),))
    older = unit(2, "There", hours=1, facts=(Fact("alice", "home", "Ghent", True),))
    memory.apply(Add(newer))
    decision = ConflictAware()(older, memory)
    memory.apply(decision)
    assert memory.graph.edges([newer.id], ["SUPERSEDES"]) == [
        Edge(older.id, newer.id, "SUPERSEDES")
    ]
    assert memory.graph.views([newer.id])[newer.id].valid_to is None
    assert memory.graph.views([older.id])[older.id].valid_to == newer.valid_from


def test_the_twin_adds_even_a_repetition(memory: Memory, unit: MakeUnit) -> None:
    memory.apply(Add(unit(1, AT_TWO)))
    assert AddAll()(unit(2, AT_TWO), memory) == Add(unit(2, AT_TWO))
