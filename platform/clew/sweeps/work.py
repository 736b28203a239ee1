"""Work: what a run embedded and asked, and what it found done by others, for a sweep to tell."""

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from clew.evaluate.manifest import write_json
from clew.evaluate.summary import Summary
from clew.models.embed import Embedder

FILE = "work.json"


@dataclass(frozen=True, slots=True)
class Work:
    """Texts embedded and those found embedded; model calls made and replies found; of one start.

    Seconds that were saved are what the texts took when they were embedded, on the average.
    """

    texts_embedded: int = 0
    texts_found: int = 0
    embedding_seconds: float = 0.0
    embedding_seconds_saved: float = 0.0
    llm_calls: int = 0
    llm_calls_saved: int = 0
    llm_tokens: int = 0
    llm_tokens_saved: int = 0

    def __add__(self, other: "Work") -> "Work":
        return Work(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def told(self) -> str:
        """Say it in one line."""
        return (
            f"shared work: {self.texts_embedded} texts embedded in {self.embedding_seconds:.1f} s, "
            f"{self.texts_found} found ({self.embedding_seconds_saved:.1f} s saved); "
            f"{self.llm_calls} model calls, {self.llm_calls_saved} replies found "
            f"({self.llm_tokens_saved} tokens saved)"
        )


def note_work(summary: Summary, embedder: Embedder) -> None:
    """Write down what was shared in a run that has just ended."""
    embedding: dict[str, Any] = {
        "texts_embedded": getattr(embedder, "misses", 0),
        "texts_found": getattr(embedder, "found", 0),
        "embedding_seconds": round(getattr(embedder, "seconds", 0.0), 3),
        "embedding_seconds_saved": round(getattr(embedder, "saved", 0.0), 3),
    }
    spent = [summary.content["tokens"][part] for part in ("build", "query")]
    llm = {
        "llm_calls": sum(part["calls"] for part in spent),
        "llm_calls_saved": sum(part["cached"] for part in spent),
        "llm_tokens": sum(part["prompt_tokens"] + part["completion_tokens"] for part in spent),
        "llm_tokens_saved": sum(part["cached_tokens"] for part in spent),
    }
    write_json(summary.folder / FILE, asdict(Work(**embedding, **llm)))


def work_of(folders: Iterable[Path]) -> Work:
    """Return what these runs did together in their last start, as far as they have noted it."""
    total = Work()
    for folder in folders:
        with suppress(OSError, ValueError, TypeError):
            total += Work(**json.loads((folder / FILE).read_text("utf-8")))
    return total
