"""Indexing: the point that stands for a unit in the vectors, made of it and its embedded texts."""

from datetime import datetime

from clew.model import Unit
from clew.stores.graph import Stamp
from clew.stores.vectors import Point, Vector
from clew.text import term_weights


def indexed(unit: Unit, text: Vector, context: Vector, stamp: Stamp) -> Point:
    """Return the point that stands for a unit in the vectors, its two texts being embedded."""
    return Point(
        id=unit.id,
        dense={"text": text, "context": context},
        words=term_weights(unit.context or unit.text),
        said_at=_seconds(unit.said_at),
        valid_from=_seconds(unit.valid_from),
        stamp=stamp,
    )


def _seconds(at: datetime | None) -> float | None:
    return None if at is None else at.timestamp()
