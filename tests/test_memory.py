"""Memory: one way to write, and two stores that end up saying the same."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from clew.errors import StoreMismatch
from clew.memory import Memory
from clew.model import (
    Abstract,
    Add,
    Archive,
    Decision,
    Drop,
    Edge,
    Evidence,
    Ingest,
    Merge,
    Message,
    Relate,
    Supersede,
    Unit,
)
from clew.models.words import WordCounts
from clew.stages.write import ConflictAware
from clew.stores.edge import EdgeVectors
from clew.stores.rustworkx import RustworkxAlgorithms
from clew.stores.sqlite import SqliteGraph
from clew.stores.vectors import ARCHIVED_TOO, Where

T = datetime(2025, 3, 1, 12, tzinfo=UTC)
Open = Callable[[], Memory]


def message(position: int, text: str) -> Message:
    at = T + timedelta(hours=position)
    return Message(f"D1:{position}", "talk", "1", position, "Ana", text, at)


def unit(position: int, text: str) -> Unit:
    said = message(position, text)
    return Unit(
        id=f"{said.id}.00",
        conversation="talk",
        text=text,
        said_at=said.said_at,
        session="1",
        position=position,
        speaker="Ana",
        evidence=(Evidence(said.id, 0, len(text)),),
    )


DOG, CAT, BOAT = unit(1, "The dog sleeps"), unit(2, "The cat hunts"), unit(3, "A boat came in")


@pytest.fixture
def open_memory(tmp_path: Path) -> Iterator[Open]:
    opened: list[Memory] = []

    def make(dimension: int = 64) -> Memory:
        for memory in opened:
            memory.close()
        graph = SqliteGraph(tmp_path, "talk")
        vectors = EdgeVectors(tmp_path / "vectors", "talk", dimension)
        opened.append(Memory(graph, vectors, WordCounts(dimension), RustworkxAlgorithms(graph)))
        return opened[-1]

    yield make
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(open_memory: Open) -> Memory:
    return open_memory()


# --- writing


def test_what_is_added_is_found_by_meaning_and_by_word(memory: Memory) -> None:
    for each in (DOG, CAT, BOAT):
        memory.apply(Add(each))
    assert memory.similar("a sleeping dog", 1)[0].id == DOG.id
    assert [hit.id for hit in memory.lexical("boats", 5)] == [BOAT.id]
    assert memory.units([CAT.id, DOG.id]) == [CAT, DOG]
    assert memory.graph.edges([CAT.id], ["NEXT"]) == [
        Edge(DOG.id, CAT.id, "NEXT"),
        Edge(CAT.id, BOAT.id, "NEXT"),
    ]


def test_a_merge_writes_nothing_but_the_ledger(memory: Memory) -> None:
    memory.apply(Add(DOG))
    memory.apply(Merge(unit(9, "The dog sleeps again"), DOG, 0.9, 0.9))
    assert memory.graph.get([DOG.id]) == [DOG]
    assert list(memory.vectors.stamps()) == [DOG.id]
    assert memory.graph.views([DOG.id])[DOG.id].messages == ("D1:1", "D1:9")


def test_a_dropped_message_is_kept_and_is_no_unit(memory: Memory) -> None:
    memory.apply(Add(DOG))
    memory.apply(Drop(message(4, "The dog sleeps"), DOG.id, 1.0))
    assert [each.id for each in memory.graph.messages()] == ["D1:4"]
    assert list(memory.vectors.stamps()) == [DOG.id]
    assert memory.speakers == {"ana"}


@pytest.mark.parametrize("order", [("b", "c"), ("c", "b")])
def test_an_ended_state_is_not_among_what_holds_whichever_end_came_first(
    memory: Memory, order: tuple[str, str]
) -> None:
    later = {"b": unit(5, "Ana lives in Rome"), "c": unit(8, "Ana lives in Bern")}
    first = unit(1, "Ana lives in Oslo")
    memory.apply(Add(first))
    for name in order:
        memory.apply(Supersede(later[name], first, 0.9, 0.5, ends=True))
    assert memory.graph.edges([first.id], ["SUPERSEDES"]) == [
        Edge(first.id, later["b"].id, "SUPERSEDES"),
        Edge(first.id, later["c"].id, "SUPERSEDES"),
    ]
    held = Where(holds_at=(T + timedelta(hours=6)).timestamp())
    assert [hit.id for hit in memory.similar("Ana lives in Oslo", 9, held)] == [later["b"].id]
    assert len(memory.drift()) == 0


def test_a_late_report_of_an_earlier_state_is_stored_as_over(memory: Memory) -> None:
    now, before = unit(5, "Ana lives in Rome"), unit(1, "Ana lives in Oslo")
    memory.apply(Add(now))
    memory.apply(Supersede(before, now, 0.9, 0.5, ends=True))
    today = Where(holds_at=(T + timedelta(hours=9)).timestamp())
    assert [hit.id for hit in memory.similar("Where does Ana live?", 9, today)] == [now.id]
    assert len(memory.drift()) == 0


def told(position: int, text: str, *members: Unit) -> Unit:
    evidence = tuple(each for member in members for each in member.evidence)
    level = 1 + max(member.level for member in members)
    made = replace(unit(position, text), kind="abstract", level=level, evidence=evidence)
    return replace(made, id=f"A:{position}")


def test_what_is_archived_is_found_through_what_tells_of_it(memory: Memory) -> None:
    for each in (DOG, CAT):
        memory.apply(Add(each))
    pets = told(2, "Ana has pets that sleep and hunt", DOG, CAT)
    memory.revise([Abstract(pets, (DOG, CAT)), Archive(DOG, pets), Archive(CAT, pets)])
    memory.apply(Add(BOAT))
    assert [hit.id for hit in memory.similar("The dog sleeps", 9)] == [pets.id, BOAT.id]
    assert [hit.id for hit in memory.lexical("hunts", 9)] == [pets.id]
    assert [hit.id for hit in memory.near("The dog sleeps", 1, 0.9)] == [DOG.id]
    assert memory.similar("The dog sleeps", 1, ARCHIVED_TOO)[0].id == DOG.id
    assert memory.units([DOG.id, pets.id]) == [DOG, pets]
    assert memory.graph.edges([pets.id], ["ABSTRACTS", "NEXT"]) == [
        Edge(pets.id, DOG.id, "ABSTRACTS"),
        Edge(pets.id, CAT.id, "ABSTRACTS"),
    ]
    assert memory.graph.edges([CAT.id, BOAT.id], ["NEXT"]) == [
        Edge(DOG.id, CAT.id, "NEXT"),
        Edge(CAT.id, BOAT.id, "NEXT"),
    ]
    assert len(memory.drift()) == 0


def test_a_revision_that_fails_changes_nothing(memory: Memory) -> None:
    memory.apply(Add(DOG))
    sleeper = told(1, "A sleeper", DOG)

    def failing() -> Iterator[Decision]:
        yield Abstract(sleeper, (DOG,))
        yield Archive(DOG, sleeper)
        assert memory.similar("dog", 1)[0].id == sleeper.id
        raise RuntimeError("no reply")

    with pytest.raises(RuntimeError):
        memory.revise(failing())
    assert list(memory.graph.units()) == [DOG] and len(memory.graph.ledger()) == 1
    assert [hit.id for hit in memory.similar("dog", 5)] == [DOG.id] and len(memory.drift()) == 0


def test_units_are_related_as_a_decision_says(memory: Memory) -> None:
    for each in (DOG, CAT):
        memory.apply(Add(each))
    woken = Edge(DOG.id, CAT.id, "CAUSES", 0.5)
    memory.apply(Relate((woken,)))
    assert memory.graph.edges([DOG.id], ["CAUSES"]) == [woken]
    assert memory.graph.ledger()[-1].reason == "CAUSES"


def test_a_unit_is_found_in_its_spaces(memory: Memory) -> None:
    memory.apply(Add(replace(DOG, spaces=frozenset({"pets", "home"}))))
    memory.apply(Add(replace(CAT, spaces=frozenset({"pets"}))))
    memory.apply(Add(BOAT))
    at = {name: Where(spaces=frozenset({name})) for name in ("pets", "home", "sea")}
    found = {name: {hit.id for hit in memory.similar("The", 9, at[name])} for name in at}
    assert found == {"pets": {DOG.id, CAT.id}, "home": {DOG.id}, "sea": set()}


def test_a_window_is_stored_whole_or_not_at_all(memory: Memory) -> None:
    def failing() -> Iterator[Add]:
        yield Add(DOG)
        assert memory.similar("dog", 1)[0].id == DOG.id  # each decision sees those before it
        raise RuntimeError("no reply")

    with pytest.raises(RuntimeError):
        memory.ingest([message(1, "The dog sleeps")], failing())
    assert memory.graph.messages() == [] and list(memory.graph.units()) == []
    assert memory.graph.ledger() == [] and memory.units([DOG.id]) == []
    assert memory.similar("dog", 1) == []
    assert len(memory.drift()) == 0


def test_what_was_merged_was_said_again_also_for_the_next_process(open_memory: Open) -> None:
    memory, again = open_memory(), replace(unit(9, "The dog sleeps"), evidence=(Evidence("D1:9"),))
    late = T + timedelta(hours=8.5), T + timedelta(hours=9.5)
    memory.apply(Add(DOG))
    assert memory.said_again(*late) == []
    memory.apply(Merge(again, DOG, 1.0, 1.0))
    assert memory.said_again(*late) == [DOG.id]
    memory = open_memory()
    assert memory.said_again(*late) == [DOG.id]
    memory.forget(["D1:9"])
    assert memory.said_again(*late) == []


def test_a_merge_that_was_undone_was_never_said(memory: Memory) -> None:
    def failing() -> Iterator[Merge]:
        yield Merge(unit(9, "The dog sleeps"), DOG, 1.0, 1.0)
        assert memory.said_again(T, T + timedelta(hours=9)) == [DOG.id]
        raise RuntimeError("no reply")

    memory.apply(Add(DOG))
    assert memory.said_again(T, T + timedelta(hours=9)) == []
    with pytest.raises(RuntimeError):
        memory.ingest([message(9, "The dog sleeps")], failing())
    assert memory.said_again(T, T + timedelta(hours=9)) == []


def test_near_is_what_is_near_enough(memory: Memory) -> None:
    for each in (DOG, CAT, BOAT):
        memory.apply(Add(each))
    assert [hit.id for hit in memory.near("The dog sleeps", 5, 0.9)] == [DOG.id]
    assert memory.near("A tram", 5, 0.9) == [] and memory.near(" ", 5, -1.0) == []


def test_an_ingested_window_is_done(memory: Memory) -> None:
    memory.ingest([message(1, "The dog sleeps"), message(2, "Hm")], [Add(DOG)])
    assert memory.graph.processed() == {"D1:1", "D1:2"}
    assert memory.graph.ledger()[-1].op == "INGEST"
    assert memory.graph.ledger()[-1].scores == {"units": 1.0}


def test_an_empty_search_finds_nothing(memory: Memory) -> None:
    memory.apply(Add(DOG))
    assert memory.similar("  ", 5) == [] and memory.lexical("", 5) == []


def test_messages_pass_unchanged_while_looking_ahead(memory: Memory) -> None:
    stream = [message(n, f"word {n}" if n % 3 else "") for n in range(80)]
    assert list(memory.ahead(iter(stream))) == stream


def test_what_writing_units_asks_for_is_embedded_in_one_batch(tmp_path: Path) -> None:
    batches: list[list[str]] = []

    class Counting(WordCounts):
        def __call__(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            batches.append(list(texts))
            return super().__call__(texts)

    graph, vectors = SqliteGraph(tmp_path, "talk"), EdgeVectors(tmp_path / "v", "talk", 64)
    with closing(Memory(graph, vectors, Counting(64), RustworkxAlgorithms(graph))) as memory:
        told = replace(BOAT, context="The cat hunts\nA boat came in")
        memory.foresee([DOG, CAT, told])
        write = ConflictAware()
        memory.ingest([message(1, "Hm")], (write(unit, memory) for unit in (DOG, CAT, told)))
        assert batches == [[DOG.text, CAT.text, told.text, told.context]]
        assert [hit.id for hit in memory.near(CAT.text, 1, 0.9)] == [CAT.id]


# --- deleting


def test_forgetting_takes_it_from_both_stores(memory: Memory) -> None:
    for each in (DOG, CAT):
        memory.ingest([message(each.position, each.text)], [Add(each)])
    assert memory.forget(["D1:1"]) == [DOG.id]
    assert list(memory.vectors.stamps()) == [CAT.id]
    assert [hit.id for hit in memory.similar("dog", 5)] == [CAT.id]
    assert memory.units([DOG.id]) == [] and memory.lexical("dog", 5) == []
    assert len(memory.drift()) == 0


def test_what_is_forgotten_is_found_in_no_neighbour(memory: Memory) -> None:
    beside = replace(CAT, context=f"{DOG.text}\n{CAT.text}")
    memory.apply(Add(DOG))
    memory.apply(Add(beside))
    assert {hit.id for hit in memory.lexical("dog", 5)} == {DOG.id, CAT.id}
    memory.forget(["D1:1"])
    assert memory.lexical("dog", 5) == [] and len(memory.drift()) == 0
    assert [hit.id for hit in memory.lexical("cat", 5)] == [CAT.id]


def test_a_unit_that_lives_on_in_later_words_is_found_by_them_alone(memory: Memory) -> None:
    memory.apply(Add(DOG))
    memory.apply(Merge(unit(9, "The hound sleeps"), DOG, 0.9, 0.9))
    assert memory.forget(["D1:1"]) == []
    assert memory.units([DOG.id])[0].text == "The hound sleeps"
    assert memory.lexical("dog", 5) == [] and memory.lexical("hound", 5)[0].id == DOG.id


def test_one_whose_every_message_is_forgotten_is_no_speaker(memory: Memory) -> None:
    for said in (message(1, "A dog."), replace(message(2, "A cat."), speaker="Bo")):
        memory.ingest([said], [])
    assert memory.speakers == {"ana", "bo"}
    memory.forget(["D1:2"])
    assert memory.speakers == {"ana"}
    memory.clear()
    assert memory.speakers == frozenset()


def test_forgetting_what_ended_a_state_makes_it_hold_again(memory: Memory) -> None:
    old, new = unit(1, "Ana lives in Oslo"), unit(5, "Ana lives in Rome")
    memory.apply(Add(old))
    memory.apply(Supersede(new, old, 0.9, 0.5, ends=True))
    memory.forget(["D1:5"])
    today = Where(holds_at=(T + timedelta(hours=9)).timestamp())
    assert [hit.id for hit in memory.similar("Ana lives in Oslo", 9, today)] == [old.id]


def test_forgetting_what_an_abstract_heard_brings_back_its_members(memory: Memory) -> None:
    for each in (DOG, CAT):
        memory.apply(Add(each))
    pets = told(2, "Ana has pets", DOG, CAT)
    memory.revise([Abstract(pets, (DOG, CAT)), Archive(DOG, pets), Archive(CAT, pets)])
    assert sorted(memory.forget(["D1:1"])) == [pets.id, DOG.id]
    assert [hit.id for hit in memory.similar("pets", 9)] == [CAT.id]
    assert memory.graph.views([CAT.id])[CAT.id].status == "active"
    assert len(memory.drift()) == 0


def test_clear_empties_both_stores(memory: Memory) -> None:
    memory.ingest([message(1, DOG.text)], [Add(DOG)])
    memory.clear()
    assert list(memory.graph.units()) == [] and memory.vectors.stamps() == {}
    assert memory.units([DOG.id]) == [] and memory.graph.messages() == []


# --- keeping the two stores together


def test_vectors_are_made_again_from_the_graph(memory: Memory) -> None:
    old, new = unit(1, "Ana lives in Oslo"), unit(5, "Ana lives in Rome")
    memory.apply(Add(old))
    memory.apply(Supersede(new, old, 0.9, 0.5, ends=True))
    before = memory.vectors.stamps(), memory.similar("Oslo", 5), memory.lexical("Oslo", 5)
    memory.vectors.clear()
    assert memory.drift().missing == (old.id, new.id)
    memory.repair()
    assert (memory.vectors.stamps(), memory.similar("Oslo", 5), memory.lexical("Oslo", 5)) == before


def test_drift_tells_what_is_missing_left_over_and_changed(memory: Memory) -> None:
    for each in (DOG, CAT):
        memory.apply(Add(each))
    tram = replace(unit(4, "A tram rang"), spaces=frozenset({"town"}))
    memory.apply(Add(replace(tram, spaces=frozenset())))
    memory.graph.put([BOAT, replace(CAT, text="The cat purrs"), tram])
    memory.vectors.end(DOG.id, 5.0)
    drift = memory.drift()
    changed = (DOG.id, CAT.id, tram.id)
    assert (drift.missing, drift.extra, drift.changed) == ((BOAT.id,), (), changed)
    assert memory.repair() == drift
    assert len(memory.drift()) == 0
    assert memory.lexical("Who purrs?", 1)[0].id == CAT.id
    town = Where(spaces=frozenset({"town"}))
    assert [hit.id for hit in memory.similar("dog", 9, town)] == [tram.id]


def test_what_was_archived_in_the_graph_alone_is_hidden_when_it_is_mended(memory: Memory) -> None:
    for each in (DOG, CAT):
        memory.apply(Add(each))
    sleeper = told(1, "A sleeper", DOG)
    memory.apply(Abstract(sleeper, (DOG,)))
    memory.graph.record(Archive(DOG, sleeper))
    memory.vectors.archive([CAT.id])
    assert memory.repair().changed == (DOG.id, CAT.id)
    assert {hit.id for hit in memory.similar("dog", 9)} == {sleeper.id, CAT.id}
    assert len(memory.drift()) == 0


KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[2])
from test_memory import CAT, DOG, message
from clew.memory import Memory
from clew.model import Add
from clew.models.words import WordCounts
from clew.stages.write import ConflictAware
from clew.stores.edge import EdgeVectors
from clew.stores.rustworkx import RustworkxAlgorithms
from clew.stores.sqlite import SqliteGraph

graph = SqliteGraph(sys.argv[1], "talk")
vectors = EdgeVectors(sys.argv[1] + "/vectors", "talk", 64)
memory = Memory(graph, vectors, WordCounts(64), RustworkxAlgorithms(graph))
memory.ingest([message(1, DOG.text)], [Add(DOG)])
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
{kill}
memory.ingest([message(2, CAT.text)], [Add(CAT)])
"""


@pytest.mark.parametrize(
    ("kill", "extra", "missing"),
    [
        ("vectors.put = die", 0, 0),  # nothing of the window is in either store
        ("graph.link = lambda e: (vectors.put(memory._points([CAT])), die())", 1, 0),
        ("vectors.put = lambda p: (graph._open.execute('COMMIT'), die())", 0, 1),
    ],
)
def test_a_process_killed_between_the_two_writes_leaves_no_drift(
    tmp_path: Path, open_memory: Open, kill: str, extra: int, missing: int
) -> None:
    here = str(Path(__file__).parent)
    code = KILLED.format(kill=kill)
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path), here], check=False)
    assert done.returncode == -9
    graph = SqliteGraph(tmp_path, "talk")
    vectors = EdgeVectors(tmp_path / "vectors", "talk", 64)
    truth, index = graph.stamps().keys(), vectors.stamps().keys()
    assert (len(index - truth), len(truth - index)) == (extra, missing)
    vectors.close()
    graph.close()
    memory = open_memory()
    assert len(memory.drift()) == 0
    assert DOG.id in memory.vectors.stamps()
    memory.ingest([message(2, CAT.text)], [Add(CAT)] if not missing else [])
    assert sorted(memory.vectors.stamps()) == [DOG.id, CAT.id]


def test_scores_after_a_crash_are_those_of_an_undisturbed_run(memory: Memory) -> None:
    for each in (DOG, CAT):
        memory.apply(Add(each))
    before = memory.lexical("a dog and a cat", 5)
    leftover = memory._points([DOG])[0]
    memory.vectors.put([replace(leftover, id="D1:9.00")])
    assert memory.lexical("a dog and a cat", 5) != before
    memory.repair()
    assert memory.lexical("a dog and a cat", 5) == before


def test_another_embedder_is_refused_and_the_data_kept(open_memory: Open, tmp_path: Path) -> None:
    memory = open_memory()
    memory.apply(Add(DOG))
    memory.close()
    graph = SqliteGraph(tmp_path, "talk")
    vectors = EdgeVectors(tmp_path / "other", "talk", 32)
    with pytest.raises(StoreMismatch, match=r"words.*embedder="):
        Memory(graph, vectors, WordCounts(32), RustworkxAlgorithms(graph))
    vectors.close()
    assert list(graph.units()) == [DOG]
    graph.close()


def test_a_memory_without_vectors_is_filled_when_it_is_opened(
    open_memory: Open, tmp_path: Path
) -> None:
    memory = open_memory()
    memory.ingest([message(1, DOG.text)], [Add(DOG)])
    memory.close()
    os.rename(tmp_path / "vectors", tmp_path / "lost")
    assert open_memory().similar("dog", 1)[0].id == DOG.id


def test_ingest_of_nothing_is_recorded_and_harmless(memory: Memory) -> None:
    memory.ingest([], [])
    assert [entry.op for entry in memory.graph.ledger()] == ["INGEST"]
    memory.apply(Ingest((message(1, "x"),), 0, "failed", "no reply"))
    assert memory.graph.processed() == set()
