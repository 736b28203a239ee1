"""Answer: what do the gathered units say to the question? (AriadneMem §2.3, Eq. 11)

The paper's answer rules without an LLM: as short as the kind of question allows, dates as
they were told, numbers counted, lists joined, and "not mentioned" when nothing about the
person asked after supports an answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from clew.memory import Memory
from clew.model import Answer, Context, Graph, Query
from clew.stage import Count, Fraction, stage
from clew.stages import spans
from clew.stages.asking import Asked, read
from clew.stages.counting import how_many
from clew.stages.judging import which, yes_or_no
from clew.stages.persons import described, role_roots, who
from clew.stages.reading import Line, content, limits, lines, owners, topic
from clew.stages.stretches import ranked
from clew.stages.times import days_between, duration, when

UNKNOWN = "Not mentioned"


class Synthesise(Protocol):
    """Answer a query once, from the graph and its text."""

    def __call__(self, query: Query, graph: Graph, context: Context, memory: Memory) -> Answer: ...


@dataclass(frozen=True, slots=True)
class _Case:
    """A question with what bears on it."""

    query: Query
    asked: Asked
    people: tuple[str, ...]
    told: Sequence[Line]
    memory: Memory


@stage
class Extractive:
    """Answer without an LLM: pick the supporting units and the shortest span that answers."""

    most: Count = 8  # words in an answer
    enough: Fraction = 0.5  # share of the question's words that makes a "would" likely
    lead: Fraction = 0.15  # by which somebody else's words may fit better before it abstains

    def __call__(self, query: Query, graph: Graph, context: Context, memory: Memory) -> Answer:
        """Return a short answer, or abstain."""
        if graph.known:
            return Answer(graph.known, context, graph)
        asked = read(query.text)
        people = owners(asked, memory)
        times = limits(asked, query.asked_at)
        told = lines(asked, graph, people, described(asked, memory), times)
        case = _Case(query, asked, people, told, memory)
        text = "" if self._unsupported(case) else self._say(case)
        return Answer(text or UNKNOWN, context, graph, abstained=not text)

    def _unsupported(self, case: _Case) -> bool:
        """Tell whether nothing is told of the person, or the same is told of another."""
        if not case.told:
            return True
        if roles := role_roots(case.asked):
            if not any(roles & content(line.text) for line in case.told):
                return True
        own = max((line.support for line in case.told if line.own), default=0.0)
        other = max((line.support for line in case.told if not line.own), default=0.0)
        return other > own + self.lead

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
        wanted = topic(case.asked, case.people)
        found = (spans.place(line.text, wanted, self.most) for line in case.told[:4])
        return next((place for place in found if place), "")

    def _why(self, case: _Case) -> str:
        found = (spans.reason(line.text, self.most) for line in case.told[:3])
        return next((reason for reason in found if reason), "")

    def _span(self, case: _Case) -> str:
        wanted = topic(case.asked, case.people)
        found = ranked(case.asked, case.told, wanted, self.most)
        return found[0].text if found else ""
