"""What end-to-end tests of systems share: a story as messages, and a memory in real stores."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from clew.memory import Memory
from clew.model import Message
from clew.models.llm import Llm
from clew.models.words import WordCounts
from clew.stores.edge import EdgeVectors
from clew.stores.rustworkx import RustworkxAlgorithms
from clew.stores.sqlite import SqliteGraph
from clew.systems.base import MemorySystem

START = datetime(2024, 3, 4, 18, tzinfo=UTC)


def told(lines: Sequence[tuple[int, str, str]]) -> list[Message]:
    """Return lines of (day, speaker, text) as messages; each day is a session."""
    return [
        Message(
            f"D{day}:{n}", "story", str(day), n, who, text, START + timedelta(days=day, minutes=n)
        )
        for n, (day, who, text) in enumerate(lines)
    ]


def opened(folder: Path, llm: Llm | None = None) -> Memory:
    """Open the story's memory in a folder, with word counts as vectors."""
    graph = SqliteGraph(folder, "story")
    vectors = EdgeVectors(folder / "vectors", "story", 256)
    return Memory(graph, vectors, WordCounts(256), RustworkxAlgorithms(graph), llm)


def kept(memory: Memory) -> tuple[object, ...]:
    """Return all that a memory keeps of what it was told and what was decided."""
    return list(memory.graph.units()), memory.graph.lines(), memory.vectors.stamps()


def killed(system: MemorySystem, messages: Sequence[Message], at: int, memory: Memory) -> None:
    """Tell a system messages, kill it after so many, and let it go on with what is left."""

    def first() -> Iterator[Message]:
        yield from messages[:at]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        system.remember(first(), memory)
    known = memory.graph.processed()
    system.remember((m for m in messages if m.id not in known), memory)
