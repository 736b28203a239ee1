"""Intent: what is looked for by meaning, by words, by names and time, and how deep."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for talking, beside the tests

from talking import Once, opened

from clew.errors import LlmRefused
from clew.memory import Memory
from clew.model import Entity, Query
from clew.stages.intent import InferByRule, Intent, LlmInfer, NoInference
from clew.trace import recording

ASKED = datetime(2031, 3, 4, tzinfo=UTC)
LOW = "Where did Imke buy the kiln?"
HIGH = "Which kilns and which lamps did Imke buy since she moved?"
PLAN = {
    "complexity": "HIGH",
    "semantic_query": "Imke bought a kiln somewhere.",
    "lexical_keywords": ["kiln", "bought"],
    "start": "2031-02-01",
    "end": "2031-02-28",
}


def ask(text: str) -> Query:
    return Query(text, ASKED, "talk")


def test_a_plain_question_looks_for_few_and_a_complex_one_for_many(memory: Memory) -> None:
    with recording() as trace:
        assert [InferByRule()(ask(text), memory).n for text in (LOW, HIGH)] == [3, 20]
    assert trace.counts["depth.deepened"] == 1
    intent = InferByRule(complex=0.0)(ask(LOW), memory)
    assert (intent.semantic, intent.lexical, intent.n) == (LOW, LOW, 20)


def test_names_and_times_of_the_question_are_looked_for(memory: Memory) -> None:
    memory.graph.put_entities([Entity("imke", "Imke", "person")])
    wanted = InferByRule()(ask("What did Imke buy in February 2031?"), memory).wanted
    assert wanted.named.entities == {"imke"}
    assert (wanted.start, wanted.end) == (
        datetime(2031, 2, 1, tzinfo=UTC),
        datetime(2031, 3, 1, tzinfo=UTC),
    )


def test_without_inference_the_question_stands_as_it_is(memory: Memory) -> None:
    memory.graph.put_entities([Entity("imke", "Imke", "person")])
    for text in (LOW, HIGH):
        intent = NoInference()(ask(text), memory)
        assert (intent.semantic, intent.lexical, intent.n) == (text, text, 5)
        assert not intent.wanted.named.entities


@pytest.fixture
def planned(tmp_path: Path) -> Iterator[Any]:
    """Return what a model's replies make of a question, and the model."""
    memories: list[Memory] = []

    def plan(text: str, *replies: Any, **more: Any) -> tuple[Intent, Any]:
        memory, model = opened(tmp_path / str(len(memories)), Once(*replies))
        memories.append(memory)
        return LlmInfer(**more)(ask(text), memory), model

    yield plan
    for memory in memories:
        memory.llm.close()
        memory.close()


def test_a_model_plans_in_one_call(planned: Any) -> None:
    intent, model = planned(LOW, PLAN)
    assert (intent.semantic, intent.lexical, intent.n) == (
        "Imke bought a kiln somewhere.", "kiln bought", 20,
    )  # fmt: skip
    assert intent.wanted.start == datetime(2031, 2, 1, tzinfo=UTC)
    assert intent.wanted.end == datetime(2031, 3, 1, tzinfo=UTC)
    assert model.asked[0].user == f"Question: {LOW}\nAsked on 4 March 2031."
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    ("more", "n"), [({"complexity": "high"}, 20), ({"complexity": "medium"}, 3), ({}, 3)]
)
def test_only_high_is_deep(planned: Any, more: dict[str, str], n: int) -> None:
    reply = {key: value for key, value in PLAN.items() if key != "complexity"}
    assert planned(LOW, {**reply, **more})[0].n == n


def test_a_time_that_the_question_names_counts_before_the_models(planned: Any) -> None:
    intent, _ = planned("What did Imke buy in May 2030?", PLAN)
    assert intent.wanted.start == datetime(2030, 5, 1, tzinfo=UTC)


@pytest.mark.parametrize("more", [{"end": ""}, {"start": "soon"}, {"end": "2031-01-05"}])
def test_a_time_that_cannot_be_is_none(planned: Any, more: dict[str, str]) -> None:
    assert planned(LOW, {**PLAN, **more})[0].wanted.start is None


def test_words_that_are_not_planned_are_those_of_the_question(planned: Any) -> None:
    assert planned(LOW, {**PLAN, "lexical_keywords": None})[0].lexical == LOW


@pytest.mark.parametrize(
    "bad",
    ["", "Let me think.", {"semantic_query": ""}, {"semantic_query": "  "}, {"weather": "fine"}],
)
def test_a_plan_that_will_not_do_is_asked_for_again_and_then_made_by_rule(
    planned: Any, memory: Memory, bad: Any
) -> None:
    intent, model = planned(LOW, bad, PLAN)
    assert (intent.n, len(model.asked)) == (20, 2)
    with recording() as trace:
        intent, model = planned(LOW, bad, retries=1)
    assert intent == InferByRule()(ask(LOW), memory)
    assert (len(model.asked), trace.counts["plan.by_rule"]) == (2, 1)


def test_a_model_that_cannot_be_asked_is_told(planned: Any) -> None:
    with pytest.raises(LlmRefused):
        planned(LOW, LlmRefused("no such key"))
