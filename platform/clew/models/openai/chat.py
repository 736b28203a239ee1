"""Chat: an ask becomes a request for a chat completion, in the form that the server takes.

Servers differ in how they are told to answer in JSON and how long at most. The best form is
tried first; one that is refused is given up for the next, and what was taken is remembered.
"""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from threading import Lock
from typing import Any, Literal

import httpx2
import openai
from pydantic import BaseModel

from clew.errors import LlmTooLong, LlmUnusable
from clew.models.llm import Ask, Finish, Reply, Usage, prompt_tokens
from clew.models.openai.endpoint import Endpoint
from clew.models.openai.faults import Fault
from clew.models.openai.settings import Format
from clew.text import count_tokens

log = logging.getLogger(__name__)

FORMATS: tuple[Format, ...] = ("schema", "json", "none")  # the best first
FINISHES: Mapping[object, Finish] = {"length": "length", "content_filter": "filter"}
COMPLETION: Literal["max_completion_tokens"] = "max_completion_tokens"  # of newer models
REFUSED = (400, 422)
IN_WORDS = "Answer with one JSON object that fits this JSON schema, and with nothing else:\n"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a server is told to answer in JSON, and how long at most."""

    format: Format = "auto"
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"


@dataclass(frozen=True, slots=True)
class Taste:
    """How replies are drawn: both null leaves it to the server."""

    temperature: float | None = 0.0
    seed: int | None = 0


class Chat:
    """A model behind an endpoint."""

    def __init__(self, endpoint: Endpoint, taste: Taste, format: Format = "auto") -> None:
        self._endpoint, self._taste, self._format = endpoint, taste, format
        self._dialect = Dialect("schema" if format == "auto" else format)
        self._lock = Lock()

    @property
    def name(self) -> str:
        """The model's name."""
        return self._endpoint.model

    @property
    def settings(self) -> Mapping[str, Any]:
        """What replies depend on beside the ask."""
        taste = self._taste
        return {"model": self.name, "temperature": taste.temperature, "seed": taste.seed}

    def __call__(self, ask: Ask) -> Reply:
        """Return the model's reply, asked in the best form that the server takes."""
        dialect: Dialect | None = self._dialect
        first: Fault | None = None
        retries = 0
        while dialect is not None:
            try:
                data, more = self._endpoint.ask(partial(self._send, ask, dialect), lacks)
            except Fault as fault:
                retries += fault.error.retries
                dialect = self._other(dialect, fault, ask)
                first = first if first and fault.status in REFUSED else fault
            else:
                self._remember(dialect)
                return self._reply(ask, data, retries + more)
        assert first is not None
        first.error.retries = retries
        raise first.error

    def close(self) -> None:
        """Let go of the connections."""
        self._endpoint.close()

    def _other(self, dialect: Dialect, fault: Fault, ask: Ask) -> Dialect | None:
        """Return the form to try after this one was refused, if there is any."""
        if fault.status not in REFUSED or isinstance(fault.error, LlmTooLong):
            return None
        if COMPLETION in fault.reason and dialect.limit != COMPLETION:
            return replace(dialect, limit=COMPLETION)
        if self._format != "auto" or ask.shape is None or dialect.format == FORMATS[-1]:
            return None
        return replace(dialect, format=FORMATS[FORMATS.index(dialect.format) + 1])

    def _remember(self, dialect: Dialect) -> None:
        with self._lock:
            before, self._dialect = self._dialect, dialect
        if before.format != dialect.format:
            log.warning(
                "%s takes no replies in the form of a JSON schema: asking it in the form %r "
                "from now on (llm.format=%s)",
                self._endpoint.address,
                dialect.format,
                dialect.format,
            )

    def _send(
        self, ask: Ask, dialect: Dialect, client: openai.OpenAI, limits: httpx2.Timeout
    ) -> bytes:
        body: dict[str, Any] = {k: v for k, v in self.settings.items() if v is not None}
        body |= {dialect.limit: ask.max_tokens, **_wanted(ask, dialect.format)}
        body["messages"] = _messages(ask, dialect.format)
        raw = client.chat.completions.with_raw_response.create(**body, timeout=limits)
        content: bytes = raw.content
        return content

    def _reply(self, ask: Ask, data: Mapping[str, Any], retries: int) -> Reply:
        choice = data["choices"][0]
        message = choice["message"]
        text = _content(message)
        if not text and message.get("refusal"):
            raise _declined(self, ask, retries)
        usage = data.get("usage") or {}
        counts = (
            _whole(usage.get("prompt_tokens")) or prompt_tokens(ask),
            _whole(usage.get("completion_tokens")) or count_tokens(text),
        )
        finish = FINISHES.get(choice.get("finish_reason"), "stop")
        return Reply(text, Usage(1, *counts, retries=retries), finish)


def _declined(chat: Chat, ask: Ask, retries: int) -> LlmUnusable:
    error = LlmUnusable(f"{chat.name} declined to answer {ask.prompt}")
    error.retries = retries
    return error


def lacks(data: Mapping[str, Any]) -> str:
    """Say what a chat completion lacks to be one, or ""."""
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices:
        return "no choices"
    message = choices[0].get("message") if isinstance(choices[0], dict) else None
    if not isinstance(message, dict):
        return "a choice without a message"
    if not isinstance(message.get("content"), str | list | None):
        return "a message that is no text"
    return ""


def _content(message: Mapping[str, Any]) -> str:
    """Return the text of a message, which some servers send in parts."""
    content = message.get("content") or ""
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content).encode("utf-8", "replace").decode()  # no halves of characters


def _whole(value: object) -> int:
    return value if type(value) is int and value >= 0 else 0


def _messages(ask: Ask, format: Format) -> Any:
    """Return the conversation; a form without a schema has it in words."""
    system = ask.system
    if ask.shape is not None and format != "schema":
        schema = json.dumps(ask.shape.model_json_schema(), ensure_ascii=False, sort_keys=True)
        system = f"{system}\n\n{IN_WORDS}{schema}".strip()
    said = [("system", system), ("user", ask.user), *((t.role, t.text) for t in ask.turns)]
    return [{"role": role, "content": text} for role, text in said if text]


def _wanted(ask: Ask, format: Format) -> Mapping[str, Any]:
    if ask.shape is None or format == "none":
        return {}
    if format == "json":
        return {"response_format": {"type": "json_object"}}
    return {"response_format": {"type": "json_schema", "json_schema": _schema(ask.shape)}}


@cache
def _schema(shape: type[BaseModel]) -> Mapping[str, Any]:
    """Return a shape as the strict schema that OpenAI asks for."""
    strict = openai.pydantic_function_tool(shape)["function"]
    return {"name": shape.__name__, "strict": True, "schema": strict["parameters"]}
