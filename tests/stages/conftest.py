"""A memory of real parts, small enough to judge by eye: SQLite, Qdrant Edge, word counts."""

import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from clew.memory import Memory
from clew.model import Add, Evidence, Message, Unit
from clew.models.words import WordCounts
from clew.stores.edge import EdgeVectors
from clew.stores.rustworkx import RustworkxAlgorithms
from clew.stores.sqlite import SqliteGraph
from clew.text import keywords

sys.path.insert(0, str(Path(__file__).parent))  # for agglomerated, layered and talking
T = datetime(2025, 11, 15, 14, tzinfo=UTC)
MakeUnit = Callable[..., Unit]
MakeMessage = Callable[..., Message]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """An empty memory of the conversation "talk"."""
    graph = SqliteGraph(tmp_path, "talk")
    vectors = EdgeVectors(tmp_path / "vectors", "talk", 256)
    memory = Memory(graph, vectors, WordCounts(256), RustworkxAlgorithms(graph))
    yield memory
    memory.close()


@pytest.fixture
def message() -> MakeMessage:
    """Make messages of one session, a minute apart."""

    def make(position: int, text: str, speaker: str = "Alice", hours: float = 0) -> Message:
        at = T + timedelta(minutes=position, hours=hours)
        return Message(f"D1:{position}", "talk", "1", position, speaker, text, at)

    return make


@pytest.fixture
def unit() -> MakeUnit:
    """Make units at `hours` after the start; its words are its keywords."""

    def make(
        position: int, text: str, hours: float = 0, speaker: str = "Alice", **more: object
    ) -> Unit:
        given: dict[str, object] = {
            "said_at": T + timedelta(hours=hours),
            "keywords": keywords(text),
            "session": f"{int(hours // 24)}",
            "evidence": (Evidence(f"D1:{position}"),),
            **more,
        }
        return Unit(
            id=f"D1:{position}.00",
            conversation="talk",
            text=text,
            position=position,
            speaker=speaker,
            **given,  # type: ignore[arg-type]
        )

    return make


@pytest.fixture
def told(memory: Memory, unit: MakeUnit) -> Callable[..., list[Unit]]:
    """Store units given as (text, hours, entities) and return them."""

    def tell(*stories: tuple[str, float, set[str]]) -> list[Unit]:
        units = [
            unit(n, text, hours, entities=frozenset(entities))
            for n, (text, hours, entities) in enumerate(stories, 1)
        ]
        for made in units:
            memory.apply(Add(made))
        return units

    return tell


@pytest.fixture
def talk(tmp_path: Path, message: MakeMessage) -> Any:
    """Open memories with a model that says one reply after the other, or what `says` returns."""
    from agglomerated import Talk
    from talking import Once, Says

    made: list[Talk] = []

    def make(*replies: Any, says: Says | None = None, **more: Any) -> Talk:
        folder = tmp_path / str(len(made))
        made.append(Talk(folder, message, says or Once(*replies), **more))
        return made[-1]

    yield make
    for each in made:
        each.close()
