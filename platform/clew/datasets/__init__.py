"""Datasets: files, or a seeded generator, read into conversations with questions."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Protocol

from clew.errors import DataError
from clew.model import Conversation

CATEGORIES: Mapping[int, str] = {
    1: "multi-hop",
    2: "temporal",
    3: "open-domain",
    4: "single-hop",
    5: "adversarial",
}
"""What LoCoMo's category numbers mean, by the counts of its paper: the one place to ask."""

NOT_MENTIONED = "Not mentioned in the conversation"
"""The gold answer of every question that the conversation does not answer."""


class Dataset(Protocol):
    """Conversations in a fixed order, with what a manifest has to say of their source."""

    @property
    def name(self) -> str:
        """What the dataset is called in manifests and tables."""

    @property
    def version(self) -> str:
        """Which edition of it this is."""

    @property
    def sha256(self) -> str:
        """The hash of the file, or of the settings and version that generate it."""

    def check(self) -> None:
        """Refuse data with a mistake anywhere, before anything is made of their beginning.

        Raises:
            DataError, TimeError: it says where the mistake is.
        """

    def __iter__(self) -> Iterator[Conversation]:
        """Yield the conversations one by one, reading or making each when it is due."""


def select(
    ids: Iterable[str], only: tuple[str, ...], limit: int | None, place: str
) -> frozenset[str]:
    """Return the ids of the conversations to hand out: those of `only`, at most `limit`.

    Raises:
        DataError: `only` names a conversation that is not there.
    """
    known = list(ids)
    if missing := sorted(set(only) - set(known)):
        shown = ", ".join(known[:20])
        raise DataError(f"{place}: no conversation {missing}; dataset.only can name: {shown}")
    return frozenset(islice((name for name in known if not only or name in only), limit))
