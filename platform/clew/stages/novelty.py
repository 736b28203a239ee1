"""Novelty: does a window tell anything new? (SimpleMem §3.1, H(W_t))

H(W_t) = α |E_new| / |W_t| + (1 − α) (1 − cos(E(W_t), E(H_prev)))

A window under the threshold is dropped whole, before any extractor reads it. E_new is what
it speaks of that the memory does not know, |W_t| its number of messages: the quotient has no
bound, so it counts for 1 at most. E is the mean of the messages' embeddings; H_prev are the
messages just before, and where there are none everything is new.
"""

from collections.abc import Sequence
from typing import ClassVar, Protocol

import numpy as np

from clew.memory import Memory
from clew.model import Drop, Message
from clew.stage import Fraction, stage
from clew.stages.windows import Sight
from clew.stores.vectors import ARCHIVED_TOO, ByWords
from clew.text import names, query_weights
from clew.trace import count


class WindowGate(Protocol):
    """Decide whether to keep what is new in a window."""

    def __call__(self, window: Sight, memory: Memory) -> bool: ...


@stage
class Novelty:
    """Keep windows with H(W_t) of at least τ_redundant.

    With `things`, what a window speaks of are its content words, names among them: without a
    tagger a thing is known by its word. Without, they are its names alone.
    """

    effects: ClassVar = ("gate.dropped",)

    alpha: Fraction = 0.5  # α
    least: Fraction = 0.35  # τ_redundant
    things: bool = True

    def __call__(self, window: Sight, memory: Memory) -> bool:
        """Return False, and note it in the ledger, for a window that tells nothing new."""
        if not window.before or self.score(window, memory) >= self.least:
            return True
        nearest = _nearest(window.new, memory)
        if nearest is None:
            return True  # nothing is stored that it could be a repeat of
        memory.revise(Drop(message, *nearest) for message in window.new)
        count("gate.dropped", len(window.new))
        return False

    def score(self, window: Sight, memory: Memory) -> float:
        """Return H(W_t) in [0, 1] of what is new in a window."""
        text = "\n".join(message.text for message in window.new)
        unknown = _unknown_words(text, memory) if self.things else _unknown_names(text, memory)
        novelty = min(1.0, unknown / len(window.new))
        divergence = 1.0 - _likeness(window.new, window.before, memory)
        return self.alpha * novelty + (1 - self.alpha) * min(1.0, max(0.0, divergence))


@stage
class KeepWindows:
    """Keep every window: the plain twin."""

    def __call__(self, window: Sight, memory: Memory) -> bool:
        """Return True."""
        return True


def _unknown_words(text: str, memory: Memory) -> int:
    words = sorted(query_weights(text).items())
    asked = [ByWords({word: weight}, ARCHIVED_TOO) for word, weight in words]
    return sum(not hits for hits in memory.vectors.search(asked, 1)) if asked else 0


def _unknown_names(text: str, memory: Memory) -> int:
    return sum(not memory.speaker(n) and not memory.graph.entities(n) for n in names(text))


def _likeness(one: Sequence[Message], other: Sequence[Message], memory: Memory) -> float:
    """Return the cosine of the mean embeddings of two stretches; 0 where either has no words."""
    means = [np.mean(memory.embed(t), axis=0) for t in (_texts(one), _texts(other)) if t]
    if len(means) < 2:
        return 0.0
    norm = float(np.linalg.norm(means[0]) * np.linalg.norm(means[1]))
    return float(means[0] @ means[1]) / norm if norm else 0.0


def _texts(messages: Sequence[Message]) -> list[str]:
    return [message.text for message in messages if message.text.strip()]


def _nearest(messages: Sequence[Message], memory: Memory) -> tuple[str, float] | None:
    """Return the stored unit nearest to a stretch, with its cosine."""
    hits = memory.similar("\n".join(_texts(messages)), 1, ARCHIVED_TOO)
    return (hits[0].id, hits[0].score) if hits else None
