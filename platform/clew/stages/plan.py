"""Plan: can the graph answer at once, before any search? (AriadneMem §2.3, fast paths)

A fast path answers only what a slot holds: a count, a list, an attribute of one person. It
is better silent than wrong, since whatever it does not take goes the usual way.
"""

from typing import ClassVar, Protocol

from clew.memory import Memory
from clew.model import Graph, Query, Scored
from clew.stage import Count, stage
from clew.stages.slots import Slot, asked_slot, values
from clew.trace import count


class FastPath(Protocol):
    """Return a graph with a known answer, or None to go the usual way."""

    def __call__(self, query: Query, memory: Memory) -> Graph | None: ...


@stage
class GraphLookup:
    """Answer from facts in slots, where a question asks for exactly one slot."""

    effects: ClassVar = ("plan.looked_up",)

    most: Count = 12  # a list longer than this is left to recall

    def __call__(self, query: Query, memory: Memory) -> Graph | None:
        """Return the facts that fill the asked slot, as a minimal graph."""
        slot = asked_slot(query, memory)
        held = values(slot, memory) if slot else []
        if not slot or not held or len(held) > self.most:
            return None
        count("plan.looked_up")
        units = dict.fromkeys(item.unit for item in held)
        nodes = tuple(Scored(unit, 1.0, role="fact") for unit in units)
        return Graph(nodes, known=_told(slot, [item.fact.value for item in held]))


@stage
class NoFastPath:
    """Send every question through recall: the row "w/o fast path"."""

    def __call__(self, query: Query, memory: Memory) -> Graph | None:
        """Return None."""
        return None


def _told(slot: Slot, found: list[str]) -> str:
    different = list(dict.fromkeys(found))
    return ", ".join(different) if slot.several else different[-1]
