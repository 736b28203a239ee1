"""Pack, as released: facts by rank, each with a label and its date (D22)."""

from collections.abc import Collection, Sequence
from itertools import pairwise

from clew.memory import Memory
from clew.model import Context, Graph, Scored, Unit
from clew.stage import stage
from clew.stages.pack import ARROW, InTime
from clew.text import count_tokens
from clew.trace import count


@stage
class ByRank(InTime):
    """Tell facts in the order of their scores, though their readers expect one of time.

    Each fact has a label and its date; paths follow a line each, then how many bridges there
    are. The budget of tokens is ours: the released code tells all that its node budget keeps.
    """

    def __call__(self, graph: Graph, memory: Memory, budget: int | None = None) -> Context:
        """Return the context with its units and messages in the order they are told."""
        context = InTime.__call__(self, graph, memory, budget)
        told = pairwise(unit.order for unit in memory.units(context.units))
        count("pack.out_of_time", sum(after < before for before, after in told))
        return context

    def order(self, taken: Sequence[Scored]) -> list[Scored]:
        """Return units in the order they are told: best first, as they were taken."""
        return list(taken)

    def cost(self, unit: Unit, headed: Collection[str]) -> int:
        """Return about how many tokens a unit takes."""
        return count_tokens(_line("F20", unit)) + 1

    def tell(self, ordered: Sequence[Scored], chains: Sequence[tuple[str, ...]]) -> str:
        """Return the context."""
        label = {s.unit.id: f"F{n}" for n, s in enumerate(ordered, 1)}
        lines = [_line(label[s.unit.id], s.unit) for s in ordered]
        lines += [
            f"{n}. {ARROW.join(label[id] for id in chain)}" for n, chain in enumerate(chains, 1)
        ]
        bridges = sum(s.role == "bridge" for s in ordered)
        return "\n".join([*lines, f"Bridges: {bridges}"] if bridges else lines)


def _line(label: str, unit: Unit) -> str:
    date = unit.said_at.date().isoformat() if unit.said_at else "no date"
    return f"[{label}] {date}: {unit.text}"
