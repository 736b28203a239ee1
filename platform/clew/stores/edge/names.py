"""Which unit is behind a point of the engine, kept at hand.

To read it with every hit took twice as long as the search itself.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from clew.stores.points import Ranked

HELD = 1 << 18  # names; about 50 MB

Read = Callable[[list[int]], Sequence[Any]]


class Names:
    """The names of units by those of their points, which never change."""

    def __init__(self, read: Read, held: int = HELD) -> None:
        self._read = read  # returns the records of some points, with their payloads
        self._held = held
        self._names: dict[int, str] = {}

    def ranked(self, found: Sequence[Sequence[Any]]) -> list[list[Ranked]]:
        """Return each list of hits as falling scores, negated, and the units' ids."""
        names = self._names
        try:
            return [[(-hit.score, names[hit.id]) for hit in hits] for hits in found]
        except KeyError:
            self._learn({hit.id for hits in found for hit in hits})
            return self.ranked(found)

    def know(self, names: Mapping[int, str]) -> None:
        """Take in the names of points that are being written."""
        self._make_room()
        self._names.update(names)

    def _learn(self, points: set[int]) -> None:
        self._make_room()  # before it is seen which are missing, or those that go would be
        found = self._read(sorted(points - self._names.keys()))
        self._names.update({record.id: record.payload["id"] for record in found})

    def _make_room(self) -> None:
        if len(self._names) > self._held:
            self._names.clear()
