"""Recall: two views joined, names weighed, neighbours brought along."""

from collections.abc import Callable

from clew.memory import Memory
from clew.model import Add, Ingest, Message, Query, Unit
from clew.stages.recall import Hybrid, named

MakeUnit = Callable[..., Unit]
Told = Callable[..., list[Unit]]


def ask(text: str) -> Query:
    return Query(text, None, "talk")


def test_each_view_brings_its_best_k(memory: Memory, told: Told) -> None:
    told(*[(f"The heron number {n} stood by the pond", n * 30, set()) for n in range(8)])
    found = Hybrid(k_sem=3, k_lex=1, reach=0)(ask("heron pond"), memory)
    assert 3 <= len(found) <= 4
    assert all(scored.role == "terminal" for scored in found)
    assert list(found) == sorted(found, key=lambda s: (-s.score, s.unit.id))


def test_a_rare_word_brings_a_unit_that_meaning_alone_misses(memory: Memory, told: Told) -> None:
    units = told(
        *[("We had soup and bread for supper again", n * 30, set()) for n in range(5)],
        (
            "Long ago, before all of the moving and the packing and the rest, a theodolite",
            400,
            set(),
        ),
    )
    alone = Hybrid(k_sem=1, k_lex=1, reach=0)(ask("soup bread supper theodolite"), memory)
    assert units[-1] in [scored.unit for scored in alone]


def test_neighbours_in_the_session_follow_a_terminal(memory: Memory, unit: MakeUnit) -> None:
    for n, text in enumerate(
        ["Good evening", "I sold the blue boat", "How much for?", "Rain again"]
    ):
        memory.apply(Add(unit(n, text)))
    roles = {
        scored.unit.position: scored.role
        for scored in Hybrid(k_sem=1, k_lex=1)(ask("sold the blue boat"), memory)
    }
    assert roles == {0: "neighbour", 1: "terminal", 2: "neighbour"}
    far = Hybrid(k_sem=1, k_lex=1, reach=2)(ask("sold the blue boat"), memory)
    assert {s.unit.position for s in far} == {0, 1, 2, 3}


def test_what_another_speaker_says_is_weighed_down(memory: Memory, unit: MakeUnit) -> None:
    messages = [
        Message("D1:1", "talk", "1", 1, "Alice", "x", None),
        Message("D1:2", "talk", "1", 2, "Bob", "x", None),
    ]
    memory.ingest(
        messages,
        [
            Add(unit(1, "I juggle three red balls")),
            Add(unit(2, "I juggle three red balls", speaker="Bob")),
        ],
    )
    first, second = Hybrid(reach=0)(ask("What does Bob juggle?"), memory)
    assert (first.unit.speaker, first.entity) == ("Bob", 1.0)
    assert (second.unit.speaker, second.entity) == ("Alice", 0.7)


def test_a_short_form_names_the_one_speaker_it_begins(memory: Memory) -> None:
    memory.apply(Ingest((), 0))
    memory.ingest([Message("D1:1", "talk", "1", 1, "Alexandra", "x", None)], [])
    assert named("When did Alex leave?", memory).speakers == {"alexandra"}
    assert not named("What did she say?", memory).speakers


def test_an_empty_memory_or_query_recalls_nothing(memory: Memory, told: Told) -> None:
    assert Hybrid()(ask("anything"), memory) == ()
    told(("The heron stood", 0, set()))
    assert Hybrid()(ask(""), memory) == ()
