"""Gate: is this message worth an extraction call? (AriadneMem §2.2, Eq. 2-3)

A gate sees a message before any extractor does, so it must be cheap, and it only ever
drops what is already remembered: losing a fact costs more than storing it twice.
"""

from datetime import datetime, timedelta
from typing import ClassVar, Protocol

from clew.memory import Memory
from clew.model import Drop, Message, Unit
from clew.stage import Cosine, Duration, stage
from clew.text import differ
from clew.trace import count


class Gate(Protocol):
    """Decide whether to keep a message."""

    def __call__(self, message: Message, memory: Memory) -> bool: ...


@stage
class NearRepeat:
    """Drop what was said a moment ago; keep what comes back later.

    With `guarded`, a message with a picture, from another speaker, or with another number,
    time, date, code or negation than its neighbour, is kept however near the two are.
    """

    effects: ClassVar = ("gate.dropped",)

    likeness: Cosine = 0.6  # λ_red
    within: Duration = timedelta(hours=1)  # δ_short
    guarded: bool = False

    def __call__(self, message: Message, memory: Memory) -> bool:
        """Return False, and note it in the ledger, for a near repeat."""
        for hit in memory.similar(message.text, k=1):
            known = memory.units([hit.id])[0]
            seen = memory.graph.views([hit.id])[hit.id].last_seen
            if hit.score > self.likeness and self._close(message, known, seen):
                memory.apply(Drop(message, known.id, hit.score))
                count("gate.dropped")
                return False
        return True

    def _close(self, message: Message, known: Unit, seen: datetime | None) -> bool:
        """Tell whether the two are near in time (a merge counts as seen again) and in detail."""
        if message.said_at is None or seen is None:
            return False
        if abs(message.said_at - seen) >= self.within:
            return False
        same = message.speaker == known.speaker and not message.caption
        return not self.guarded or (same and not differ(message.text, known.text))


@stage
class KeepAll:
    """Keep every message: the paper's "w/o entropy-aware gating" row."""

    def __call__(self, message: Message, memory: Memory) -> bool:
        """Return True."""
        return True
