"""Foresight: what is about to come in, and what can be asked of a model before it does.

A guess changes no result. Where it is right, the reply is there sooner; where it is wrong,
the reply is given up and asked for anew, and less is guessed for a while.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice

from clew.errors import LlmError
from clew.model import Message
from clew.models.llm import Ask, Llm, Pending
from clew.trace import count

WASTED = "llm.wasted"  # asks that were begun for nothing


class Coming:
    """A stream of messages that can be looked at before they are taken from it."""

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        self._stream = iter(messages)
        self._seen: deque[Message] = deque()

    def peek(self, n: int) -> list[Message]:
        """Return the next n messages, or what is left of them; they stay."""
        self._seen.extend(islice(self._stream, max(0, n - len(self._seen))))
        return list(islice(self._seen, n))

    def take(self) -> Message:
        """Return the next of the messages that were looked at; it is gone."""
        return self._seen.popleft()


class Foresight:
    """Asks that were begun before their replies are needed."""

    def __init__(self, llm: Llm) -> None:
        self._llm = llm
        self._begun: dict[Ask, Pending] = {}
        self._given_up: list[Pending] = []
        self._reach: int | None = None

    def reach(self, most: int) -> int:
        """Return how far to guess: twice as far after a right guess, one step after a wrong one."""
        return most if self._reach is None else min(self._reach, most)

    def take(self, ask: Ask) -> Pending:
        """Return the reply to an ask, begun now if nobody guessed it."""
        pending = self._begun.pop(ask, None)
        if pending is None:
            return self._llm.begin(ask)
        if self._reach is not None:
            self._reach *= 2
        return pending

    def expect(self, asks: Sequence[Ask]) -> None:
        """Begin these asks in order, and give up what else was begun."""
        wrong = [ask for ask in self._begun if ask not in asks]
        if wrong:
            count(WASTED, len(wrong))
            self._reach = 1
        for ask in wrong:
            self._given_up.append(self._begun.pop(ask))
            self._given_up[-1].cancel()
        for ask in asks[: self.reach(len(asks))]:
            if ask not in self._begun:
                self._begun[ask] = self._llm.begin(ask)

    def settle(self) -> None:
        """Give up all that was begun, and wait for what was too late, to count its usage."""
        self.expect([])
        for pending in self._given_up:
            with suppress(LlmError):
                pending.result()
        self._given_up = []
