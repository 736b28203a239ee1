"""Gate, as released: identical words are dropped for a day, and a merge is no repetition."""

from datetime import timedelta
from typing import ClassVar

from clew.memory import Memory
from clew.model import Drop, Message, Unit
from clew.stage import Cosine, Duration, stage
from clew.trace import count


@stage
class IdenticalToo:
    """Drop near repeats of the last hour, and of the last day what is said word for word (D3).

    Only the nearest unit is looked at, by when it was told first: what was merged into it
    since does not count (D8). Without both times, identical words alone are a repetition.

    The released harness asks its gate before anything is stored, which drops nothing (D4):
    that is `KeepAll`.
    """

    effects: ClassVar = ("gate.dropped",)

    likeness: Cosine = 0.6  # lambda_red
    within: Duration = timedelta(hours=1)  # delta_short
    beyond: Duration = timedelta(hours=24)

    def __call__(self, message: Message, memory: Memory) -> bool:
        """Return False, and note it in the ledger, for a repetition."""
        hits = memory.similar(message.text, 1)
        if not hits or hits[0].score < self.likeness:
            return True
        (known,) = memory.units([hits[0].id])
        if not self._repeats(message, known):
            return True
        memory.apply(Drop(message, known.id, hits[0].score))
        count("gate.dropped")
        return False

    def _repeats(self, message: Message, known: Unit) -> bool:
        identical = known.text in (message.text, f"{message.speaker}: {message.text}")
        if message.said_at is None or known.said_at is None:
            return identical
        gap = abs(message.said_at - known.said_at)
        return gap < self.within or (identical and gap <= self.beyond)
