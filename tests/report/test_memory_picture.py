"""The picture of a memory: its threads, its states, and what was found in it."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tiny_run import START

from clew.model import Edge, Entity, Evidence, Graph, Scored, Unit
from clew.report.figures.memory import THREADS, draw_memory
from clew.stores.sqlite import SqliteGraph


def unit(n: int, *entities: str, days: int | None = 0) -> Unit:
    at = None if days is None else START + timedelta(days=days)
    evidence = (Evidence(f"D1:{n}", 0, 1),)
    return Unit(
        f"u{n}", "c", f"said {n}", at, "D1", n, "Ana", evidence, entities=frozenset(entities)
    )


UNITS = [unit(0, "e0"), unit(1, "e0", "e1", days=9), unit(2), unit(3, "e1", days=None)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteGraph]:
    graph = SqliteGraph(tmp_path, "c")
    graph.put_entities([Entity("e0", "Odo"), Entity("e1", "Graz")])
    graph.put(UNITS)
    graph.link([Edge("u0", "u1", "SUPERSEDES")])
    yield graph
    graph.close()


def texts(svg: str) -> list[str]:
    return [text.strip() for text in ElementTree.fromstring(svg).itertext() if text.strip()]


def test_whom_and_what_a_conversation_mentions_most_has_a_thread(store: SqliteGraph) -> None:
    told = texts(draw_memory(store))
    assert {"Odo", "Graz", "none of these"} <= set(told)
    assert {"15 May 2024", "24 May 2024", "undated"} <= set(told)
    assert "terminal" not in told


def test_what_was_found_is_told_apart_by_its_role_and_has_its_rank(store: SqliteGraph) -> None:
    found = Graph((Scored(UNITS[1], 0.9), Scored(UNITS[3], 0.5, role="bridge")))
    told = texts(draw_memory(store, found))
    assert {"terminal", "bridge", "1", "2"} <= set(told)
    assert "neighbour" not in told


def test_the_same_memory_is_the_same_picture(store: SqliteGraph) -> None:
    assert draw_memory(store) == draw_memory(store)


def test_only_so_many_have_threads_and_an_empty_memory_has_none(tmp_path: Path) -> None:
    graph = SqliteGraph(tmp_path, "c")
    assert "none of these" in texts(draw_memory(graph))
    names = [f"e{n}" for n in range(THREADS + 2)]
    graph.put_entities([Entity(name, f"Name {name}") for name in names])
    graph.put([unit(n, name) for n, name in enumerate(names)])
    told = texts(draw_memory(graph))
    assert sum(text.startswith("Name ") for text in told) == THREADS
    graph.close()
