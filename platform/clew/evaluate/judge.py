"""The judge: does an answer mean the gold one, as a language model sees it?

A judge is run over a run's journal, apart from the system that answered: the model that
judges need not be the one that answers. Each question's verdicts are on disk before the next
is judged. Category 5 is not judged: whether a system abstains needs no opinion.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from clew.errors import RunError
from clew.evaluate.journal import Lines, Record, read_lines
from clew.evaluate.shapes import shaped
from clew.evaluate.stats import ANSWERABLE
from clew.models.llm import Ask, Llm
from clew.models.structured import structured
from clew.prompts import load
from clew.stage import Count, Number, checked
from clew.trace import recording

FILE = "judge.jsonl"
METRIC = "judge"
SPENT = ("calls", "prompt_tokens", "completion_tokens", "cached")

Profile = Literal["lenient", "strict"]


class Verdict(BaseModel):
    """What a judge says of one answer."""

    reason: str
    correct: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """A line of `judge.jsonl`: the verdicts on one answer, and what says whose they are.

    `answer` is what was judged, `judge` the profile, the model, the trials and the prompt's hash.
    """

    question: str
    answer: str
    judge: str
    verdicts: tuple[bool, ...]
    llm: Mapping[str, int] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """The share of trials that found it right."""
        return sum(self.verdicts) / len(self.verdicts) if self.verdicts else 0.0


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

    def __call__(self, record: Record, llm: Llm) -> Judged:
        """Return the verdicts on an answer; one that was not given is wrong without a call."""
        if record.status == "failed" or record.abstained or not record.answer:
            return Judged(record.question, record.answer, self.name(llm), (False,) * self.trials)
        with recording() as trace:
            asks = [self._ask(record, trial) for trial in range(self.trials)]
            begun = [llm.begin(ask) for ask in asks]
            verdicts = tuple(
                structured(llm, ask, self.retries, pending)[0].correct
                for ask, pending in zip(asks, begun, strict=True)
            )
        spent = {name: trace.counts.get(f"llm.{name}", 0) for name in SPENT}
        return Judged(record.question, record.answer, self.name(llm), verdicts, spent)

    def _ask(self, record: Record, trial: int) -> Ask[Verdict]:
        told = (("Question", record.query), ("Reference", record.gold), ("Given", record.answer))
        user = "\n".join(f"{head}: {' '.join(text.split())}" for head, text in told)
        system = load(self.prompt)["system"]
        return Ask(self.prompt, system, user, Verdict, self.reply, sample=trial)


def judge_all(folder: Path, records: Sequence[Record], judge: Judge, llm: Llm) -> list[Judged]:
    """Judge the answers of a run, but for those that this judge has judged already.

    What another judge, or this one of other answers, left in the folder is thrown away.
    """
    wanted = [record for record in records if record.category in ANSWERABLE]
    path = folder / FILE
    with closing(Lines(path)) as lines:
        known = _by_question([shaped(Judged, r, path, n) for n, r in enumerate(lines.rows, 1)])
        mine = {r.question: known[r.question] for r in wanted if _holds(known, r, judge.name(llm))}
        if len(mine) < len(lines.rows):
            lines.keep(0)
            lines.append(asdict(judged) for judged in mine.values())
        for record in wanted:
            if record.question not in mine:
                mine[record.question] = judge(record, llm)
                lines.append([asdict(mine[record.question])])
    return [mine[record.question] for record in wanted]


def read_judged(folder: Path) -> list[Judged]:
    """Return the verdicts that a run's folder holds."""
    path = folder / FILE
    if not path.is_file():
        return []
    return [shaped(Judged, row, path, n) for n, row in enumerate(read_lines(path), 1)]


def with_verdicts(records: Sequence[Record], judged: Sequence[Judged]) -> list[Record]:
    """Return records with the judge's score beside the others, where all answers have one."""
    known = _by_question(judged)
    wanted = [record for record in records if record.category in ANSWERABLE]
    if not judged or not all(_holds(known, record) for record in wanted):
        return list(records)
    return [
        replace(r, scores={**r.scores, METRIC: round(known[r.question].score, 6)})
        if r.question in known
        else r
        for r in records
    ]


def told(judged: Sequence[Judged]) -> dict[str, Any]:
    """Return who judged, and what it took.

    Raises:
        RunError: more than one judge did.
    """
    names = sorted({each.judge for each in judged})
    if len(names) > 1:
        raise RunError(f"{FILE} holds verdicts of {' and '.join(names)}: judge the run anew")
    spent = {name: sum(each.llm.get(name, 0) for each in judged) for name in SPENT}
    return {"by": names[0], "n": len(judged), "tokens": spent} if names else {}


def _holds(known: Mapping[str, Judged], record: Record, judge: str = "") -> bool:
    found = known.get(record.question)
    return found is not None and found.answer == record.answer and judge in ("", found.judge)


def _by_question(judged: Iterable[Judged]) -> dict[str, Judged]:
    return {each.question: each for each in judged}
