"""A sketch of all vectors, by which a search for very near ones leaves out the others.

A cosine is at most that of the two vectors in a few directions plus the product of what is
left of either (Cauchy-Schwarz). In the directions in which the vectors differ most, a few
dozen of 384, hardly any other point could be as near as 0.85: the few that could are
compared in full. So nothing is missed, and looking takes a third of the time.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.stores.vectors import Vector

COARSE, FINE = 47, 95  # directions: compared with all, and with what is then still possible
SLACK = 1e-3  # that rounding may take from a bound
MANY = 512  # points that are still possible above which all may as well be compared

Rows = npt.NDArray[np.float32]
Found = npt.NDArray[np.intp]
Zeros = Callable[[tuple[int, ...], Any], npt.NDArray[Any]]
_NONE: Found = np.zeros(0, dtype=np.intp)


class Sketch:
    """What is known of each point's vector: its place in the main directions, and the rest.

    All vectors are of unit length. The directions are those of a sample; any others would do,
    and leave out less.
    """

    def __init__(self, sample: Rows, zeros: Zeros = np.zeros) -> None:
        _, directions = np.linalg.eigh(sample.T @ sample)  # by rising weight
        self._directions: Rows = np.ascontiguousarray(directions[:, ::-1][:, :FINE])
        self._zeros = zeros  # makes the arrays; they may lie in files
        self._row: dict[int, int] = {}
        self._place = np.zeros(0, dtype=np.uint64)
        coarse, self._fine = self._parts(sample[:0])
        self._coarse: Rows = coarse.T  # a column for each point: twice as fast for many vectors
        self._expected: list[Vector] = []
        self._seen: dict[tuple[bytes, float], tuple[Found, int]] = {}  # of the first so many rows

    def put(self, places: Sequence[int], vectors: Rows) -> None:
        """Take in points, in place of those that are there already."""
        known = len(self._row)
        rows = [self._row.setdefault(place, len(self._row)) for place in places]
        if min(rows, default=known) < known:
            self._seen = {}
        if len(self._row) > len(self._place):
            size = 2 * len(self._row)
            self._place = self._grown(self._place, size)
            self._coarse = self._grown(self._coarse, len(self._coarse), size)
            self._fine = self._grown(self._fine, size, self._fine.shape[1])
        self._place[rows] = places
        coarse, self._fine[rows] = self._parts(vectors)
        self._coarse[:, rows] = coarse.T

    def expect(self, vectors: Sequence[Vector]) -> None:
        """Hear what will be asked about next: all of it is compared in one pass over the points."""
        self._expected, self._seen = list(vectors), {}

    def possible(self, vector: Vector, above: float) -> list[int] | None:
        """Return the points whose cosine may be above a bound; None where these are many."""
        coarse, fine = self._parts(vector[np.newaxis])
        least = above - SLACK
        if self._expected:
            self._look(least)
        seen, size = self._seen.get((vector.tobytes(), least), (_NONE, 0))
        (later,) = self._above(coarse, least, size)
        rows = np.concatenate([seen, later])
        rows = rows[self._fine[rows] @ fine[0] > least]
        return None if len(rows) > MANY else [int(place) for place in self._place[rows]]

    def _look(self, least: float) -> None:
        """See which rows are near what was expected, all in one pass."""
        asked, _ = self._parts(np.array(self._expected))
        for vector, rows in zip(self._expected, self._above(asked, least), strict=True):
            self._seen[vector.tobytes(), least] = rows, len(self._row)
        self._expected = []

    def _above(self, coarse: Rows, least: float, start: int = 0) -> Iterator[Found]:
        """Yield per vector the rows from `start` on whose cosine may be above, by a coarse look."""
        for bounds in coarse @ self._coarse[:, start : len(self._row)]:
            yield start + np.flatnonzero(bounds > least)

    def _parts(self, vectors: Rows) -> tuple[Rows, Rows]:
        """Return vectors in the first directions, coarse and fine, each with its remainder."""
        turned = vectors @ self._directions
        return _with_rest(turned[:, :COARSE]), _with_rest(turned)

    def _grown(self, held: npt.NDArray[Any], *shape: int) -> npt.NDArray[Any]:
        grown = self._zeros(shape, held.dtype)
        grown[tuple(map(slice, held.shape))] = held
        return grown


def _with_rest(turned: Rows) -> Rows:
    rest = np.sqrt(np.maximum(0.0, 1.0 - np.square(turned).sum(axis=1, keepdims=True)))
    return np.ascontiguousarray(np.hstack([turned, rest]))
