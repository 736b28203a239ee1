"""SimpleMem end to end: a month of talk with a habit in it, real stores, word counts as vectors."""

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
from clew.model import Graph, Message, Query
from clew.stages.abstract import Clusters, KeepApart
from clew.stages.answer import Extractive
from clew.stages.arbitrate import ByScore
from clew.stages.depth import Adaptive, FixedDepth
from clew.stages.expand import Steiner
from clew.stages.extract import RuleBased
from clew.stages.neighbours import Alone
from clew.stages.novelty import Novelty
from clew.stages.pack import InTime
from clew.stages.summarise import Medoid
from clew.stages.weigh import Weighted
from clew.stages.windows import SlidingTurns
from clew.systems.base import answer
from clew.systems.simplemem import SimpleMem

COFFEE = ("Ines", "I drank black coffee at the mill this morning.")
STORY = [
    (0, "Ines", "My violin teacher is called Tobias."),
    (0, "Ravi", "Nice. I sold my old canoe yesterday."),
    (0, "Ines", "My violin teacher, Tobias, is nice."),
    (0, "Ravi", "I sold my old canoe yesterday."),
    *((1, *COFFEE) for _ in range(3)),
    (3, "Ravi", "The concert starts at 19:00."),
    (3, "Ines", "The hall roof leaks again, what a week."),
    *((4, *COFFEE) for _ in range(3)),
    (20, "Ines", "Tobias opened a workshop in Lisbon."),
]


def messages() -> list[Message]:
    return told(STORY)


def system() -> SimpleMem:
    return SimpleMem(
        windows=SlidingTurns(size=4, stride=2),
        gate=Novelty(),
        extract=RuleBased(),
        consolidate=Clusters(density=(0.9, 0.6)),
        summarise=Medoid(),
        depth=Adaptive(),
        weigh=Weighted(),
        pack=InTime(),
        synthesise=Extractive(),
    )


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    memory = opened(tmp_path)
    system().remember(messages(), memory)
    yield memory
    memory.close()


def ask(text: str, memory: Memory) -> str:
    return answer(system(), Query(text, START + timedelta(days=30), "story"), memory).text


def test_a_window_of_nothing_new_is_dropped_and_every_message_accounted_for(
    memory: Memory,
) -> None:
    drops = [entry.targets[0] for entry in memory.graph.ledger() if entry.op == "DROP"]
    assert drops[:2] == ["D0:2", "D0:3"]
    assert memory.graph.processed() == {message.id for message in messages()}
    assert memory.graph.messages() == messages()


def test_no_message_is_extracted_twice_although_windows_overlap(memory: Memory) -> None:
    units = [unit for unit in memory.graph.units() if not unit.level]
    heard = [evidence.message for unit in units for evidence in unit.evidence]
    assert len(heard) == len(set(heard))


def test_a_question_is_answered_from_what_was_kept(memory: Memory) -> None:
    assert ask("In which city did Tobias open a workshop?", memory) == "Lisbon"
    assert ask("At what time does the concert start?", memory) == "19:00"
    nobody = Query("What is the name of Ravi's dog?", None, "story")
    assert answer(system(), nobody, memory).abstained


def test_a_habit_is_one_unit_and_its_times_are_reached_for_details(tmp_path: Path) -> None:
    talk = [
        Message(f"D{d}:{d}", "story", str(d), d, *COFFEE, START + timedelta(days=d))
        for d in range(6)
    ]
    joined = [replace(message, session="1") for message in talk]
    mild = replace(system(), gate=Novelty(least=0.0), consolidate=Clusters(density=(0.8,)))
    with closing(opened(tmp_path)) as memory:
        mild.remember(joined, memory)
        (habit,) = [unit for unit in memory.graph.units() if unit.level]
        assert habit.text.endswith("[one of 6 alike, 4 March 2024 to 9 March 2024]")
        plain = replace(mild, depth=Adaptive(detail=1.0))
        query = Query("Who drank coffee at the mill?", None, "story")
        told = plain.gather(query, memory)
        assert [node.unit for node in told.nodes] == [habit]
        context = plain.context(told, memory)
        assert len(context.messages) == 1  # the one that it quotes
        detailed = mild.gather(query, memory)
        assert {node.unit.level for node in detailed.nodes} == {0}
        assert len(detailed.nodes) > 1


@pytest.mark.parametrize("at", range(1, 13, 3))
def test_a_run_that_was_killed_ends_up_with_the_same_memory(
    memory: Memory, tmp_path: Path, at: int
) -> None:
    with closing(opened(tmp_path / "again")) as again:
        killed(system(), messages(), at, again)
        assert kept(again) == kept(memory)
        assert len(again.drift()) == 0


def test_what_was_not_consolidated_when_a_run_was_killed_is_when_it_goes_on(
    memory: Memory, tmp_path: Path
) -> None:
    class Killed(RuntimeError):
        """Stands for a signal."""

    def never(*_: object) -> Iterator[None]:
        raise Killed

    broken = replace(system(), consolidate=never)  # type: ignore[arg-type]
    with closing(opened(tmp_path / "again")) as again:
        with pytest.raises(Killed):
            broken.remember(messages(), again)
        known = again.graph.processed()
        system().remember((m for m in messages() if m.id not in known), again)
        assert kept(again) == kept(memory)


def test_remembering_the_same_again_changes_nothing(memory: Memory) -> None:
    before = kept(memory)
    system().remember([], memory)
    assert kept(memory) == before


def test_an_empty_conversation_is_no_error(tmp_path: Path) -> None:
    with closing(opened(tmp_path)) as memory:
        system().remember([], memory)
        assert list(memory.graph.units()) == []
        assert system().gather(Query("Who?", None, "story"), memory).nodes == ()


def test_without_consolidation_nothing_is_archived(tmp_path: Path) -> None:
    with closing(opened(tmp_path)) as memory:
        replace(system(), consolidate=KeepApart()).remember(messages(), memory)
        assert not any(stamp.archived for stamp in memory.graph.stamps().values())


def test_a_question_is_told_what_its_depth_chose_unless_more_is_asked_for(memory: Memory) -> None:
    query = Query("Who is the violin teacher?", None, "story")
    found = system().weigh(query, system().depth(query), memory)
    assert system().gather(query, memory) == Graph(found)


def test_a_tree_brings_in_what_lies_between_the_chosen_units(tmp_path: Path) -> None:
    talk = told(
        [
            (0, "Ravi", "Tobias repaired the old Bechstein piano."),
            (8, "Ulla", "We rowed to Skara by the Bechstein piano."),
            (16, "Ines", "The harbour of Skara froze."),
        ]
    )
    crossed = replace(system(), expand=Steiner(), depth=FixedDepth(k=2))
    query = Query("Did Tobias see the harbour?", None, "story")
    with closing(opened(tmp_path)) as memory:
        crossed.remember(talk, memory)
        graph = crossed.gather(query, memory)
        roles = {node.unit.evidence[0].message: node.role for node in graph.nodes}
        assert roles == {"D0:0": "terminal", "D16:2": "terminal", "D8:1": "bridge"}
        plain = replace(crossed, expand=Alone())
        shorter = plain.context(plain.gather(query, memory), memory)
        assert shorter.tokens < crossed.context(graph, memory).tokens


def test_of_two_states_that_exclude_each_other_the_later_is_told(tmp_path: Path) -> None:
    talk = told([(0, "Ines", "I live in Porto."), (90, "Ines", "I live in Lisbon now.")])
    crossed = replace(system(), arbitrate=ByScore())
    query = Query("Where does Ines live?", None, "story")
    with closing(opened(tmp_path)) as memory:
        crossed.remember(talk, memory)
        assert len(system().gather(query, memory).nodes) == 2
        graph = crossed.gather(query, memory)
        assert [node.unit.evidence[0].message for node in graph.nodes] == ["D90:1"]
        assert [dropped.reason for dropped in graph.dropped] == ["STALE"]


def test_forgetting_one_message_of_a_habit_brings_back_the_others(tmp_path: Path) -> None:
    mild = replace(system(), gate=Novelty(least=0.0), consolidate=Clusters(density=(0.8,)))
    talk = [replace(message, session="1") for message in messages()[4:7]]
    with closing(opened(tmp_path)) as memory:
        mild.remember(talk, memory)
        (habit,) = [unit for unit in memory.graph.units() if unit.level]
        assert habit.id in memory.forget([talk[0].id])
        assert not any(stamp.archived for stamp in memory.graph.stamps().values())
        assert len(memory.drift()) == 0
