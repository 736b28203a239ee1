"""Paths, as released: the latest chains first, and ends joined where a unit between was pruned."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from clew.model import Edge, EdgeKind, Graph, Path, Query, Scored
from clew.stage import stage
from clew.stages.paths import Paths
from clew.stages.released.points import by_points
from clew.trace import count

Kinds = Mapping[tuple[str, str], EdgeKind]


@stage
class LatePaths(Paths):
    """Paths, and what the released code does otherwise; with all switches off it is Paths.

    `points`: what counts for the node budget are points for shared words (D13). `spliced`:
    paths keep no unit alive, and a pruned unit falls out of its paths, as if what lay before
    and behind it were joined (D21). `latest`: of all chains of `hops` edges, and of those that end
    before, the longest come first, of equally long ones the latest, however far apart their
    ends lie (D23). The code's limit of three counts units, so it is two hops.
    """

    points: bool = True
    spliced: bool = True
    latest: bool = True

    def __call__(self, graph: Graph, query: Query | None = None) -> Graph:
        """Return the pruned graph with its paths."""
        scored = by_points(graph, query) if self.points and query else graph
        return Paths.__call__(self, scored)

    def mined(self, graph: Graph) -> list[Path]:
        """Return the best paths of a graph."""
        if not self.latest:
            return Paths.mined(self, graph)
        nodes = {s.unit.id: s for s in sorted(graph.nodes, key=lambda s: s.unit.order)}
        onward = _onward(graph.edges, list(nodes))
        chains = [chain for id in nodes for chain in _chains((id,), onward, self.hops)]
        chains.sort(key=lambda ids: (len(ids), min(_time(nodes[id]) for id in ids)), reverse=True)
        kinds: Kinds = {(e.source, e.target): e.kind for e in reversed(graph.edges)}
        return [_path(ids, nodes, kinds) for ids in chains[: min(len(nodes), self.keep)]]

    def bonuses(self, mined: Sequence[Path]) -> dict[str, float]:
        """Return what units are worth beyond their score for being on a path."""
        return {} if self.spliced else Paths.bonuses(self, mined)

    def kept(self, mined: Sequence[Path], pruned: Graph) -> Iterator[Path]:
        """Yield the paths that are left when units were pruned."""
        ids = {s.unit.id for s in pruned.nodes}
        left = _spliced(mined, ids) if self.spliced else mined
        if self.latest:
            return (path for path in left if ids.issuperset(path.units))
        return Paths.kept(self, left, pruned)


def _onward(edges: Sequence[Edge], order: Sequence[str]) -> dict[str, list[str]]:
    """Return what each unit leads to, in order of time."""
    targets = defaultdict[str, set[str]](set)
    for edge in edges:
        targets[edge.source].add(edge.target)
    place = {id: n for n, id in enumerate(order)}
    return {id: sorted(found, key=place.__getitem__) for id, found in targets.items()}


def _chains(
    begun: tuple[str, ...], onward: Mapping[str, list[str]], hops: int
) -> Iterator[tuple[str, ...]]:
    """Yield, depth first, the chains that begin so, as far as they go."""
    further = [id for id in onward.get(begun[-1], []) if id not in begun] if hops else []
    for id in further:
        yield from _chains((*begun, id), onward, hops - 1)
    if len(begun) > 1 and not further:
        yield begun


def _path(ids: tuple[str, ...], nodes: Mapping[str, Scored], kinds: Kinds) -> Path:
    mean = sum(nodes[id].score for id in ids) / len(ids)
    return Path(ids, tuple(kinds[step] for step in pairwise(ids)), mean)


def _spliced(paths: Sequence[Path], ids: set[str]) -> list[Path]:
    """Return the paths without what was pruned, each once, where two units or more are left."""
    told = dict[tuple[str, ...], Path]()
    for path in paths:
        places = [n for n, id in enumerate(path.units) if id in ids]
        units = tuple(path.units[n] for n in places)
        kinds = tuple(path.kinds[n] for n in places[:-1])  # of the edge that leads on
        count("paths.spliced", any(b - a > 1 for a, b in pairwise(places)))
        if len(units) > 1:
            told.setdefault(units, Path(units, kinds, path.score))
    return list(told.values())


def _time(scored: Scored) -> float:
    at = scored.unit.said_at
    return at.timestamp() if at else float("-inf")
