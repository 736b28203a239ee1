"""Extract, by a language model: what does a window of messages tell? (AriadneMem §2.2, Eq. 4)

Nothing that was said is lost on the way: rules read what a model cannot, and what no note
cites.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from clew.memory import Memory
from clew.model import Ingest, Message, Unit
from clew.stage import Count, Number, stage
from clew.stages.extract import RuleBased, Told
from clew.stages.grounding import Grounding, line
from clew.stages.inquire import Inquiry, Reading, outcome
from clew.stages.notes import Note, Notes
from clew.stages.resolve import Referents

PROMPT = "ariadne_extract"


@stage
class LlmExtract(Inquiry[Note]):
    """Self-contained facts, taken down by a language model.

    A window is asked for again up to `retries` times and halved up to `splits` times. By
    rule goes then what the model answers unusably, with `by_rule` "always" also what it
    cannot be asked; with "never" the run stops. `ahead` windows are asked for in advance.

    With `silent` and without `uncited` the model decides what is worth keeping, as the gate of
    SimpleMem's third version does (its §2.1, Eq. 1).
    """

    needs: ClassVar = ("llm",)
    prompts: ClassVar = (PROMPT,)
    prompt: ClassVar = PROMPT
    shape: ClassVar = Notes

    retries: Number = 2  # unspecified; the released code never asks again
    splits: Number = 3
    reply: Count = 4096  # tokens
    by_rule: Literal["unusable", "always", "never"] = "unusable"
    silent: bool = False  # whether a window may tell nothing
    uncited: bool = True  # whether rules keep what no note cites
    longest: Count = 90  # words of a unit that rules make
    ahead: Number = 16

    def __call__(self, window: tuple[Message, ...], memory: Memory) -> Told:
        """Return the units of a window, and how they were come by."""
        pending = memory.foresight.take(self.ask(window))
        coming = self._coming(len(window), memory)
        memory.foresight.expect([self.ask(later) for later in coming])
        reading = self.read(window, memory.llm, pending, self.splits)
        return self._told(reading, window, memory)

    def _coming(self, size: int, memory: Memory) -> list[tuple[Message, ...]]:
        """Return the windows to come if nothing is kept out, as many as may be asked ahead."""
        wanted = size * memory.foresight.reach(self.ahead)
        later = memory.coming.peek(wanted + 1)
        whole = wanted if len(later) > wanted else len(later)  # the stream's rest is a window too
        return [tuple(later[at : min(at + size, whole)]) for at in range(0, whole, size)]

    def _told(self, reading: Reading[Note], window: tuple[Message, ...], memory: Memory) -> Told:
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
        mended = dict(sorted((+figures).items()))
        return Told(units, Ingest(window, 0, outcome(figures), reading.reason, mended))


def _around(unit: Unit, window: Sequence[Message]) -> Unit:
    """Put the messages before and after it beside a unit that rules made."""
    at = next(n for n, message in enumerate(window) if message.id == unit.evidence[0].message)
    near = [m for m in window[max(0, at - 1) : at + 2] if m.session == unit.session]
    lines = [unit.text if m.id == unit.evidence[0].message else line(m) for m in near]
    return replace(unit, context="\n".join(lines))
