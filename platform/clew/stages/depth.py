"""Depth: how much does a question need to be told? (SimpleMem §3.3, C_q and k_dyn)

k_dyn = ⌊k_base (1 + δ C_q)⌋: from 3 units for a greeting to 20 for what goes over many
sittings. How C_q is come by the paper leaves open ("a light classifier"); here it is read
off the question's own words.
"""

import math
import re
from dataclasses import dataclass
from typing import Annotated, ClassVar, Protocol, runtime_checkable

from pydantic import Field

from clew.model import Query
from clew.stage import Count, Fraction, stage
from clew.stages.answers.asking import read
from clew.text import stems
from clew.trace import count

_CLAUSE = re.compile(
    r"\b(?:and|or|but|while|because|since|after|before|when|if|that|which|whose|during|despite"
    r"|so that|in order to)\b",
    re.I,
)
_OVERALL = re.compile(
    r"\b(?:more|most|less|least|than|both|all|each|every|common|different|difference|compare\w*"
    r"|between|likely|would|might|usually|often|always|ever|overall|still|chang\w+|kinds?|types?"
    r"|sorts?|ways?)\b",
    re.I,
)
_LONG, _MANY = 12, 2  # content words, and clauses, at which a question counts as complex: ours


@dataclass(frozen=True, slots=True)
class Reach:
    """How deep to look: `k` units, and whether into what abstract ones tell of."""

    k: int
    detailed: bool


@runtime_checkable
class Depth(Protocol):
    """Decide how much of the memory a question needs."""

    def __call__(self, query: Query) -> Reach: ...


@stage
class Adaptive:
    """More units for more complex questions, and details for those that are not simple."""

    effects: ClassVar = ("depth.deepened",)

    base: Count = 3  # k_base
    delta: Annotated[float, Field(ge=0)] = 5.67  # δ: 20 units at most
    detail: Fraction = 0.05  # C_q from which abstract units give way to details: unspecified

    def __call__(self, query: Query) -> Reach:
        """Return k_dyn for a question."""
        rated = complexity(query.text)
        k = math.floor(self.base * (1 + self.delta * rated) + 1e-9)
        count("depth.deepened", k > self.base)
        return Reach(k, rated >= self.detail)


@stage
class FixedDepth:
    """The same k for every question, in detail: the paper's "w/o adaptive pruning" row."""

    k: Count = 5  # the middle of the paper's depth sweep

    def __call__(self, query: Query) -> Reach:
        """Return the fixed k."""
        return Reach(self.k, detailed=True)


def complexity(text: str) -> float:
    """Return C_q in [0, 1]: by length, clauses, and whether several things are to be put together.

    The three count alike, which is our choice.
    """
    asked = read(text)
    overall = asked.several or asked.kind in ("count", "why") or bool(_OVERALL.search(text))
    long = min(1.0, len(stems(text)) / _LONG)
    clauses = min(1.0, len(_CLAUSE.findall(text)) / _MANY)
    return (long + clauses + overall) / 3
