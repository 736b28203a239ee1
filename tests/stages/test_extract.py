"""Extract: a window of messages becomes units that stand alone and lose nothing."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.memory import Memory
from clew.model import Add, Message, Unit
from clew.stages.extract import RuleBased, Verbatim, _spans
from clew.trace import recording

MakeMessage = Callable[..., Message]


def units(memory: Memory, *messages: Message, longest: int = 90) -> list[Unit]:
    return RuleBased(longest=longest)(messages, memory)


def test_a_unit_names_its_speaker_and_tells_the_image(memory: Memory, message: MakeMessage) -> None:
    shared = replace(message(1, "My new boat!"), caption="a green rowing boat")
    (unit,) = units(memory, shared)
    assert unit.text == "Alice: My new boat! [image: a green rowing boat]"
    assert unit.id == "D1:1.00"
    assert unit.speaker == "Alice"
    assert {"boat", "green", "row"} <= unit.keywords
    assert unit.evidence[0].message == "D1:1"
    assert (unit.evidence[0].start, unit.evidence[0].end) == (0, len("My new boat!"))


@pytest.mark.parametrize("text", ["", "   \n", "\U0001f389\U0001f389", "?!"])
def test_what_has_no_letter_gives_no_unit_and_is_counted(
    memory: Memory, message: MakeMessage, text: str
) -> None:
    with recording() as trace:
        assert units(memory, message(1, text)) == []
    assert trace.counts["extract.empty"] == 1


def test_a_picture_without_words_is_a_unit(memory: Memory, message: MakeMessage) -> None:
    (unit,) = units(memory, replace(message(1, ""), caption="two herons"))
    assert unit.text == "Alice: [image: two herons]"


def test_an_event_is_the_finest_time_told(memory: Memory, message: MakeMessage) -> None:
    told = message(1, "Last month was busy, but yesterday I planted leeks.")
    (unit,) = units(memory, told)
    assert unit.event.phrase == "yesterday"
    assert unit.valid_from == datetime(2025, 11, 14, tzinfo=UTC)
    (plain,) = units(memory, message(2, "I planted leeks."))
    assert plain.event.start is None
    assert plain.valid_from == plain.said_at
    (undated,) = units(memory, replace(told, said_at=None))
    assert undated.event.start is None


def test_a_long_message_is_cut_at_sentences(memory: Memory, message: MakeMessage) -> None:
    text = "We passed a mill. We passed a barn. We passed a lock and saw a heron."
    parts = units(memory, message(1, text), longest=8)
    assert [part.id for part in parts] == ["D1:1.00", "D1:1.01"]
    assert parts[1].text == "Alice: We passed a lock and saw a heron."
    assert text[parts[0].evidence[0].start : parts[0].evidence[0].end] == (
        "We passed a mill. We passed a barn."
    )


def test_a_caption_stays_with_the_last_part(memory: Memory, message: MakeMessage) -> None:
    long = replace(message(1, "We saw a mill there. We saw a barn here."), caption="a barn")
    parts = units(memory, long, longest=5)
    assert [part.text.count("[image:") for part in parts] == [0, 1]


@given(st.text(alphabet="ab .!?\n", max_size=400), st.integers(2, 9))
def test_no_word_of_a_long_message_is_lost(text: str, longest: int) -> None:
    spans = _spans(text, longest)
    assert "".join(text[a:b] for a, b in spans).split() == text.split() or (
        " ".join(text[a:b] for a, b in spans).split() == text.split()
    )
    assert all(len(text[a:b].split()) <= longest for a, b in spans)


def test_the_context_is_what_was_said_around_it(memory: Memory, message: MakeMessage) -> None:
    talk = [message(1, "Any news?", "Bob"), message(2, "We got a dog."), message(3, "Wow!", "Bob")]
    other = replace(message(4, "Morning."), session="2")
    first, second, third, fourth = units(memory, *talk, other)
    assert first.context == "Bob: Any news?\nAlice: We got a dog."
    assert second.context == "Bob: Any news?\nAlice: We got a dog.\nBob: Wow!"
    assert third.context == "Alice: We got a dog.\nBob: Wow!"
    assert fourth.context == "Alice: Morning."


def test_a_window_goes_on_where_the_last_one_ended(memory: Memory, message: MakeMessage) -> None:
    (stored,) = units(memory, message(1, "Any news?", "Bob"))
    memory.apply(Add(stored))
    (unit,) = units(memory, message(2, "We got a dog."))
    assert unit.context == "Bob: Any news?\nAlice: We got a dog."


def test_entities_and_the_place_are_resolved(memory: Memory, message: MakeMessage) -> None:
    (unit,) = units(memory, message(1, "I met Teresa while travelling to Lund."))
    assert unit.entities == {"alice", "teresa", "lund"}
    assert unit.place == "Lund"


def test_facts_belong_to_whom_the_sentence_names(memory: Memory, message: MakeMessage) -> None:
    text = "I live in Lund. My sister works at the port. My cousin Ruth has four owls. Nobody sees."
    (unit,) = units(memory, message(1, text))
    told = {(fact.subject, fact.property, fact.value) for fact in unit.facts}
    assert told == {
        ("alice", "home", "Lund"),
        ("alice's sister", "works at", "port"),
        ("ruth", "number of owl", "4"),
    }
    assert [e.id for e in memory.entities("Alice's sister")] == ["alice's sister"]


def test_verbatim_keeps_the_words_and_makes_nothing_of_them(
    memory: Memory, message: Callable[..., Message]
) -> None:
    long = message(1, "I live in Oslo since last May. " + "word " * 200)
    shown = replace(message(2, "Look"), caption="a red boat")
    plain, picture = Verbatim()((long, shown, message(3, "!!")), memory)
    assert plain.text == f"Alice: {long.text.strip()}"
    assert picture.text == "Alice: Look [image: a red boat]"
    assert not (plain.facts or plain.entities or plain.keywords or plain.place or plain.context)
    assert plain.event.start is None and memory.graph.entities() == []
