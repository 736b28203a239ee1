"""The contract SparseModel: a text -> words that tell the same, with weights."""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable


@runtime_checkable
class SparseModel(Protocol):
    """Expands a text into weighted words, among them ones that it does not hold itself."""

    @property
    def name(self) -> str:
        """A name that changes when the weights would."""

    def __call__(self, text: str) -> Mapping[str, float]:
        """Return words with weights above 0."""
