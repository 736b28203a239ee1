"""The sketch: what it leaves out is never near, and most of what is far it leaves out."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from exact import Exact
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.errors import StoreError
from clew.stores.edge import EdgeVectors
from clew.stores.edge.sketch import Rows, Sketch
from clew.stores.graph import Stamp
from clew.stores.vectors import Hit, Point


def talk(seed: int, n: int, dimension: int = 128) -> Rows:
    """Return unit vectors as of texts on a few subjects, every tenth said again in other words."""
    drawn = np.random.default_rng(seed)
    subjects = drawn.standard_normal((12, dimension))
    rows = subjects[drawn.integers(0, 12, n)] + 0.8 * drawn.standard_normal((n, dimension))
    rows[9::10] = rows[::10] + 0.3 * drawn.standard_normal((n // 10, dimension))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def points(rows: Rows) -> list[Point]:
    return [
        Point(f"{n:04}", {"text": row, "context": row[::-1].copy()}, {}, None, None, Stamp(""))
        for n, row in enumerate(rows)
    ]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 99), above=st.floats(-1, 1))
def test_whatever_is_above_the_bound_is_possible(seed: int, above: float) -> None:
    rows = talk(seed, 400)
    drawn = Sketch(rows[:50])
    drawn.put(range(400), rows)
    for row in rows[:20]:
        possible = drawn.possible(row, above)
        assert possible is None or {*np.flatnonzero(rows @ row > above)} <= {*possible}


def test_most_of_what_is_far_is_left_out() -> None:
    rows = talk(1, 3000)
    drawn = Sketch(rows[:1000])
    drawn.put(range(3000), rows)
    left = [drawn.possible(row, 0.85) for row in rows[:100]]
    assert np.mean([3000 if each is None else len(each) for each in left]) < 60


def test_where_much_is_possible_it_leaves_the_search_to_the_engine() -> None:
    rows = talk(1, 900)
    drawn = Sketch(rows)
    drawn.put(range(900), rows)
    assert drawn.possible(rows[0], -1.0) is None


def test_what_was_expected_is_answered_as_if_it_had_not_been() -> None:
    rows = talk(3, 400)
    plain, told = Sketch(rows[:50]), Sketch(rows[:50])
    for drawn in (plain, told):
        drawn.put(range(300), rows[:300])
    told.expect(rows[:20])
    for n, row in enumerate(rows[:30]):  # ten of them came as a surprise
        assert told.possible(row, 0.8) == plain.possible(row, 0.8), n
        new = [5] if n == 15 else [300 + n]  # a point that is there, written anew
        for drawn in (plain, told):
            drawn.put(new, rows[300 + n : 301 + n])


def test_a_point_put_again_is_where_it_is_now() -> None:
    rows = talk(2, 60)
    drawn = Sketch(rows)
    drawn.put([7, 8], rows[:2])
    drawn.put([7], rows[5:6])
    assert drawn.possible(rows[5], 0.999) == [7] and drawn.possible(rows[0], 0.999) == []


@pytest.fixture
def sketched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.stores.edge.store.SKETCHED", 100)


@pytest.mark.usefixtures("sketched")
def test_near_finds_in_a_large_memory_all_that_an_exact_search_finds(tmp_path: Path) -> None:
    rows = talk(3, 1200)
    store, exact = EdgeVectors(tmp_path, "talk", 128), Exact(points(rows))
    store.put(points(rows)[:700])
    assert store.near(rows[0], 3, 0.9)  # the sketch is drawn, and goes on with what comes
    store.put(points(rows)[700:])
    found = 0
    for row in rows[:1200:10]:
        best = [hit for hit in exact.dense(row, 3) if hit.score > 0.9]
        near = store.near(row, 3, 0.9)
        assert [hit.id for hit in near] == [hit.id for hit in best]
        assert [h.score for h in near] == pytest.approx([h.score for h in best], abs=1e-4)
        found += len(near) > 1
    assert found > 50 and store._sketch is not None
    store.close()


@pytest.mark.usefixtures("sketched")
def test_near_knows_what_was_deleted_and_what_an_earlier_process_put(tmp_path: Path) -> None:
    rows = talk(4, 300)
    store = EdgeVectors(tmp_path, "talk", 128)
    store.put(points(rows))
    assert [hit.id for hit in store.near(rows[0], 2, 0.9)] == ["0000", "0009"]
    store.delete(["0009"])
    assert [hit.id for hit in store.near(rows[0], 2, 0.9)] == ["0000"]
    store.close()
    store = EdgeVectors(tmp_path, "talk", 128)
    assert [hit.id for hit in store.near(rows[0], 2, 0.9)] == ["0000"]
    assert store.near(rows[9], 2, 0.9999) == []
    store.clear()
    assert store.near(rows[0], 2, 0.9) == list[Hit]()
    store.close()


@pytest.mark.usefixtures("sketched")
def test_a_sketch_that_was_cut_off_is_drawn_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = talk(5, 2500)
    store = EdgeVectors(tmp_path, "talk", 128)
    store.put(points(rows))
    whole = store._engine.pages

    def cut_off(**asked: Any) -> Iterator[Any]:
        yield next(whole(**asked))
        raise StoreError("the disk is gone")

    with monkeypatch.context() as broken, pytest.raises(StoreError):
        broken.setattr(store._engine, "pages", cut_off)
        store.near(rows[-1], 1, 0.9)
    assert [hit.id for hit in store.near(rows[-1], 1, 0.9999)] == ["2499"]
    store.close()
