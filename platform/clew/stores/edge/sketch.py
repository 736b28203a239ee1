"""A sketch of all vectors, by which a search for very near ones leaves out the others.

A cosine is at most that of the two vectors in a few directions plus the product of what is
left of either (Cauchy-Schwarz). In the directions in which the vectors differ most, a few
dozen of 384, hardly any other point could be as near as 0.85: the few that could are
compared in full. So nothing is missed, and looking takes a third of the time.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.stores.vectors import Vector

COARSE, FINE = 47, 95  # directions: compared with all, and with what is then still possible
SLACK = 1e-3  # that rounding may take from a bound
MANY = 512  # points that are still possible above which all may as well be compared

Rows = npt.NDArray[np.float32]
Zeros = Callable[[tuple[int, ...], Any], npt.NDArray[Any]]


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
        self._coarse, self._fine = self._parts(sample[:0])
        self._expected: list[Vector] = []
        self._seen: dict[bytes, Vector] = {}  # what was expected, with all points of that moment

    def put(self, places: Sequence[int], vectors: Rows) -> None:
        """Take in points, in place of those that are there already."""
        known = len(self._row)
        rows = [self._row.setdefault(place, len(self._row)) for place in places]
        if min(rows, default=known) < known:
            self._seen = {}
        if len(self._row) > len(self._place):
            size = 2 * len(self._row)
            self._place = self._grown(self._place, size)
            self._coarse, self._fine = (
                self._grown(rows, size) for rows in (self._coarse, self._fine)
            )
        self._place[rows] = places
        self._coarse[rows], self._fine[rows] = self._parts(vectors)

    def expect(self, vectors: Sequence[Vector]) -> None:
        """Hear what will be asked about next: all of it is compared in one pass over the points."""
        self._expected, self._seen = list(vectors), {}

    def possible(self, vector: Vector, above: float) -> list[int] | None:
        """Return the points whose cosine may be above a bound; None where these are many."""
        coarse, fine = self._parts(vector[np.newaxis])
        least = above - SLACK
        (rows,) = np.nonzero(self._bounds(vector, coarse[0]) > least)
        rows = rows[self._fine[rows] @ fine[0] > least]
        return None if len(rows) > MANY else [int(place) for place in self._place[rows]]

    def _bounds(self, vector: Vector, coarse: Vector) -> Vector:
        """Return for each point the most that its cosine may be, by a coarse look."""
        if self._expected:
            asked, _ = self._parts(np.array(self._expected))
            seen = asked @ self._coarse[: len(self._row)].T
            keys = (each.tobytes() for each in self._expected)
            self._expected, self._seen = [], dict(zip(keys, seen, strict=True))
        before = self._seen.get(vector.tobytes(), coarse[:0])
        later = self._coarse[len(before) : len(self._row)] @ coarse
        bounds: Vector = np.concatenate([before, later])
        return bounds

    def _parts(self, vectors: Rows) -> tuple[Rows, Rows]:
        """Return vectors in the first directions, coarse and fine, each with its remainder."""
        turned = vectors @ self._directions
        return _with_rest(turned[:, :COARSE]), _with_rest(turned)

    def _grown(self, rows: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
        grown = self._zeros((size, *rows.shape[1:]), rows.dtype)
        grown[: len(rows)] = rows
        return grown


def _with_rest(turned: Rows) -> Rows:
    rest = np.sqrt(np.maximum(0.0, 1.0 - np.square(turned).sum(axis=1, keepdims=True)))
    return np.ascontiguousarray(np.hstack([turned, rest]))
