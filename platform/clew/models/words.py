"""WordCounts: texts as counts of their stems, for tests and for runs without a model."""

from collections import Counter
from collections.abc import Sequence
from zlib import crc32

import numpy as np
import numpy.typing as npt

from clew.errors import ConfigError
from clew.text import stems


class WordCounts:
    """An embedder that counts stems, hashed into `dimension` places with a sign.

    Texts with no stem in common are at right angles but for collisions; a text without
    any stem gets a direction of its own, so that every vector has unit length.
    """

    def __init__(self, dimension: int = 256) -> None:
        if dimension < 2:
            raise ConfigError(f"embedder.dimension is {dimension}: set it to 2 or more.")
        self._dimension = dimension

    @property
    def name(self) -> str:
        return f"words-{self._dimension}"

    @property
    def dimension(self) -> int:
        return self._dimension

    def __call__(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        vectors = np.zeros((len(texts), self._dimension), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for stem, n in Counter(stems(text)).items():
                place = crc32(stem.encode("utf-8", "surrogatepass"))
                row[place % (self._dimension - 1)] += n if place & 1 << 31 else -n
            if not row.any():
                row[-1] = 1.0
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors
