"""Gate: is this message worth an extraction call? (AriadneMem §2.2, Eq. 2-3)

A gate sees a message before any extractor does, so it must be cheap, and it only ever
drops what is already remembered: losing a fact costs more than storing it twice.
"""

from datetime import timedelta
from typing import ClassVar, Protocol

from clew.memory import Memory
from clew.model import Drop, Message
from clew.stage import Cosine, Duration, stage
from clew.stores.vectors import Hit, Where
from clew.text import differ
from clew.trace import count

TICK = timedelta(microseconds=1)
DIGITS = 5  # of a cosine, as many as stores tell


class Gate(Protocol):
    """Decide whether to keep a message; what is not kept is told to the memory as a Drop."""

    def __call__(self, message: Message, memory: Memory) -> bool: ...


@stage
class NearRepeat:
    """Drop what was said a moment ago; keep what comes back later.

    As in the paper m* is the unit nearest in the whole memory. It is looked for among what
    was said within δ_short first: where nothing there is near enough, whatever m* is, the
    message stays, and a gate is as cheap as the last hour is short. What was merged into a
    unit says it again, as the paper's merge updates the timestamp. Of units that are
    equally near, one said within the hour is m*. An undated message repeats nothing that
    is known to be recent: it is kept, and merged when it is written, if it does repeat.

    With `guarded`, a message with a picture, from another speaker, or with another number,
    time, date, code or negation than its neighbour, is kept however near the two are.
    """

    effects: ClassVar = ("gate.dropped",)

    likeness: Cosine = 0.6  # λ_red
    within: Duration = timedelta(hours=1)  # δ_short
    guarded: bool = False

    def __call__(self, message: Message, memory: Memory) -> bool:
        """Return False, and note it in the ledger, for a near repeat."""
        hit = self._recent(message, memory)
        if hit is None or hit.score <= self.likeness:
            return True
        (nearest,) = memory.similar(message.text, 1)
        if nearest.score > hit.score or (self.guarded and _differs(message, hit.id, memory)):
            return True
        memory.apply(Drop(message, hit.id, hit.score))
        count("gate.dropped")
        return False

    def _recent(self, message: Message, memory: Memory) -> Hit | None:
        """Return the unit nearest to a message of those said less than δ_short from it."""
        if message.said_at is None or not message.text.strip():
            return None
        start, end = message.said_at - self.within + TICK, message.said_at + self.within - TICK
        (vector,) = memory.embed([message.text])
        hits = memory.vectors.dense(vector, 1, Where(said=(start.timestamp(), end.timestamp())))
        repeated = memory.vectors.vectors(memory.said_again(start, end))
        hits += [Hit(id, round(float(vector @ other), DIGITS)) for id, other in repeated.items()]
        return min(hits, key=lambda hit: (-hit.score, hit.id), default=None)


def _differs(message: Message, id: str, memory: Memory) -> bool:
    """Tell whether the message adds a picture, another voice or another detail to a unit."""
    (known,) = memory.units([id])
    if message.speaker != known.speaker or message.caption:
        return True
    return bool(differ(message.text, known.text))


@stage
class KeepAll:
    """Keep every message: the paper's "w/o entropy-aware gating" row."""

    def __call__(self, message: Message, memory: Memory) -> bool:
        """Return True."""
        return True
