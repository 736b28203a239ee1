"""Which units were said again, and when last: a merge updates the timestamp (AriadneMem §2.2)."""

from bisect import bisect_left, bisect_right, insort
from datetime import datetime

from clew.model import Unit
from clew.stores.graph import GraphStore


class Repeats:
    """The units that others were merged into, in the order in which they were last said.

    Their points tell when they were said first; a gate also asks for what was repeated
    within the hour. Read from the ledger once, then kept in step.
    """

    def __init__(self, graph: GraphStore) -> None:
        merged = {entry.targets[1] for entry in graph.ledger() if entry.op == "MERGE"}
        views = graph.views(sorted(merged)) if merged else {}
        seen = {id: view.last_seen for id, view in views.items()}
        self._seen = {id: at.timestamp() for id, at in seen.items() if at}
        self._order = sorted((at, id) for id, at in self._seen.items())

    def note(self, known: Unit, again: Unit) -> None:
        """Take in that `again` was merged into `known`."""
        times = [unit.said_at.timestamp() for unit in (known, again) if unit.said_at]
        before = self._seen.get(known.id)
        last = max([*times, *([] if before is None else [before])], default=None)
        if last is None or last == before:
            return
        if before is not None:
            del self._order[bisect_left(self._order, (before, known.id))]
        self._seen[known.id] = last
        insort(self._order, (last, known.id))

    def between(self, start: datetime, end: datetime) -> list[str]:
        """Return the units that were last said in [start, end], the latest last."""
        first = bisect_left(self._order, (start.timestamp(), ""))
        past = bisect_right(self._order, end.timestamp(), key=lambda one: one[0])
        return [id for _, id in self._order[first:past]]
