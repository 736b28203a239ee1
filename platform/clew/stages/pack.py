"""Pack: how is the evidence told to a reader, in so many tokens? (AriadneMem §2.3, C_graph)

Facts stand in the order of time under one date line per sitting, since a date on each of
them would cost a tenth of the budget. Paths follow as chains of labels; only facts that
stand on one carry a label.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import ClassVar, NamedTuple, Protocol

from clew.memory import Memory
from clew.model import Context, Graph, Path, Scored, Unit, View
from clew.stage import Count, Fraction, stage
from clew.stages.route import source_of
from clew.text import count_tokens, fold
from clew.trace import count
from clew.when import day

ARROW = " -> "


class Pack(Protocol):
    """Write an evidence graph as text, within a budget of tokens or the stage's own."""

    def __call__(self, graph: Graph, memory: Memory, budget: int | None = None) -> Context: ...


@stage
class InTime:
    """Take units by rank until the budget is full, then tell them in order of time.

    Paths get at most `paths` of the budget, and only those whose units were all taken and
    that do more than follow one sitting. What they leave of it goes to further units.
    """

    tokens: Count = 500  # the paper's contexts hold 497 on average (GPT-4o)
    paths: Fraction = 0.08  # unspecified

    def __call__(self, graph: Graph, memory: Memory, budget: int | None = None) -> Context:
        """Return the context with its units and messages in the order they are told."""
        limit = self.tokens if budget is None else budget
        share = int(limit * self.paths) if graph.paths else 0
        taken = self._fill([], graph.nodes, limit - share)
        chains = _chains(graph.paths, {s.unit.id for s in taken}, share)
        told = self.tell(self.order(taken), chains)
        while taken and count_tokens(told) > limit:
            taken = taken[:-1]
            chains = _chains(graph.paths, {s.unit.id for s in taken}, share)
            told = self.tell(self.order(taken), chains)
        taken = self._fill(taken, graph.nodes, limit - count_tokens(told))
        told = self.tell(self.order(taken), chains)
        while count_tokens(told) > limit:  # a unit's tokens are not quite those of its text
            taken = taken[:-1]
            told = self.tell(self.order(taken), chains)
        units = [s.unit for s in self.order(taken)]
        views = memory.graph.views([unit.id for unit in units])
        messages = dict.fromkeys(m for unit in units for m in quoted(unit, views[unit.id]))
        return Context(told, count_tokens(told), tuple(u.id for u in units), tuple(messages))

    def order(self, taken: Sequence[Scored]) -> list[Scored]:
        """Return units in the order they are told."""
        return sorted(taken, key=lambda s: s.unit.order)

    def cost(self, unit: Unit, headed: Collection[str]) -> int:
        """Return about how many tokens a unit takes where there are these date lines already."""
        head = heading(unit)
        return count_tokens(unit.text) + 1 + (0 if head in headed else count_tokens(head) + 1)

    def tell(self, ordered: Sequence[Scored], chains: Sequence[tuple[str, ...]]) -> str:
        """Return the context: a date line for each sitting, its facts, and paths by labels."""
        linked = {id for chain in chains for id in chain}
        numbered = (s.unit.id for s in ordered if s.unit.id in linked)
        label = {id: f"F{n}" for n, id in enumerate(numbered, 1)}
        lines = list[str]()
        for head, group in groupby(ordered, key=lambda s: heading(s.unit)):
            lines.append(head)
            for node in group:
                mark = f"{label[node.unit.id]} " if node.unit.id in label else ""
                lines.append(mark + node.unit.text)
        if chains:
            lines.append("Paths: " + "; ".join(ARROW.join(label[id] for id in c) for c in chains))
        return "\n".join(lines)

    def offered(self, nodes: Sequence[Scored], taken: Sequence[Scored]) -> Iterable[Scored]:
        """Return units in the order they are to be taken; `taken` grows as they are."""
        return nodes

    def _fill(self, taken: Sequence[Scored], nodes: Sequence[Scored], room: int) -> list[Scored]:
        """Return the units taken, and behind them further ones by rank that fit into the room."""
        filled, used = list(taken), 0
        known, headed = {s.unit.id for s in taken}, {heading(s.unit) for s in taken}
        for node in self.offered(nodes, filled):
            cost = self.cost(node.unit, headed)
            if node.unit.id not in known and used + cost <= room:
                filled.append(node)
                headed.add(heading(node.unit))
                used += cost
        return filled


def quoted(unit: Unit, view: View) -> Sequence[str]:
    """Return the messages whose words a reader is told with a unit.

    An abstract unit comes from more than that: what it leaves out is no evidence found.
    """
    if unit.level == 0:
        return view.messages
    return [each.message for each in unit.evidence if each.end > each.start]


@stage
class Mmr(InTime):
    """Take the unit of the greatest marginal relevance next, until it is full (Mandol Eq. 3).

    MMR = `balance` Rel - (1 - `balance`) Red. Rel is the unit's score, Red its likeness to the
    most alike of those taken: their entities and messages in common, and one source. The
    weights of these are the released code's; speakers are no entities here, being in all units.
    """

    balance: Fraction = 0.6  # λ
    effects: ClassVar = ("pack.put_off",)

    def offered(self, nodes: Sequence[Scored], taken: Sequence[Scored]) -> Iterator[Scored]:
        """Yield what completes the units taken best; what does not fit counts as not taken."""
        speakers = frozenset(fold(node.unit.speaker) for node in nodes)
        known = {node.unit.id for node in taken}
        left = {s.unit.id: (s, _marks(s, speakers)) for s in nodes if s.unit.id not in known}
        red, seen = dict.fromkeys(left, 0.0), 0
        while left:
            for other in taken[seen:]:
                marks = _marks(other, speakers)
                red.update((id, max(red[id], _alike(own, marks))) for id, (_, own) in left.items())
            seen = len(taken)
            for id in sorted(left, key=lambda id: -self._worth(left[id][0], red[id])):
                count("pack.put_off", id != next(iter(left)))
                yield left.pop(id)[0]
                if len(taken) > seen:
                    break

    def _worth(self, node: Scored, redundancy: float) -> float:
        return self.balance * node.score - (1 - self.balance) * redundancy


def heading(unit: Unit) -> str:
    """Return the date line that a unit stands under."""
    return f"[{day(unit.said_at)}]" if unit.said_at else "[no date]"


class _Marks(NamedTuple):
    """What units are compared by: whom they mention, what they are from, and their source."""

    entities: frozenset[str]
    messages: frozenset[str]
    source: str


def _marks(node: Scored, speakers: frozenset[str]) -> _Marks:
    messages = frozenset(evidence.message for evidence in node.unit.evidence)
    return _Marks(node.unit.entities - speakers, messages, source_of(node.unit))


def _alike(one: _Marks, other: _Marks) -> float:
    """Return Red of two units, in [0, 1]."""
    red = 0.2 * (one.source == other.source)
    if named := one.entities & other.entities:
        red += 0.15 + 0.4 * len(named) / len(one.entities | other.entities)
    if told := one.messages & other.messages:
        red += 0.2 + 0.4 * len(told) / len(one.messages | other.messages)
    return min(1.0, red)


def _chains(paths: Sequence[Path], taken: set[str], share: int) -> list[tuple[str, ...]]:
    """Return the paths over taken units that fit into their share, best first."""
    chains, used = list[tuple[str, ...]](), 0
    for path in paths:
        cost = 7 * len(path.units)  # a label in front of a fact and one in the chain
        if taken.issuperset(path.units) and used + cost <= share:
            chains.append(path.units)
            used += cost
    return chains
