"""Route: which memory sources does a question need, and how much of each? (Mandol §3.3.1)

The paper's "lightweight intent classifier" reads query features such as times and entities.
This one reads the question's words alone: no label of the data set takes part, as it does
in the released code.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol, get_args

from clew.memory import Memory
from clew.model import Query, Unit
from clew.stage import Number, stage
from clew.stages.answers.asking import read
from clew.text import names
from clew.trace import count
from clew.when import find

Source = Literal["basic", "episodic", "semantic", "emotional"]
SOURCES: tuple[Source, ...] = get_args(Source)
Plan = Mapping[Source, int]  # how many candidates each source may give

_FEELING = re.compile(
    r"\b(?:lik(?:es?|ed|ing)|lov(?:es?|ed|ing)|enjoy\w*|prefer\w*|favou?rites?|hat(?:es?|ed)"
    r"|dislik\w*|fond|fan|passion\w*|hobb(?:y|ies)|interest(?:s|ed)?|tastes?|opinions?"
    r"|recommend\w*|suggest\w*|feel(?:s|ing|ings)?|felt|attitude)\b",
    re.I,
)
_TIMELY: frozenset[str] = frozenset({"when", "days", "long"})
_RELATION: frozenset[str] = frozenset({"who", "where", "choice"})
_HAPPENED: frozenset[str] = frozenset({"count", "why", "how"})


class Route(Protocol):
    """Choose the sources for a query, with a budget of candidates for each."""

    def __call__(self, query: Query, memory: Memory) -> Plan: ...


@dataclass(frozen=True, slots=True)
class Features:
    """What a question's words tell of the memory it needs."""

    timely: bool  # asks for a time, or names one
    relational: bool  # is about someone or something besides the speakers, or asks who or where
    happened: bool  # asks for a number of things, a reason or a manner
    feeling: bool  # is about tastes, interests or feelings


def features(query: Query, memory: Memory) -> Features:
    """Read the features of a question."""
    kind = read(query.text).kind
    others = [name for name in names(query.text) if not memory.speaker(name)]
    return Features(
        timely=kind in _TIMELY or bool(find(query.text, query.asked_at)),
        relational=bool(others) or kind in _RELATION,
        happened=kind in _HAPPENED,
        feeling=_FEELING.search(query.text) is not None,
    )


@stage
class AllSources:
    """Give every source its whole budget, whatever is asked: without routing."""

    basic: Number = 60  # as the released code has it for LongMemEval's hierarchy
    episodic: Number = 30  # as it has it for LoCoMo, and the next
    semantic: Number = 30
    emotional: Number = 20  # unspecified: the released code has no such source

    def __call__(self, query: Query, memory: Memory) -> Plan:
        """Return the budgets of all sources."""
        return {source: getattr(self, source) for source in SOURCES}


@stage
class ByFeatures(AllSources):
    """Ask only the sources that a question's features speak for; basic memory always.

    A question for a time goes to events and leaves entities out, unless it is about one. What
    shows no feature is asked for something about an entity.
    """

    effects: ClassVar = ("route.skipped",)

    def __call__(self, query: Query, memory: Memory) -> Plan:
        """Return the budgets of the sources chosen."""
        seen = features(query, memory)
        chosen: dict[Source, bool] = {
            "basic": True,
            "episodic": seen.timely or seen.happened,
            "semantic": seen.relational or not (seen.timely or seen.feeling or seen.happened),
            "emotional": seen.feeling,
        }
        count("route.skipped", sum(not wanted for wanted in chosen.values()))
        return {source: getattr(self, source) for source in SOURCES if chosen[source]}


def source_of(unit: Unit) -> Source:
    """Return the memory source that a unit belongs to, by its spaces; basic if none names one."""
    return next((source for source in SOURCES if source in unit.spaces), "basic")
