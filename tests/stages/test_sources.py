"""Sources: what each gives, joined by rank, and words that the question does not have itself."""

from collections.abc import Mapping

import pytest
from layered import MakeUnit, of

from clew.memory import Memory
from clew.model import Add, Query
from clew.stages.recall import reciprocal
from clew.stages.sources import WithFeedback, WithModel
from clew.trace import recording


def ask(text: str) -> Query:
    return Query(text, None, "talk")


@pytest.fixture
def layered(memory: Memory, unit: MakeUnit) -> Memory:
    for n, (text, source) in enumerate(
        [
            ("The heron stood by the pond at dawn", "basic"),
            ("The heron flew over the pond", "basic"),
            ("We had soup", "basic"),
            ("Event: the heron flew", "episodic"),
            ("Heron: a bird at the pond", "semantic"),
        ]
    ):
        memory.apply(Add(unit(n, text, **of(source))))
    return memory


def test_ranks_are_joined_so_that_what_is_first_everywhere_has_one() -> None:
    joined = reciprocal([["a", "b"], ["a", "c"]], constant=60)
    assert list(joined) == ["a", "b", "c"]
    assert joined["a"] == pytest.approx(1.0)
    assert joined["b"] == joined["c"] == pytest.approx(61 / 62 / 2)


def test_only_the_sources_of_the_plan_give_units(layered: Memory) -> None:
    found = WithFeedback()(ask("heron pond"), {"episodic": 5, "semantic": 5}, layered)
    assert {s.unit.position for s in found} == {3, 4}


def test_a_source_gives_no_more_than_its_budget_and_the_best_come_first(layered: Memory) -> None:
    found = WithFeedback()(ask("heron pond dawn"), {"basic": 2, "semantic": 0}, layered)
    assert [s.unit.position for s in found] == [0, 1]
    assert found[0].score > found[1].score


def test_the_best_hits_words_are_asked_for_too(memory: Memory, unit: MakeUnit) -> None:
    texts = ["the regatta was won in a skiff", "a skiff needs new varnish", "soup again for supper"]
    for n, text in enumerate(texts):
        memory.apply(Add(unit(n, text, **of("basic"))))
    stage = WithFeedback(hits=1)
    with recording() as trace:
        more = stage.expanded(ask("regatta"), memory.lexical("regatta", 5), memory)
    assert trace.counts["recall.expanded"] == len(more) - 1 == 2
    assert max(more.values()) == 1.0
    assert sorted(more.values())[0] == 0.5
    hits = memory.vectors.sparse(more, 5)
    assert [hit.id for hit in hits] == ["D1:0.00", "D1:1.00"]


def test_a_model_adds_the_words_it_knows_beside(layered: Memory) -> None:
    class Boats:
        name = "boats"

        def __call__(self, text: str) -> Mapping[str, float]:
            return {"bird": 2.0, "heron": 4.0, "soup": 1.0}

    stage = WithModel(model=Boats(), terms=2)
    more = stage.expanded(ask("heron"), [], layered)
    assert sorted(more.values()) == [0.5, 1.0]  # bird at half of heron; soup is the third word
    found = stage(ask("heron"), {"semantic": 1, "basic": 1}, layered)
    assert 4 in {s.unit.position for s in found}


def test_an_empty_question_or_plan_finds_nothing(layered: Memory) -> None:
    assert WithFeedback()(ask(" "), {"basic": 3}, layered) == ()
    assert WithFeedback()(ask("heron"), {}, layered) == ()
    assert WithFeedback()(ask("heron"), {"basic": 0}, layered) == ()
