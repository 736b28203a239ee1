"""OpenAi's requests: what is sent, in which form, and what is remembered of a server."""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from fault_server import FaultServer, Wire, completion, refuses, reply, sends
from pydantic import BaseModel

from clew.errors import LlmRefused
from clew.models.llm import Ask, Usage, chat_tokens
from clew.models.openai import OpenAi
from clew.models.structured import structured

Make = Callable[..., OpenAi]
ASK = Ask("greet", "Be kind.", "Say hello.", max_tokens=64)
GOOD = '{"tools": ["rake"]}'


class Tools(BaseModel):
    """What lies in a shed."""

    tools: list[str]


SHED = Ask("shed", "Look.", "What is there?", Tools)


def takes(*kinds: str) -> Callable[[Wire, Mapping[str, Any]], None]:
    """Answer well if the reply is asked for in one of these forms, else refuse it."""

    def answer(wire: Wire, asked: Mapping[str, Any]) -> None:
        kind = asked.get("response_format", {"type": "none"})["type"]
        good = kind in kinds
        (reply(GOOD) if good else refuses(400, f"response_format {kind}?"))(wire, asked)

    return answer


def test_a_request_holds_what_was_asked_and_set(server: FaultServer, openai_at: Make) -> None:
    server.says("hello")
    got = openai_at(temperature=0.5, seed=7)(ASK)
    assert server.requests == [
        {
            "model": "m",
            "temperature": 0.5,
            "seed": 7,
            "max_tokens": 64,
            "messages": [
                {"role": "system", "content": "Be kind."},
                {"role": "user", "content": "Say hello."},
            ],
        }
    ]
    assert got.usage == Usage(1, 100, 20)
    assert got.finish == "stop"


def test_what_is_null_is_left_to_the_server(server: FaultServer, openai_at: Make) -> None:
    server.says("hello")
    openai_at(temperature=None, seed=None)(Ask("greet", "", "hello"))
    assert server.requests[0].keys() == {"model", "max_tokens", "messages"}
    assert len(server.requests[0]["messages"]) == 1


def test_a_schema_is_sent_as_strict_ones_are(server: FaultServer, openai_at: Make) -> None:
    server.says(takes("json_schema"))
    structured(openai_at(), SHED)
    wanted = server.requests[0]["response_format"]["json_schema"]
    assert (wanted["name"], wanted["strict"]) == ("Tools", True)
    assert wanted["schema"]["additionalProperties"] is False
    assert wanted["schema"]["required"] == ["tools"]
    assert server.requests[0]["messages"][0]["content"] == "Look."


@pytest.mark.parametrize(
    ("kind", "sent"),
    [
        ("json_schema", ["json_schema"]),
        ("json_object", ["json_schema", "json_object"]),
        ("none", ["json_schema", "json_object", "none"]),
    ],
)
def test_the_best_form_that_a_server_takes_is_found_once(
    server: FaultServer,
    openai_at: Make,
    caplog: pytest.LogCaptureFixture,
    kind: str,
    sent: list[str],
) -> None:
    server.says(takes(kind))
    llm = openai_at()
    for n in range(3):
        assert structured(llm, Ask("shed", "", f"What {n}?", Tools))[1] == "clean"
    forms = [each.get("response_format", {"type": "none"})["type"] for each in server.requests]
    assert forms == [*sent, kind, kind]
    told = [record.message for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(told) == (kind != "json_schema")
    if told:
        assert f"llm.format={'json' if kind == 'json_object' else 'none'}" in told[0]
        assert '"tools"' in server.requests[-1]["messages"][0]["content"]


def test_a_form_that_is_set_is_the_only_one(server: FaultServer, openai_at: Make) -> None:
    server.says(takes("none"))
    with pytest.raises(LlmRefused, match=r"response_format json_object\?"):
        openai_at(format="json")(SHED)
    assert structured(openai_at(format="none"), SHED)[1] == "clean"


def test_a_request_refused_in_every_form_tells_the_first_reason(
    server: FaultServer, openai_at: Make
) -> None:
    server.says(refuses(400, "a first reason"), refuses(400, "another"))
    llm = openai_at()
    with pytest.raises(LlmRefused, match="a first reason"):
        llm(SHED)
    assert len(server.requests) == 3
    server.says(*[refuses(400)] * 3, takes("json_schema"))
    assert structured(llm, SHED)[1] == "clean"  # nothing was learnt of it


def test_newer_models_are_told_their_limit_by_its_other_name(
    server: FaultServer, openai_at: Make
) -> None:
    server.says(refuses(400, "Use 'max_completion_tokens' instead of 'max_tokens'"), "hi", "hi")
    llm = openai_at()
    assert llm(ASK).text == llm(ASK).text == "hi"
    limits = [sorted(k for k in each if k.startswith("max")) for each in server.requests]
    assert limits == [["max_tokens"], ["max_completion_tokens"], ["max_completion_tokens"]]


def test_usage_that_is_not_told_is_counted(server: FaultServer, openai_at: Make) -> None:
    server.says(reply("hello there", usage=None))
    expected = Usage(1, chat_tokens([ASK.system, ASK.user]), 2)
    assert openai_at()(ASK).usage == expected


def test_text_in_parts_is_put_together_and_half_letters_are_no_letters(
    server: FaultServer, openai_at: Make
) -> None:
    parts = [{"type": "text", "text": "hel"}, {"type": "text", "text": "lo"}]
    server.says(reply(parts), reply("a\ud800b"), reply(None))
    llm = openai_at()
    assert [llm(ASK).text for _ in range(3)] == ["hello", "a?b", ""]


def test_letters_go_out_as_letters(server: FaultServer, openai_at: Make) -> None:
    server.says("네")
    assert openai_at()(Ask("greet", "", "안녕하세요?")).text == "네"
    assert server.requests[0]["messages"][0]["content"] == "안녕하세요?"


def test_what_was_wrong_is_told_with_the_reply(server: FaultServer, openai_at: Make) -> None:
    server.says('{"tools": [5]}', GOOD)
    assert structured(openai_at(), SHED)[1] == "retried"
    said = server.requests[1]["messages"]
    assert [each["role"] for each in said] == ["system", "user", "assistant", "user"]
    assert said[2]["content"] == '{"tools": [5]}'
    assert "tools.0: Input should be a valid string, got 5" in said[3]["content"]


def test_a_run_again_makes_no_call(server: FaultServer, openai_at: Make, tmp_path: Path) -> None:
    server.says('{"tools": [5]}', GOOD)
    path = str(tmp_path / "llm.db")
    first = openai_at(cache=path)
    value = structured(first, SHED)
    again = openai_at(cache=path, base_url="http://127.0.0.1:9/v1", api_key_env="NO_SUCH_KEY")
    assert structured(again, SHED) == value
    assert again.spent == Usage(cached=2, cached_tokens=240)
    assert len(server.requests) == 2


def test_the_usage_of_a_reply_adds_up_what_was_sent_again(
    server: FaultServer, openai_at: Make
) -> None:
    server.says(refuses(503), takes("json_object"), refuses(503), takes("json_object"))
    assert openai_at()(SHED).usage == Usage(1, 100, 20, retries=2)


def test_a_reply_with_more_in_it_is_read(server: FaultServer, openai_at: Make) -> None:
    server.says(sends(200, completion("hello", system_fingerprint=None, extra={"a": [1]})))
    assert openai_at()(ASK).text == "hello"
