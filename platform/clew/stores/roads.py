"""Roads: the stored graph of a conversation, as algorithms walk it.

Units and entities are nodes, numbered in the order of their ids; edges are walked both ways,
and of several between two nodes only the shortest. So neither the order in which a store
tells its edges nor the history of its own node ids can change a result.
"""

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import itemgetter

from clew.model import Edge, EdgeKind
from clew.parts import parts

Place = int  # of a node
Pair = tuple[Place, Place]

LENGTHS: Mapping[EdgeKind, float] = {  # no paper gives any; NEXT tried on LoCoMo 26 and 30
    "SUPERSEDES": 1.0,
    "MERGED_INTO": 1.0,
    "ABSTRACTS": 1.0,
    "BEFORE": 1.0,
    "CAUSES": 1.0,
    "NEXT": 4.0,  # at 1, trees go through dozens of turns rather than through a speaker
    "MENTIONS": 1.0,  # times log2(1 + how many units mention the entity)
}
EXACT = 1024  # lengths are multiples of 1/1024, so that sums are exact in any order
DRAW = 2.0**-40  # and 20 bits of these settle which of two equally long ways is taken


class Roads:
    """Nodes by number, the shortest edge between every two, and which hang together."""

    def __init__(self, stored: Sequence[Edge]) -> None:
        edges = list(_measured(stored))
        nodes = sorted({node for edge in edges for node in _ends(edge)})
        self._place = {node: place for place, node in enumerate(nodes)}
        self._edge: dict[Pair, tuple[float, Edge]] = {}
        for edge in edges:
            one, other = sorted(self._place[node] for node in _ends(edge))
            if one != other:
                here = (_length(edge), edge)
                self._edge[one, other] = min(
                    here, self._edge.get((one, other), here), key=itemgetter(0)
                )
        found = parts(range(len(nodes)), self._edge)
        self._part = {place: n for n, part in enumerate(found) for place in part}

    def __len__(self) -> int:
        return len(self._place)

    def lengths(self) -> list[tuple[Place, Place, float]]:
        """Return every two nodes that are joined, lower first, with the length between them."""
        return [(*pair, self._edge[pair][0]) for pair in sorted(self._edge)]

    def places(self, units: Iterable[str]) -> list[Place]:
        """Return the places of those of these units that are joined to anything, in order."""
        return sorted({self._place[0, id] for id in units if (0, id) in self._place})

    def groups(self, units: Iterable[str]) -> list[list[Place]]:
        """Return the places of these units by the part they lie in, where it holds two or more."""
        groups = defaultdict[int, list[Place]](list)
        for place in self.places(units):
            groups[self._part[place]].append(place)
        return [group for _, group in sorted(groups.items()) if len(group) > 1]

    def trail(self, places: Sequence[Place]) -> tuple[Edge, ...]:
        """Return the edges from each of these nodes to the next."""
        return tuple(self._edge[min(pair), max(pair)][1] for pair in pairwise(places))

    def tree(self, pairs: Iterable[Pair]) -> list[Edge]:
        """Return the edges between these pairs of nodes, sorted by value."""
        edges = {self._edge[min(pair), max(pair)][1] for pair in pairs}
        return sorted(edges, key=lambda e: (e.source, e.target, e.kind))


def _measured(stored: Sequence[Edge]) -> Iterator[Edge]:
    """Yield the edges with their lengths as weights.

    A mention of what n units mention is log2(1 + n) times as long: that two units tell of a
    thing that is hardly ever told of joins them more than that both name a speaker.
    """
    mentions = Counter(edge.target for edge in stored if edge.kind == "MENTIONS")
    for edge in stored:
        length = LENGTHS[edge.kind] * edge.weight
        if edge.kind == "MENTIONS":
            length *= math.log2(1 + mentions[edge.target])
        yield replace(edge, weight=max(1, round(length * EXACT)) / EXACT)


def _ends(edge: Edge) -> tuple[tuple[int, str], tuple[int, str]]:
    """Return the two nodes: units come before entities, and may have an entity's id."""
    return (0, edge.source), (int(edge.kind == "MENTIONS"), edge.target)


def _length(edge: Edge) -> float:
    """Return an edge's weight with its draw, which is the same in every store and process."""
    name = "\0".join((edge.source, edge.target, edge.kind)).encode("utf-8", "surrogatepass")
    drawn = int.from_bytes(hashlib.blake2b(name, digest_size=3).digest()) >> 4
    return edge.weight + drawn * DRAW
