"""Opened: an Llm that is opened by its first ask, so that a configuration builds without one."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import cached_property

from clew.models.asking import Asking
from clew.models.llm import Ask, Model, Pending, Reply, Usage


class Opened(ABC):
    """What a file of conf/llm names: settings, and the Llm that they make once it is asked."""

    concurrency: int

    @property
    @abstractmethod
    def name(self) -> str:
        """The model's name; manifests keep it."""

    @abstractmethod
    def open(self) -> Model:
        """Return the model, its connections and files open."""

    @property
    def spent(self) -> Usage:
        """The usage of all replies up to now, also of those that nobody collected."""
        return self._asking.spent if self._is_open else Usage()

    def __call__(self, ask: Ask) -> Reply:
        """Ask, and wait for the reply."""
        return self._asking(ask)

    def begin(self, ask: Ask) -> Pending:
        """Ask, and return at once."""
        return self._asking.begin(ask)

    def many(self, asks: Iterable[Ask]) -> list[Reply]:
        """Ask all of these, several at once; replies come in the order of the asks."""
        return self._asking.many(asks)

    def check(self) -> None:
        """Tell what is known to be wrong before anything is sent."""
        return None

    def close(self) -> None:
        """Give up what is on its way, and let go of connections and files."""
        if self._is_open:
            self._asking.close()

    @property
    def _is_open(self) -> bool:
        return "_asking" in self.__dict__

    @cached_property
    def _asking(self) -> Asking:
        return Asking(self.open(), self.concurrency)
