"""Indexing: the vectors of a memory are an index of its graph, and are kept to be one."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime

from clew.drift import Drift, drift
from clew.errors import StoreMismatch, StoreMissing
from clew.model import Unit
from clew.models.embed import Embedder
from clew.stores.graph import GraphStore, Stamp
from clew.stores.vectors import Point, Vector, VectorStore
from clew.text import term_weights

PAGE = 64  # units that are mended at once


class Indexed(ABC):
    """The part of a memory that keeps its vectors in step with its graph."""

    graph: GraphStore
    vectors: VectorStore
    _embedder: Embedder

    @property
    @abstractmethod
    def conversation(self) -> str:
        """The id of the conversation this is the memory of."""

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return one unit vector per text."""

    def drift(self) -> Drift:
        """Compare the vectors with the graph: which there are, and the stamp of each."""
        return drift(self.graph.stamps(), self.vectors.stamps())

    def repair(self) -> Drift:
        """Make the vectors agree with the graph again; return what was wrong."""
        found = self.drift()
        self.vectors.delete(found.extra + found.changed)  # else old words stay in the statistics
        wrong = found.missing + found.changed
        for start in range(0, len(wrong), PAGE):
            units = self.graph.get(wrong[start : start + PAGE])
            self.vectors.put(self._points(units))
        return found

    def _points(self, units: Sequence[Unit]) -> list[Point]:
        vectors = self.embed([text for unit in units for text in texts_of(unit)])
        stamps = self.graph.stamps([unit.id for unit in units])
        return [
            indexed(unit, text, context, stamps[unit.id])
            for unit, text, context in zip(units, vectors[::2], vectors[1::2], strict=True)
        ]

    def _check_embedder(self) -> None:
        ours = f"{self._embedder.name}, {self._embedder.dimension} dimensions"
        theirs = self.graph.setting("embedder")
        if theirs is None:
            self._begin(ours)
        elif theirs != ours:
            raise StoreMismatch(
                f"The memory of {self.conversation} was written with the embedder {theirs}; "
                f"this run asks for {ours}. Set embedder= to the one it was written with, or "
                f"give the run another name=."
            )

    def _begin(self, embedder: str) -> None:
        """Note the embedder of a memory that is new."""
        if left := len(self.vectors.stamps()):
            raise StoreMissing(
                f"The memory of {self.conversation} is gone: its graph is empty, and {left} "
                f"vectors are left of it. Put its file back, or build it again with "
                f"overwrite=true."
            )
        self.graph.setting("embedder", embedder)


def texts_of(unit: Unit) -> tuple[str, str]:
    """Return what is embedded of a unit: what it says, and the same with what was said around."""
    return unit.text, unit.context or unit.text


def indexed(unit: Unit, text: Vector, context: Vector, stamp: Stamp) -> Point:
    """Return the point that stands for a unit in the vectors, its two texts being embedded."""
    return Point(
        id=unit.id,
        dense={"text": text, "context": context},
        words=term_weights(unit.context or unit.text),
        said_at=_seconds(unit.said_at),
        valid_from=_seconds(unit.valid_from),
        stamp=stamp,
        spaces=unit.spaces,
    )


def _seconds(at: datetime | None) -> float | None:
    return None if at is None else at.timestamp()
