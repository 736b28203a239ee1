"""A bounded client: a reply is refused when it comes too slowly as a whole, or grows too large.

A client's own timeouts are of single reads, which a server that sends a byte now and then
never runs into.
"""

import time
from collections.abc import Iterator
from typing import Any

import httpx2

from clew.models.openai.faults import TooBig


class Bounded(httpx2.Client):
    """Takes the read timeout of a request as that of its whole reply as well."""

    def __init__(self, largest: int, trust_env: bool) -> None:
        super().__init__(
            headers={"Accept-Encoding": "identity"},
            limits=httpx2.Limits(max_connections=None),
            trust_env=trust_env,
        )
        self._largest = largest

    def send(self, request: httpx2.Request, *, stream: bool = False, **how: Any) -> httpx2.Response:
        """Return a reply whose body is read within bounds."""
        seconds = request.extensions.get("timeout", {}).get("read")
        deadline = None if seconds is None else time.monotonic() + seconds
        response = super().send(request, stream=True, **how)
        assert isinstance(response.stream, httpx2.SyncByteStream)
        response.stream = _Stream(response.stream, deadline, self._largest)
        if not stream:
            try:
                response.read()
            finally:
                response.close()
        return response


class _Stream(httpx2.SyncByteStream):
    def __init__(self, stream: httpx2.SyncByteStream, deadline: float | None, largest: int) -> None:
        self._stream, self._deadline, self._left = stream, deadline, largest

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            self._left -= len(chunk)
            if self._left < 0:
                raise TooBig("a reply is larger than it may be")
            if self._deadline is not None and time.monotonic() > self._deadline:
                raise httpx2.ReadTimeout("a reply is too slow as a whole")
            yield chunk

    def close(self) -> None:
        self._stream.close()
