"""SimpleMem's third version end to end: courtesies, fragments and plans, in real stores."""

import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for story

from story import START, kept, killed, opened, told

from clew.memory import Memory
from clew.model import Message, Query
from clew.stages.answer import Extractive
from clew.stages.intent import InferByRule, NoInference
from clew.stages.pack import InTime
from clew.stages.selective import Selective
from clew.stages.summarise import Joined
from clew.stages.unite import Apart, AtWrite
from clew.stages.views import Union
from clew.stages.windows import Chunks
from clew.systems.base import answer
from clew.systems.simplemem_v3 import SimpleMemV3

STORY = [
    (0, "Ines", "My violin teacher is called Tobias."),
    (0, "Ravi", "Wow, that sounds great!"),
    (0, "Ines", "I want coffee in the morning."),
    (0, "Ines", "Black coffee I want, in the morning."),
    (0, "Ravi", "I sold my old canoe yesterday."),
    (3, "Ravi", "The concert starts at 19:00."),
    (3, "Ines", "Thanks, Ravi!"),
    (20, "Ines", "Tobias opened a workshop in Lisbon."),
    (20, "Ravi", "I want coffee in the morning."),
]


def messages() -> list[Message]:
    return told(STORY)


def system() -> SimpleMemV3:
    return SimpleMemV3(
        windows=Chunks(size=3),
        extract=Selective(),
        unite=AtWrite(),
        summarise=Joined(),
        infer=InferByRule(),
        search=Union(),
        pack=InTime(),
        synthesise=Extractive(),
    )


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    memory = opened(tmp_path)
    system().remember(messages(), memory)
    yield memory
    memory.close()


def query(text: str) -> Query:
    return Query(text, START + timedelta(days=30), "story")


def test_courtesies_are_accounted_for_and_not_kept(memory: Memory) -> None:
    assert memory.graph.processed() == {message.id for message in messages()}
    heard = {each.message for unit in memory.graph.units() for each in unit.evidence}
    assert {message.id for message in messages()} - heard == {"D0:1", "D3:6"}


def test_fragments_of_a_session_are_one_entry_though_in_two_windows(memory: Memory) -> None:
    (whole,) = [unit for unit in memory.graph.units() if unit.level]
    assert whole.text == (
        "Ines: I want coffee in the morning. Black coffee I want, in the morning."
    )
    found = system().gather(query("What does Ines want in the morning?"), memory)
    assert whole.id in {node.unit.id for node in found.nodes}
    assert {"D0:2.00", "D0:3.00"}.isdisjoint(node.unit.id for node in found.nodes)


def test_a_question_is_answered_from_what_was_kept(memory: Memory) -> None:
    asked = "In which city did Tobias open a workshop?"
    assert answer(system(), query(asked), memory).text == "Lisbon"
    assert answer(system(), query("When did Ravi sell his canoe?"), memory).text == "3 March 2024"
    assert answer(system(), query("What is the name of Ravi's dog?"), memory).abstained


def test_a_plain_question_is_told_less_than_a_complex_one(memory: Memory) -> None:
    plain = system().gather(query("Who sold a canoe?"), memory)
    much = system().gather(
        query("Which things did Ines and Ravi both want, and what changed since the concert?"),
        memory,
    )
    assert len(plain.nodes) < len(much.nodes)
    fixed = replace(system(), infer=NoInference(n=1)).gather(query("Who sold a canoe?"), memory)
    assert len(fixed.nodes) <= 2


@pytest.mark.parametrize("at", [1, 4, 6, 8])
def test_a_run_that_was_killed_ends_up_with_the_same_memory(
    memory: Memory, tmp_path: Path, at: int
) -> None:
    with closing(opened(tmp_path / "again")) as again:
        killed(system(), messages(), at, again)
        assert kept(again) == kept(memory)
        assert len(again.drift()) == 0


def test_without_synthesis_nothing_is_archived(tmp_path: Path) -> None:
    with closing(opened(tmp_path)) as memory:
        replace(system(), unite=Apart()).remember(messages(), memory)
        assert not any(stamp.archived for stamp in memory.graph.stamps().values())


def test_an_empty_conversation_is_no_error(tmp_path: Path) -> None:
    with closing(opened(tmp_path)) as memory:
        system().remember([], memory)
        assert system().gather(query("Who?"), memory).nodes == ()
