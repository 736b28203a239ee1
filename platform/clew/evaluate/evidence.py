"""Evidence: the graph that a question was answered from, as short as a journal can hold it.

A graph over two dozen units has some hundred edges, nearly all of them between what was said
in one sitting. Kept are those that tell a reader something; the others are counted.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from clew.model import Context, Edge, Graph

Step = tuple[int, int, str]  # from, to, kind
COMMON = frozenset({"SHARED_ENTITY", "TIME_NEAR"})  # of the base graph, not stored and no bridge


@dataclass(frozen=True, slots=True)
class EvidenceGraph:
    """A question's graph; its units are named by their places in the record's `retrieved`.

    `roles` has the first letter of each unit's role, `packed` a 1 for each unit in the context
    and a 0 for each other. `edges` are (source, target, kind), earlier to later; `paths` are
    chains of places in `edges`, best first. `rest` counts the edges left out, by kind.
    """

    roles: str = ""
    packed: str = ""
    edges: tuple[Step, ...] = ()
    paths: tuple[tuple[int, ...], ...] = ()
    rest: Mapping[str, int] = field(default_factory=dict)
    known: str = ""


def evidence_graph(graph: Graph, context: Context) -> EvidenceGraph:
    """Shorten a graph to its units, its paths, and the edges of a bridge or a stored kind."""
    places = {node.unit.id: place for place, node in enumerate(graph.nodes)}
    inside = [e for e in graph.edges if e.source in places and e.target in places]
    chains = [chain for chain in _chains(graph, places) if chain]
    steps = {step for chain in chains for step in chain}
    steps |= {_step(edge, places) for edge in inside if _tells(edge, graph, places)}
    rest = Counter(edge.kind for edge in inside if _step(edge, places) not in steps)
    edges = tuple(sorted(steps))
    numbers = {step: number for number, step in enumerate(edges)}
    packed = set(context.units)
    return EvidenceGraph(
        roles="".join(node.role[0] for node in graph.nodes),
        packed="".join(str(int(node.unit.id in packed)) for node in graph.nodes),
        edges=edges,
        paths=tuple(tuple(numbers[step] for step in chain) for chain in chains),
        rest={str(kind): n for kind, n in sorted(rest.items())},
        known=graph.known,
    )


def _chains(graph: Graph, places: Mapping[str, int]) -> Iterator[list[Step]]:
    """Yield the steps of each path that lies within the units."""
    for path in graph.paths:
        if all(id in places for id in path.units):
            hops = zip(path.units, path.units[1:], path.kinds, strict=False)
            yield [(places[one], places[other], kind) for one, other, kind in hops]


def _tells(edge: Edge, graph: Graph, places: Mapping[str, int]) -> bool:
    """Tell whether an edge is stored, made for a bridge or ends at one."""
    ends = (graph.nodes[places[id]].role for id in (edge.source, edge.target))
    return edge.kind not in COMMON or "bridge" in ends


def _step(edge: Edge, places: Mapping[str, int]) -> Step:
    return places[edge.source], places[edge.target], edge.kind
