"""The contract VectorStore: dense and sparse vectors of one conversation's units."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from clew.stores.graph import Stamp

Vector = npt.NDArray[np.float32]
Words = Mapping[int, float]
DenseView = Literal["text", "context"]


@dataclass(frozen=True, slots=True)
class Point:
    """A unit's vectors: dense ones of unit length by view, and BM25 term weights.

    Times are seconds since 1970, or None where unknown. `spaces` are the unit's.
    """

    id: str
    dense: Mapping[DenseView, Vector]
    words: Words
    said_at: float | None
    valid_from: float | None
    stamp: Stamp
    spaces: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Where:
    """Which points may be hits; applied before the best k are cut.

    `said` is a closed interval of `said_at`, either end open when None; `holds_at` keeps
    points valid at that instant; `without` leaves ids out. `spaces` keeps what is in any of
    these, or everything where none is named. Archived points are hits only when asked for.
    """

    said: tuple[float | None, float | None] = (None, None)
    holds_at: float | None = None
    without: frozenset[str] = field(default_factory=frozenset)
    spaces: frozenset[str] = field(default_factory=frozenset)
    archived: bool = False


EVERYWHERE = Where()
ARCHIVED_TOO = Where(archived=True)


@dataclass(frozen=True, slots=True)
class ByMeaning:
    """A question for the highest cosines to a vector, in a view."""

    vector: Vector
    where: Where = EVERYWHERE
    view: DenseView = "text"


@dataclass(frozen=True, slots=True)
class ByWords:
    """A question for the highest BM25 sums of these words."""

    words: Words
    where: Where = EVERYWHERE


Asked = ByMeaning | ByWords


@dataclass(frozen=True, slots=True)
class Hit:
    """A unit's id with its score: a cosine, or a BM25 sum."""

    id: str
    score: float


class VectorStore(Protocol):
    """The vectors of one conversation's units; hits come by falling score, then by id."""

    @property
    def conversation(self) -> str:
        """The id of the conversation that everything here belongs to."""

    def put(self, points: Sequence[Point]) -> None:
        """Insert points, replacing the same ids."""

    def end(self, id: str, valid_to: float | None) -> None:
        """Set the instant at which a unit stops being true; None takes the end away."""

    def archive(self, ids: Collection[str]) -> None:
        """Make these points hits for those alone who ask for archived ones; unknown are no error.

        What they weigh in the statistics of words stays.
        """

    def delete(self, ids: Collection[str]) -> None:
        """Delete these points; unknown ids are no error."""

    def dense(
        self, vector: Vector, k: int, where: Where = EVERYWHERE, view: DenseView = "text"
    ) -> list[Hit]:
        """Return the k points with the highest cosine to `vector` in a view."""

    def sparse(self, words: Words, k: int, where: Where = EVERYWHERE) -> list[Hit]:
        """Return the k points with the highest BM25 sum; points without a shared word are none."""

    def search(self, asked: Sequence[Asked], k: int) -> list[list[Hit]]:
        """Answer questions of both kinds in one call: each as `dense` or `sparse`, in order.

        A stage that has several asks them together: a server is then asked once.
        """

    def near(self, vector: Vector, k: int, above: float) -> list[Hit]:
        """Return, of the k points nearest to `vector` by text, those with a cosine above `above`.

        What most new units ask of the whole memory, archived points with it: who says again
        what was archived says nothing new, and who denies it ends it. A store may find out
        without looking at every point that few or none are that near.
        """

    def expect(self, vectors: Sequence[Vector]) -> None:
        """Hear which vectors `near` will be asked about next, which changes no answer.

        A store may look at its points for all of them at once.
        """

    def vectors(self, ids: Sequence[str], view: DenseView = "text") -> dict[str, Vector]:
        """Return the dense vectors of these points in a view, by id."""

    def stamps(self) -> dict[str, Stamp]:
        """Return every point's stamp by id."""

    def clear(self) -> None:
        """Delete everything of this conversation."""

    def close(self) -> None:
        """Write out and let go; closing twice is closing once."""
