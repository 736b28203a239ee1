"""Windows: how much of the stream does an extractor see at once? (AriadneMem §4.1, |W| = 20)"""

from collections.abc import Iterable, Iterator
from typing import Protocol

from clew.model import Message
from clew.stage import Count, stage


class Windows(Protocol):
    """Cut a stream of messages into windows, in order, leaving none out."""

    def __call__(self, messages: Iterable[Message]) -> Iterator[tuple[Message, ...]]: ...


@stage
class ByCount:
    """Fill a window with `size` messages, hand it on, and start anew (Algorithm 1, line 10)."""

    size: Count = 20  # |W|

    def __call__(self, messages: Iterable[Message]) -> Iterator[tuple[Message, ...]]:
        """Yield full windows, and at the end of the stream the rest."""
        window: list[Message] = []
        for message in messages:
            window.append(message)
            if len(window) == self.size:
                yield tuple(window)
                window = []
        if window:
            yield tuple(window)
