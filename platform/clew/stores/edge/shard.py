"""Opening a shard of Qdrant Edge: made new, loaded, or set aside when it cannot be read."""

import json
import logging
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import qdrant_edge as edge

from clew.errors import StoreBusy, StoreError, StoreMismatch
from clew.stores.edge.room import Room
from clew.stores.points import TIMES, VIEWS, WORDS

IN_USE = "in_use"  # a file in the folder of a shard that was not closed, or is not yet

log = logging.getLogger(__name__)

_FULL = (
    *("os error 28", "no space left", "os error 122", "quota", "os error 27", "file too large"),
    *("filetoolarge", "storagefull", "quotaexceeded"),  # what Rust calls them
    *("os error 30", "read-only file", "os error 13"),
)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what the engine raises, panics included, into one of our errors."""
    try:
        yield
    except BaseException as error:
        panic = type(error).__name__ == "PanicException"  # of Rust; no `Exception` to Python
        if not panic and type(error) not in (Exception, OSError, ValueError):
            raise
        raise StoreError(
            f"The vectors at {path} failed ({error}): check the disk, or set "
            f"vectors.index.folder= to another folder; they are made again from the graph."
        ) from error


def open_shard(path: Path, dimension: int, room: Room) -> Any:
    """Load the shard at `path`, or make one; one that is damaged is made anew.

    Raises:
        StoreMismatch: the vectors there have another dimension.
        StoreError: the disk has no room for it, or the folder cannot be written to.
    """
    if not path.exists():
        return new_shard(path, dimension, room)
    found = _dimension(path)
    if found not in (None, dimension):
        raise StoreMismatch(
            f"The vectors at {path} have {found} dimensions, the embedder {dimension}: set "
            f"embedder= to the one they were made with, or vectors.index.folder= to another folder."
        )
    room.for_opening()
    try:
        with explained(path):
            return _current(_loaded(path))
    except StoreError as error:
        _refuse_to_erase(path, error)
        log.warning("%s", error)
        return new_shard(path, dimension, room)


def close_shard(shard: Any, path: Path) -> None:
    """Write out a shard, and let go of it."""
    with explained(path):
        shard.close()
        (path / IN_USE).unlink(missing_ok=True)


def _loaded(path: Path) -> Any:
    """Load a shard; one that was left open is written out and loaded again.

    What is done again from its log would be counted twice in the statistics of words, where a
    process died while it wrote out, for as long as the shard is open.
    """
    was_open = (path / IN_USE).exists()
    (path / IN_USE).touch()
    shard = edge.EdgeShard.load(str(path))
    if was_open:
        shard.close()
        shard = edge.EdgeShard.load(str(path))
    return shard


def _current(shard: Any) -> Any:
    """Return the shard if its points are numbered, as they are today."""
    page, _ = shard.scroll(edge.ScrollRequest(limit=1, with_payload=False, with_vector=False))
    if any(not isinstance(point.id, int) for point in page):
        shard.close()
        raise ValueError("its points are those of an earlier version")
    return shard


def new_shard(path: Path, dimension: int, room: Room) -> Any:
    """Make an empty shard, in place of whatever is at `path`."""
    shutil.rmtree(path, ignore_errors=True)
    room.for_a_new_shard()
    with explained(path):
        path.mkdir(parents=True)
        shard = edge.EdgeShard.create(str(path), _config(dimension))
        (path / IN_USE).touch()
        for name in TIMES:
            shard.update(
                edge.UpdateOperation.create_field_index(name, edge.PayloadSchemaType.Float)
            )
    return shard


def _config(dimension: int) -> Any:
    dense = edge.EdgeVectorParams(
        size=dimension,
        distance=edge.Distance.Cosine,
        quantization_config=edge.TurboQuantQuantizationConfig(memory=edge.Memory.Pinned),
        hnsw_config=edge.HnswIndexConfig(m=0, ef_construct=16, full_scan_threshold=1),  # none
    )
    return edge.EdgeConfig(
        vectors=dict.fromkeys(VIEWS, dense),
        sparse_vectors={WORDS: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
        max_search_threads=1,  # the same order of additions, and no fight over two cores
    )


def _dimension(path: Path) -> int | None:
    try:
        config = json.loads((path / "edge_config.json").read_bytes())
        return int(config["vectors"][VIEWS[0]]["size"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _refuse_to_erase(path: Path, error: StoreError) -> None:
    reason = str(error.__cause__).lower()
    if "wouldblock" in reason:
        raise StoreBusy(
            f"The vectors at {path} are open in another process: wait for it or stop it, or set "
            f"vectors.index.folder= to another folder."
        ) from error
    if any(sign in reason for sign in _FULL):
        raise error
