"""One memory copied into other stores: nothing is extracted or embedded again."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from clew.errors import RunError
from clew.indexing import indexed
from clew.memory import Memory
from clew.model import Unit
from clew.stores.graph import GraphStore
from clew.stores.vectors import VectorStore

PAGE = 256  # units whose vectors are held at once


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copied memory holds, as counted in the copy."""

    conversation: str
    messages: int
    units: int
    entities: int
    edges: int
    decisions: int
    vectors: int
    drift: int


def copy_memory(source: Memory, graph: GraphStore, vectors: VectorStore) -> None:
    """Make a graph and its vectors hold what a memory holds, if they do not already.

    Raises:
        RunError: the memory's own vectors do not fit its graph.
    """
    if drift := len(source.drift()):
        raise RunError(
            f"{drift} vectors of {source.conversation} do not fit its graph: mend them first, "
            f"with clew doctor and --repair"
        )
    if not alike(source.graph, graph):
        _copy_graph(source.graph, graph)
    there = vectors.stamps()
    if there != source.graph.stamps():
        if there:
            vectors.clear()
        _copy_vectors(source, vectors)


def alike(one: GraphStore, other: GraphStore) -> bool:
    """Say whether two graphs hold the same, down to the last line of the ledger."""
    return (
        one.setting("embedder") == other.setting("embedder")
        and one.messages() == other.messages()
        and one.entities() == other.entities()
        and list(one.units()) == list(other.units())
        and one.all_edges() == other.all_edges()
        and one.lines() == other.lines()
    )


def counted(memory: Memory) -> Copied:
    """Count what a memory holds."""
    graph = memory.graph
    return Copied(
        conversation=memory.conversation,
        messages=len(graph.messages()),
        units=sum(1 for _ in graph.units()),
        entities=len(graph.entities()),
        edges=len(graph.all_edges()),
        decisions=len(graph.lines()),
        vectors=len(memory.vectors.stamps()),
        drift=len(memory.drift()),
    )


def _copy_graph(source: GraphStore, target: GraphStore) -> None:
    target.clear()
    with target.transaction():
        target.setting("embedder", source.setting("embedder"))
        target.put_messages(source.messages())
        target.put_entities(source.entities())
        target.put(source.units())
        target.link(edge for edge in source.all_edges() if edge.kind != "MENTIONS")
        target.append(source.lines())


def _copy_vectors(source: Memory, target: VectorStore) -> None:
    for units in _pages(source.graph.units()):
        ids = [unit.id for unit in units]
        stamps = source.graph.stamps(ids)
        text, context = (source.vectors.vectors(ids, view) for view in ("text", "context"))
        target.put(
            [indexed(unit, text[unit.id], context[unit.id], stamps[unit.id]) for unit in units]
        )


def _pages(units: Iterator[Unit]) -> Iterator[list[Unit]]:
    while page := list(islice(units, PAGE)):
        yield page
