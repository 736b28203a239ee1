"""What end-to-end tests of systems share: a story as messages, and a memory in real stores."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from clew.memory import Memory
from clew.model import Message
from clew.models.words import WordCounts
from clew.stores.edge import EdgeVectors
from clew.stores.rustworkx import RustworkxAlgorithms
from clew.stores.sqlite import SqliteGraph

START = datetime(2024, 3, 4, 18, tzinfo=UTC)


def told(lines: Sequence[tuple[int, str, str]]) -> list[Message]:
    """Return lines of (day, speaker, text) as messages; each day is a session."""
    return [
        Message(
            f"D{day}:{n}", "story", str(day), n, who, text, START + timedelta(days=day, minutes=n)
        )
        for n, (day, who, text) in enumerate(lines)
    ]


def opened(folder: Path) -> Memory:
    """Open the story's memory in a folder, with word counts as vectors."""
    graph = SqliteGraph(folder, "story")
    vectors = EdgeVectors(folder / "vectors", "story", 256)
    return Memory(graph, vectors, WordCounts(256), RustworkxAlgorithms(graph))
