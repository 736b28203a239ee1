"""OpenAi against a server that fails in every way: bounded in time, told rightly, counted."""

import logging
import time
from collections.abc import Callable
from email.utils import formatdate

import pytest
from fault_server import (
    Answer,
    FaultServer,
    completion,
    cuts_off,
    drips,
    floods,
    hangs,
    refuses,
    reply,
    resets,
    sends,
)
from pydantic import BaseModel

from clew.errors import (
    ConfigError,
    LlmCut,
    LlmError,
    LlmRefused,
    LlmTooLong,
    LlmUnavailable,
    LlmUnusable,
)
from clew.models.llm import Ask, Usage
from clew.models.openai import OpenAi
from clew.models.structured import structured
from clew.trace import recording

Make = Callable[..., OpenAi]
ASK = Ask("greet", "Be kind.", "Say hello.")


class Tools(BaseModel):
    """What lies in a shed."""

    tools: list[str]


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(refuses(429, Retry_After="0.1"), id="429"),
        pytest.param(refuses(500), id="500"),
        pytest.param(refuses(503), id="503"),
        pytest.param(resets, id="reset"),
        pytest.param(cuts_off, id="cut-off"),
        pytest.param(drips(), id="drip"),
        pytest.param(sends(200, b'{"choices": [{"mess'), id="half-json"),
        pytest.param(sends(200, {"choices": []}), id="no-choices"),
        pytest.param(sends(200, {"choices": [{"message": {"content": 5}}]}), id="wrong-type"),
        pytest.param(sends(200, {"choices": ["hello"]}), id="odd-choice"),
        pytest.param(sends(200, ["hello"]), id="list"),
        pytest.param(sends(200, {"error": {"message": "upstream is gone"}}), id="error"),
        pytest.param(sends(200, b"[" * 100_000), id="deep"),
    ],
)
def test_what_passes_is_sent_again_once_and_counted(
    server: FaultServer, openai_at: Make, fault: Answer
) -> None:
    server.says(fault, "hello")
    with recording() as trace:
        assert openai_at(timeout=2)(ASK).text == "hello"
    assert len(server.requests) == 2
    assert dict(trace.counts) == {
        "llm.calls": 1,
        "llm.prompt_tokens": 100,
        "llm.completion_tokens": 20,
        "llm.retries": 1,
    }
    assert trace.seconds["llm"] > 0.09


@pytest.mark.parametrize(
    ("fault", "kind", "told"),
    [
        (hangs, LlmUnavailable, r"did not answer in 0\.\d+ s.* raise llm\.timeout"),
        (drips(), LlmUnavailable, r"did not answer in"),
        (drips(head=True), LlmUnavailable, r"did not answer in"),
        (resets, LlmUnavailable, r"cannot be reached .*llm\.base_url"),
        (cuts_off, LlmUnavailable, r"cannot be reached .*llm\.base_url"),
        (refuses(503, "overloaded"), LlmUnavailable, r"503, overloaded.*raise llm\.patience"),
        (refuses(429, "slow down"), LlmUnavailable, r"429, slow down.*again"),
        (refuses(429, Retry_After="60"), LlmUnavailable, r"wait 60 s, more than llm\.patience"),
        (sends(200, b"<html>"), LlmUnusable, r"is no reply .*llm\.base_url"),
        (floods(10_000_000), LlmUnusable, r"larger than 2000000 bytes.*llm\.largest_reply"),
        (floods(10_000_000, head=False), LlmUnusable, r"larger than 2000000 bytes"),
    ],
    ids="hang drip drip-head reset cut-off 503 429 429-long html flood flood-unknown".split(),
)
def test_what_lasts_is_given_up_in_time_and_told(
    server: FaultServer, openai_at: Make, fault: Answer, kind: type[LlmError], told: str
) -> None:
    server.says(fault)
    begun = time.monotonic()
    with recording() as trace, pytest.raises(kind, match=told) as caught:
        openai_at(timeout=0.6, patience=1.5)(ASK)
    assert time.monotonic() - begun < 15
    assert "\n" not in str(caught.value)
    assert trace.counts["llm.failed"] == 1
    assert trace.counts["llm.calls"] == 0
    assert trace.counts["llm.retries"] == len(server.requests) - 1


@pytest.mark.parametrize(
    ("fault", "kind", "told"),
    [
        (refuses(401, "bad key"), LlmRefused, r"asks for a key .*llm\.api_key_env"),
        (refuses(404, "The model m does not exist"), LlmRefused, r"set llm\.model="),
        (sends(404, b"<html>nothing here"), LlmRefused, r"another protocol.*llm\.base_url"),
        (refuses(402, "pay"), LlmRefused, r"used up"),
        (refuses(429, "no", "insufficient_quota"), LlmRefused, r"used up .*llm\.api_key_env"),
        (refuses(400, "the maximum context length is 9", "x"), LlmTooLong, r"too long for m"),
        (refuses(400, "no", "context_length_exceeded"), LlmTooLong, r"ask about less"),
        (refuses(413, "huge"), LlmTooLong, r"too long"),
        (refuses(400, "temperature must be 1"), LlmRefused, r"temperature must be 1"),
        (sends(301, {}, Location="http://127.0.0.1:9/"), LlmRefused, r"llm\.base_url"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_never_passes_is_sent_once_and_names_the_setting(
    server: FaultServer, openai_at: Make, fault: Answer, kind: type[LlmError], told: str
) -> None:
    server.says(fault)
    with pytest.raises(kind, match=told):
        openai_at()(ASK)
    assert len(server.requests) == 1


def test_retry_after_is_waited_for_also_as_a_date(server: FaultServer, openai_at: Make) -> None:
    now = time.time()
    date = {"Date": formatdate(now - 9000, usegmt=True)}  # a clock that is slow
    soon = formatdate(now - 9000 + 1, usegmt=True)
    server.says(refuses(429, Retry_After=soon, **date), "hello")
    begun = time.monotonic()
    assert openai_at()(ASK).text == "hello"
    assert time.monotonic() - begun > 0.9


def test_a_server_that_was_never_there_is_not_waited_for(openai_at: Make) -> None:
    begun = time.monotonic()
    with pytest.raises(LlmUnavailable, match=r"cannot be reached.*llm\.base_url"):
        openai_at(base_url="http://127.0.0.1:9/v1", patience=60)(ASK)
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("url", ["", "localhost:8080", "ftp://x", "http://"])
def test_an_address_that_is_none_is_told_before_anything_is_sent(openai_at: Make, url: str) -> None:
    with pytest.raises(ConfigError, match=r"base_url"):
        openai_at(base_url=url).check()


@pytest.mark.parametrize(
    "url",
    ["http://me:word@127.0.0.1/v1", "https://lamp.example/v1?api-key=word", "https://[::1/v1"],
)
def test_an_address_with_a_secret_in_it_is_refused_and_not_told(openai_at: Make, url: str) -> None:
    with pytest.raises(ConfigError, match=r"llm\.base_url: ") as refused:
        openai_at(base_url=url).check()
    assert "word" not in str(refused.value)


def test_a_key_goes_in_clear_to_this_machine_only_unless_that_is_allowed(
    openai_at: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAMP_KEY", "k-77")
    with pytest.raises(ConfigError, match=r"key in LAMP_KEY for all to read.*llm\.key_in_clear"):
        openai_at(api_key_env="LAMP_KEY", base_url="http://lamp.example/v1").check()
    openai_at(api_key_env="LAMP_KEY", base_url="http://lamp.example/v1", key_in_clear=True).check()
    for url in ("http://localhost:8080/v1", "https://lamp.example/v1"):
        openai_at(api_key_env="LAMP_KEY", base_url=url).check()
    monkeypatch.delenv("LAMP_KEY")
    openai_at(base_url="http://lamp.example/v1").check()


@pytest.mark.parametrize(
    ("first", "how"),
    [
        ('{"tools": ["rake"]}', "clean"),
        ('Here you are:\n```json\n{"tools": ["rake"]}\n```\nAnything else?', "clean"),
        ('{"tools": ["rake"', "repaired"),
        ('["rake"]', "repaired"),
        ("There is a rake.", "retried"),
        ("", "retried"),
        ('{"tools": [null]}', "retried"),
        ('{"tools": "rake"}', "retried"),
        ('{"things": ["rake"]}', "retried"),
    ],
)
def test_replies_that_are_no_proper_json_are_repaired_or_asked_for_again(
    server: FaultServer, openai_at: Make, first: str, how: str
) -> None:
    server.says(first, '{"tools": ["rake"]}')
    ask = Ask("shed", "", "What is there?", Tools)
    with recording() as trace:
        assert structured(openai_at(), ask) == (Tools(tools=["rake"]), how)
    assert trace.counts["llm.asked_again"] == (how == "retried") == len(server.requests) - 1
    assert trace.counts["llm.repaired"] == (how == "repaired")


def test_a_reply_cut_off_at_its_limit_is_told_apart(server: FaultServer, openai_at: Make) -> None:
    server.says(reply('{"tools": ["rake", "sho', "length"))
    with pytest.raises(LlmCut, match="cut off at 16 tokens"):
        structured(openai_at(), Ask("shed", "", "What?", Tools, max_tokens=16))
    assert len(server.requests) == 1


def test_a_content_filter_or_a_refusal_is_no_reply(server: FaultServer, openai_at: Make) -> None:
    declined = completion(None)
    declined["choices"][0]["message"]["refusal"] = "I will not."
    server.says(sends(200, declined), reply("", "content_filter"))
    llm = openai_at()
    with pytest.raises(LlmUnusable, match="declined"):
        llm(ASK)
    assert llm(ASK).finish == "filter"


def test_the_key_stands_nowhere_but_in_the_header(
    server: FaultServer,
    openai_at: Make,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    key = "k-77-very-secret"
    monkeypatch.setenv("LAMP_KEY", key)
    caplog.set_level(logging.DEBUG)
    server.says("hello", refuses(401, f"Wrong key {key} or sk-abc123***"))
    llm = openai_at(api_key_env="LAMP_KEY")
    llm(ASK)
    assert server.headers[0]["authorization"] == f"Bearer {key}"
    with pytest.raises(LlmRefused, match=r"the key in the variable LAMP_KEY \(status 401") as error:
        llm(ASK)
    told = f"{error.value!r} {error.value.__context__!r} {llm!r} {vars(llm)} {caplog.text}"
    assert key not in told
    assert "abc123" not in told


@pytest.mark.parametrize("key", [None, "", "two words", "clé"])
def test_a_key_that_is_missing_or_none_names_its_variable(
    openai_at: Make, monkeypatch: pytest.MonkeyPatch, key: str | None
) -> None:
    monkeypatch.delenv("LAMP_KEY", raising=False)
    if key is not None:
        monkeypatch.setenv("LAMP_KEY", key)
    llm = openai_at(api_key_env="LAMP_KEY", base_url="https://lamp.example/v1")
    for ask in (llm.check, lambda: llm(ASK)):
        with pytest.raises(ConfigError, match=r"llm\.api_key_env: .*LAMP_KEY"):
            ask()


def test_a_server_here_needs_no_key(server: FaultServer, openai_at: Make) -> None:
    server.says("hello")
    assert openai_at(api_key_env="NO_SUCH_KEY_ANYWHERE")(ASK).text == "hello"


def test_closing_ends_what_waits_to_be_sent_again(server: FaultServer, openai_at: Make) -> None:
    server.says(refuses(503))
    llm = openai_at(patience=60)
    pending = llm.begin(ASK)
    while not server.requests:
        time.sleep(0.01)
    begun = time.monotonic()
    llm.close()
    with pytest.raises(LlmUnavailable):
        pending.result()
    assert time.monotonic() - begun < 30
    with pytest.raises(LlmUnavailable, match="closed"):
        llm.begin(ASK)


def test_a_hanging_server_holds_up_no_other_ask(server: FaultServer, openai_at: Make) -> None:
    server.says(hangs, "hello")
    llm = openai_at(timeout=30, patience=30)
    stuck = llm.begin(ASK)
    while not server.requests:
        time.sleep(0.01)
    begun = time.monotonic()
    assert [each.text for each in llm.many([ASK, ASK])] == ["hello", "hello"]
    llm.close()
    assert time.monotonic() - begun < 15
    assert llm.spent == Usage(2, 200, 40)
    stuck.cancel()
