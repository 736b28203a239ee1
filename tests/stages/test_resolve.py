"""Resolve: one name for two, two names for one, and persons told from places."""

from collections.abc import Callable, Iterator

import pytest

from clew.memory import Memory
from clew.model import Decision, Drop, Message
from clew.stages.extract import RuleBased
from clew.stages.resolve import Referents, is_role

SPEAKERS = ("Katherine", "Bo")


def read(memory: Memory, *texts: str, speaker: str = "Bo") -> list[dict[str, str]]:
    """Read texts as windows of their own, so that only the store remembers."""
    result = []
    for text in texts:
        referents = Referents(SPEAKERS, memory)
        result.append(referents.read(text, speaker))
        referents.store()
    return result


def types(memory: Memory, name: str) -> list[tuple[str, str]]:
    return [(entity.id, entity.type) for entity in memory.entities(name)]


def test_speakers_are_persons_and_go_by_their_beginnings(memory: Memory) -> None:
    assert read(memory, "Thanks, Kat, and hello Katherine!") == [
        {"Kat": "katherine", "Katherine": "katherine"}
    ]
    assert types(memory, "Katherine") == [("katherine", "person")]


def test_a_new_name_is_kept_and_found_without_its_accent(memory: Memory) -> None:
    read(memory, "Then we met Zo\u00eb at the gate.")
    assert types(memory, "ZOE") == [("zoe", "unknown")]
    assert read(memory, "We saw Zoe again.") == [{"Zoe": "zoe"}]


def test_two_people_of_one_name_are_told_by_what_they_are(memory: Memory) -> None:
    aunt, boss, again = read(
        memory, "My aunt Nora paints.", "My boss Nora flew out.", "Our aunt Nora called."
    )
    assert (aunt, boss, again) == ({"Nora": "nora"}, {"Nora": "nora:boss"}, {"Nora": "nora"})
    assert [kind for _, kind in types(memory, "Nora")] == ["person", "person"]
    assert types(memory, "Bo's boss") == [("nora:boss", "person")]


def test_somebody_named_before_gets_the_role_later(memory: Memory) -> None:
    assert read(memory, "I had lunch with Nora.", "I saw Nora, my dentist.") == [
        {"Nora": "nora"},
        {"Nora": "nora"},
    ]
    assert types(memory, "Bo's dentist") == [("nora", "person")]


def test_who_is_called_so_is_who_has_the_role(memory: Memory) -> None:
    read(memory, "My chess coach is called Ines.")
    assert types(memory, "Bo's chess coach") == [("ines", "person")]


def test_another_ones_friend_is_not_the_speakers(memory: Memory) -> None:
    read(memory, "I met Katherine's friend Ugo.")
    assert types(memory, "Bo's friend") == []


def test_a_person_and_a_place_may_share_a_name(memory: Memory) -> None:
    person, place, later, back = read(
        memory,
        "My friend Sydney knits.",
        "We are flying to Sydney in May.",
        "I wrote to you about Sydney.",
        "I live in Sydney.",
    )
    assert (person["Sydney"], place["Sydney"]) == ("sydney", "sydney:place")
    assert later["Sydney"] == "sydney"
    assert back["Sydney"] == "sydney:place"
    assert types(memory, "Sydney") == [("sydney", "person"), ("sydney:place", "place")]


def test_what_was_unknown_becomes_a_place(memory: Memory) -> None:
    read(memory, "We talked about Malmo.", "I moved to Malmo.")
    assert types(memory, "Malmo") == [("malmo", "place")]


def test_an_abbreviation_is_no_place(memory: Memory) -> None:
    read(memory, "She is in NATO now.")
    assert types(memory, "NATO") == [("nato", "unknown")]


def test_an_alias_that_the_text_states_joins_two_names(memory: Memory) -> None:
    read(memory, "Margaret, everyone calls her Peg, is here.", "Alexander (Sacha) waved.")
    assert read(memory, "I hugged Peg and Sacha.") == [{"Peg": "margaret", "Sacha": "alexander"}]


def test_a_speaker_states_their_own_nickname(memory: Memory) -> None:
    read(memory, "At work they just call me Bobo.")
    assert [entity.id for entity in memory.entities("Bobo")] == ["bo"]


def test_a_capital_alone_makes_no_name(memory: Memory) -> None:
    assert read(memory, "Running on Monday in May. Wow. Congrats! Finished.") == [{}]


def test_somebody_known_by_a_phrase_is_one_person(memory: Memory) -> None:
    referents = Referents(SPEAKERS, memory)
    assert referents.person("Bo's sister") == referents.person("Bo's sister") == "bo's sister"
    referents.store()
    assert types(memory, "bo's sister") == [("bo's sister", "person")]


def test_roles_are_words_for_what_people_are_to_others() -> None:
    assert is_role("Aunt")
    assert is_role("boss")
    assert not is_role("bike")


def test_who_was_met_is_written_with_the_window_or_not_at_all(
    memory: Memory, message: Callable[..., Message]
) -> None:
    def torn() -> Iterator[Decision]:
        raise RuntimeError("the power is gone")
        yield

    read(memory, "I met my aunt Nora.")
    assert memory.graph.entities() == []  # a process that dies now has met nobody
    with pytest.raises(RuntimeError):
        memory.ingest([message(0, "I met my aunt Nora.")], torn())
    assert memory.graph.entities() == memory.entities("Nora") == []
    read(memory, "I met my aunt Nora.")
    memory.ingest([message(0, "I met my aunt Nora.")], [])
    assert [entity.id for entity in memory.graph.entities("Nora")] == ["nora"]


def test_who_was_met_in_a_window_that_cannot_be_embedded_is_forgotten(
    memory: Memory, message: Callable[..., Message], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_: object) -> None:
        raise OSError("the model is gone")

    units = RuleBased()((message(0, "I met my aunt Nora."),), memory)
    with monkeypatch.context() as broken, pytest.raises(OSError, match="gone"):
        broken.setattr(memory, "embed", gone)
        memory.foresee(units)
    memory.apply(Drop(message(1, "Ok.")))
    memory.ingest([message(2, "Fine.")], [])
    assert memory.graph.entities() == []


def test_a_message_that_is_dropped_brings_nobody_with_it(
    memory: Memory, message: Callable[..., Message]
) -> None:
    read(memory, "I met my aunt Nora.")
    memory.apply(Drop(message(1, "Ok.")))
    assert memory.graph.entities() == []
