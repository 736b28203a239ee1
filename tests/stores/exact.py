"""An exact search in NumPy: the oracle that vector stores are held against."""

from collections.abc import Sequence

import numpy as np

from clew.stores.vectors import EVERYWHERE, DenseView, Hit, Point, Vector, Where, Words


class Exact:
    """Answers from a list of points by comparing with each of them."""

    def __init__(self, points: Sequence[Point]) -> None:
        self._points = points

    def dense(
        self, vector: Vector, k: int, where: Where = EVERYWHERE, view: DenseView = "text"
    ) -> list[Hit]:
        """Return the k highest cosines."""
        return _best(
            [Hit(p.id, float(p.dense[view] @ vector)) for p in self._points if _fits(p, where)], k
        )

    def sparse(self, words: Words, k: int, where: Where = EVERYWHERE) -> list[Hit]:
        """Return the k highest BM25 sums; the IDF counts every point."""
        n = len(self._points)
        found = {word: sum(word in p.words for p in self._points) for word in words}
        idf = {word: np.log((n - df + 0.5) / (df + 0.5) + 1) for word, df in found.items()}
        hits = [
            Hit(p.id, float(sum(words[w] * idf[w] * p.words[w] for w in words if w in p.words)))
            for p in self._points
            if _fits(p, where) and not words.keys().isdisjoint(p.words)
        ]
        return _best(hits, k)


def _best(hits: list[Hit], k: int) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-round(hit.score, 5), hit.id))[:k]


def _fits(point: Point, where: Where) -> bool:
    earliest, latest = where.said
    if point.id in where.without or (point.stamp.archived and not where.archived):
        return False
    if where.spaces and where.spaces.isdisjoint(point.spaces):
        return False
    if earliest is not None and (point.said_at is None or point.said_at < earliest):
        return False
    if latest is not None and (point.said_at is None or point.said_at > latest):
        return False
    if where.holds_at is None:
        return True
    begun = point.valid_from is None or point.valid_from <= where.holds_at
    end = point.stamp.valid_to
    return begun and (end is None or where.holds_at < end)
