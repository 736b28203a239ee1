"""Memory: a conversation's memory as threads, an entity a thread, from left to right in time.

A unit is a dot on the thread of each entity it mentions, its dots tied by a line; an arrow
goes from a state to the one that took its place. With the evidence graph of a question, the
units that were found are told apart by shape, and their rank stands beside them.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from clew.model import Graph, Unit
from clew.report.figures.style import panels, svg
from clew.stores.graph import GraphStore

THREADS = 8  # the entities with most mentions
_NOBODY = "none of these"
_FOUND = {"terminal": "s", "bridge": "D", "neighbour": "^", "fact": "*"}
_INK, _FAINT = "#1b4f8f", "#999999"


@dataclass(frozen=True, slots=True)
class Threads:
    """Where units stand: `place` by unit from left to right, `lanes` of each on which threads."""

    units: tuple[Unit, ...]
    names: tuple[str, ...]
    lanes: dict[str, tuple[int, ...]]

    @classmethod
    def of(cls, store: GraphStore) -> "Threads":
        """Lay out what a graph holds."""
        units = tuple(sorted(store.units(), key=lambda unit: unit.order))
        called = {entity.id: entity.name for entity in store.entities()}
        mentions = Counter(id for unit in units for id in unit.entities if id in called)
        most = sorted(mentions, key=lambda id: (-mentions[id], id))[:THREADS]
        lanes = {
            unit.id: tuple(n for n, id in enumerate(most) if id in unit.entities) or (len(most),)
            for unit in units
        }
        return cls(units, (*(called[id] for id in most), _NOBODY), lanes)

    @property
    def places(self) -> dict[str, int]:
        """How far from the left each unit stands."""
        return {unit.id: n for n, unit in enumerate(self.units)}


def draw_memory(store: GraphStore, evidence: Graph | None = None) -> str:
    """Return a picture of a memory as SVG, with what was found for a question marked in it."""
    threads = Threads.of(store)
    with panels(1, 1, (7.5, 0.5 + 0.35 * len(threads.names))) as (picture, axes):
        panel = axes[0][0]
        _units(panel, threads)
        _states(panel, threads, store)
        _evidence(panel, threads, evidence or Graph())
        _frame(panel, threads)
        return svg(picture)


def _units(panel: Any, threads: Threads) -> None:
    for n, unit in enumerate(threads.units):
        lanes = threads.lanes[unit.id]
        panel.vlines(n, min(lanes), max(lanes), color="#cccccc", linewidth=0.8)
        panel.plot([n] * len(lanes), lanes, ".", color=_FAINT, markersize=3)


def _states(panel: Any, threads: Threads, store: GraphStore) -> None:
    """Draw an arrow from each state to the one that took its place."""
    for edge in store.edges(threads.lanes.keys(), ["SUPERSEDES"]):
        ends = [(threads.places[id], threads.lanes[id][0]) for id in (edge.target, edge.source)]
        look = {"arrowstyle": "->", "color": "black", "connectionstyle": "arc3,rad=-0.3"}
        panel.annotate("", *ends, arrowprops=look)


def _evidence(panel: Any, threads: Threads, evidence: Graph) -> None:
    places = {
        node.unit.id: (threads.places[node.unit.id], threads.lanes[node.unit.id][0])
        for node in evidence.nodes
    }
    for path in evidence.paths:
        panel.plot(*zip(*(places[id] for id in path.units if id in places), strict=True),
                   color=_INK, linewidth=1, alpha=0.5)  # fmt: skip
    for role, mark in _FOUND.items():
        some = [places[node.unit.id] for node in evidence.nodes if node.role == role]
        if some:
            panel.plot(*zip(*some, strict=True), mark, color=_INK, label=role)
    for rank, node in enumerate(evidence.nodes[:9], start=1):
        panel.annotate(str(rank), places[node.unit.id], (3, 4), textcoords="offset points")
    if evidence.nodes:
        panel.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(_FOUND))


def _frame(panel: Any, threads: Threads) -> None:
    """Name the threads, and say where sessions begin and when they were."""
    begins = [
        (next(some)[0], said)
        for said, some in groupby(enumerate(threads.units), key=lambda each: _day(each[1]))
    ]
    panel.set_xticks([n for n, _ in begins], [said for _, said in begins], rotation=30, ha="right")
    panel.set_yticks(range(len(threads.names)), threads.names)
    panel.set_ylim(len(threads.names) - 0.5, -0.5)


def _day(unit: Unit) -> str:
    return f"{unit.said_at:%d %b %Y}" if unit.said_at else "undated"
