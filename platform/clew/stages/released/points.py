"""Points: what a unit is worth by the words that it shares with the question (D13).

Most of them go by the question's "target": a possessive phrase, or else the first word with a
capital letter, which in most questions is the "what" or "when" that they begin with.
"""

import re
from dataclasses import replace

from clew.english import MONTHS
from clew.model import Graph, Query, Scored, Unit
from clew.text import keywords
from clew.trace import count

TOLD, NAMED, DATED, WORD, KEYWORD, TIMED = 100, 80, 80, 10, 15, 5
_OWNED = re.compile(r"\w+['\u2019]s \w+")
_CAPITALISED = re.compile(r"\b[A-Z]\w{2,}")
_DATE = re.compile(rf"\b\d{{1,2}} (?:{'|'.join(MONTHS.split())})\b")  # never "8th May" or "May 8"


def by_points(graph: Graph, query: Query) -> Graph:
    """Return a graph whose units are scored by points, of equal ones the earlier told first."""
    ordered = sorted(graph.nodes, key=lambda s: s.unit.order)
    ties = {s.unit.id: 1 - n / len(ordered) for n, s in enumerate(ordered)}  # below any point
    points = {s.unit.id: _points(s.unit, query) + ties[s.unit.id] for s in ordered}
    best = max(points.values(), default=1.0)
    nodes = tuple(replace(s, score=points[s.unit.id] / best) for s in graph.nodes)
    before, after = (sorted(found, key=_rank) for found in (graph.nodes, nodes))
    count("paths.moved", sum(a.unit != b.unit for a, b in zip(before, after, strict=True)))
    return replace(graph, nodes=nodes)


def target(text: str) -> str:
    """Return what a question is taken to be about, in lower case."""
    found = _OWNED.search(text) or _CAPITALISED.search(text)
    return found.group().lower() if found else ""


def _points(unit: Unit, query: Query) -> float:
    asked, told, focus = query.text.lower(), unit.text.lower(), target(query.text)
    points = 0
    if focus:  # within a word too: "how" is in "show"
        points += TOLD * (focus in told) or NAMED * (focus in unit.entities)
    points += DATED * any(date in told for date in _DATE.findall(asked))
    points += WORD * len(set(asked.split()) & set(told.split()))
    points += KEYWORD * len(keywords(query.text) & unit.keywords)
    return points + TIMED * (unit.said_at is not None)


def _rank(scored: Scored) -> tuple[float, str]:
    return -scored.score, scored.unit.id
