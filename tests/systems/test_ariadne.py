"""AriadneMem end to end: a short story over a month, real stores, word counts as vectors."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for story

from story import START, opened, told

from clew.memory import Memory
from clew.model import Message, Query
from clew.stages.answer import Extractive
from clew.stages.expand import Bridges
from clew.stages.extract import RuleBased
from clew.stages.gate import NearRepeat
from clew.stages.pack import InTime
from clew.stages.paths import Paths
from clew.stages.plan import GraphLookup
from clew.stages.recall import Hybrid
from clew.stages.windows import ByCount
from clew.stages.write import ConflictAware
from clew.systems.ariadne import AriadneMem
from clew.systems.base import answer

STORY = [
    (0, "Ines", "My violin teacher is called Tobias."),
    (0, "Ravi", "Nice. I sold my old canoe yesterday."),
    (0, "Ravi", "I sold my old canoe yesterday."),
    (3, "Ines", "The hall roof leaks again, what a week."),
    (3, "Ravi", "Tell me when the concert is."),
    (6, "Ines", "The concert starts at 19:00."),
    (9, "Ines", "They moved it, the concert starts at 19:30."),
    (9, "Ravi", "Good to know, I will bring the folding chairs."),
    (20, "Ines", "Tobias opened a workshop in Lisbon."),
]


def messages() -> list[Message]:
    return told(STORY)


def system() -> AriadneMem:
    return AriadneMem(
        gate=NearRepeat(likeness=0.6, guarded=True),
        windows=ByCount(size=2),
        extract=RuleBased(),
        write=ConflictAware(likeness=0.6),
        fast_path=GraphLookup(),
        recall=Hybrid(k_sem=4, k_lex=2),
        expand=Bridges(),
        mine=Paths(),
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


def test_the_repeated_line_is_gated_and_every_message_is_accounted_for(memory: Memory) -> None:
    ops = [entry.op for entry in memory.graph.ledger()]
    assert ops.count("DROP") == 1
    assert memory.graph.processed() == {message.id for message in messages()}
    assert memory.graph.messages() == messages()


def test_the_moved_concert_supersedes_and_both_times_stay(memory: Memory) -> None:
    (edge,) = [e for e in memory.graph.edges(["D6:5.00"], ["SUPERSEDES"]) if e.source == "D6:5.00"]
    assert edge.target == "D9:6.00"
    assert ask("At what time does the concert start now?", memory) == "19:30"


def test_two_sessions_are_joined_for_a_question_over_both(memory: Memory) -> None:
    assert ask("In which city did Ines's violin teacher open a workshop?", memory) == "Lisbon"


def test_what_was_never_said_is_not_answered(memory: Memory) -> None:
    reply = answer(system(), Query("What is the name of Ravi's dog?", None, "story"), memory)
    assert reply.abstained


def test_the_context_reads_like_a_thread_through_the_month(memory: Memory) -> None:
    query = Query("What did Tobias, the violin teacher of Ines, open?", None, "story")
    graph = system().gather(query, memory)
    kept = Path(__file__).with_name("kept_context.txt")
    assert system().context(graph, memory).text == kept.read_text("utf-8").rstrip("\n")


def test_a_memory_built_in_two_sittings_equals_one_built_at_once(
    memory: Memory, tmp_path: Path
) -> None:
    halves = opened(tmp_path / "again")
    for part in (messages()[:5], messages()):
        known = halves.graph.processed()
        system().remember((m for m in part if m.id not in known), halves)
    assert list(halves.graph.units()) == list(memory.graph.units())
    assert halves.graph.stamps() == memory.graph.stamps()
    assert len(halves.drift()) == 0
    halves.close()


def test_remembering_the_same_again_changes_nothing(memory: Memory) -> None:
    before = (list(memory.graph.units()), memory.vectors.stamps())
    known = memory.graph.processed()
    system().remember((m for m in messages() if m.id not in known), memory)
    assert (list(memory.graph.units()), memory.vectors.stamps()) == before


def test_the_order_of_hashing_changes_nothing(tmp_path: Path) -> None:
    told = [_context_in_a_process(tmp_path / seed, seed) for seed in ("1", "2")]
    assert told[0] == told[1]
    assert "Tobias" in told[0]


def _context_in_a_process(folder: Path, seed: str) -> str:
    code = (
        "import sys; from pathlib import Path; from test_ariadne import *\n"
        f"memory = opened(Path({str(folder)!r})); system().remember(messages(), memory)\n"
        "graph = system().gather(Query('Where is Tobias now?', None, 'story'), memory)\n"
        "print([(s.unit.id, s.score, s.role) for s in graph.nodes], graph.edges, graph.paths)\n"
        "print(system().context(graph, memory).text); memory.close()"
    )
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout
