"""A server on loopback that speaks OpenAI's protocol, and fails as it is told to.

A test gives it the answers to the next requests, in order; the last is given again for ever.
An answer writes to the socket itself, so it can do what no well-behaved server would.
"""

import json
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Wire = BaseHTTPRequestHandler
Answer = Callable[[Wire, Mapping[str, Any]], None]


@dataclass
class FaultServer:
    """Answers requests in turn with `answers`; `requests` are the bodies that came in."""

    answers: Sequence[Answer] = ()
    requests: list[Mapping[str, Any]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._lock, self.over = threading.Lock(), threading.Event()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def says(self, *answers: Answer | str) -> None:
        """Set the answers to the next requests; a text is a good reply."""
        self.answers = [reply(each) if isinstance(each, str) else each for each in answers]

    def take(self, body: Mapping[str, Any], headers: Mapping[str, str]) -> Answer:
        with self._lock:
            self.requests.append(body)
            self.headers.append({name.lower(): value for name, value in headers.items()})
            return self.answers[min(len(self.requests), len(self.answers)) - 1]

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that hung up."""


def _handler(server: FaultServer) -> type[Wire]:
    class Handler(Wire):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            size = int(self.headers.get("Content-Length", 0))
            body = json.loads(self.rfile.read(size))
            self.over = server.over
            server.take(body, dict(self.headers.items()))(self, body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    return Handler


def completion(text: Any, finish: str = "stop", **more: Any) -> dict[str, Any]:
    """Return what a server answers, as data."""
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
        **more,
    }


def sends(status: int, data: Any, **headers: str) -> Answer:
    """Answer with this status and body, whole and at once."""
    body = data if isinstance(data, bytes) else json.dumps(data).encode()

    def answer(wire: Wire, asked: Mapping[str, Any]) -> None:
        wire.send_response_only(status)  # with no date of its own
        wire.send_header("Content-Type", "application/json")
        wire.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            wire.send_header(name.replace("_", "-"), value)
        wire.end_headers()
        wire.wfile.write(body)

    return answer


def reply(text: Any, finish: str = "stop", **more: Any) -> Answer:
    """Answer well."""
    return sends(200, completion(text, finish, **more))


def refuses(status: int, message: str = "no", code: str | None = None, **headers: str) -> Answer:
    """Answer with an error as OpenAI words it."""
    return sends(status, {"error": {"message": message, "code": code, "type": code}}, **headers)


def hangs(wire: Wire, asked: Mapping[str, Any]) -> None:
    """Answer nothing until the server ends."""
    wire.over.wait()  # type: ignore[attr-defined]
    wire.close_connection = True


def resets(wire: Wire, asked: Mapping[str, Any]) -> None:
    """Break the connection off."""
    wire.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    wire.connection.close()
    wire.close_connection = True


def cuts_off(wire: Wire, asked: Mapping[str, Any]) -> None:
    """Promise more of a body than there is."""
    body = json.dumps(completion("never seen whole")).encode()
    wire.send_response(200)
    wire.send_header("Content-Type", "application/json")
    wire.send_header("Content-Length", str(len(body)))
    wire.end_headers()
    wire.wfile.write(body[: len(body) // 2])
    wire.close_connection = True


def drips(head: bool = False) -> Answer:
    """Send a byte now and then, of the body or already of the head, and never end."""

    def answer(wire: Wire, asked: Mapping[str, Any]) -> None:
        wire.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
        wire.wfile.write(b"X-Slow: " if head else b"Content-Length: 100000\r\n\r\n")
        while not wire.over.wait(0.05):  # type: ignore[attr-defined]
            wire.wfile.write(b" ")
        wire.close_connection = True

    return answer


def floods(size: int, head: bool = True) -> Answer:
    """Answer with a well-formed reply of `size` bytes; without a head its length is not told."""

    def answer(wire: Wire, asked: Mapping[str, Any]) -> None:
        length = f"Content-Length: {size}" if head else "Connection: close"
        wire.wfile.write(f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{length}".encode())
        wire.wfile.write(b'\r\n\r\n{"choices": [{"message": {"content": "')
        for _ in range(size // 65536):
            wire.wfile.write(b"a" * 65536)
        wire.close_connection = True

    return answer
