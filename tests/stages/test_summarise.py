"""Summarise: one sentence for many, which says how many it is for and quotes what it quotes."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for talking, beside the tests

from talking import Says, llm

from clew.memory import Memory
from clew.model import Abstract, Add, Evidence, Unit
from clew.models.words import WordCounts
from clew.stages.summarise import Joined, LlmSummary, Medoid
from clew.stores.edge import EdgeVectors
from clew.stores.rustworkx import RustworkxAlgorithms
from clew.stores.sqlite import SqliteGraph
from clew.trace import recording

MakeUnit = Callable[..., Unit]
Open = Callable[[Says], Memory]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    memories = []

    def make(says: Says) -> Memory:
        graph = SqliteGraph(tmp_path, "talk")
        vectors = EdgeVectors(tmp_path / "vectors", "talk", 256)
        model, _ = llm(says)
        memories.append(Memory(graph, vectors, WordCounts(256), RustworkxAlgorithms(graph), model))
        return memories[-1]

    yield make
    for memory in memories:
        memory.close()


@pytest.fixture
def cups(unit: MakeUnit) -> list[Unit]:
    texts = ("Coffee at the mill", "Coffee at the mill at eight", "A mill at eight")
    told = zip(texts, (0, 24, 72), ({"mill"}, {"ulla"}, {"mill"}), strict=True)
    return [
        unit(n, text, hours, entities=frozenset(names))
        for n, (text, hours, names) in enumerate(told)
    ]


def stored(memory: Memory, units: list[Unit]) -> Memory:
    for each in units:
        memory.apply(Add(each))
    return memory


def test_the_unit_in_the_middle_speaks_for_all(memory: Memory, cups: list[Unit]) -> None:
    made = Medoid()(cups, 1, stored(memory, cups))
    assert made.text == (
        "Coffee at the mill at eight [one of 3 alike, 15 November 2025 to 18 November 2025]"
    )
    assert (made.id, made.level, made.kind) == ("D1:1.00+1", 1, "abstract")
    assert (made.said_at, made.session, made.position) == (cups[1].said_at, cups[1].session, 1)
    assert made.entities == {"mill", "ulla"} and made.spaces == {"level 1"}
    assert made.context.splitlines() == [unit.text for unit in cups]
    memory.apply(Abstract(made, tuple(cups)))  # its evidence has all of theirs


def test_an_abstract_quotes_the_one_and_tells_of_the_rest(memory: Memory, unit: MakeUnit) -> None:
    cups = [
        replace(unit(n, "Coffee again"), evidence=(Evidence(f"D1:{n}", 0, 12),)) for n in range(3)
    ]
    made = Medoid()(cups, 1, stored(memory, cups))
    assert made.id == "D1:0.00+1"  # of equal ones the first
    assert [(e.message, e.end) for e in made.evidence] == [("D1:0", 12), ("D1:1", 0), ("D1:2", 0)]
    memory.apply(Abstract(made, tuple(cups)))
    higher = Medoid()([made], 2, memory)
    assert (higher.id, higher.text) == ("D1:0.00+2", made.text)
    assert higher.evidence == made.evidence and higher.context == made.context


def test_a_day_is_told_once_and_no_day_not_at_all(memory: Memory, unit: MakeUnit) -> None:
    same = [unit(n, "Tea") for n in range(2)]
    assert Medoid()(same, 1, stored(memory, same)).text == "Tea [one of 2 alike, 15 November 2025]"
    undated = [unit(n, "Rye", said_at=None) for n in (5, 6)]
    assert Medoid()(undated, 1, stored(memory, undated)).text == "Rye [one of 2 alike]"


def test_a_model_writes_the_sentence_and_says_what_it_is_made_of(
    opened: Open, cups: list[Unit]
) -> None:
    seen: list[str] = []

    def says(ask: Any) -> Any:
        seen.append(ask.user)
        return {"sentence": "Ulla has coffee at the mill.", "sources": ["1", "2", "9"]}

    made = LlmSummary()(cups, 1, stored(opened(says), cups))
    assert seen[0].splitlines()[0] == "[1] (15 November 2025) Coffee at the mill"
    assert made.text == "Ulla has coffee at the mill." and made.id == "D1:1.00+1"
    assert {each.message for each in made.evidence} == {"D1:0", "D1:1", "D1:2"}


@pytest.mark.parametrize("reply", [{"sentence": "", "sources": ["1"]}, {"sentence": "x"}, "no"])
def test_a_reply_that_will_not_do_is_asked_for_again_and_then_rules_speak(
    opened: Open, cups: list[Unit], reply: Any
) -> None:
    asked = []

    def says(ask: Any) -> Any:
        asked.append(ask)
        return reply

    memory = stored(opened(says), cups)
    with recording() as trace:
        made = LlmSummary(retries=1)(cups, 1, memory)
    assert len(asked) == 2 and trace.counts["abstract.by_rule"] == 1
    assert made == Medoid()(cups, 1, memory)
    told = LlmSummary(Joined(), retries=0)(cups, 1, memory)
    assert told == Joined()(cups, 1, memory)


def test_all_that_members_say_is_told_once_in_the_order_of_time(
    memory: Memory, unit: MakeUnit
) -> None:
    said = ("Alice: Tea at the mill. It was hot.", "Alice: It was hot. With milk!", "It was hot.")
    members = [unit(n, text, hours=n) for n, text in enumerate(said)]
    made = Joined()(list(reversed(members)), 1, stored(memory, members))
    assert made.text == "Alice: Tea at the mill. It was hot. With milk!"
    assert (made.said_at, made.id) == (members[2].said_at, "D1:2.00+1")
    assert [each.message for each in made.evidence] == ["D1:2", "D1:1", "D1:0"]


def test_who_said_what_is_told_where_speakers_change(memory: Memory, unit: MakeUnit) -> None:
    said = (("Alice", "Tea. Sold it"), ("Bo", "Sold it."), ("Bo", "Hot!"), ("Alice", "Tea. No."))
    members = [
        unit(n, f"{name}: {text}", hours=n, speaker=name) for n, (name, text) in enumerate(said)
    ]
    made = Joined()(members, 1, stored(memory, members))
    assert made.text == "Alice: Tea. Sold it Bo: Sold it. Hot! Alice: No."
    more = [made, unit(9, "Bo: Hot! Cold.", hours=9, speaker="Bo")]
    higher = Joined()(more, 2, stored(memory, [*more[1:], made]))
    assert higher.text == "Alice: Tea. Sold it Bo: Sold it. Hot! Alice: No. Bo: Cold."


def test_what_nobody_is_quoted_with_is_not_put_into_anothers_mouth(
    memory: Memory, unit: MakeUnit
) -> None:
    bare = [unit(n, f"{n} canoes.", hours=n, speaker=("Alice", "Bo")[n]) for n in range(2)]
    assert Joined()(bare, 1, stored(memory, bare)).text == "0 canoes. 1 canoes."
    mixed = [replace(bare[0], text="Alice: Two canoes."), bare[1]]
    assert Joined()(mixed, 1, memory).text == "Alice: Two canoes. Bo: 1 canoes."
