"""The contract Tracker: where the figures of runs are kept, and the one that keeps nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

Status = Literal["done", "failed", "stopped", "killed"]
Steps = Mapping[str, Sequence[float]]


class Tracker(Protocol):
    """Where the figures of a run are kept beside those of others."""

    @property
    def run(self) -> str:
        """The id of the entry that was opened; empty where there is none."""

    def start(self, folder: Path, tags: Mapping[str, str], parameters: Mapping[str, Any]) -> None:
        """Open the entry of the run in `folder`, or the one it had before it was resumed."""

    def finish(
        self, summary: Mapping[str, Any], status: Status, steps: Steps | None = None
    ) -> None:
        """Send the figures and the run's files, and close the entry.

        `steps` are figures with a value for each conversation, in their order.
        """

    def settle(self, folder: Path, called: str, status: Status, error: str) -> None:
        """Put the run of another process below this one's entry, and tell how it ended."""


@dataclass(frozen=True, slots=True)
class NoTracking:
    """Keep nothing beyond the run's own files."""

    run: str = ""

    def start(self, folder: Path, tags: Mapping[str, str], parameters: Mapping[str, Any]) -> None:
        """Do nothing."""

    def finish(
        self, summary: Mapping[str, Any], status: Status, steps: Steps | None = None
    ) -> None:
        """Do nothing."""

    def settle(self, folder: Path, called: str, status: Status, error: str) -> None:
        """Do nothing."""
