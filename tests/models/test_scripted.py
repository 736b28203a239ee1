"""Scripted: useful replies by rule, the same in process and over HTTP."""

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Literal

import pytest
from pydantic import BaseModel

from clew.errors import ConfigError, LlmCut
from clew.models.llm import Ask, chat_tokens
from clew.models.nothing import NoLlm
from clew.models.script import judge, messages, script
from clew.models.scripted import Scripted
from clew.models.structured import structured
from clew.text import count_tokens
from clew.trace import recording

TALK = """Messages:
[t1:3] 2031-05-08 13:56 Odo: I bought a red lamp in Turin yesterday.
t1:4 | Ann Lee | I like lamps: they are warm.
(t1:5, Thursday 8 May 2031 at 13:57) Odo: my sister Ida too
{"id": "t1:6", "speaker": "Bo", "text": "ok"}
- m7 Zoe: yes!
That was all."""
EVIDENCE = """8 May 2031
- [t1:3] Odo: I bought a red lamp in Turin.
- [t1:4] Ann: I sold a blue boat to my neighbour.
Question: Who sold a boat?"""


class When(BaseModel):
    phrase: str


class Found(BaseModel):
    sentence: str
    sources: list[str]
    entities: list[str]
    time: str
    kind: Literal["state", "event"]
    when: When | None = None
    certain: bool = True
    n: int


class Units(BaseModel):
    note: str = ""
    units: list[Found]


class Said(BaseModel):
    answer: str
    evidence: list[str]
    abstained: bool


class Verdict(BaseModel):
    reason: str
    verdict: Literal["WRONG", "CORRECT"]


@pytest.fixture(params=[False, True], ids=["in process", "http"])
def llm(request: pytest.FixtureRequest) -> Iterator[Scripted]:
    with closing(Scripted(http=request.param)) as llm:
        yield llm


def test_messages_are_read_however_they_are_written() -> None:
    assert [(m.id, m.speaker) for m in messages(TALK)] == [
        ("t1:3", "Odo"),
        ("t1:4", "Ann Lee"),
        ("t1:5", "Odo"),
        ("t1:6", "Bo"),
        ("m7", "Zoe"),
    ]
    assert messages(TALK)[1].text == "I like lamps: they are warm."


def test_a_list_of_objects_is_filled_from_the_messages(llm: Scripted) -> None:
    value, how = structured(llm, Ask("extract", "Find facts.", TALK, Units))
    assert how == "clean"
    assert [unit.time for unit in value.units] == ["yesterday", "", "", "", ""]
    assert value.units[0] == Found(
        sentence="Odo: I bought a red lamp in Turin yesterday.",
        sources=["t1:3"],
        entities=["Odo", "Turin"],
        time="yesterday",
        kind="state",
        n=0,
    )


def test_a_question_is_answered_from_the_line_that_fits_it_best(llm: Scripted) -> None:
    value, _ = structured(llm, Ask("answer", "Be short.", EVIDENCE, Said))
    expected = "I sold a blue boat to my neighbour."
    assert value == Said(answer=expected, evidence=["t1:4"], abstained=False)
    assert llm(Ask("answer", "Be short.", EVIDENCE)).text == expected


class Gist(BaseModel):
    sentence: str
    sources: list[str]


class Plan(BaseModel):
    semantic_query: str
    complexity: Literal["LOW", "HIGH"]


def test_a_summary_quotes_a_line_and_a_plan_searches_for_what_is_asked(llm: Scripted) -> None:
    told = "[1] (4 March 2031) Ulla: Tea at the mill\n[2] (5 March 2031) Ulla: Tea at eight"
    gist, _ = structured(llm, Ask("summarise", "", told, Gist))
    assert gist == Gist(sentence="Tea at the mill", sources=["1"])
    plan, _ = structured(llm, Ask("plan", "", "Question: Where is Ulla?\nAsked today.", Plan))
    assert plan == Plan(semantic_query="Where is Ulla?", complexity="LOW")


def test_a_question_with_no_evidence_is_not_answered(llm: Scripted) -> None:
    value, _ = structured(llm, Ask("answer", "", "Question: Who sold a boat?", Said))
    assert value == Said(answer="Not mentioned", evidence=[], abstained=True)


@pytest.mark.parametrize(
    ("given", "right"), [("the red lamp", True), ("a boat", False), ("Not mentioned", False)]
)
def test_a_verdict_is_made_by_shared_words(llm: Scripted, given: str, right: bool) -> None:
    user = f"Question: What did he buy?\nGold answer: a red lamp\nGenerated answer: {given}"
    value, _ = structured(llm, Ask("judge", "", user, Verdict))
    assert (value.verdict == "CORRECT") == right == judge(user)


def test_the_same_request_has_the_same_reply() -> None:
    schema = Units.model_json_schema()
    assert script(TALK, schema) == script(TALK, schema)
    assert json.loads(script("nothing here", schema))["units"] == []


def test_tokens_are_counted_the_same_in_process_and_over_http() -> None:
    ask = Ask("extract", "Find facts.", TALK, Units)
    told = []
    for http in (False, True):
        with closing(Scripted(http=http)) as llm, recording() as trace:
            text = llm(ask).text
            told.append((text, dict(trace.counts)))
    assert told[0] == told[1]
    assert told[0][1] == {
        "llm.calls": 1,
        "llm.prompt_tokens": chat_tokens(["Find facts.", TALK]),
        "llm.completion_tokens": count_tokens(text),
    }


def test_a_reply_that_is_too_long_is_cut(llm: Scripted) -> None:
    with pytest.raises(LlmCut):
        structured(llm, Ask("extract", "", TALK, Units, max_tokens=20))


def test_no_llm_says_what_to_set() -> None:
    llm = NoLlm()
    llm.check()
    for ask in (llm, llm.begin, lambda ask: llm.many([ask])):
        with pytest.raises(ConfigError, match=r"llm: a stage asks .*greet.*llm=openai"):
            ask(Ask("greet", "", "hello"))
    assert llm.many([]) == []
    llm.close()
