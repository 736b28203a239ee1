"""Answer: what do the gathered units say to the question? (AriadneMem §2.3, Eq. 11)

The paper's answer rules without an LLM: as short as the kind of question allows, dates as
they were told, numbers counted, lists joined, and "not mentioned" when nothing about the
person asked after supports an answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from clew.memory import Memory
from clew.model import Answer, Context, Graph, Query
from clew.stage import Count, Fraction, stage
from clew.stages.answers import spans
from clew.stages.answers.asking import Asked, read
from clew.stages.answers.counting import how_many
from clew.stages.answers.judging import which, yes_or_no
from clew.stages.answers.persons import described, namesakes, role_roots, who
from clew.stages.answers.reading import Line, content, limits, lines, owners, topic, weights
from clew.stages.answers.stretches import listed, ranked
from clew.stages.answers.support import shares, unheard_of
from clew.stages.answers.times import days_between, duration, when

UNKNOWN = "Not mentioned"


class Synthesise(Protocol):
    """Answer a query once, from the graph and its text."""

    def __call__(self, query: Query, graph: Graph, context: Context, memory: Memory) -> Answer: ...


@dataclass(frozen=True, slots=True)
class _Case:
    """A question with what bears on it."""

    query: Query
    graph: Graph
    memory: Memory
    asked: Asked
    people: tuple[str, ...]
    weight: Mapping[str, float]
    told: Sequence[Line]


def _case(query: Query, graph: Graph, memory: Memory) -> _Case:
    asked = read(query.text)
    people, times = owners(asked, memory), limits(asked, query.asked_at)
    wanted = topic(asked, people, described(asked, memory), times)
    weight = weights(wanted, graph)
    told = lines(graph, people, weight, times, namesakes(asked, memory))
    return _Case(query, graph, memory, asked, people, weight, told)


@stage
class Extractive:
    """Answer without an LLM: pick the supporting units and the shortest span that answers."""

    most: Count = 10  # words in an answer
    items: Count = 4  # in a list: the paper's "2-4 items"
    enough: Fraction = 0.5  # share of the question's words that makes a "would" likely
    lead: Fraction = 0.05  # by which what is told of others may fit better before it abstains

    def __call__(self, query: Query, graph: Graph, context: Context, memory: Memory) -> Answer:
        """Return a short answer from what the context tells, or abstain."""
        if graph.known:
            return Answer(graph.known, context, graph)
        seen = frozenset(context.units)
        told = replace(graph, nodes=tuple(n for n in graph.nodes if n.unit.id in seen))
        case = _case(query, told, memory)
        text = "" if self._unsupported(case) else self._say(case)
        return Answer(text or UNKNOWN, context, graph, abstained=not text)

    def _unsupported(self, case: _Case) -> bool:
        """Tell whether nothing is told of what is asked about, or only of somebody else."""
        asked, roles = case.asked, role_roots(case.asked)
        if not (case.weight or case.people):
            return True
        if not case.told or (roles and not any(roles & content(x.text) for x in case.told)):
            return True
        if asked.kind in ("yesno", "choice"):
            return False
        if unheard_of(asked, case.graph, case.memory.speakers):
            return True
        own, others = shares(case.graph, case.people, case.weight)
        return len(case.people) == 1 and others > own + self.lead

    def _say(self, case: _Case) -> str:
        asked, told = case.asked, case.told
        match asked.kind:
            case "when":
                return when(asked, told, case.query.asked_at)
            case "count":
                return how_many(asked, told)
            case "days":
                unit = asked.text.split()[2].rstrip("s").casefold()
                return duration(told) or days_between(told, unit)
            case "long":
                return duration(told) or self._span(case)
            case "yesno":
                return yes_or_no(asked, told, self.enough)
            case "choice":
                return which(asked, told)
            case "who":
                return who(asked, told, case.memory) or self._span(case)
            case "where":
                return self._where(case) or self._span(case)
            case "why":
                return self._why(case) or self._span(case)
            case _:
                return self._span(case)

    def _where(self, case: _Case) -> str:
        wanted = frozenset(case.weight)
        found = (spans.place(line.text, wanted, self.most) for line in case.told[:4])
        return next((place for place in found if place), "")

    def _why(self, case: _Case) -> str:
        found = (spans.reason(line.text, self.most) for line in case.told[:3])
        return next((reason for reason in found if reason), "")

    def _span(self, case: _Case) -> str:
        wanted = frozenset(case.weight)
        if case.asked.several:
            pieces = listed(case.asked, case.told, wanted, self.items)
            return ", ".join(piece.text for piece in pieces)
        found = ranked(case.asked, case.told, wanted, self.most)
        return found[0].text if found else ""
