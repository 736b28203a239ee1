"""The contract Space: where the memories of a run lie on a server, beside its folder."""

from typing import Protocol, runtime_checkable


@runtime_checkable
class Space(Protocol):
    """The part of a server that belongs to one run; what opens its memories may be one.

    A store that keeps everything in the run's folder is none.
    """

    def __str__(self) -> str:
        """Tell people which space of which server it is, without any secret."""

    def conversations(self) -> list[str]:
        """Return the ids of the conversations that it holds something of, sorted."""

    def clear(self) -> None:
        """Delete all that it holds."""
