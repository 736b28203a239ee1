"""Parts: what hangs together in a graph, given as its nodes and the pairs that are joined."""

from collections.abc import Iterable
from typing import TypeVar

Node = TypeVar("Node", int, str)


def parts(nodes: Iterable[Node], pairs: Iterable[tuple[Node, Node]]) -> list[frozenset[Node]]:
    """Return the connected parts, those with smaller nodes first; ends of pairs are nodes too."""
    joined: dict[Node, set[Node]] = {node: set() for node in nodes}
    for one, other in pairs:
        joined.setdefault(one, set()).add(other)
        joined.setdefault(other, set()).add(one)
    found, seen = list[frozenset[Node]](), set[Node]()
    for start in sorted(joined):
        if start not in seen:
            part = _reached(start, joined)
            seen |= part
            found.append(part)
    return found


def _reached(start: Node, joined: dict[Node, set[Node]]) -> frozenset[Node]:
    reached, waiting = {start}, [start]
    while waiting:
        new = joined[waiting.pop()] - reached
        reached |= new
        waiting.extend(new)
    return frozenset(reached)
