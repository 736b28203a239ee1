"""Abstract: which memories belong together, and what do they come to? (SimpleMem §3.2)

ω_ij = γ cos(m_i, m_j) + (1 − γ) exp(−λ |t_i − t_j|). Units whose mean affinity is above
τ_cluster become one abstract unit and are archived under it; the abstracts are clustered in
turn, at a lower threshold. The paper does it "in the background"; here it is done when a
session has ended, with what was said up to then, so that a stream and a file end up the same.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
from pydantic import Field

from clew.memory import Memory
from clew.model import Abstract, Archive, Decision, Unit
from clew.stage import Count, Fraction, stage
from clew.stages.summarise import Summarise, space
from clew.stores.vectors import ByMeaning, Where

DAY = 86_400.0  # seconds
Rows = npt.NDArray[np.float64]


@runtime_checkable
class Consolidate(Protocol):
    """Decide what units that were active in a session come to, level by level."""

    def __call__(
        self, units: Sequence[Unit], summarise: Summarise, memory: Memory
    ) -> Iterator[Decision]: ...


@stage
class Clusters:
    """Abstract units over dense clusters, whose members are archived.

    A level of abstraction has a threshold each, the first one over units of one session, any
    later one over the abstracts of the level below it: the new ones, and for each the
    `nearest` older ones. Done twice, it changes nothing the second time.
    """

    effects: ClassVar = ("abstract.made",)

    density: tuple[Fraction, ...] = (0.7, 0.3)  # τ_cluster, "0.7 → 0.3 (hierarchical)"
    gamma: Fraction = 0.5  # γ
    decay: Annotated[float, Field(ge=0)] = 0.1  # λ, per day: the paper names no unit
    fewest: Annotated[int, Field(ge=2)] = 3  # members of a cluster: unspecified
    nearest: Count = 50  # unspecified

    def __call__(
        self, units: Sequence[Unit], summarise: Summarise, memory: Memory
    ) -> Iterator[Decision]:
        """Yield decisions, each to be carried out before the next is asked for."""
        for level, density in enumerate(self.density, 1):
            made = []
            for members in self._clusters(_active(units, memory), density, memory):
                unit = summarise(members, level, memory)
                yield Abstract(unit, members)
                for member in members:
                    yield Archive(member, unit)
                made.append(unit)
            units = self._among(made, level, memory)

    def _clusters(
        self, units: Sequence[Unit], density: float, memory: Memory
    ) -> list[tuple[Unit, ...]]:
        """Return groups whose mean affinity is at least `density`, by their first members."""
        if len(units) < self.fewest:
            return []
        groups: dict[int, list[Unit]] = {}
        for unit, group in zip(units, _linked(self.affinity(units, memory), density), strict=True):
            groups.setdefault(group, []).append(unit)
        return [tuple(group) for group in groups.values() if len(group) >= self.fewest]

    def affinity(self, units: Sequence[Unit], memory: Memory) -> Rows:
        """Return ω_ij for all pairs; what has no time is near to nothing in time."""
        vectors = memory.vectors.vectors([unit.id for unit in units])
        rows = np.array([vectors[unit.id] for unit in units], dtype=np.float64)
        said = [unit.said_at.timestamp() if unit.said_at else np.nan for unit in units]
        days = np.array(said) / DAY
        apart = np.abs(days[:, np.newaxis] - days)
        near = np.nan_to_num(np.exp(-self.decay * apart), nan=0.0)
        found: Rows = self.gamma * (rows @ rows.T) + (1 - self.gamma) * near
        return found

    def _among(self, made: Sequence[Unit], level: int, memory: Memory) -> list[Unit]:
        """Return new abstracts of a level, with the older ones that are nearest to them."""
        where = Where(spaces=frozenset({space(level)}))
        vectors = memory.vectors.vectors([unit.id for unit in made])
        asked = [ByMeaning(vectors[unit.id], where) for unit in made]
        found = memory.vectors.search(asked, self.nearest) if asked else []
        return memory.units(sorted({hit.id for hits in found for hit in hits}))


@stage
class KeepApart:
    """Abstract nothing: the paper's "w/o consolidation" row."""

    def __call__(
        self, units: Sequence[Unit], summarise: Summarise, memory: Memory
    ) -> Iterator[Decision]:
        """Yield nothing."""
        return iter(())


def _active(units: Sequence[Unit], memory: Memory) -> list[Unit]:
    """Return units that are told of by no other yet, in the order of time."""
    stamps = memory.graph.stamps([unit.id for unit in units]) if units else {}
    active = [unit for unit in units if unit.id in stamps and not stamps[unit.id].archived]
    return sorted(active, key=lambda unit: unit.order)


def _linked(affinity: Rows, density: float) -> list[int]:
    """Return the group of each unit: groups are joined while their mean affinity is enough.

    That is average linkage, under which it is the mean over all pairs of a group as well.
    """
    from scipy.cluster.hierarchy import fcluster, linkage

    apart = 1.0 - affinity[np.triu_indices(len(affinity), 1)]
    tree = linkage(np.maximum(apart, 0.0), "average")
    return [int(group) for group in fcluster(tree, 1.0 - density, "distance")]
