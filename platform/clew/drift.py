"""Drift: how far the vectors of a memory are from its graph, which is the truth."""

from collections.abc import Mapping
from dataclasses import dataclass

from clew.stores.graph import Stamp


@dataclass(frozen=True, slots=True)
class Drift:
    """Ids that are missing from the vectors, left over there, or have another stamp."""

    missing: tuple[str, ...]
    extra: tuple[str, ...]
    changed: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.missing) + len(self.extra) + len(self.changed)


def drift(truth: Mapping[str, Stamp], index: Mapping[str, Stamp]) -> Drift:
    """Compare stamps by id: text hash, end of validity, and whether it is archived."""
    both = truth.keys() & index.keys()
    return Drift(
        missing=tuple(sorted(truth.keys() - index.keys())),
        extra=tuple(sorted(index.keys() - truth.keys())),
        changed=tuple(sorted(id for id in both if truth[id] != index[id])),
    )
