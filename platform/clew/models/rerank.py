"""The contract PairModel: a question and texts -> how well each text answers it."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable


@runtime_checkable
class PairModel(Protocol):
    """Reads a question and a text together, as a cross-encoder does."""

    @property
    def name(self) -> str:
        """A name that changes when the scores would."""

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return one score in [0, 1] per text."""
