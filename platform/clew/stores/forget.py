"""Forgetting, the same in every store: a message, and what came from it alone, as if never said.

What is to be done is worked out here on what a store found; the store then does it.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import product

from clew.model import Edge, Unit
from clew.stores.ledger import Line


class Forgetting:
    """What goes and what changes when messages are forgotten.

    `gone` are the ids of units to delete, `changed` units to put in place of the same ids.
    Of the ledger, the lines `unmerged` go and those in `merged` hold another unit. `unsaid`
    are texts to be taken out of the words around others.
    """

    def __init__(
        self, messages: Collection[str], touched: Iterable[Unit], merges: Iterable[Line]
    ) -> None:
        """Work it out from the units with such evidence and from all MERGE lines, in order."""
        self._messages = frozenset(messages)
        self.gone: list[str] = []
        self.changed: list[Unit] = []
        self.unmerged: set[int] = set()
        self.merged: dict[int, Unit] = {}
        self.unsaid: set[str] = set()
        left = self._left(merges)
        for unit in touched:
            self._forget(unit, left.get(unit.id, []))
        for line in (line for lines in left.values() for line in lines):
            if line.merged and (other := unsaid(line.merged, self.unsaid)) != line.merged:
                self.merged[line.seq] = other

    def _left(self, merges: Iterable[Line]) -> dict[str, list[Line]]:
        """Return, by the unit they are about, the merges that keep some evidence."""
        left: dict[str, list[Line]] = {}
        for line in merges:
            assert line.merged is not None and line.about is not None
            unit = self._without(line.merged)
            if unit is None:
                self.unmerged.add(line.seq)
                continue
            if unit is not line.merged:
                self.merged[line.seq] = unit
            left.setdefault(line.about, []).append(replace(line, merged=unit))
        return left

    def _forget(self, unit: Unit, merges: list[Line]) -> None:
        """Settle what stays of a unit: itself, what once repeated it, or nothing."""
        left = self._without(unit) if unit.level == 0 else None
        if left is None and merges:
            first = merges.pop(0)
            assert first.merged is not None
            self.unmerged.add(first.seq)
            left = replace(first.merged, id=unit.id)
        if left is None:
            self.gone.append(unit.id)
        elif left is not unit:
            self.changed.append(left)
        if left is None or left.text != unit.text:
            self.unsaid.add(unit.text)

    def _without(self, unit: Unit) -> Unit | None:
        left = tuple(each for each in unit.evidence if each.message not in self._messages)
        if len(left) == len(unit.evidence):
            return unit
        return replace(unit, evidence=left) if left else None


def unsaid(unit: Unit, texts: Collection[str]) -> Unit:
    """Return a unit with these texts, its own apart, taken out of the words around it."""
    around = f"\n{unit.context}\n"
    for text in sorted(texts):
        if text != unit.text:
            around = around.replace(f"\n{text}\n", "\n")
    return replace(unit, context=around[1:-1])


def closing(chain: Iterable[Edge], gone: Collection[str]) -> list[Edge]:
    """Return the NEXT edges that close a session's chain over units that go."""
    before: dict[str, set[str]] = {}
    after: dict[str, set[str]] = {}
    for edge in chain:
        before.setdefault(edge.target, set()).add(edge.source)
        after.setdefault(edge.source, set()).add(edge.target)
    new: set[tuple[str, str]] = set()
    for id in gone:
        sources, targets = before.pop(id, set()), after.pop(id, set())
        for source, target in product(sources, targets):
            before.setdefault(target, set()).add(source)
            after.setdefault(source, set()).add(target)
            new.add((source, target))
        for source in sources:
            after[source].discard(id)
        for target in targets:
            before[target].discard(id)
    return [Edge(*pair, "NEXT") for pair in sorted(new) if set(pair).isdisjoint(gone)]
