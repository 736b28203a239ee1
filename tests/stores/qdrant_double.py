"""Qdrant's REST interface over HTTP, with the client's own local mode behind it.

What is sent and read is real: addresses, headers, JSON, status codes, sockets. The engine is
a double, which answers as a server does but scans every point.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from qdrant_client import QdrantClient, models

Fault = tuple[int, str, dict[str, str]] | float | None  # a refusal, seconds of silence, a hang-up
COLLECTION = "/collections/clew"


class Double(ThreadingHTTPServer):
    """A server on a free port of this machine, whose next answers can be faults."""

    daemon_threads = True

    def __init__(self, version: str = "1.20.0", key: str = "") -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.version, self.key = version, key
        self.faults: list[Fault] = []
        self.asked: list[tuple[str, dict[str, str], Any]] = []
        self.paths: list[str] = []
        self.engine, self.mutex = QdrantClient(":memory:"), threading.Lock()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.server_port}"

    def bodies(self, route: str) -> list[Any]:
        """Return what was sent to a route, in order."""
        return [body for asked, _, body in self.asked if asked == route]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keep quiet about clients that hung up."""


@contextmanager
def serving(version: str = "1.20.0", key: str = "") -> Iterator[Double]:
    """Run a double for a while."""
    double = Double(version, key)
    thread = threading.Thread(target=double.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield double
    finally:
        double.shutdown()
        double.server_close()
        thread.join()
        double.engine.close()


class Handler(BaseHTTPRequestHandler):
    """One request: checked, perhaps spoilt, else answered by the engine."""

    server: Double

    def do_GET(self) -> None:
        self._answer({})

    def do_PUT(self) -> None:
        self._answer(self._body())

    do_POST = do_PUT

    def _body(self) -> Any:
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

    def _answer(self, body: Any) -> None:
        path = self.path.partition("?")[0]
        route = f"{self.command} {path}"
        self.server.paths.append(f"{self.command} {self.path}")
        self.server.asked.append((route, dict(self.headers), body))
        if self.server.faults:
            self._spoil(self.server.faults.pop(0))
        elif self.server.key and self.headers.get("api-key") != self.server.key:
            self._send(401, b"Must provide an API key or an Authorization bearer token")
        elif route == "GET /":
            self._send(200, {"title": "qdrant", "version": self.server.version})
        else:
            self._engine(route, body)

    def _engine(self, route: str, body: Any) -> None:
        name = COLLECTION.rpartition("/")[2]
        method = route.replace(COLLECTION, "")
        try:
            with self.server.mutex:
                result = ROUTES[method](self.server.engine, name, body)
        except ValueError as error:
            missing = "not found" in str(error)
            self._send(404 if missing else 400, {"status": {"error": str(error)}})
            return
        self._send(200, {"status": "ok", "time": 0.0, "result": result})

    def _spoil(self, fault: Fault) -> None:
        if isinstance(fault, float):
            time.sleep(fault)
        if not isinstance(fault, tuple):
            self.close_connection = True  # without a word
            return
        status, text, headers = fault
        self._send(status, {"status": {"error": text}}, headers)

    def _send(self, status: int, content: Any, headers: dict[str, str] | None = None) -> None:
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet."""


def _plain(value: Any) -> Any:
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else value


def _create(engine: QdrantClient, name: str, body: Any) -> bool:
    dense = {view: models.VectorParams(**each) for view, each in body["vectors"].items()}
    sparse = {view: models.SparseVectorParams(**e) for view, e in body["sparse_vectors"].items()}
    return engine.create_collection(name, dense, sparse_vectors_config=sparse)


def _put(engine: QdrantClient, name: str, body: Any) -> Any:
    points = [models.PointStruct(**point) for point in body["points"]]
    return _plain(engine.upsert(name, points))


def _delete(engine: QdrantClient, name: str, body: Any) -> Any:
    chosen = models.PointIdsList if "points" in body else models.FilterSelector
    return _plain(engine.delete(name, chosen(**body)))


def _end(engine: QdrantClient, name: str, body: Any) -> Any:
    chosen = models.Filter(**body["filter"])
    return _plain(engine.set_payload(name, body["payload"], points=chosen))


def _query(engine: QdrantClient, name: str, body: Any) -> Any:
    asked = models.QueryRequestBatch(**body).searches
    return [_plain(found) for found in engine.query_batch_points(name, asked)]


def _get(engine: QdrantClient, name: str, body: Any) -> Any:
    asked = models.PointRequest(**body)
    found = engine.retrieve(name, asked.ids, False, asked.with_vector or False)
    return [_plain(record) for record in found]


def _scroll(engine: QdrantClient, name: str, body: Any) -> Any:
    asked = models.ScrollRequest(**body)
    kept: Any = asked.with_payload
    found, after = engine.scroll(
        name, asked.filter, limit=asked.limit or 10, offset=asked.offset, with_payload=kept
    )
    return {"points": [_plain(record) for record in found], "next_page_offset": after}


def _facet(engine: QdrantClient, name: str, body: Any) -> Any:
    asked = models.FacetRequest(**body)
    return _plain(engine.facet(name, asked.key, asked.filter, limit=asked.limit or 10))


ROUTES: dict[str, Callable[[QdrantClient, str, Any], Any]] = {
    "GET /exists": lambda engine, name, _: {"exists": engine.collection_exists(name)},
    "GET ": lambda engine, name, _: _plain(engine.get_collection(name)),
    "PUT ": _create,
    "PUT /index": lambda *_: {"operation_id": 0, "status": "completed"},
    "PUT /points": _put,
    "POST /points": _get,
    "POST /points/delete": _delete,
    "POST /points/payload": _end,
    "POST /points/scroll": _scroll,
    "POST /points/query/batch": _query,
    "POST /facet": _facet,
}
