"""CachedEmbedder: nothing is embedded twice, and what comes back is the same to the bit."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from clew.errors import StoreError
from clew.models.embed_cache import CachedEmbedder
from clew.models.words import WordCounts

Rows = npt.NDArray[np.float32]


class Counted(WordCounts):
    """Remembers each batch; its vectors differ in the last bits from batch to batch."""

    def __init__(self, name: str = "counted") -> None:
        super().__init__(32)
        self.batches: list[list[str]] = []
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def __call__(self, texts: Sequence[str]) -> Rows:
        self.batches.append(list(texts))
        return super().__call__(texts) * np.float32(1 + 1e-6 * len(self.batches))


Open = Callable[..., CachedEmbedder]


@pytest.fixture
def cached(tmp_path: Path) -> Iterator[Open]:
    opened = []

    def make(embedder: Counted) -> CachedEmbedder:
        opened.append(CachedEmbedder(embedder, tmp_path / "runs" / "vectors.db"))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def test_only_what_is_missing_is_embedded_in_one_batch(cached: Open) -> None:
    embedder = Counted()
    embed = cached(embedder)
    embed(["a dog", "a cat"])
    rows = embed(["a cat", "a bird", "a fish", "a bird", "a dog"])
    assert embedder.batches == [["a dog", "a cat"], ["a bird", "a fish"]]
    assert (embed.hits, embed.misses) == (3, 4)
    assert np.array_equal(rows[1], rows[3])
    assert rows.shape == (5, 32)


def test_another_opening_gives_the_same_bytes(cached: Open) -> None:
    texts = ["a dog", "a cat", "", "修表店"]
    first = cached(Counted())(texts)
    embedder = Counted()
    again = cached(embedder)(list(reversed(texts)))
    assert again[::-1].tobytes() == first.tobytes()
    assert embedder.batches == []


def test_another_embedder_has_vectors_of_its_own(cached: Open) -> None:
    cached(Counted("one"))(["a dog"])
    other = Counted("two")
    cached(other)(["a dog"])
    assert other.batches == [["a dog"]]


def test_it_goes_by_the_name_and_dimension_of_what_it_caches(cached: Open) -> None:
    embed = cached(Counted("one"))
    assert (embed.name, embed.dimension) == ("one", 32)
    assert embed([]).shape == (0, 32)


def test_more_than_a_thousand_texts_pass_at_once(cached: Open) -> None:
    texts = [f"dog number {n}" for n in range(1300)]
    embed = cached(Counted())
    assert embed(texts).shape == (1300, 32)
    assert embed.misses == 1300


def test_what_no_longer_fits_in_memory_is_read_from_the_file(
    cached: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clew.models.embed_cache.HELD", 2)
    embedder = Counted()
    embed = cached(embedder)
    first = embed(["a dog", "a cat"])
    embed(["a bird", "a fish"])
    assert np.array_equal(embed(["a dog", "a cat"]), first)
    assert len(embedder.batches) == 2


def test_two_processes_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "vectors.db"
    code = """
import sys
from clew.models.embed_cache import CachedEmbedder
from clew.models.words import WordCounts
embed = CachedEmbedder(WordCounts(32), sys.argv[1])
for n in range(150):
    embed([f"dog {n}", f"{sys.argv[2]} {n}"])
"""
    both = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in ("x", "y")]
    assert [process.wait(60) for process in both] == [0, 0]
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT count(*) FROM vector").fetchone() == (450,)
    db.close()


def test_a_file_that_cannot_be_made_names_the_setting(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"embedder\.path"):
        CachedEmbedder(WordCounts(32), tmp_path / "file" / "vectors.db")


def test_a_file_that_is_no_database_names_the_setting(tmp_path: Path) -> None:
    (tmp_path / "vectors.db").write_text("Dear diary, " * 100)
    with pytest.raises(StoreError, match=r"embedder\.path"):
        CachedEmbedder(WordCounts(32), tmp_path / "vectors.db")


@pytest.mark.parametrize("limit", ["query_only = ON", "max_page_count = 1"])
def test_a_read_only_or_full_file_names_the_setting(cached: Open, limit: str) -> None:
    embed = cached(Counted())
    embed(["a dog"])
    embed._db.execute(f"PRAGMA {limit}")  # as root, permission bits do not bind
    with pytest.raises(StoreError, match=r"embedder\.path"):
        embed([f"a cat {n}" for n in range(400)])
    assert embed(["a dog"]).shape == (1, 32)


def test_a_damaged_cache_says_so(cached: Open) -> None:
    embed = cached(Counted())
    embed(["a dog"])
    embed._db.execute("DROP TABLE vector")
    with pytest.raises(StoreError, match=r"embedder\.path"):
        embed(["a cat"])
