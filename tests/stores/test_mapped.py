"""Mapped: pages of the engine's files are let go of, and nothing of them is lost."""

import mmap
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from vectors_contract import DIMENSION, VectorStoreContract, direction, point

from clew.errors import ConfigError, StoreError
from clew.stores.edge import EdgeVectors
from clew.stores.edge import mapped as module
from clew.stores.edge.mapped import Mapped, resident
from clew.stores.edge.store import EXACT
from clew.stores.vectors import EVERYWHERE, ByMeaning, Where

MB = 1_000_000
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


class TestBoundedEdge(VectorStoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> EdgeVectors:
        store = EdgeVectors(tmp_path, "talk", DIMENSION)
        store.bound(1)  # all pages go after each look
        return store


def test_pages_are_let_go_of_when_they_are_too_many_and_read_again(tmp_path: Path) -> None:
    mapped = Mapped(tmp_path, 10 * MB)
    rows = mapped.zeros((5_000, 1_000), np.float32)  # 20 MB
    before = resident()
    rows[:] = np.arange(1_000)
    assert resident() > before + 15 * MB
    mapped.keep_within()
    assert resident() < before + 5 * MB
    assert (rows[4_999] == np.arange(1_000)).all()


def test_pages_within_the_limit_stay(tmp_path: Path) -> None:
    mapped = Mapped(tmp_path, 30 * MB)
    rows = mapped.zeros((5_000, 1_000), np.float32)
    rows[:] = 1
    before = resident()
    mapped.keep_within()
    assert resident() > before - MB


def test_files_of_other_folders_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "ours").mkdir()
    with (tmp_path / "ours2").open("w+b") as file:
        os.posix_fallocate(file.fileno(), 0, 20 * MB)
        room = mmap.mmap(file.fileno(), 20 * MB)
    room[:] = b"x" * (20 * MB)
    before = resident()
    Mapped(tmp_path / "ours", 1).let_go()
    assert resident() > before - MB
    room.close()


def test_what_is_only_this_process_is_never_let_go_of(tmp_path: Path) -> None:
    path = tmp_path / "private"
    path.write_bytes(b"a" * MB)
    with path.open("r+b") as file:
        private = mmap.mmap(file.fileno(), MB, access=mmap.ACCESS_COPY)
    private[0] = ord("b")
    Mapped(tmp_path, 1).let_go()
    assert private[:2] == b"ba"
    private.close()


def test_an_array_that_the_disk_has_no_room_for_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    mapped = Mapped(tmp_path, MB)
    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(StoreError, match=r"no room for 400 bytes.*store.paging.limit="):
        mapped.zeros((10, 10), np.float32)


def test_an_array_of_no_rows_is_one(tmp_path: Path) -> None:
    assert Mapped(tmp_path, MB).zeros((0, 48), np.float32).shape == (0, 48)


def test_where_nobody_tells_what_is_mapped_a_limit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module.sys, "platform", "darwin")
    with pytest.raises(ConfigError, match=r"store.paging.limit: .*Linux only"):
        Mapped(tmp_path, MB)


def test_what_is_compared_a_few_at_a_time_is_found_as_at_once(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    drawn = rng.standard_normal((EXACT + 500, 64)).astype(np.float32)
    drawn[100:120] = drawn[99]  # equal scores
    rows = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    found = []
    for name in ("free", "bound"):
        store = EdgeVectors(tmp_path, name, 64)
        for at in range(0, len(rows), 1_000):
            page = enumerate(rows[at : at + 1_000], at)
            store.put([point(n, dense={"text": row, "context": row}) for n, row in page])
        if name == "bound":
            store.bound(1)
        where = Where(said=(None, 200_000.0))  # the first two thousand
        asked = [ByMeaning(rows[n], w) for n in (99, 7, 4_200) for w in (EVERYWHERE, where)]
        found.append(store.search(asked, 25))
        store.close()
    assert found[0] == found[1] and all(len(hits) == 25 for hits in found[0])


def test_with_a_sketch_in_a_file_the_same_points_are_near(tmp_path: Path) -> None:
    free, bound = (EdgeVectors(tmp_path, name, DIMENSION) for name in ("free", "bound"))
    bound.bound(1)
    made = [point(n) for n in range(1_500)]
    found = []
    for store in (free, bound):
        store.put(made)
        store.expect([direction(3)])
        near = [store.near(direction(n), 5, 0.5) for n in range(20)]
        store.put([point(2_000 + n) for n in range(50)])
        found.append((near, [store.near(direction(n), 5, 0.5) for n in range(20)]))
        store.close()
    assert found[0] == found[1] and any(found[0][0])


def test_alike_points_and_vectors_are_looked_at_a_few_at_a_time(tmp_path: Path) -> None:
    store = EdgeVectors(tmp_path, "talk", 384)
    rows = np.eye(384, dtype=np.float32)
    alike = [*range(0, 6_000, 20)]  # spread over the file
    for at in range(0, 6_000, 1_000):
        kinds = ((n, rows[0 if n % 20 == 0 else 1 + n % 300]) for n in range(at, at + 1_000))
        store.put([point(n, dense={"text": row, "context": row}) for n, row in kinds])
    store.near(rows[0], 5, 0.9)  # draws the sketch
    store.bound(MB)
    store.near(rows[0], 5, 0.9)
    before, most = resident(), [0]
    with pytest.MonkeyPatch.context() as watched:
        within = Mapped.keep_within

        def seen(mapped: Mapped) -> None:
            most.append(resident() - before)
            within(mapped)

        watched.setattr(Mapped, "keep_within", seen)
        near = store.near(rows[0], 500, 0.9)
        found = store.vectors([point(n).id for n in alike])
    assert len(near) == len(found) == 300
    assert max(most) < 5 * MB  # of 9
    store.close()
