"""Mandol end to end: a short story over a month, real stores, word counts as vectors."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for story

from story import START, opened, told

from clew.memory import Memory
from clew.model import Graph, Message, Query
from clew.stages.agglomerate import Layers, OnlyBasic
from clew.stages.answer import Extractive
from clew.stages.arbitrate import ByScore, KeepConflicts
from clew.stages.enhance import SessionContext
from clew.stages.extract import RuleBased
from clew.stages.neighbours import Neighbours
from clew.stages.pack import Mmr
from clew.stages.refine import Mad, Mixed
from clew.stages.route import ByFeatures
from clew.stages.sources import WithFeedback
from clew.stages.windows import Chunks
from clew.systems.base import answer
from clew.systems.mandol import Mandol

STORY = [
    (0, "Ines", "My violin teacher is called Tobias."),
    (0, "Ravi", "Nice. I sold my old canoe yesterday. So I bought a kayak."),
    (0, "Ines", "I love black coffee. The hall roof leaked last week."),
    (3, "Ravi", "Tell me when the concert is."),
    (6, "Ines", "The concert starts at 19:00."),
    (9, "Ines", "They moved it, the concert starts at 19:30."),
    (9, "Ravi", "Good to know, I will bring the folding chairs."),
    (20, "Ines", "Tobias opened a workshop in Lisbon. I don't like black coffee anymore."),
]


def messages() -> list[Message]:
    return told(STORY)


def system() -> Mandol:
    return Mandol(
        windows=Chunks(),
        extract=RuleBased(),
        enhance=SessionContext(),
        agglomerate=Layers(),
        route=ByFeatures(),
        recall=WithFeedback(),
        expand=Neighbours(),
        rerank=Mixed(),
        denoise=Mad(),
        arbitrate=ByScore(),
        pack=Mmr(),
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


def ask(text: str, memory: Memory) -> str:
    return answer(system(), query(text), memory).text


def test_every_message_is_accounted_for_and_every_abstract_has_sources(memory: Memory) -> None:
    assert memory.graph.processed() == {message.id for message in messages()}
    abstract = {unit.id for unit in memory.graph.units() if unit.level > 0}
    assert {"entity:tobias@D20:7.00", "D0:1.00.event1", "D0:2.00.taste0"} <= abstract
    edges = memory.graph.edges(abstract, ["ABSTRACTS"])
    assert {edge.source for edge in edges} == abstract


def test_the_layers_answer_what_is_scattered_changed_or_relative(memory: Memory) -> None:
    assert ask("In which city did Ines's violin teacher open a workshop?", memory) == "Lisbon"
    assert ask("When did Ravi sell his canoe?", memory) == "3 March 2024"
    assert ask("Does Ines like black coffee?", memory) == "No"
    assert answer(system(), query("What is the name of Ravi's dog?"), memory).abstained


def test_a_taste_given_up_is_left_out_and_the_log_says_why(memory: Memory) -> None:
    asked = query("Does Ines like black coffee?")
    graph = system().gather(asked, memory)
    assert "D20:7.00" in {node.unit.id for node in graph.nodes}
    assert ("D0:2.00", "STALE") in {(each.node.unit.id, each.reason) for each in graph.dropped}
    both = replace(system(), arbitrate=KeepConflicts()).gather(asked, memory)
    assert {"D0:2.00", "D20:7.00"} <= {node.unit.id for node in both.nodes}


def test_the_past_is_not_left_out_of_a_question_about_it(memory: Memory) -> None:
    graph = system().gather(query("Which coffee did Ines like before?"), memory)
    assert all(each.reason != "STALE" for each in graph.dropped)


def test_a_search_looks_into_the_chosen_sources_alone(memory: Memory) -> None:
    bare = replace(system(), expand=_hits)
    graph = bare.gather(query("Where did Tobias open a workshop?"), memory)
    found = [*graph.nodes, *(each.node for each in graph.dropped)]
    sources = {space for node in found for space in node.unit.spaces if ":" not in space}
    assert sources == {"basic", "semantic"}


def _hits(found, memory):  # type: ignore[no-untyped-def]
    return Graph(tuple(found))


def test_without_abstract_memory_there_are_only_messages(tmp_path: Path) -> None:
    memory = opened(tmp_path)
    replace(system(), agglomerate=OnlyBasic()).remember(messages(), memory)
    assert {unit.level for unit in memory.graph.units()} == {0}
    assert ask("In which city did Ines's violin teacher open a workshop?", memory) == "Lisbon"
    memory.close()


@pytest.mark.parametrize("budget", [0, 20, 60, 2000])
def test_the_context_keeps_to_its_budget(memory: Memory, budget: int) -> None:
    graph = system().gather(query("What happened to the concert?"), memory)
    assert system().context(graph, memory, budget).tokens <= budget


def test_a_memory_built_in_two_sittings_equals_one_built_at_once(
    memory: Memory, tmp_path: Path
) -> None:
    halves = opened(tmp_path / "again")
    for part in (messages()[:4], messages()):  # a sitting ends with a session
        known = halves.graph.processed()
        system().remember((m for m in part if m.id not in known), halves)
    assert list(halves.graph.units()) == list(memory.graph.units())
    assert halves.graph.all_edges() == memory.graph.all_edges()
    assert halves.graph.stamps() == memory.graph.stamps()
    assert len(halves.drift()) == 0
    halves.close()


def test_what_fails_in_a_chunk_leaves_neither_layer_of_it(tmp_path: Path) -> None:
    class Fails:
        def __call__(self, told, chunk, memory):  # type: ignore[no-untyped-def]
            yield from Layers().decisions(told, memory)
            raise RuntimeError("no room")

    memory = opened(tmp_path)
    with pytest.raises(RuntimeError, match="no room"):
        replace(system(), agglomerate=Fails()).remember(messages(), memory)
    assert list(memory.graph.units()) == []
    assert len(memory.drift()) == 0
    memory.close()


def test_the_order_of_hashing_changes_nothing(tmp_path: Path) -> None:
    told = [_told_in_a_process(tmp_path / seed, seed) for seed in ("1", "2")]
    assert told[0] == told[1]
    assert "Tobias" in told[0]


def _told_in_a_process(folder: Path, seed: str) -> str:
    code = (
        "import sys; from pathlib import Path; from test_mandol import *\n"
        f"memory = opened(Path({str(folder)!r})); system().remember(messages(), memory)\n"
        "print([(u.id, u.text, sorted(u.spaces)) for u in memory.graph.units()])\n"
        "print(memory.graph.all_edges())\n"
        "for text in ('Where is Tobias now?', 'What does Ines like?', 'When is the concert?'):\n"
        "    graph = system().gather(query(text), memory)\n"
        "    print([(s.unit.id, s.score, s.role) for s in graph.nodes], graph.edges)\n"
        "    print([(d.node.unit.id, d.reason, d.kept) for d in graph.dropped])\n"
        "    print(system().context(graph, memory).text)\n"
        "memory.close()"
    )
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout
