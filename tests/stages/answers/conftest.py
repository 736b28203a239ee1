"""Tell a memory a few turns and ask it one question, through the real stages."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from clew.memory import Memory
from clew.model import Add, Answer, Graph, Message, Query
from clew.stages.answer import Extractive
from clew.stages.extract import RuleBased
from clew.stages.pack import InTime
from clew.stages.recall import Hybrid
from clew.when import parse_instant

Tell = Callable[..., None]
Ask = Callable[..., Answer]


@pytest.fixture
def tell(memory: Memory) -> Tell:
    """Store turns given as (time, speaker, text), each its own session."""

    def store(*turns: tuple[str, str, str]) -> None:
        start = len(memory.graph.messages())
        messages = [
            Message(f"D{start + n}", "talk", when[:10], start + n, who, text, parse_instant(when))
            for n, (when, who, text) in enumerate(turns)
        ]
        memory.graph.put_messages(messages)
        for unit in RuleBased()(tuple(messages), memory):
            memory.apply(Add(unit))

    return store


@pytest.fixture
def ask(memory: Memory) -> Ask:
    """Answer a question by recall, packing and the extractive reader."""

    def answer(question: str, asked_at: datetime | None = None) -> Answer:
        query = Query(question, asked_at or datetime(2025, 1, 1, tzinfo=UTC), "talk")
        graph = Graph(Hybrid()(query, memory))
        return Extractive()(query, graph, InTime(tokens=2000)(graph, memory), memory)

    return answer
