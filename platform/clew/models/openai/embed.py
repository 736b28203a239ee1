"""OpenAiEmbedder: embeddings from any server that speaks OpenAI's protocol."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from clew.errors import ConfigError
from clew.models.openai.settings import Remote, Seconds
from clew.stage import Count, checked
from clew.trace import count

if TYPE_CHECKING:
    import httpx2
    import openai

    from clew.models.openai.endpoint import Endpoint

GROUP = "embedder.embedder"
TOKENS = "embed.tokens"
EMPTY = " "  # what stands for an empty text, which servers refuse

Rows = npt.NDArray[np.float32]


@checked
class OpenAiEmbedder(Remote):
    """An embedding model behind a server; its cache stands before it.

    `dimension` is the length of the model's vectors, which is asked for with `shorten`: a
    model trained so then gives shorter ones. `batch` is the number of texts per request.
    """

    group: ClassVar[str] = GROUP

    _: KW_ONLY
    dimension: Count
    shorten: bool = False
    batch: Count = 256
    timeout: Seconds = 60.0
    largest_reply: Count = 50_000_000

    @property
    def name(self) -> str:
        """The model's name, and the length it is cut to."""
        return f"{self.model}-{self.dimension}" if self.shorten else self.model

    def __call__(self, texts: Sequence[str]) -> Rows:
        """Return one unit vector per text, `batch` of them a request."""
        parts = [texts[n : n + self.batch] for n in range(0, len(texts), self.batch)]
        rows = [
            self._embedded([text if text.strip() else EMPTY for text in part]) for part in parts
        ]
        return np.concatenate(rows) if rows else np.zeros((0, self.dimension), np.float32)

    def close(self) -> None:
        """Let go of the connections."""
        if "_endpoint" in self.__dict__:
            self._endpoint.close()

    def _embedded(self, texts: Sequence[str]) -> Rows:
        from clew.models.openai.faults import Fault

        try:
            data, _ = self._endpoint.ask(partial(self._send, texts), partial(_lacks, len(texts)))
        except Fault as fault:
            raise fault.error from None
        count(TOKENS, int((data.get("usage") or {}).get("total_tokens") or 0))
        ordered = sorted(data["data"], key=lambda each: each["index"])
        return self._units([each["embedding"] for each in ordered])

    def _units(self, vectors: Sequence[Sequence[float]]) -> Rows:
        """Return vectors of unit length, having looked at their own."""
        if other := {len(vector) for vector in vectors} - {self.dimension}:
            raise ConfigError(
                f"{GROUP}.dimension is {self.dimension}, {self.model} at {self.address} makes "
                f"{max(other)}: set it to that"
            )
        rows = np.asarray(vectors, np.float64)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows, np.float32)

    def _send(
        self, texts: Sequence[str], client: "openai.OpenAI", limits: "httpx2.Timeout"
    ) -> bytes:
        import openai

        raw = client.embeddings.with_raw_response.create(
            model=self.model,
            input=list(texts),
            encoding_format="float",
            dimensions=self.dimension if self.shorten else openai.omit,
            timeout=limits,
        )
        return raw.content

    @cached_property
    def _endpoint(self) -> "Endpoint":
        from clew.models.openai.endpoint import Endpoint

        return Endpoint(self.address, self.model)


def _lacks(n: int, data: Mapping[str, Any]) -> str:
    """Say what a list of n embeddings lacks to be one, or ""."""
    found = data.get("data")
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        return "no list of embeddings"
    if sorted(each.get("index", -1) for each in found) != list(range(n)):
        return f"{len(found)} embeddings for {n} texts"
    for each in found:
        vector = each.get("embedding")
        if not isinstance(vector, list) or not all(type(x) in (int, float) for x in vector):
            return "an embedding that is no list of numbers"
        if not np.isfinite(vector).all() or not np.any(vector):
            return "an embedding that is no direction"
    return ""
