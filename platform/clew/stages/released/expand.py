"""Expand, as released: a chain in order of time in place of a graph, and bridges along it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from clew.memory import Memory
from clew.model import Graph, Scored, Unit
from clew.stage import stage
from clew.stages.expand import Bridges, Pair, base_graph, dated, instant, terminals
from clew.trace import count

SLACK = timedelta(hours=24)
_CAPITALISED = re.compile(r"\b[A-Z][^\W\d_]{4,}")


@stage
class ChainBridges(Bridges):
    """Bridges, and what the released code does otherwise; with all switches off it is Bridges.

    `chain`: only what follows on each other in time is joined (D14). `by_keywords`: keywords
    and speakers join as entities do (D15). `neighbours`: a bridge is looked for where two that
    follow on each other have no edge, whatever else holds them together (D16, D20).
    `recalled`: it may be a terminal (D17). `loose`: it may lie up to a day outside of its
    ends, or have no date (D18). `reduced`: three short queries take turns in place of one
    with all entities and keywords (D19), of sets that are cut in the order of the alphabet.
    """

    chain: bool = True
    by_keywords: bool = True
    neighbours: bool = True
    recalled: bool = True
    loose: bool = True
    reduced: bool = True

    def base(self, found: Sequence[Scored], memory: Memory) -> Graph:
        """Return the graph of Eq. 8, or the chain that is left of it."""
        speakers = frozenset[str]() if self.by_keywords else memory.speakers
        graph = base_graph(found, self.near, memory, lambda unit: self._names(unit) - speakers)
        if self.chain:
            order = pairwise(sorted((s.unit for s in found), key=lambda unit: unit.order))
            links = {(one.id, other.id) for one, other in order}
            kept = (
                e for e in graph.edges if e.kind == "SUPERSEDES" or (e.source, e.target) in links
            )
            graph = replace(graph, edges=tuple(kept))
        count("expand.base_edges", len(graph.edges))
        return graph

    def _names(self, unit: Unit) -> frozenset[str]:
        return unit.entities | unit.keywords if self.by_keywords else unit.entities

    def pairs(self, graph: Graph) -> list[Pair]:
        """Return the pairs to look for a bridge between, earlier first."""
        if not self.neighbours:
            return Bridges.pairs(self, graph)
        joined = {(e.source, e.target) for e in graph.edges}
        return [
            (one, other)
            for one, other in pairwise(dated(terminals(graph)))
            if (one.id, other.id) not in joined
            and self.shortest < instant(other) - instant(one) < self.longest
        ]

    def roomy(self, pairs: Sequence[Pair], memory: Memory) -> Sequence[Pair]:
        """Return the pairs that can have a bridge."""
        return pairs if self.loose else Bridges.roomy(self, pairs, memory)

    def queries(self, pair: Pair) -> list[str]:
        """Return what a bridge is looked for by, in turn."""
        if not self.reduced:
            return Bridges.queries(self, pair)
        one, other = pair
        apart = sorted(one.entities ^ other.entities)[:4]
        names = sorted(one.entities | other.entities)[:3]
        words = sorted(one.keywords | other.keywords)[:5]
        told = [word for unit in pair for word in _CAPITALISED.findall(unit.text)[:2]]
        return [" ".join(query) for query in (apart, names + words, told) if query]

    def barred(self, pair: Pair, recalled: frozenset[str]) -> frozenset[str]:
        """Return the ids of units that cannot be a bridge between these two."""
        return frozenset(unit.id for unit in pair) if self.recalled else recalled

    def fits(self, pair: Pair, unit: Unit) -> bool:
        """Tell whether a unit may be a bridge between the ends of a pair."""
        if not self.loose:
            return Bridges.fits(self, pair, unit)
        return (
            unit.said_at is None
            or instant(pair[0]) - SLACK <= unit.said_at <= instant(pair[1]) + SLACK
        )
