"""NoLlm: the place of a language model in a run that has none."""

from collections.abc import Iterable
from typing import Never

from clew.errors import ConfigError
from clew.models.llm import Ask, Pending, Reply, Usage


class NoLlm:
    """Answers nothing: a stage that asks it should not be in the run."""

    name = "none"
    concurrency = 1
    spent = Usage()

    def __call__(self, ask: Ask) -> Reply:
        """Refuse."""
        self._refuse(ask)

    def begin(self, ask: Ask) -> Pending:
        """Refuse."""
        self._refuse(ask)

    def many(self, asks: Iterable[Ask]) -> list[Reply]:
        """Refuse, unless nothing is asked."""
        return [self(ask) for ask in asks]

    def check(self) -> None:
        """Find nothing wrong: most stages ask nothing."""

    def close(self) -> None:
        """Hold nothing open."""

    def _refuse(self, ask: Ask) -> Never:
        raise ConfigError(
            f"llm: a stage asks a language model ({ask.prompt}), and there is none: set "
            f"llm=openai or llm=local, or llm=scripted to try it out"
        )
