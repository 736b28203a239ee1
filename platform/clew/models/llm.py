"""The contract Llm: an ask -> a reply with its usage; asks may be begun early, and collected.

A `Model` answers one ask after the other and knows nothing of threads; `asking.Asking` makes
an `Llm` of it. Whoever collects a reply has its usage counted in the trace, whichever thread
did the work, so counts and seconds do not depend on how many calls run at once.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Generic, Literal, Protocol

from pydantic import BaseModel
from typing_extensions import TypeVar

from clew.text import count_tokens
from clew.trace import count

Finish = Literal["stop", "length", "filter"]
Shape = TypeVar("Shape", bound=BaseModel, default=BaseModel, covariant=True)

SPAN = "llm"  # seconds that were waited for replies
RETRIES = "llm.retries"  # requests sent again, being refused, unanswered or garbled
FAILED = "llm.failed"  # asks that ended in an error
REPAIRED = "llm.repaired"  # replies in no proper JSON that could be mended
ASKED_AGAIN = "llm.asked_again"  # asks repeated with what was wrong with the reply
SPENT = ("calls", "prompt_tokens", "completion_tokens", "cached", "cached_tokens")  # of a Usage

FRAME, PER_MESSAGE = 3, 4  # tokens that a chat model's own marks take


@dataclass(frozen=True, slots=True)
class Turn:
    """What was said after the first question: an earlier reply, or what was wrong with it."""

    role: Literal["assistant", "user"]
    text: str


@dataclass(frozen=True, slots=True)
class Ask(Generic[Shape]):
    """What a model is asked.

    `prompt` is the name of the prompt's file and only used to account for the ask. With a
    `shape`, JSON that fits it is wanted. `sample` tells repeated trials of one ask apart.
    """

    prompt: str
    system: str
    user: str
    shape: type[Shape] | None = None
    max_tokens: int = 1024
    turns: tuple[Turn, ...] = ()
    sample: int = 0

    def again(self, reply: str, told: str) -> "Ask[Shape]":
        """Return the same ask with a reply that would not do, and why not."""
        turns = (*self.turns, Turn("assistant", reply), Turn("user", told))
        return replace(self, turns=turns)


def chat_tokens(said: Iterable[str]) -> int:
    """Return about how many tokens a chat model counts for messages with these texts."""
    return FRAME + sum(PER_MESSAGE + count_tokens(text) for text in said if text)


def prompt_tokens(ask: Ask) -> int:
    """Return about how many tokens a chat model counts for an ask, its schema left out."""
    return chat_tokens([ask.system, ask.user, *(turn.text for turn in ask.turns)])


@dataclass(frozen=True, slots=True)
class Usage:
    """What replies took: calls and tokens paid for, and apart from them what was cached.

    `cached` are replies that were known already, `cached_tokens` what they would have taken.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached: int = 0
    cached_tokens: int = 0
    retries: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def __sub__(self, other: "Usage") -> "Usage":
        return Usage(*(getattr(self, f.name) - getattr(other, f.name) for f in fields(self)))

    @property
    def tokens(self) -> int:
        """The tokens paid for, of prompts and replies together."""
        return self.prompt_tokens + self.completion_tokens

    def note(self) -> None:
        """Count it in the trace of whoever runs this."""
        for field in fields(self):
            if n := getattr(self, field.name):
                count(f"llm.{field.name}", n)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered; `finish` is "length" where it was cut off at `max_tokens`."""

    text: str
    usage: Usage = Usage()
    finish: Finish = "stop"

    @property
    def cached(self) -> bool:
        """Whether it was known already."""
        return self.usage.cached > 0


class Model(Protocol):
    """Answers asks, one at a time in each thread that calls it."""

    @property
    def name(self) -> str:
        """The model's name; manifests keep it."""

    def __call__(self, ask: Ask) -> Reply:
        """Return its reply.

        Raises:
            LlmError: there is none; the kind says whether anything can be done about it.
        """

    def close(self) -> None:
        """Let go of connections and files; closing twice is closing once."""


class Pending(Protocol):
    """A reply that is on its way."""

    def result(self) -> Reply:
        """Wait for the reply and count its usage, once.

        Raises:
            LlmError: there is none.
        """

    def cancel(self) -> None:
        """Give it up; what has not been sent yet never is."""


class Llm(Protocol):
    """A language model that may be asked several things at once."""

    @property
    def name(self) -> str:
        """The model's name; manifests keep it."""

    @property
    def concurrency(self) -> int:
        """How many asks may be with the model at a time."""

    @property
    def spent(self) -> Usage:
        """The usage of all replies up to now, also of those that nobody collected."""

    def __call__(self, ask: Ask) -> Reply:
        """Ask, and wait for the reply; its usage is counted in the trace.

        Raises:
            LlmError: there is none; the kind says whether anything can be done about it.
        """

    def begin(self, ask: Ask) -> Pending:
        """Ask, and return at once; asks begun first are sent first."""

    def many(self, asks: Iterable[Ask]) -> list[Reply]:
        """Ask all of these, several at once; replies come in the order of the asks."""

    def check(self) -> None:
        """Tell what is known to be wrong before anything is sent.

        Raises:
            ConfigError: a key or a file is missing; it names the setting.
        """

    def close(self) -> None:
        """Give up what is on its way, and let go of connections and files."""
