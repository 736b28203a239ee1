"""Begun: a run's first read of its data, when its folder has been found in order."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from clew.datasets import Dataset
from clew.model import Conversation


@dataclass(slots=True)
class Begun:
    """A dataset that tells when a run, having found its folder in order, begins to read it."""

    dataset: Dataset
    start: Callable[[], None]
    started: bool = False

    @property
    def name(self) -> str:
        """The name of the dataset within."""
        return self.dataset.name

    @property
    def version(self) -> str:
        """Its edition."""
        return self.dataset.version

    @property
    def sha256(self) -> str:
        """Its hash."""
        return self.dataset.sha256

    def check(self) -> None:
        """Check it, which is no beginning."""
        self.dataset.check()

    def __iter__(self) -> Iterator[Conversation]:
        self.start()
        self.started = True
        yield from self.dataset
