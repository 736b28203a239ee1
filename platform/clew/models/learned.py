"""Learned: a cross-encoder and a sparse encoder of sentence-transformers, each from a folder.

Mandol's paper uses bge-reranker-v2-m3 and splade-v3. Neither is packaged with Clew, and
nothing is fetched: `folder` is where one was put.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from clew.models.sentence import digest, quiet, weights


class _Learned:
    """A model on this machine, loaded when it is first asked.

    `threads` are torch's.

    Raises (on construction):
        ConfigError: there is no model at `folder`.
    """

    remedy = "set it to one, or choose the stage that needs none."

    def __init__(self, folder: str, threads: int = 1) -> None:
        self._folder, self._threads = Path(folder), threads
        self._weights = weights(self._folder, self.remedy)

    @cached_property
    def name(self) -> str:
        """The folder's name and a hash of its weights."""
        return f"{self._folder.name}@{digest(self._weights)}"


class CrossEncoderModel(_Learned):
    """PairModel: scores are the sigmoid of the model's single logit."""

    remedy = "set system.rerank.model.folder to one, or choose /stage/rerank: mixed."

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return one score in [0, 1] per text."""
        import torch

        scores = self._model.predict(
            [(question, text) for text in texts],
            activation_fn=torch.nn.Sigmoid(),
            show_progress_bar=False,
        )
        return [float(score) for score in scores]

    @cached_property
    def _model(self) -> Any:
        quiet(self._threads)
        from sentence_transformers import CrossEncoder

        return CrossEncoder(str(self._folder), num_labels=1, device="cpu", local_files_only=True)


class SparseEncoderModel(_Learned):
    """SparseModel: a SPLADE; of its vocabulary the whole words count, pieces of words do not."""

    remedy = "set system.recall.model.folder to one, or choose /stage/recall: with_feedback."

    def __call__(self, text: str) -> Mapping[str, float]:
        """Return the words that a question calls up, with weights above 0."""
        rows = self._model.encode_query([text], show_progress_bar=False)
        (pairs,) = self._model.decode(rows)
        return {word: float(weight) for word, weight in pairs if word.isalnum() and weight > 0}

    @cached_property
    def _model(self) -> Any:
        quiet(self._threads)
        from sentence_transformers import SparseEncoder

        return SparseEncoder(str(self._folder), device="cpu", local_files_only=True)
