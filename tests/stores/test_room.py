"""Room: a full disk would end the process without a word, so nothing is begun that may not fit."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from small_disk import on_a_disk_of
from vectors_contract import DIMENSION, MANY, direction, point

from clew.errors import StoreError
from clew.stores.edge import EdgeVectors, room

FILL = """
import os, sys
sys.path.insert(0, sys.argv[2])
from clew.errors import StoreError
from clew.stores.edge import EdgeVectors
from vectors_contract import direction, point
store, n = EdgeVectors(sys.argv[1], "talk", 8), 0
with open(os.path.join(sys.argv[1], "film.mov"), "wb") as film:
    os.posix_fallocate(film.fileno(), 0, 2 << 20)
try:
    while True:
        store.put([point(n)])
        n += 1
except StoreError as error:
    print(error)
assert len(store.stamps()) == n, (len(store.stamps()), n)
assert n == 0 or store.dense(direction(n - 1), 1)[0].id == point(n - 1).id
os.remove(film.name)
store.put([point(n)])
store.close()
try:
    EdgeVectors(sys.argv[1], "talk", 8)
except StoreError as error:
    print(error)
print(n + 1)
"""
COUNT = """
import sys
from clew.stores.edge import EdgeVectors
print(len(EdgeVectors(sys.argv[1], "talk", 8).stamps()))
"""
GOES_ON = """
python=$3 disk=$2
run() {
    $python experiments/run.py dataset.conversations=2 dataset.questions=15 embedder=words \
        embedder.dimension=128 tracking=none table=false runs=$disk name=$1
    echo $1: $? $(grep -o '"status": "[a-z]*"' $disk/$1/manifest.json) \
        $(sed 's/"seconds".*//' $disk/$1/journal.jsonl | sha256sum)
}
run stopped
mount -o remount,size=600m $disk
run stopped
run undisturbed
"""
HERE = str(Path(__file__).parent)


def test_a_disk_that_fills_up_is_told_in_time_and_is_gone_on_with_when_freed(
    tmp_path: Path,
) -> None:
    larger = 'mount -o remount,size=300m "$2" && "$3" -c "$6" "$2"'
    shell = f'"$3" -c "$4" "$2" "$5" && {larger}'
    done = on_a_disk_of("28m", tmp_path / "disk", shell, FILL, HERE, COUNT)
    assert done.returncode == 0, done.stderr
    full, still_too_small, put, there = done.stdout.splitlines()
    for told in (full, still_too_small):
        assert "is full" in told and "Free some space" in told and "vectors.index.folder=" in told
    assert int(there) == int(put) > 100


def test_a_disk_that_is_full_from_the_start_takes_nothing(tmp_path: Path) -> None:
    done = on_a_disk_of("2m", tmp_path / "disk", '"$3" -c "$4" "$2" "$5"; ls "$2"', FILL, HERE)
    assert "StoreError" in done.stderr and "14.0 MB are needed" in done.stderr
    assert done.stdout == ""


@pytest.mark.slow
def test_a_run_on_a_full_disk_fails_and_goes_on_once_there_is_room(tmp_path: Path) -> None:
    done = on_a_disk_of("16m", tmp_path / "disk", GOES_ON)
    failed, resumed, undisturbed = done.stdout.splitlines()
    assert failed.startswith('stopped: 2 "status": "failed"'), done.stderr
    assert "Traceback" not in done.stderr and "is full" in done.stderr
    assert resumed.startswith('stopped: 0 "status": "done"'), done.stderr
    assert undisturbed.split(": ", 1)[1] == resumed.split(": ", 1)[1]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EdgeVectors]:
    store = EdgeVectors(tmp_path, "talk", DIMENSION)
    yield store
    store.close()


def free(patch: pytest.MonkeyPatch, size: int) -> None:
    """Make every disk have so many bytes left."""
    disk: Any = SimpleNamespace(f_bavail=size // 512, f_frsize=512)
    patch.setattr(os, "statvfs", lambda path: disk)


def test_what_does_not_fit_is_not_begun(
    store: EdgeVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(MANY[:5])
    with monkeypatch.context() as patch:
        free(patch, room.SPARE + 3000)
        store.put(MANY[5:6])
        for refused in (lambda: store.put(MANY[6:]), store.clear):
            with pytest.raises(StoreError, match=r"talk is full: \d\.\d MB are needed"):
                refused()
        free(patch, room.SPARE)
        with pytest.raises(StoreError, match="is full"):
            store.end("D1:1.00", 5.0)


def test_an_end_that_does_not_fit_is_not_set(
    store: EdgeVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(MANY)
    with monkeypatch.context() as patch:
        free(patch, room.SPARE)
        with pytest.raises(StoreError, match="is full"):
            store.end("D1:1.00", 5.0)
    assert store.stamps() == {p.id: p.stamp for p in MANY}


def test_reading_needs_no_room(store: EdgeVectors, monkeypatch: pytest.MonkeyPatch) -> None:
    store.put(MANY)
    free(monkeypatch, 0)
    assert store.dense(direction(3), 1)[0].id == "D1:3.00"
    assert len(store.stamps()) == len(MANY)


def test_a_store_emptied_on_a_full_disk_is_closed_and_opens_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = EdgeVectors(tmp_path, "talk", DIMENSION)
    store.put(MANY)
    with monkeypatch.context() as patch:
        free(patch, 0)
        with pytest.raises(StoreError, match="is full"):
            store.delete(["D1:1.00"])
        with pytest.raises(StoreError, match="closed"):
            store.stamps()
        store.close()
        with pytest.raises(StoreError, match="is full"):
            EdgeVectors(tmp_path, "talk", DIMENSION)
    store = EdgeVectors(tmp_path, "talk", DIMENSION)
    assert store.stamps() == {}
    store.close()


def test_a_log_that_is_not_written_out_needs_its_own_room_on_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = EdgeVectors(tmp_path, "talk", DIMENSION)
    store.put([point(n) for n in range(2000)])
    store.close()
    free(monkeypatch, room.SPARE + room.EMPTY + 1000)
    with pytest.raises(StoreError, match="is full"):
        EdgeVectors(tmp_path, "talk", DIMENSION)


@pytest.mark.parametrize("reason", [errno.EDQUOT, errno.EFBIG, errno.ENOSPC])
def test_a_quota_that_the_disk_does_not_tell_of_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: int
) -> None:
    def refuse(*_: int) -> None:
        raise OSError(reason, os.strerror(reason))

    monkeypatch.setattr(os, "posix_fallocate", refuse)
    with pytest.raises(StoreError, match=r"0\.0 MB may be written"):
        EdgeVectors(tmp_path, "talk", DIMENSION)


def test_room_is_proven_again_after_every_few_megabytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proofs: list[int] = []
    monkeypatch.setattr(os, "posix_fallocate", lambda file, start, size: proofs.append(size))
    asked = room.Room(tmp_path / "talk")
    for _ in range(17):
        asked.make_sure(room.MB)
    assert proofs == [room.MB + room.SPARE + room.PROOF] * 3


def test_a_point_takes_up_no_more_than_is_asked_for(tmp_path: Path) -> None:
    def taken() -> int:
        return sum(f.stat().st_blocks * 512 for f in tmp_path.rglob("*") if f.is_file())

    store = EdgeVectors(tmp_path, "talk", DIMENSION)
    empty, points = taken(), [point(n) for n in range(1500)]
    for each in points:
        store.put([each])
    asked = sum(room.size(DIMENSION, len(each.words), each.id) for each in points)
    assert empty < room.EMPTY_FILLED
    assert 0.3 * asked < taken() - empty < asked
    store.close()
