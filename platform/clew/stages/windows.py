"""Windows: how much of the stream is looked at at once?

Windows that follow on each other feed an extractor (AriadneMem §4.1, |W| = 20). Sliding ones
overlap, so that what is new can be held against what was said just before (SimpleMem §3.1);
each message is new in one of them alone, and so is extracted once.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from clew.model import Message
from clew.stage import Count, Fraction, stage
from clew.stages.grounding import line
from clew.text import count_tokens


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


@stage
class Chunks:
    """Cut a stream at the ends of sessions, and these where they are long (Mandol §4).

    "Each chunk corresponds to a local segment of a session": of at most `size` messages.
    """

    size: Count = 20  # unspecified in the paper; the released code cuts at 80 or by topic

    def __call__(self, messages: Iterable[Message]) -> Iterator[tuple[Message, ...]]:
        """Yield the chunks of each session in order."""
        for _, session in groupby(messages, key=lambda message: message.session):
            yield from ByCount(size=self.size)(session)


@dataclass(frozen=True, slots=True)
class Sight:
    """What a sliding window shows: messages that the one before it showed, and new ones."""

    before: tuple[Message, ...]
    new: tuple[Message, ...]


class Sliding(Protocol):
    """Slide a window over messages; `heard` came before them, and is new in no window."""

    def __call__(
        self, messages: Iterable[Message], heard: Sequence[Message] = ()
    ) -> Iterator[Sight]: ...


@stage
class SlidingTokens:
    """A window of `size` tokens, of which a share of `overlap` was seen before."""

    size: Count = 512
    overlap: Fraction = 0.5

    def __call__(
        self, messages: Iterable[Message], heard: Sequence[Message] = ()
    ) -> Iterator[Sight]:
        """Yield windows, and at the end of the stream what is left."""
        room = int(self.size * self.overlap)
        return _slid(messages, heard, lambda m: count_tokens(line(m)), self.size - room, room)


@stage
class SlidingTurns:
    """A window of `size` messages that moves on by `stride`."""

    size: Count = 10
    stride: Count = 5

    def __call__(
        self, messages: Iterable[Message], heard: Sequence[Message] = ()
    ) -> Iterator[Sight]:
        """Yield windows, and at the end of the stream what is left."""
        return _slid(messages, heard, lambda _: 1, self.stride, max(0, self.size - self.stride))


def _slid(
    messages: Iterable[Message],
    heard: Sequence[Message],
    cost: Callable[[Message], int],
    step: int,
    room: int,
) -> Iterator[Sight]:
    """Yield windows of `step` that is new and at most `room` that is not."""
    before, new, used = _tail(heard, cost, room), list[Message](), 0
    for message in messages:
        new.append(message)
        used += cost(message)
        if used >= step:
            yield Sight(tuple(before), tuple(new))
            before, new, used = _tail([*before, *new], cost, room), [], 0
    if new:
        yield Sight(tuple(before), tuple(new))


def _tail(seen: Sequence[Message], cost: Callable[[Message], int], room: int) -> list[Message]:
    """Return the last messages that fit into a room."""
    first, used = len(seen), 0
    while first and (used := used + cost(seen[first - 1])) <= room:
        first -= 1
    return list(seen[first:])
