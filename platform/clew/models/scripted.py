"""Scripted: replies by rule, in process or from a server of its own on loopback, for tests.

It counts tokens as a chat model would, so what a run will cost can be held against it.
"""

import json
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from clew.models.budget import Budget, within
from clew.models.cache import cached
from clew.models.llm import Ask, Model, Reply, Usage, chat_tokens, prompt_tokens
from clew.models.opening import Opened
from clew.models.script import script
from clew.stage import Count, checked
from clew.text import count_tokens

NAME = "scripted"


@checked
class Scripted(Opened):
    """Replies made by rule; with `http`, over HTTP, through the same client as any other."""

    http: bool = False
    concurrency: Count = 4
    cache: str | None = None
    budget: Budget | None = None

    @property
    def name(self) -> str:
        """The name that manifests keep."""
        return NAME

    def open(self) -> Model:
        """Return the model, its server running if it has one."""
        if not self.http:
            return cached(within(Script(), self.budget), self.cache)
        from clew.models.openai.settings import OpenAi

        server = Server()
        try:
            url, cache, budget = server.base_url, self.cache, self.budget
            model = OpenAi(model=NAME, base_url=url, cache=cache, budget=budget).open()
        except BaseException:
            server.close()
            raise
        return Served(model, server)


class Script:
    """Answers by rule."""

    name = NAME
    settings: Mapping[str, Any] = {"model": NAME, "temperature": 0.0, "seed": 0}

    def __call__(self, ask: Ask) -> Reply:
        """Return the reply that the rules make, cut where it is longer than it may be."""
        schema = None if ask.shape is None else ask.shape.model_json_schema()
        return cut(script(ask.user, schema), ask.max_tokens, prompt_tokens(ask))

    def close(self) -> None:
        """Hold nothing open."""


def cut(text: str, most: int, prompt: int) -> Reply:
    """Return a text as a reply of at most so many tokens."""
    tokens = count_tokens(text)
    if tokens <= most:
        return Reply(text, Usage(1, prompt, tokens))
    return Reply(text[: len(text) * most // tokens], Usage(1, prompt, most), "length")


class Served:
    """A model that asks a server, and ends it with itself."""

    def __init__(self, model: Model, server: "Server") -> None:
        self._model, self._server = model, server

    @property
    def name(self) -> str:
        """The name of the model that is asked."""
        return self._model.name

    def __call__(self, ask: Ask) -> Reply:
        """Return the server's reply."""
        return self._model(ask)

    def close(self) -> None:
        """Let go of the model, then of the server."""
        self._model.close()
        self._server.close()


class Server:
    """Speaks OpenAI's protocol on a free port of this machine, and answers by rule."""

    def __init__(self) -> None:
        self._http = _Threads(("127.0.0.1", 0), _Handler)
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(0.05,), daemon=True, name="scripted"
        )
        self._thread.start()
        self._closed = False

    @property
    def base_url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def close(self) -> None:
        """Stop listening; closing twice is closing once."""
        if not self._closed:
            self._closed = True
            self._http.shutdown()
            self._http.server_close()
            self._thread.join()


class _Threads(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        answer = json.dumps(completion(body)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def completion(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the chat completion that answers a request by rule."""
    said = [(each["role"], each["content"]) for each in body["messages"]]
    user = next((text for role, text in said if role == "user"), "")
    tokens = chat_tokens(text for _, text in said)
    reply = cut(script(user, _schema(body)), body.get("max_tokens", 4096), tokens)
    usage = reply.usage
    return {
        "id": NAME,
        "object": "chat.completion",
        "created": 0,
        "model": NAME,
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": reply.text},
                "finish_reason": reply.finish,
            }
        ],
        "usage": {
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "total_tokens": usage.prompt_tokens + usage.completion_tokens,
        },
    }


def _schema(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    wanted = body.get("response_format") or {}
    schema: Mapping[str, Any] | None = wanted.get("json_schema", {}).get("schema")
    return schema
