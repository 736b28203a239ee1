"""Cached: what a model answered once is never asked again, by no thread and by no other run.

Two that ask the same at the same time, in threads or in processes, pay for one reply.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Any, Protocol

from clew.models.exclusive import Exclusive
from clew.models.llm import Ask, Model, Reply
from clew.models.recordings import Recorded, Recordings, request_of


class Source(Model, Protocol):
    """A model that tells what its replies depend on."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What replies depend on beside the ask: model, temperature, seed."""


def cached(model: Source, path: str | None) -> Model:
    """Return a model whose replies are kept in a file; with no path they are not."""
    return model if path is None else Cached(model, Recordings(path))


class Cached:
    """Looks asks up before it passes them on; an ask that is on its way is waited for."""

    def __init__(self, model: Source, recordings: Recordings) -> None:
        self._model, self._recordings = model, recordings
        self._shared = Exclusive(recordings.path)
        self._lock = Lock()
        self._under_way: dict[str, tuple[Lock, int]] = {}

    @property
    def name(self) -> str:
        """The name of the model behind the cache."""
        return self._model.name

    def __call__(self, ask: Ask) -> Reply:
        """Return the known reply, or the model's."""
        request = request_of(ask, self._model.settings)
        key = Recorded(ask.prompt, request, "").key
        with self._alone(key):
            if known := self._recordings.find(key):
                return known.again()
            with self._shared([bytes.fromhex(key)]):
                known = self._recordings.find(key)
                return known.again() if known else self._made(ask, key, request)

    def close(self) -> None:
        """Let go of the model and of the file."""
        self._model.close()
        self._recordings.close()
        self._shared.close()

    def _made(self, ask: Ask, key: str, request: Mapping[str, Any]) -> Reply:
        begun = time.perf_counter()
        reply = self._model(ask)
        tokens = reply.usage.prompt_tokens, reply.usage.completion_tokens
        recorded = Recorded(ask.prompt, request, reply.text, reply.finish, *tokens)
        if self._recordings.keep(recorded, time.perf_counter() - begun):
            return reply
        first = self._recordings.find(key)  # where nobody waits, another's reply is what counts
        return Reply(first.reply, reply.usage, first.finish) if first else reply

    @contextmanager
    def _alone(self, key: str) -> Iterator[None]:
        """Let one thread at a time be at work on a request."""
        with self._lock:
            lock, waiting = self._under_way.get(key, (Lock(), 0))
            self._under_way[key] = lock, waiting + 1
        try:
            with lock:
                yield
        finally:
            with self._lock:
                waiting = self._under_way[key][1] - 1
                if waiting:
                    self._under_way[key] = lock, waiting
                else:
                    del self._under_way[key]
