"""The judge: does an answer mean the gold one, as a language model sees it?

A judge is run over a run's journal, apart from the system that answered: the model that
judges need not be the one that answers. Answers are asked about ahead of time, and each one's
verdicts are on disk before the next one's. An answer on which no reply was of use has none; the
next judging asks again, as another sample, or a cache would give the same replies. Category 5
is not judged: whether a system abstains needs no opinion.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from clew.errors import LlmError, LlmSpent, LlmTooLong, LlmUnusable
from clew.evaluate.journal import Lines, Record
from clew.evaluate.judged import FILE, Judged, last_lines
from clew.evaluate.stats import ANSWERABLE
from clew.foresight import Foresight
from clew.models.llm import SPENT, Ask, Llm
from clew.models.structured import structured
from clew.prompts import load
from clew.stage import Count, Number, checked
from clew.trace import recording

AHEAD = 2  # answers that are asked about in advance, for each ask that may be out at a time

Profile = Literal["lenient", "strict"]
Known = Mapping[str, Judged]


class Verdict(BaseModel):
    """What a judge says of one answer."""

    reason: str
    correct: bool


@checked
class Judge:
    """Compares answers with gold ones, `trials` times each, for right or wrong.

    "lenient" counts what means the gold answer, "strict" what tells all of it and no more.
    """

    profile: Profile = "lenient"
    trials: Count = 1
    retries: Number = 2
    reply: Count = 256  # tokens

    @property
    def prompt(self) -> str:
        """The name of the profile's prompt."""
        return f"judge_{self.profile}"

    def name(self, llm: Llm) -> str:
        """Return what tells this judge's verdicts from another's."""
        hash = load(self.prompt).hash[:12]
        return f"{self.profile} {llm.name} trials={self.trials} prompt={hash}"

    def asks(self, record: Record, tries: int = 0) -> list[Ask[Verdict]]:
        """Return what is asked about an answer; one that was not given is wrong without a call.

        `tries` is how often that was asked before, for nothing.
        """
        if record.status == "failed" or record.abstained or not record.answer:
            return []
        told = (("Question", record.query), ("Reference", record.gold), ("Given", record.answer))
        user = "\n".join(f"{head}: {' '.join(text.split())}" for head, text in told)
        system, first = load(self.prompt)["system"], tries * self.trials
        samples = range(first, first + self.trials)
        return [Ask(self.prompt, system, user, Verdict, self.reply, sample=n) for n in samples]

    def __call__(
        self, record: Record, llm: Llm, before: Judged | None = None, ahead: Foresight | None = None
    ) -> Judged:
        """Return the verdicts on an answer, or why there are none.

        `before` are earlier tries, `ahead` holds what was asked in advance.
        """
        tries, paid = (before.tries, before.llm) if before else (0, {})
        verdicts, error = (False,) * self.trials, ""
        with recording() as trace:
            try:
                if asks := self.asks(record, tries):
                    verdicts = self._verdicts(asks, llm, ahead or Foresight(llm))
            except (LlmUnusable, LlmTooLong) as unusable:
                verdicts, error = (), str(unusable)
        spent = {name: paid.get(name, 0) + trace.counts.get(f"llm.{name}", 0) for name in SPENT}
        name, answer = self.name(llm), record.answer
        return Judged(record.question, answer, name, verdicts, spent, tries + 1, error)

    def _verdicts(
        self, asks: Sequence[Ask[Verdict]], llm: Llm, ahead: Foresight
    ) -> tuple[bool, ...]:
        begun = [ahead.take(ask) for ask in asks]
        try:
            pairs = zip(asks, begun, strict=True)
            return tuple(structured(llm, a, self.retries, b)[0].correct for a, b in pairs)
        except LlmError:
            for pending in begun:  # the other trials are paid for too
                with suppress(LlmError):
                    pending.result()
            raise


def judge_all(folder: Path, records: Sequence[Record], judge: Judge, llm: Llm) -> list[Judged]:
    """Judge the answers of a run, but for those on which this judge has given its verdicts.

    What another judge, or this one of other answers, left in the folder is thrown away.
    """
    wanted = [record for record in records if record.category in ANSWERABLE]
    path, name = folder / FILE, judge.name(llm)
    with closing(Lines(path)) as lines:
        known = last_lines(path, lines.rows)
        mine = {r.question: known[r.question] for r in wanted if _holds(known, r, name)}
        if len(mine) < len(known):
            lines.keep(0)
            lines.append(asdict(judged) for judged in mine.values())
        left = [r for r in wanted if r.question not in mine or not mine[r.question].verdicts]
        for judged in _each(left, mine, judge, llm):
            lines.append([asdict(judged)])
            mine[judged.question] = judged
    return [mine[record.question] for record in wanted]


def _each(records: Sequence[Record], before: Known, judge: Judge, llm: Llm) -> Iterator[Judged]:
    """Yield what is found of these answers, in order, having asked about the next ones."""
    tries = {question: judged.tries for question, judged in before.items()}
    asks = [judge.asks(record, tries.get(record.question, 0)) for record in records]
    ahead = Foresight(llm)
    for n, record in enumerate(records):
        end = n + 1 + AHEAD * llm.concurrency
        ahead.expect([ask for each in asks[n:end] for ask in each])
        try:
            yield judge(record, llm, before.get(record.question), ahead)
        except LlmSpent:
            yield from _on_their_way(records[n + 1 : end], before, judge, llm, ahead)
            raise


def _on_their_way(
    records: Sequence[Record], before: Known, judge: Judge, llm: Llm, ahead: Foresight
) -> Iterator[Judged]:
    """Yield what is found of the answers that were asked about already, which is paid for."""
    for record in records:
        with suppress(LlmSpent):
            yield judge(record, llm, before.get(record.question), ahead)


def _holds(known: Known, record: Record, judge: str) -> bool:
    found = known.get(record.question)
    return found is not None and found.of(record) and found.judge == judge
