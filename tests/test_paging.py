"""Paging: a limit is kept, what leaves comes back, and answers are the same."""

import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from clew import paging as paging_module
from clew.build import build, made
from clew.composing import composed
from clew.errors import ConfigError
from clew.memory import Memory
from clew.model import Add, Conversation, Evidence, Message, Unit
from clew.paging import KEPT, Paging, size
from clew.systems.base import answer

AT = datetime(2025, 3, 1, tzinfo=UTC)


def unit(number: int, text: str = "Ana likes tea") -> Unit:
    return Unit(
        id=f"D1:{number}.00",
        conversation="talk",
        text=f"{text} {number}",
        said_at=AT,
        session="D1",
        position=number,
        speaker="Ana",
        evidence=(Evidence(f"D1:{number}"),),
        context=f"{text} {number}\nand more",
        keywords=frozenset({f"tea{number}", "Ana"}),
        entities=frozenset({f"ana{number}"}),
    )


def filled(paging: Paging, n: int) -> Any:
    cache = paging.units()
    for number in range(n):
        cache[unit(number).id] = unit(number)
    return cache


def test_without_a_limit_the_latest_units_stay() -> None:
    cache: Any = Paging().units()
    assert cache.maxsize == KEPT
    cache.update({str(n): unit(0) for n in range(KEPT + 1)})
    assert len(cache) == KEPT and "0" not in cache and str(KEPT) in cache


def test_what_was_used_least_recently_leaves_first_with_lru() -> None:
    cache = filled(Paging(limit="16MB", evict="lru"), 3)  # type: ignore[arg-type]
    cache[unit(0).id]
    number = 3
    while unit(1).id in cache:
        cache[unit(number).id] = unit(number)
        number += 1
    assert unit(0).id in cache and unit(2).id in cache


def test_what_was_used_least_often_leaves_first_with_lfu() -> None:
    cache = filled(Paging(limit="16MB", evict="lfu"), 3)  # type: ignore[arg-type]
    for _ in range(3):
        cache[unit(0).id]
    for number in range(3, 3_000):
        cache[unit(number).id] = unit(number)
    assert unit(0).id in cache and unit(1).id not in cache


@pytest.mark.parametrize("evict", ["lru", "lfu"])
def test_units_take_about_a_tenth_of_the_limit_in_process(evict: Any) -> None:
    tracemalloc.start()
    try:
        cache = filled(Paging(limit="16MB", evict=evict), 3_000)  # type: ignore[arg-type]
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 100 < len(cache) < 3_000
    assert 800_000 < taken < 2_100_000


def test_a_unit_larger_than_its_share_is_held_alone() -> None:
    cache = filled(Paging(limit="16MB"), 3)  # type: ignore[arg-type]
    huge = unit(7, "x" * 5_000_000)
    assert size(huge) > 2_000_000
    cache[huge.id] = huge
    assert dict(cache) == {huge.id: huge}


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("limit=1MB", "store.paging.limit: Input should be 16MB or more, got '1MB'"),
        ("limit=15999999", "store.paging.limit: Input should be 16MB or more, got 15999999"),
        ("limit=plenty", "store.paging.limit: could not parse value and unit"),
        ("limit=-1", "store.paging.limit: could not parse"),
        ("evict=fifo", "store.paging.evict: .*'lru' or 'lfu'"),
    ],
)
def test_a_limit_that_is_none_is_refused_by_name(setting: str, told: str, tmp_path: Path) -> None:
    config = composed([f"store.paging.{setting}", "embedder=words", "tracking=none"])
    with pytest.raises(ConfigError, match=told):
        build(config, tmp_path)


def test_both_stores_take_a_limit() -> None:
    for store in ("sqlite", "neo4j"):
        config = composed([f"store={store}", "store.paging.limit=64MB", "store.paging.evict=lfu"])
        paging = made(config["store"], "store")["paging"]
        assert (paging.limit, paging.evict) == (64_000_000, "lfu")


def remembered(folder: Path, *words: str) -> tuple[Memory, Any, Conversation]:
    data = ("dataset=tiny", "dataset.sessions=8", "dataset.turns=20", "dataset.conversations=1")
    config = composed(["system=ariadne", "embedder=words", "tracking=none", *data, *words])
    parts = build(config, folder)
    (conversation,) = parts.dataset
    memory = parts.new_memory(conversation.id)
    parts.system.remember(conversation.messages, memory)
    return memory, parts.system, conversation


def test_answers_are_the_same_where_hardly_anything_may_be_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free, system, talk = remembered(tmp_path / "free")
    for share in ("UNITS", "GRAPH", "INDEX"):
        monkeypatch.setattr(paging_module, share, 1e-3)  # 16 kB of each
    bound, _, _ = remembered(tmp_path / "bound", "store.paging.limit=16MB")
    assert len(bound._known) < 20 < len(free._known)
    assert bound.graph.ledger() == free.graph.ledger()
    assert bound.vectors.stamps() == free.vectors.stamps()
    for question in talk.questions:
        want, got = (answer(system, question.query, memory) for memory in (free, bound))
        assert (got.text, got.context, got.graph) == (want.text, want.context, want.graph)
    free.close()
    bound.close()


def test_a_unit_that_left_is_read_again(tmp_path: Path) -> None:
    config = composed(["embedder=words", "tracking=none", "store.paging.limit=16MB"])
    memory = build(config, tmp_path).new_memory("talk")
    long = "Ana told of her trip. " * 4_000  # 90 kB, twice: ten of them leave no room
    units = [unit(number, long) for number in range(20)]
    for each in units:
        heard = Message(f"D1:{each.position}", "talk", "D1", each.position, "Ana", each.text, AT)
        memory.ingest([heard], [Add(each)])
    assert len(memory._known) < 20
    assert memory.units([each.id for each in units]) == units  # more than there is room for
    assert memory.units([units[3].id, "no such unit", units[0].id]) == [units[3], units[0]]
    memory.close()
