"""Acyclic: no event comes before itself.

By their dates, or by when they were told, events only ever come one after the other. A model
may say otherwise of what has no date, and what it says counts. An edge that follows from dates
alone is then left out, if with what is known it would lead back to where it starts.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from clew.memory import Memory
from clew.model import Decision, Edge, Relate


@dataclass(slots=True)
class Acyclic:
    """Lets decisions pass, without edges BEFORE that close a cycle; `refused` counts those.

    `stated` are the edges that a model stated of a chunk, which have no cycle among them; they
    stand, and are known before they are stored.
    """

    memory: Memory
    stated: Sequence[Edge]
    refused: int = 0
    _made: list[Edge] = field(default_factory=list)

    def __call__(self, decisions: Iterable[Decision]) -> Iterator[Decision]:
        """Yield decisions that are made in sight of those before them."""
        for decision in decisions:
            if isinstance(decision, Relate):
                edges = tuple(edge for edge in decision.edges if self._admits(edge))
                if edges:
                    yield replace(decision, edges=edges)
            else:
                yield decision

    def _admits(self, edge: Edge) -> bool:
        if edge.kind != "BEFORE" or edge in self.stated:
            return True
        if leads(edge.target, edge.source, self._touching):
            self.refused += 1
            return False
        self._made.append(edge)
        return True

    def _touching(self, ids: Collection[str]) -> Sequence[Edge]:
        """Return the edges that touch any of these events, and others of the chunk."""
        return [*self.memory.graph.edges(ids, ["BEFORE"]), *self.stated, *self._made]


def leads(start: str, end: str, touching: Callable[[Collection[str]], Sequence[Edge]]) -> bool:
    """Tell whether edges lead from one event to another, or it is the same.

    It is looked for from both ends in turn, as an end that little lies behind is soon done with.
    `touching` returns at least the edges that touch any of some events.
    """
    after, before = {start}, {end}
    ahead, behind = {start}, {end}
    while ahead and behind and after.isdisjoint(before):
        ahead = {edge.target for edge in touching(ahead) if edge.source in ahead} - after
        after |= ahead
        behind = {edge.source for edge in touching(behind) if edge.target in behind} - before
        before |= behind
    return not after.isdisjoint(before)
