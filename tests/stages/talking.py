"""Models that say what a test tells them, behind the real threads and the real counting."""

import json
import threading
import time
from collections.abc import Callable
from typing import Any

from clew.models.asking import Asking
from clew.models.llm import Ask, Reply, Usage

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
