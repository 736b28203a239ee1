"""Layers: events in chains, what is known of each entity, and tastes that change."""

from collections.abc import Callable
from itertools import chain

import pytest

from clew.memory import Memory
from clew.model import Add, Edge, Message, Unit
from clew.stages.agglomerate import Layers, OnlyBasic
from clew.stages.enhance import Bare
from clew.stages.extract import RuleBased, Told
from clew.trace import recording

Tell = Callable[..., list[Unit]]


@pytest.fixture
def tell(memory: Memory, message: Callable[..., Message]) -> Tell:
    """Tell a chunk of (speaker, text), `days` after the first; return all abstract units."""
    at = 0

    def told(*said: tuple[str, str], days: int = 0) -> list[Unit]:
        nonlocal at
        chunk = [
            message(n, text, speaker, hours=24 * days) for n, (speaker, text) in enumerate(said, at)
        ]
        at += len(chunk)
        units = Bare()(RuleBased()(tuple(chunk), memory), chunk, memory)

        above = Layers()(units, chunk, memory)
        memory.ingest(chunk, chain(map(Add, units), above), units.how)
        return [unit for unit in memory.graph.units() if unit.level > 0]

    return told


def of(source: str, units: list[Unit]) -> list[Unit]:
    return [unit for unit in units if source in unit.spaces]


def edges(memory: Memory, kind: str) -> list[tuple[str, str]]:
    return [(e.source, e.target) for e in memory.graph.all_edges() if e.kind == kind]


# --- episodic


def test_a_sentence_with_a_time_is_an_event_with_that_time_resolved(
    memory: Memory, tell: Tell
) -> None:
    (event,) = tell(("Ana", "Hello there. I sold my canoe yesterday. What about you today?"))
    assert event.text == "Ana (14 November 2025): I sold my canoe yesterday."
    assert (event.kind, event.level, event.speaker) == ("event", 1, "Ana")
    assert event.event.start is not None and event.event.start.day == 14
    assert event.spaces == {"episodic", "session:1"}
    assert [e.message for e in event.evidence] == ["D1:0"]
    assert edges(memory, "ABSTRACTS") == [(event.id, "D1:0.00")]


def test_an_abstract_is_evidence_of_the_stretches_that_it_quotes(
    memory: Memory, tell: Tell
) -> None:
    said = "Hello. I sold my canoe yesterday. I love plum jam."
    event, taste = tell(("Ana", said))
    (sold,), (jam,) = event.evidence, taste.evidence
    assert said[sold.start : sold.end] == "I sold my canoe yesterday."
    assert said[jam.start : jam.end] == "plum jam"


def test_a_fact_in_other_words_is_told_and_not_quoted(memory: Memory, tell: Tell) -> None:
    tell(("Ana", "I have three owls."), ("Ana", "I live in Porto."))
    (card,) = of("semantic", [*memory.graph.units()])
    assert card.text == "Ana: number of owl 3; home Porto."
    quoted = {each.message for each in card.evidence if each.end > each.start}
    assert quoted == {"D1:1"}
    assert {each.message for each in card.evidence} == {"D1:0", "D1:1"}


def test_events_of_one_thing_are_chained_by_when_they_took_place(
    memory: Memory, tell: Tell
) -> None:
    tell(("Ana", "I painted the canoe for Tobias yesterday."))
    tell(("Bo", "Tobias crashed his kite last month."), days=9)
    tell(("Ana", "Tobias fetched it this morning."), days=20)
    found = [u.id for u in of("episodic", [*memory.graph.units()])]
    assert found == ["D1:0.00.event0", "D1:1.00.event0", "D1:2.00.event0"]
    painted, crashed, fetched = found
    assert edges(memory, "BEFORE") == [(painted, fetched), (crashed, painted)]


def test_events_with_nothing_in_common_are_in_no_chain(memory: Memory, tell: Tell) -> None:
    tell(("Ana", "I sold my canoe yesterday."), ("Bo", "It snowed last night."))
    assert edges(memory, "BEFORE") == []


def test_a_consequence_hangs_on_the_event_it_follows(memory: Memory, tell: Tell) -> None:
    tell(("Ana", "I sold my canoe yesterday. So I bought a kayak."))
    assert edges(memory, "CAUSES") == [("D1:0.00.event0", "D1:0.00.event1")]


def test_a_consequence_of_nothing_told_hangs_on_nothing(memory: Memory, tell: Tell) -> None:
    assert len(tell(("Ana", "So I bought a kayak."))) == 1
    assert edges(memory, "CAUSES") == []


def test_a_reason_leads_to_the_event_that_tells_it(memory: Memory, tell: Tell) -> None:
    tell(("Ana", "The old boiler burst last night."))
    tell(("Bo", "The choir stayed home because the old boiler had burst."), days=3)
    assert edges(memory, "CAUSES") == [("D1:0.00.event0", "D1:1.00.event0")]
    tell(("Bo", "The market was empty because of the rain."), days=4)
    assert len(edges(memory, "CAUSES")) == 1


# --- semantic


def test_what_is_scattered_about_somebody_is_gathered_with_its_sources(
    memory: Memory, tell: Tell
) -> None:
    assert of("semantic", tell(("Ana", "My violin teacher is called Tobias."))) == []
    tell(("Ana", "Rain again."), ("Ana", "Tobias opened a workshop in Lisbon. Lovely."), days=9)
    (card,) = of("semantic", [*memory.graph.units()])
    assert card.id == "entity:tobias@D1:2.00"
    assert card.text == (
        "Ana (15 November 2025): My violin teacher is called Tobias. "
        "Ana (24 November 2025): Tobias opened a workshop in Lisbon."
    )
    assert {e.message for e in card.evidence} == {"D1:0", "D1:2"}
    assert card.entities >= {"tobias", "lisbon"}
    assert (card.id, "D1:0.00") in edges(memory, "ABSTRACTS")


def test_a_new_unit_of_an_entity_takes_the_place_of_the_old(memory: Memory, tell: Tell) -> None:
    for n, text in enumerate(["I met Tobias.", "Tobias sings.", "Tobias left for Oslo."]):
        tell(("Ana", text), days=n)
    old, new = (u for u in memory.graph.units() if u.id.startswith("entity:tobias"))
    views = memory.graph.views([old.id, new.id])
    assert (views[old.id].status, views[old.id].under) == ("archived", new.id)
    assert views[new.id].status == "active"
    assert "Oslo" in new.text


def test_what_is_not_told_of_again_is_not_made_anew(memory: Memory, tell: Tell) -> None:
    tell(("Ana", "I met Tobias."), ("Ana", "Tobias sings."))
    before = len(list(memory.graph.units()))
    tell(("Bo", "It rains."), days=1)
    assert len(list(memory.graph.units())) == before + 1


def test_a_speaker_is_known_by_attributes_that_hold_now(memory: Memory, tell: Tell) -> None:
    tell(("Ana", "I live in Porto."), ("Ana", "I work as a glazier."), ("Ana", "I love tea."))
    tell(("Ana", "I moved to Lisbon."), days=90)
    *_, card = (u for u in memory.graph.units() if u.id.startswith("entity:ana"))
    assert card.text == "Ana: works as glazier; home Lisbon."
    assert {e.message for e in card.evidence} == {"D1:1", "D1:3"}


def test_an_entitys_unit_quotes_the_latest_within_its_words(memory: Memory, tell: Tell) -> None:
    long = "Tobias said " + "very " * 40 + "much."
    tell(("Ana", "I met Tobias."), ("Ana", long), ("Ana", "Tobias left."))
    (card,) = of("semantic", [*memory.graph.units()])
    assert [e.message for e in card.evidence] == ["D1:0", "D1:1", "D1:2"]
    tell(("Ana", long), days=1)
    *_, card = (u for u in memory.graph.units() if u.id.startswith("entity:tobias"))
    assert [e.message for e in card.evidence] == ["D1:2", "D1:3"]


# --- emotional


def test_a_taste_is_told_with_whose_it_is_and_since_when(memory: Memory, tell: Tell) -> None:
    (taste,) = tell(("Ana", "I love tea and plum jam."))
    assert taste.text == "Ana likes tea, plum jam (15 November 2025)"
    assert (taste.kind, taste.spaces) == ("preference", {"emotional", "session:1"})
    (other,) = of("emotional", tell(("Bo", "My favorite band is Korriko.")))[1:]
    assert other.text == "Bo's favorite band: Korriko (15 November 2025)"


def test_a_taste_taken_back_supersedes_the_old_one_and_both_stay(
    memory: Memory, tell: Tell
) -> None:
    tell(("Ana", "I love black coffee."))
    old, new = tell(("Ana", "I don't like black coffee anymore."), days=30)
    assert edges(memory, "SUPERSEDES") == [(old.id, new.id)]
    assert memory.graph.views([old.id])[old.id].status == "superseded"
    assert new.text == "Ana does not like black coffee (15 December 2025)"
    assert (new.id, "D1:1.00") in edges(memory, "ABSTRACTS")


def test_another_taste_or_anothers_taste_ends_nothing(memory: Memory, tell: Tell) -> None:
    tell(("Ana", "I love black coffee."))
    tell(("Ana", "I hate fennel."), ("Bo", "I hate black coffee."), days=30)
    assert edges(memory, "SUPERSEDES") == []


# --- all


def test_what_an_abstract_tells_is_forgotten_with_its_messages(memory: Memory, tell: Tell) -> None:
    made = tell(("Ana", "I sold my canoe yesterday. I love tea."), ("Bo", "It rains."))
    assert len(made) == 2
    assert set(memory.forget({"D1:0"})) == {"D1:0.00", *(unit.id for unit in made)}
    assert [unit.id for unit in memory.graph.units()] == ["D1:1.00"]


def test_abstracts_stand_in_no_chain_of_what_was_said(memory: Memory, tell: Tell) -> None:
    tell(("Ana", "I sold my canoe yesterday. I love tea."), ("Bo", "It rains."))
    tell(("Ana", "Still raining."))
    assert edges(memory, "NEXT") == [("D1:0.00", "D1:1.00"), ("D1:1.00", "D1:2.00")]
    (last,) = memory.units(["D1:2.00"])
    assert last.context.splitlines()[0] == "Bo: It rains."


def test_without_abstract_memory_nothing_is_decided(memory: Memory, tell: Tell) -> None:
    tell(("Ana", "I sold my canoe yesterday."))
    assert list(OnlyBasic()(Told(memory.graph.units()), (), memory)) == []
    with recording():
        assert Edge("D1:0.00.event0", "D1:0.00", "ABSTRACTS") in memory.graph.all_edges()
