"""Write, as released: no links, and little to compare a new unit with."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from clew.memory import Memory
from clew.model import Add, Decision, Merge, Supersede, Unit
from clew.stage import Cosine, Count, stage
from clew.stages.gate import DIGITS
from clew.stages.write import ConflictAware, shared
from clew.stores.vectors import Hit
from clew.trace import count


@stage
class NoLinks(ConflictAware):
    """Merge duplicates and add the rest: no edge is ever stored (D1, D7)."""

    effects: ClassVar[tuple[str, ...]] = ("write.merged",)

    def link(
        self, unit: Unit, known: Sequence[Unit], near: Mapping[str, float], memory: Memory
    ) -> Supersede | None:
        """Return None, whatever the paper would link."""
        count("write.not_linked", ConflictAware.link(self, unit, known, near, memory) is not None)
        return None


@stage
class RecentOnly(ConflictAware):
    """Compare a new unit with the latest units alone, not with the memory (D9).

    What holds one value at a time, which is our addition to the paper, is still looked up.
    """

    latest: Count = 10

    def near(self, unit: Unit, memory: Memory) -> list[Hit]:
        """Return, of the latest units, those that are near."""
        hits = ConflictAware.near(self, unit, memory)
        if not hits:
            return []  # none of the latest either
        latest = [other.id for other in memory.graph.latest(self.latest)]
        count("write.out_of_sight", sum(hit.id not in latest for hit in hits))
        (vector,) = memory.embed([unit.text])
        scored = memory.vectors.vectors(latest)
        seen = [Hit(id, round(float(vector @ other), DIGITS)) for id, other in scored.items()]
        near = [hit for hit in seen if hit.score > self.likeness]
        return sorted(near, key=lambda hit: (-hit.score, hit.id))


@stage
class BatchDedup:
    """Merge what is all but equal to a stored unit, whatever it differs in, and add the rest.

    That is all that is left of coarsening when a conversation is written in one batch: it is
    then compared with the units of the one before, or with none (D10).
    """

    effects: ClassVar = ("write.merged",)

    likeness: Cosine = 0.98

    def __call__(self, unit: Unit, memory: Memory) -> Decision:
        """Return a Merge, or Add."""
        hits = memory.near(unit.text, 1, above=self.likeness)
        known = next(iter(memory.units([hit.id for hit in hits])), None)
        if known is None or known.level > 0:
            return Add(unit)
        count("write.merged")
        return Merge(unit, known, hits[0].score, shared(unit, known))
