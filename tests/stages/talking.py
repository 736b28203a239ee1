"""Models that say what a test tells them, behind the real threads and the real counting."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from clew.memory import Memory
from clew.models.asking import Asking
from clew.models.llm import Ask, Reply, Usage
from clew.models.words import WordCounts
from clew.stores.edge import EdgeVectors
from clew.stores.rustworkx import RustworkxAlgorithms
from clew.stores.sqlite import SqliteGraph

Says = Callable[[Ask], Any]


class Model:
    """Answers with what `says` returns: data, a text, a Reply, or an error to raise."""

    name = "told"

    def __init__(self, says: Says, pause: Callable[[Ask], float] = lambda ask: 0.0) -> None:
        self.says, self.pause = says, pause
        self.asked: list[Ask] = []
        self.now = self.most = 0
        self._lock = threading.Lock()

    def __call__(self, ask: Ask) -> Reply:
        with self._lock:
            self.asked.append(ask)
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(self.pause(ask))
        with self._lock:
            self.now -= 1
        said = self.says(ask)
        if isinstance(said, Exception):
            raise said
        if isinstance(said, Reply):
            return said
        text = said if isinstance(said, str) else json.dumps(said)
        return Reply(text, Usage(1, 100, 20))

    def close(self) -> None:
        """Hold nothing open."""


def llm(says: Says, concurrency: int = 1, **more: Any) -> tuple[Asking, Model]:
    model = Model(says, **more)
    return Asking(model, concurrency), model


def note(sentence: str, *sources: str, **more: Any) -> dict[str, Any]:
    return {"sentence": sentence, "sources": list(sources), **more}


class Once:
    """Says one thing after the other, the last for ever."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)

    def __call__(self, ask: Ask) -> Any:
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


def opened(folder: Path, says: Says, concurrency: int = 1, **more: Any) -> tuple[Memory, Model]:
    """Open the memory of "talk" in a folder, with a model that says what it is told."""
    asking, model = llm(says, concurrency, **more)
    graph = SqliteGraph(folder, "talk")
    vectors = EdgeVectors(folder / "vectors", "talk", 64)
    return Memory(graph, vectors, WordCounts(64), RustworkxAlgorithms(graph), asking), model
