"""A sketch of all vectors, by which a search for very near ones leaves out the others.

A cosine is at most that of the two vectors in a few directions plus the product of what is
left of either (Cauchy-Schwarz). In the directions in which the vectors differ most, a few
dozen of 384, hardly any other point could be as near as 0.85: the few that could are
compared in full. So nothing is missed, and looking takes a third of the time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.stores.vectors import Vector

COARSE, FINE = 31, 95  # directions: compared with all, and with what is then still possible
SLACK = 1e-3  # that rounding may take from a bound
MANY = 512  # points possible to the end above which all may as well be compared
MOST = 10_000  # points possible after the first look, likewise

Rows = npt.NDArray[np.float32]
Places = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Seen:
    """The rows that a bound left for some vectors, of the first n."""

    least: float
    n: int
    rows: Mapping[bytes, Places]


class Sketch:
    """What is known of each point's vector: its place in the main directions, and the rest.

    The directions are those of a sample; any others would do, and leave out less.
    """

    def __init__(self, sample: Rows) -> None:
        _, directions = np.linalg.eigh(sample.T @ sample)  # by rising weight
        self._directions: Rows = np.ascontiguousarray(directions[:, ::-1][:, :FINE])
        self._row: dict[int, int] = {}
        self._place = np.zeros(0, dtype=np.uint64)
        self._coarse, self._fine = self._parts(sample[:0])
        self._foreseen: Sequence[Vector] = ()
        self._seen: Seen | None = None

    def put(self, places: Sequence[int], vectors: Rows) -> None:
        """Take in points, in place of those that are there already."""
        if not self._row.keys().isdisjoint(places):
            self._seen = None
        rows = [self._row.setdefault(place, len(self._row)) for place in places]
        if len(self._row) > len(self._place):
            size = 2 * len(self._row)
            self._place = _grown(self._place, size)
            self._coarse, self._fine = _grown(self._coarse, size), _grown(self._fine, size)
        self._place[rows] = places
        self._coarse[rows], self._fine[rows] = self._parts(vectors)

    def foresee(self, vectors: Sequence[Vector]) -> None:
        """Note what `possible` will be asked for: all at once take little more than one."""
        self._foreseen, self._seen = vectors, None

    def possible(self, vector: Vector, above: float) -> list[int] | None:
        """Return the points whose cosine may be above a bound; None where these are many."""
        rows = self._looked(vector, above - SLACK)
        if len(rows) > MOST:
            return None
        _, fine = self._parts(vector[np.newaxis])
        rows = rows[self._fine[rows] @ fine[0] > above - SLACK]
        return None if len(rows) > MANY else [int(place) for place in self._place[rows]]

    def _looked(self, vector: Vector, least: float) -> Places:
        """Return the rows that the coarse bound leaves: those seen before, and new ones."""
        if self._seen is None or self._seen.least != least:
            self._seen = self._look(self._foreseen, least)
        rows = self._seen.rows.get(vector.tobytes())
        if rows is None:
            (rows,) = self._look([vector], least).rows.values()
            return rows
        (new,) = self._look([vector], least, self._seen.n).rows.values()
        return np.concatenate([rows, new])

    def _look(self, vectors: Sequence[Vector], least: float, start: int = 0) -> "Seen":
        """Compare vectors with all rows from `start` on, in one go."""
        n = len(self._row)
        if not vectors:
            return Seen(least, n, {})
        coarse, _ = self._parts(np.array(vectors))
        which, rows = np.nonzero(coarse @ self._coarse[start:n].T > least)
        parts = np.split(rows + start, np.searchsorted(which, range(1, len(vectors))))
        return Seen(least, n, {v.tobytes(): part for v, part in zip(vectors, parts, strict=True)})

    def _parts(self, vectors: Rows) -> tuple[Rows, Rows]:
        """Return vectors in the first directions, coarse and fine, each with its remainder."""
        turned = vectors @ self._directions
        return _with_rest(turned[:, :COARSE]), _with_rest(turned)


def _with_rest(turned: Rows) -> Rows:
    rest = np.sqrt(np.maximum(0.0, 1.0 - np.square(turned).sum(axis=1, keepdims=True)))
    return np.ascontiguousarray(np.hstack([turned, rest]))


def _grown(rows: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    grown = np.zeros((size, *rows.shape[1:]), dtype=rows.dtype)
    grown[: len(rows)] = rows
    return grown
