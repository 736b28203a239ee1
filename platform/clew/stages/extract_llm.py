"""Extract, by a language model: what does a window of messages tell? (AriadneMem §2.2, Eq. 4)

Nothing that was said is lost on the way. A reply that will not do is mended, asked for again
with what is wrong, or asked for in two halves; rules read what a model cannot, and what no
note cites. What is asked depends on the window alone, so it can be asked ahead of time.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from typing import ClassVar, Literal, assert_never

from clew.errors import LlmError, LlmSpent, LlmTooLong, LlmUnusable
from clew.memory import Memory
from clew.model import Ingest, Message, Unit
from clew.models.llm import Ask, Llm, Pending
from clew.models.structured import How, structured
from clew.prompts import load
from clew.stage import Count, Number, stage
from clew.stages.extract import RuleBased, Told
from clew.stages.grounding import Grounding, line
from clew.stages.notes import Citations, Note, Notes
from clew.stages.resolve import Referents
from clew.when import day

PROMPT = "ariadne_extract"
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()

Cited = tuple[Note, list[str]]


@dataclass(slots=True)
class Reading:
    """What was made of a window: notes and what they cite, and messages that are left to rules.

    `figures` counts what had to be mended, `reason` is the last error that could not be.
    """

    notes: list[Cited] = field(default_factory=list)
    left: list[Message] = field(default_factory=list)
    figures: Counter[str] = field(default_factory=Counter)
    reason: str = ""

    def __add__(self, other: "Reading") -> "Reading":
        reason = other.reason or self.reason
        left, notes = self.left + other.left, self.notes + other.notes
        return Reading(notes, left, self.figures + other.figures, reason)


@stage
class LlmExtract:
    """Self-contained facts, taken down by a language model.

    A window is asked for again up to `retries` times and halved up to `splits` times. By
    rule goes then what the model answers unusably, with `by_rule` "always" also what it
    cannot be asked; with "never" the run stops. `ahead` windows are asked for in advance.
    """

    needs: ClassVar = ("llm",)
    prompts: ClassVar = (PROMPT,)

    retries: Number = 2  # unspecified; the released code never asks again
    splits: Number = 3
    reply: Count = 4096  # tokens
    by_rule: Literal["unusable", "always", "never"] = "unusable"
    uncited: bool = True  # whether rules keep what no note cites
    longest: Count = 90  # words of a unit that rules make
    ahead: Number = 16

    def __call__(self, window: tuple[Message, ...], memory: Memory) -> Told:
        """Return the units of a window, and how they were come by."""
        pending = memory.foresight.take(self._ask(window))
        coming = self._coming(len(window), memory)
        memory.foresight.expect([self._ask(later) for later in coming])
        reading = self._read(window, memory.llm, pending, self.splits)
        return self._told(reading, window, memory)

    def _ask(self, window: Sequence[Message]) -> Ask[Notes]:
        return Ask(PROMPT, load(PROMPT)["system"], shown(window), Notes, self.reply)

    def _coming(self, size: int, memory: Memory) -> list[tuple[Message, ...]]:
        """Return the windows to come if nothing is kept out, as many as may be asked ahead."""
        wanted = size * memory.foresight.reach(self.ahead)
        later = memory.coming.peek(wanted + 1)
        whole = wanted if len(later) > wanted else len(later)  # the stream's rest is a window too
        return [tuple(later[at : min(at + size, whole)]) for at in range(0, whole, size)]

    def _read(self, window: Sequence[Message], llm: Llm, pending: Pending, splits: int) -> Reading:
        citations = Citations(window)
        try:
            notes, how = structured(llm, self._ask(window), self.retries, pending, citations.wrong)
            return _noted(notes, citations, how)
        except LlmTooLong as error:
            if splits and len(window) > 1:
                return self._halved(window, llm, splits - 1)
            return self._left(window, error)
        except LlmUnusable as error:
            best = citations.best
            if best is not None and any(citations.sources(note) for note in best.units):
                return _noted(best, citations, "retried")
            return self._left(window, error)
        except LlmError as error:
            if self.by_rule != "always" or isinstance(error, LlmSpent):
                raise
            return self._left(window, error)

    def _halved(self, window: Sequence[Message], llm: Llm, splits: int) -> Reading:
        middle = (len(window) + 1) // 2
        halves = window[:middle], window[middle:]
        begun = [llm.begin(self._ask(half)) for half in halves]
        reading = Reading(figures=Counter(split=1))
        for half, pending in zip(halves, begun, strict=True):
            reading += self._read(half, llm, pending, splits)
        return reading

    def _left(self, window: Sequence[Message], error: LlmError) -> Reading:
        if self.by_rule == "never":
            raise error
        return Reading([], list(window), Counter(by_rule=len(window)), str(error))

    def _told(self, reading: Reading, window: tuple[Message, ...], memory: Memory) -> Told:
        referents = Referents((message.speaker for message in window), memory)
        ground = Grounding(window, referents)
        units = [ground.unit(note, sources) for note, sources in reading.notes]
        referents.store()
        cited = {id for _, sources in reading.notes for id in sources}
        left = {message.id for message in reading.left}
        missed = [m for m in window if m.id not in cited | left]
        rules = RuleBased(longest=self.longest, around=False)
        again = tuple(m for m in window if m.id in left or (self.uncited and m in missed))
        units += [_around(unit, window) for unit in rules(again, memory)]
        figures = reading.figures + ground.refused + Counter(uncited=len(missed))
        units.sort(key=lambda unit: (unit.position, unit.id))
        return Told(units, _how(window, reading, figures))


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


def _noted(notes: Notes, citations: Citations, how: How) -> Reading:
    """Return a reading of notes, those left out that cite no message of the window."""
    cited = [(note, citations.sources(note)) for note in notes.units]
    figures = Counter({"citations": sum(len(citations.invented(note)) for note in notes.units)})
    figures["refused"] = sum(not sources for _, sources in cited)
    match how:
        case "clean":
            pass
        case "repaired" | "retried":
            figures[how] = 1
        case _:
            assert_never(how)
    return Reading([(note, sources) for note, sources in cited if sources], [], +figures)


def _around(unit: Unit, window: Sequence[Message]) -> Unit:
    """Put the messages before and after it beside a unit that rules made."""
    at = next(n for n, message in enumerate(window) if message.id == unit.evidence[0].message)
    near = [m for m in window[max(0, at - 1) : at + 2] if m.session == unit.session]
    lines = [unit.text if m.id == unit.evidence[0].message else line(m) for m in near]
    return replace(unit, context="\n".join(lines))


def _how(window: tuple[Message, ...], reading: Reading, figures: Counter[str]) -> Ingest:
    outcome: Literal["accepted", "repaired", "fell_back"] = "accepted"
    if figures["by_rule"]:
        outcome = "fell_back"
    elif any(figures[mended] for mended in ("repaired", "retried", "split", "refused")):
        outcome = "repaired"
    return Ingest(window, 0, outcome, reading.reason, dict(sorted((+figures).items())))
