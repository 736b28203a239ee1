"""Support: does the evidence speak of the one who is asked about, or of somebody else?

Two people who talk share their topics. What tells them apart is who says it: "I" is the
speaker and "you" the listener, and a question claims nothing of either.
"""

import re
from collections.abc import Mapping, Sequence

from clew.model import Graph, Unit
from clew.stages.answers.asking import Asked
from clew.stages.answers.reading import UNITS, content, split
from clew.text import fold

_YOU = re.compile(r"\b(?:you|your|you['\u2019](?:re|ve|d|ll)|yours|yourself)\b", re.I)


def shares(graph: Graph, people: Sequence[str], weight: Mapping[str, float]) -> tuple[float, float]:
    """Return the largest share of the question's words told of `people`, and of others."""
    own, others = 0.0, 0.0
    for node in graph.nodes[:UNITS]:
        of_speaker, of_listener = _told(node.unit)
        theirs = fold(node.unit.speaker) in people
        first, second = (of_speaker, of_listener) if theirs else (of_listener, of_speaker)
        own = max(own, _share(first, weight))
        others = max(others, _share(second, weight))
    return own, others


def _told(unit: Unit) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words a unit says of its speaker, and of the one it is said to."""
    of_speaker, of_listener = frozenset[str](), frozenset[str]()
    for text, caption in split(unit.text):
        if text.endswith("?"):
            continue
        if not caption and _YOU.search(text):
            of_listener |= content(text)
        else:
            of_speaker |= content(text)
    return of_speaker, of_listener


def _share(found: frozenset[str], weight: Mapping[str, float]) -> float:
    total = sum(weight.values())
    return sum(weight[root] for root in weight if root in found) / total if total else 0.0


def unheard_of(asked: Asked, graph: Graph, speakers: frozenset[str]) -> bool:
    """Tell whether the question names something that no unit of the evidence names."""
    told = [fold(node.unit.text) for node in graph.nodes]
    return any(
        not any(fold(name.split()[-1]) in text for text in told)
        for name in asked.names
        if not any(speaker.startswith(fold(name.split()[0])) for speaker in speakers)
    )
