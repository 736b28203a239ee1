"""Inquire: what does a language model make of a window of messages?

No message is lost on the way. A reply that will not do is mended, asked for again with what is
wrong, or asked for in two halves; what no reply reads is left to rules, and counted. What is
asked depends on the window alone, so it can be asked ahead of time.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any, ClassVar, Generic, Literal, assert_never

from clew.errors import LlmError, LlmSpent, LlmTooLong, LlmUnusable
from clew.model import Message
from clew.models.llm import Ask, Llm, Pending
from clew.models.structured import How, structured
from clew.prompts import load
from clew.stages.grounding import line
from clew.stages.notes import Citations, Item, Taken
from clew.when import day

Outcome = Literal["accepted", "repaired", "fell_back"]

_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


@dataclass(slots=True)
class Reading(Generic[Item]):
    """What was made of a window: items and what they cite, and messages that are left to rules.

    `figures` counts what had to be mended, `reason` is the last error that could not be.
    """

    notes: list[tuple[Item, list[str]]] = field(default_factory=list)
    left: list[Message] = field(default_factory=list)
    figures: Counter[str] = field(default_factory=Counter)
    reason: str = ""

    def __add__(self, other: "Reading[Item]") -> "Reading[Item]":
        reason = other.reason or self.reason
        left, notes = self.left + other.left, self.notes + other.notes
        return Reading(notes, left, self.figures + other.figures, reason)


class Inquiry(Generic[Item]):
    """What stages have in common that ask a model about windows, in the words of a prompt.

    A window is asked for again up to `retries` times and halved up to `splits` times. By
    rule goes then what the model answers unusably, with `by_rule` "always" also what it
    cannot be asked; with "never" the run stops. With `silent` a window may come to nothing.
    """

    prompt: ClassVar[str]
    shape: ClassVar[type[Taken]]  # of a reply, in items of the kind that is read

    retries: int
    splits: int
    reply: int  # tokens
    by_rule: Literal["unusable", "always", "never"]
    silent: bool = False

    def ask(self, window: Sequence[Message]) -> Ask[Taken]:
        """Return what a model is asked about a window."""
        return Ask(self.prompt, load(self.prompt)["system"], shown(window), self.shape, self.reply)

    def read(
        self, window: Sequence[Message], llm: Llm, pending: Pending, splits: int
    ) -> Reading[Item]:
        """Return what a model makes of a window, the first try being on its way."""
        citations = Citations(window, self.silent)
        try:
            ask = self.ask(window)
            notes, how = structured(llm, ask, self.retries, pending, citations.wrong)
            return _noted(notes, citations, how)
        except LlmTooLong as error:
            if splits and len(window) > 1:
                return self._halved(window, llm, splits - 1)
            return self._left(window, error)
        except LlmUnusable as error:
            best = citations.best
            if best is not None and any(citations.sources(note) for note in best.items()):
                return _noted(best, citations, "retried")
            return self._left(window, error)
        except LlmError as error:
            if self.by_rule != "always" or isinstance(error, LlmSpent):
                raise
            return self._left(window, error)

    def _halved(self, window: Sequence[Message], llm: Llm, splits: int) -> Reading[Item]:
        middle = (len(window) + 1) // 2
        halves = window[:middle], window[middle:]
        begun = [llm.begin(self.ask(half)) for half in halves]
        reading = Reading[Item](figures=Counter(split=1))
        for half, pending in zip(halves, begun, strict=True):
            reading += self.read(half, llm, pending, splits)
        return reading

    def _left(self, window: Sequence[Message], error: LlmError) -> Reading[Item]:
        if self.by_rule == "never":
            raise error
        return Reading([], list(window), Counter(by_rule=len(window)), str(error))


def shown(window: Sequence[Message]) -> str:
    """Return messages as a model is shown them: under a line for each time, one line each."""
    lines = []
    for said_at, group in groupby(window, key=lambda message: message.said_at):
        lines.append(f"# {_moment(said_at)}")
        lines += [f"[{message.id}] {line(message)}" for message in group]
    return "\n".join(lines)


def _moment(at: datetime | None) -> str:
    """Return a moment with its weekday, and with its offset where it is not that of UTC."""
    if at is None:
        return "at an unknown time"
    return f"{_DAYS[at.weekday()]}, {day(at)}, {at:%H:%M}" + (f" {at:%z}" if at.utcoffset() else "")


def _noted(taken: Taken, citations: Citations, how: How) -> Reading[Any]:
    """Return a reading of a reply, those items left out that cite no message of the window."""
    cited = [(item, citations.sources(item)) for item in taken.items()]
    figures = Counter({"citations": sum(len(citations.invented(item)) for item, _ in cited)})
    figures["refused"] = sum(not sources for _, sources in cited)
    match how:
        case "clean":
            pass
        case "repaired" | "retried":
            figures[how] = 1
        case _:
            assert_never(how)
    return Reading([(item, sources) for item, sources in cited if sources], [], +figures)


def outcome(figures: Counter[str]) -> Outcome:
    """Say how a window was read, by what had to be mended of it."""
    if figures["by_rule"]:
        return "fell_back"
    mended = any(figures[kind] for kind in ("repaired", "retried", "split", "refused"))
    return "repaired" if mended else "accepted"
