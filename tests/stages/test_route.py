"""Route: a question's own words choose the memory sources, and nothing else does."""

from datetime import UTC, datetime

import pytest

from clew.memory import Memory
from clew.model import Message, Query
from clew.stages.route import AllSources, ByFeatures, source_of
from clew.trace import recording


@pytest.fixture(autouse=True)
def _speakers(memory: Memory) -> None:
    said = [
        Message(f"D1:{n}", "talk", "1", n, who, "x", None) for n, who in enumerate(["Ana", "Bo"])
    ]
    memory.ingest(said, [])


def sources(text: str, memory: Memory) -> set[str]:
    return set(ByFeatures()(Query(text, datetime(2025, 1, 9, tzinfo=UTC), "talk"), memory))


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("When did Ana sell her canoe?", {"basic", "episodic"}),
        ("What did Ana do last Friday?", {"basic", "episodic"}),
        ("When did Ana meet Tobias?", {"basic", "episodic", "semantic"}),
        ("Where does Bo keep his bees?", {"basic", "semantic"}),
        ("Who mended the roof?", {"basic", "semantic"}),
        ("What does Ana prefer for breakfast?", {"basic", "emotional"}),
        ("How many boats did Bo paint?", {"basic", "episodic"}),
        ("Why did Ana leave the choir?", {"basic", "episodic"}),
        ("What is Ana's job?", {"basic", "semantic"}),
    ],
)
def test_features_of_a_question_choose_its_sources(
    text: str, chosen: set[str], memory: Memory
) -> None:
    assert sources(text, memory) == chosen


def test_each_chosen_source_has_its_own_budget_and_skipped_ones_are_counted(memory: Memory) -> None:
    with recording() as trace:
        plan = ByFeatures(basic=7, episodic=3)(Query("When did Ana leave?", None, "talk"), memory)
    assert plan == {"basic": 7, "episodic": 3}
    assert trace.counts["route.skipped"] == 2


def test_without_routing_every_source_is_asked(memory: Memory) -> None:
    plan = AllSources(emotional=1)(Query("When did Ana leave?", None, "talk"), memory)
    assert plan == {"basic": 60, "episodic": 30, "semantic": 30, "emotional": 1}


def test_a_unit_is_of_the_source_that_its_spaces_name(unit) -> None:  # type: ignore[no-untyped-def]
    assert source_of(unit(1, "x", spaces=frozenset({"session:1", "semantic"}))) == "semantic"
    assert source_of(unit(1, "x")) == "basic"
