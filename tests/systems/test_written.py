"""Ways to write, beside each other: one story, one extraction, one recall, and what is stored."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # for story

import pytest
from story import opened, told

from clew.memory import Memory
from clew.model import Query
from clew.models.asking import Asking
from clew.models.scripted import Script
from clew.stages.abstract import Clusters
from clew.stages.agglomerate import Consolidated, Layers
from clew.stages.agglomerate_llm import LlmLayers
from clew.stages.answer import Extractive
from clew.stages.depth import Adaptive, FixedDepth
from clew.stages.extract import RuleBased
from clew.stages.pack import InTime
from clew.stages.summarise import Medoid
from clew.stages.weigh import InDepth, Weighted
from clew.stages.windows import Chunks
from clew.stages.write import ConflictAware
from clew.systems.base import answer
from clew.systems.baselines import Ranked

COFFEE = ("Ines", "I drank black coffee at the mill this morning.")
STORY = [
    (0, "Ravi", "I sold my old canoe yesterday. So I bought a kayak."),
    (1, "Ravi", "I sold my old canoe yesterday."),
    *((3, *COFFEE) for _ in range(3)),
    (6, "Ines", "The concert starts at 19:00."),
    (9, "Ines", "The concert starts at 19:30."),
    (20, "Ines", "Tobias opened a workshop in Lisbon."),
]
PLAIN = Ranked(
    windows=Chunks(size=100),
    extract=RuleBased(),
    rank=InDepth(depth=FixedDepth(k=60), weigh=Weighted()),
    pack=InTime(),
    synthesise=Extractive(),
)
COARSENED = replace(PLAIN, write=ConflictAware(likeness=0.6))
CONSOLIDATED = replace(
    PLAIN,
    agglomerate=Consolidated(consolidate=Clusters(density=(0.9,)), summarise=Medoid()),
)
LAYERED = replace(PLAIN, agglomerate=Layers())


@contextmanager
def written(system: Ranked, folder: Path) -> Iterator[Memory]:
    memory = opened(folder)
    try:
        system.remember(told(STORY), memory)
        yield memory
    finally:
        memory.close()


def basic(memory: Memory) -> list[str]:
    return [unit.id for unit in memory.graph.units() if not unit.level]


def decisions(memory: Memory) -> Counter[str]:
    return Counter(entry.op for entry in memory.graph.ledger())


def test_unless_it_is_told_otherwise_every_unit_is_added_and_nothing_made_of_it(
    tmp_path: Path,
) -> None:
    with written(PLAIN, tmp_path) as memory:
        assert decisions(memory).keys() == {"ADD", "INGEST"}
        assert len(basic(memory)) == decisions(memory)["ADD"] == len(STORY)


def test_coarsening_merges_what_is_said_again_and_links_what_changed(tmp_path: Path) -> None:
    with written(COARSENED, tmp_path) as memory:
        assert decisions(memory)["MERGE"] == 2  # of three cups
        assert decisions(memory)["SUPERSEDE"] >= 1
        assert len(basic(memory)) == len(STORY) - 2


def test_consolidation_archives_what_a_session_said_often_and_it_is_reached_all_the_same(
    tmp_path: Path,
) -> None:
    query = Query("Who drank coffee at the mill?", None, "story")
    with written(CONSOLIDATED, tmp_path) as memory:
        assert [unit.level for unit in memory.graph.units() if unit.level] == [1]
        assert decisions(memory)["ARCHIVE"] == 3
        found = CONSOLIDATED.gather(query, memory)
        assert [node.unit.text for node in found.nodes[:3]] == [f"Ines: {COFFEE[1]}"] * 3
        simple = InDepth(depth=Adaptive(detail=1.0), weigh=Weighted())
        (first, *_) = simple(query, memory)
        assert first.unit.level == 1


def test_layers_come_on_top_of_all_that_was_added(tmp_path: Path) -> None:
    with written(LAYERED, tmp_path) as memory:
        abstract = [unit for unit in memory.graph.units() if unit.level]
        assert "episodic" in {space for unit in abstract for space in unit.spaces}
        assert len(basic(memory)) == len(STORY)


def test_what_is_written_in_any_way_was_extracted_in_one(tmp_path: Path) -> None:
    told_by = {}
    for name, system in {"p": PLAIN, "c": CONSOLIDATED, "l": LAYERED}.items():
        with written(system, tmp_path / name) as memory:
            told_by[name] = [unit for unit in memory.graph.units() if not unit.level]
    assert [u.text for u in told_by["p"]] == [u.text for u in told_by["c"]]
    assert told_by["p"] == told_by["l"]


def test_what_was_merged_is_in_no_layer(tmp_path: Path) -> None:
    both = replace(COARSENED, agglomerate=LAYERED.agglomerate)
    with written(both, tmp_path) as memory:
        assert decisions(memory)["MERGE"] == 2
        known = set(basic(memory))
        below = {e.target for e in memory.graph.all_edges() if e.kind == "ABSTRACTS"}
        assert below & known and below <= {unit.id for unit in memory.graph.units()}
        assert len(memory.drift()) == 0


@pytest.mark.parametrize(
    ("stage", "outcome", "by_rule"),
    [(LlmLayers(), "accepted", 0), (LlmLayers(reply=9, splits=0), "fell_back", len(STORY))],
)
def test_how_a_model_read_for_layers_is_told_in_the_ledger(
    tmp_path: Path, stage: LlmLayers, outcome: str, by_rule: int
) -> None:
    memory = opened(tmp_path, Asking(Script()))
    replace(PLAIN, agglomerate=stage).remember(told(STORY), memory)
    read = [entry for entry in memory.graph.ledger() if entry.op == "INGEST"]
    assert {entry.reason.partition(":")[0] for entry in read} == {outcome}
    assert sum(entry.scores.get("abstract.by_rule", 0) for entry in read) == by_rule
    memory.llm.close()
    memory.close()


def test_each_memory_answers(tmp_path: Path) -> None:
    asked = Query("In which city did Tobias open a workshop?", None, "story")
    for name, system in {"p": PLAIN, "m": COARSENED, "c": CONSOLIDATED, "l": LAYERED}.items():
        with written(system, tmp_path / name) as memory:
            assert answer(system, asked, memory).text == "Lisbon", name
