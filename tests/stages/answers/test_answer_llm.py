"""Answers by a model: what it is shown, and what is made of its replies."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))  # for talking, beside the stages' tests

from talking import llm

from clew.errors import LlmCut, LlmUnusable
from clew.memory import Memory
from clew.model import Answer, Context, Evidence, Graph, Query, Scored, Unit
from clew.models.llm import Ask, Reply
from clew.models.words import WordCounts
from clew.stages.answer_llm import LlmAnswer
from clew.stores.edge import EdgeVectors
from clew.stores.rustworkx import RustworkxAlgorithms
from clew.stores.sqlite import SqliteGraph
from clew.trace import recording
from clew.when import resolve

AT = datetime(2031, 3, 4, 18, tzinfo=UTC)
UNIT = Unit(
    "s1.1.00", "talk", "Benno: I sold the kiln yesterday.", AT, "s1", 1, "Benno",
    (Evidence("s1.1"),), event=resolve("yesterday", AT), entities=frozenset({"benno"}),
)  # fmt: skip
GRAPH = Graph((Scored(UNIT, 1.0),))
CONTEXT = Context(f"[4 March 2031]\n{UNIT.text}", 12, (UNIT.id,), ("s1.1",))


def asked(
    folder: Path, *replies: Any, question: str = "When did Benno sell the kiln?",
    graph: Graph = GRAPH, context: Context = CONTEXT, stage: LlmAnswer | None = None,
) -> tuple[Answer, list[Ask]]:  # fmt: skip
    said = list(replies)
    asking, model = llm(lambda ask: said.pop(0) if len(said) > 1 else said[0])
    stored = SqliteGraph(folder, "talk")
    vectors = EdgeVectors(folder / "vectors", "talk", 64)
    memory = Memory(stored, vectors, WordCounts(64), RustworkxAlgorithms(stored), asking)
    try:
        query = Query(question, datetime(2031, 4, 1, tzinfo=UTC), "talk")
        return (stage or LlmAnswer())(query, graph, context, memory), model.asked
    finally:
        asking.close()
        memory.close()


def reply(answer: Any, **more: Any) -> dict[str, Any]:
    return {"reasoning": "The facts say so.", "answer": answer, "abstain": False, **more}


def test_a_model_sees_the_question_the_facts_and_what_time_words_mean(tmp_path: Path) -> None:
    answer, asks = asked(tmp_path, reply(" 3 March\n2031 "))
    assert (answer.text, answer.abstained) == ("3 March 2031", False)
    assert (answer.graph, answer.context) == (GRAPH, CONTEXT)
    (ask,) = asks
    assert ask.user == (
        "Question: When did Benno sell the kiln?\nAsked on 1 April 2031.\n\n"
        "Facts:\n[4 March 2031]\nBenno: I sold the kiln yesterday.\n\n"
        'Times:\n"yesterday", said on 4 March 2031: 3 March 2031'
    )
    assert "This question asks for a time." in ask.system


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        ("How many lamps has Benno?", "asks for a number"),
        ("How long did Benno own it?", "asks how long"),
        ("Is Benno a baker?", '"Likely yes"'),
        ("Does Benno prefer tea or milk?", "a choice that the question names"),
        ("Which things did Benno sell?", "separated by commas"),
        ("Why did Benno sell the kiln?", "the reason alone"),
        ("Who bought the kiln?", "one to six words"),
    ],
)
def test_the_rules_follow_the_kind_of_the_question(
    tmp_path: Path, question: str, rule: str
) -> None:
    _, asks = asked(tmp_path, reply("x"), question=question)
    assert rule in asks[0].system


def test_dates_can_be_left_to_the_model(tmp_path: Path) -> None:
    _, asks = asked(tmp_path, reply("x"), stage=LlmAnswer(times=False))
    assert "Times:" not in asks[0].user


@pytest.mark.parametrize(
    "said",
    [
        reply("Benno", abstain=True),
        reply(""),
        reply(None),
        {"answer": "Not mentioned."},
        {"answer": "The answer is not known from the facts", "abstain": None},
        {"answer": "No information available"},
    ],
)
def test_an_abstention_is_one_however_it_is_worded(tmp_path: Path, said: Any) -> None:
    answer, _ = asked(tmp_path, said)
    assert (answer.text, answer.abstained) == ("Not mentioned", True)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (["tea", "rice", 3], "tea, rice, 3"),
        (7, "7"),
        (True, "Yes"),
        ("Salt, 1,000 lamps, Aurum", "Salt, 1,000 lamps, Aurum"),
        ("None of them", "None of them"),
        ("Nobody", "Nobody"),
    ],
)
def test_an_answer_is_taken_as_it_is(tmp_path: Path, said: Any, text: str) -> None:
    answer, _ = asked(tmp_path, {"answer": said})
    assert (answer.text, answer.abstained) == (text, False)


def test_what_is_known_already_and_what_nothing_tells_of_cost_no_call(tmp_path: Path) -> None:
    known, asks = asked(tmp_path / "1", reply("x"), graph=Graph(known="a baker"))
    assert (known.text, asks) == ("a baker", [])
    empty, asks = asked(tmp_path / "2", reply("x"), graph=Graph(), context=Context("", 0))
    assert (empty.abstained, asks) == (True, [])


def test_a_bad_reply_is_asked_for_again_and_counted(tmp_path: Path) -> None:
    with recording() as trace:
        answer, asks = asked(tmp_path, "hm", reply("3 March 2031"))
    assert answer.text == "3 March 2031"
    assert len(asks) == 2
    assert trace.counts["answer.retried"] == 1


@pytest.mark.parametrize(
    ("bad", "error"), [("hm", LlmUnusable), (Reply('{"answer": "3', finish="length"), LlmCut)]
)
def test_where_no_reply_will_do_the_question_fails_unless_rules_may_answer(
    tmp_path: Path, bad: Any, error: type[Exception]
) -> None:
    with pytest.raises(error):
        asked(tmp_path / "1", bad)
    with recording() as trace:
        answer, _ = asked(tmp_path / "2", bad, stage=LlmAnswer(by_rule=True))
    assert answer.text == "3 March 2031"
    assert trace.counts["answer.by_rule"] == 1
