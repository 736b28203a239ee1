"""Structured: JSON is found wherever it stands, mended where nothing is lost, else asked again."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing, suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from clew.errors import LlmCut, LlmUnusable
from clew.models.asking import Asking
from clew.models.llm import Ask, Reply, Usage
from clew.models.structured import Unfit, parsed, structured
from clew.trace import recording


class Fact(BaseModel):
    text: str
    messages: list[str] = []


class Facts(BaseModel):
    facts: list[Fact] = []


ASK = Ask("extract", "Find facts.", "Odo: I sold a boat.", Facts)
GOOD = '{"facts": [{"text": "Odo sold a boat", "messages": ["t1"]}]}'
VALUE = Facts(facts=[Fact(text="Odo sold a boat", messages=["t1"])])


class Says:
    """Says one text after the other, and remembers what it was asked."""

    name = "says"

    def __init__(self, *texts: str) -> None:
        self.texts, self.asked = list(texts), list[Ask]()

    def __call__(self, ask: Ask) -> Reply:
        self.asked.append(ask)
        return Reply(self.texts[len(self.asked) - 1], Usage(1))

    def close(self) -> None:
        """Hold nothing open."""


Speak = Callable[..., tuple[Asking, Says]]


@pytest.fixture
def saying() -> Iterator[Speak]:
    made: list[Asking] = []

    def make(*texts: str) -> tuple[Asking, Says]:
        model = Says(*texts)
        made.append(Asking(model))
        return made[-1], model

    yield make
    for each in made:
        each.close()


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"  \n{GOOD}\n",
        f"Here you go:\n```json\n{GOOD}\n```\nbye",
        f"```\n{GOOD}\n```",
        f"Sure [1], as {{asked}}: {GOOD} Done.",
        f'<think>{{"facts": []}} or so?</think>{GOOD}',
        f'{{"thought": 1}}\n{GOOD}',
    ],
)
def test_whole_json_is_clean_whatever_is_around_it(text: str) -> None:
    assert parsed(Reply(text), ASK) == (VALUE, False)


@pytest.mark.parametrize(
    "text",
    [
        GOOD[:-2],
        GOOD[:-1],
        GOOD.replace('"facts"', "facts"),
        GOOD.replace('"', "'"),
        GOOD.replace("]}]", "],}],"),
        json.dumps(json.loads(GOOD)["facts"]),
    ],
)
def test_broken_json_is_mended(text: str) -> None:
    assert parsed(Reply(text), ASK) == (VALUE, True)


def test_fences_inside_of_a_text_end_nothing() -> None:
    text = 'Here:\n```json\n{"facts":[{"text":"uses ``` in notes"}]}\n``` bye'
    assert parsed(Reply(text), ASK)[0].facts[0].text == "uses ``` in notes"


def test_what_is_whole_inside_of_broken_json_is_not_taken_for_all() -> None:
    text = '{"facts": [{"text": "a"}, {"text": "b"}, {"text": "c'
    assert [fact.text for fact in parsed(Reply(text), ASK)[0].facts] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty"),
        ("```json\n```", "holds no JSON"),
        ("I found nothing.", "holds no JSON"),
        ("null", "valid dictionary"),
        ("{}", "none of the fields facts"),
        ('{"things": []}', "none of the fields facts"),
        ('{"facts": null}', "facts: Input should be a valid list, got null"),
        ('{"facts": [{"text": null}]}', r"facts\.0\.text: Input should be a valid string"),
        ('{"facts": [{}, {}, {}, {}, {}, {}]}', "and 2 more"),
        ("[" * 50_000, "broken"),
        ('{"facts": ' * 50_000, "broken"),
    ],
    ids=range(11),
)
def test_what_is_wrong_is_told(text: str, told: str) -> None:
    with pytest.raises(Unfit, match=told):
        parsed(Reply(text), ASK)


def test_halves_of_characters_become_marks_and_whole_ones_stay() -> None:
    text = r'{"facts": [{"text": "\ud83d\ude00 \ud800 \udc00x"}]}'
    assert parsed(Reply(text), ASK)[0].facts[0].text == "😀 \ufffd \ufffdx"


def test_a_reply_that_was_cut_off_is_taken_if_it_is_whole_and_never_mended() -> None:
    assert parsed(Reply(GOOD, finish="length"), ASK) == (VALUE, False)
    with pytest.raises(LlmCut):
        parsed(Reply(GOOD[:-2], finish="length"), ASK)


def test_a_bad_reply_is_told_and_asked_again(saying: Speak) -> None:
    llm, model = saying("no", '{"facts": 5}', GOOD)
    with recording() as trace:
        assert structured(llm, ASK, retries=2) == (VALUE, "retried")
    last = model.asked[-1].turns
    assert [turn.role for turn in last] == ["assistant", "user", "assistant", "user"]
    assert "holds no JSON" in last[1].text
    assert "facts: Input should be a valid list, got 5" in last[3].text
    assert trace.counts["llm.asked_again"] == 2
    assert trace.counts["llm.calls"] == 3


def test_after_the_last_try_it_says_what_was_wrong(saying: Speak) -> None:
    llm, model = saying(*["no"] * 5)
    with pytest.raises(LlmUnusable, match=r"says, asked extract 2 times, .*holds no JSON"):
        structured(llm, ASK, retries=1)
    assert len(model.asked) == 2


def test_a_check_of_ones_own_is_told_too(saying: Speak) -> None:
    def check(facts: Facts) -> str:
        unknown = [m for fact in facts.facts for m in fact.messages if m != "t1"]
        return f"there is no message {', '.join(unknown)}" if unknown else ""

    llm, model = saying(GOOD.replace("t1", "t9"), GOOD)
    assert structured(llm, ASK, check=check) == (VALUE, "retried")
    assert "there is no message t9" in model.asked[1].turns[1].text


def test_a_try_that_was_begun_is_not_sent_twice(saying: Speak) -> None:
    llm, model = saying(GOOD)
    with closing(llm):
        assert structured(llm, ASK, begun=llm.begin(ASK)) == (VALUE, "clean")
    assert len(model.asked) == 1


@given(st.text(alphabet="{}[]\",:\\ntrue1'`a \ud800", max_size=60))
def test_no_reply_is_any_other_error(text: str) -> None:
    with suppress(Unfit, LlmCut):
        parsed(Reply(text), ASK)


@given(st.integers(0, len(GOOD)))
def test_half_of_a_reply_is_mended_or_refused(n: int) -> None:
    try:
        value, _ = parsed(Reply(GOOD[:n]), ASK)
        assert set(fact.text for fact in value.facts) <= {"Odo sold a boat"[:k] for k in range(16)}
    except Unfit:
        pass
