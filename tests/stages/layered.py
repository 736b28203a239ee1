"""Units of each memory source, small enough to judge by eye."""

from collections.abc import Callable

from clew.model import Scored, Unit

MakeUnit = Callable[..., Unit]


def of(source: str, **more: object) -> dict[str, object]:
    """Return what makes a unit one of a source."""
    return {"spaces": frozenset({source}), "level": int(source != "basic"), **more}


def scored(*pairs: tuple[Unit, float]) -> tuple[Scored, ...]:
    return tuple(Scored(unit, score) for unit, score in pairs)
