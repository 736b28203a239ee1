"""The contract Embedder: texts -> vectors of unit length; its cache stands beside it."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt


class Embedder(Protocol):
    """Turns texts into vectors whose dot product is their likeness."""

    @property
    def name(self) -> str:
        """A name that changes when the vectors would; stores remember it."""

    @property
    def dimension(self) -> int:
        """The length of every vector."""

    def __call__(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return one row of unit length per text, shape (len(texts), dimension)."""
