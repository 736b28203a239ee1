"""Judged: what a judge found of a run's answers, as it lies in `judge.jsonl` and in its summary."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from clew.errors import RunError
from clew.evaluate.journal import Record, read_lines
from clew.evaluate.shapes import shaped
from clew.evaluate.stats import ANSWERABLE
from clew.models.llm import SPENT

FILE = "judge.jsonl"
METRIC = "judge"


@dataclass(frozen=True, slots=True)
class Judged:
    """A line of `judge.jsonl`: the verdicts on one answer, and what says whose they are.

    `answer` is what was judged, `judge` the profile, the model, the trials and the prompt's hash.
    Without `verdicts`, none could be had in so many `tries`, and `error` says why.
    """

    question: str
    answer: str
    judge: str
    verdicts: tuple[bool, ...]
    llm: Mapping[str, int] = field(default_factory=dict)
    tries: int = 1
    error: str = ""

    @property
    def score(self) -> float:
        """The share of trials that found it right."""
        return sum(self.verdicts) / len(self.verdicts) if self.verdicts else 0.0

    def of(self, record: Record) -> bool:
        """Tell whether it is about this answer."""
        return (self.question, self.answer) == (record.question, record.answer)


def last_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> dict[str, Judged]:
    """Return by question what the lines of a file say: the last of each holds."""
    found = (shaped(Judged, row, path, number) for number, row in enumerate(rows, 1))
    return {judged.question: judged for judged in found}


def read_judged(folder: Path) -> list[Judged]:
    """Return what a run's folder holds of its answers, leaving the file as it is."""
    path = folder / FILE
    return list(last_lines(path, read_lines(path)).values()) if path.is_file() else []


def with_verdicts(records: Sequence[Record], judged: Sequence[Judged]) -> list[Record]:
    """Return records with the judge's scores beside the others, once all were asked about.

    An answer without verdicts has no score: it is neither right nor wrong.
    """
    known = {each.question: each for each in judged}
    wanted = [record for record in records if record.category in ANSWERABLE]
    if not all(r.question in known and known[r.question].of(r) for r in wanted):
        return list(records)
    return [_with_score(record, known.get(record.question)) for record in records]


def _with_score(record: Record, judged: Judged | None) -> Record:
    if judged is None or not judged.verdicts:
        return record
    return replace(record, scores={**record.scores, METRIC: round(judged.score, 6)})


def with_judge(figures: Mapping[str, Any], judged: Sequence[Judged]) -> dict[str, Any]:
    """Return a summary's figures with who judged, what it took, and what has no verdict.

    Raises:
        RunError: more than one judge did.
    """
    names = sorted({each.judge for each in judged})
    if len(names) > 1:
        raise RunError(f"{FILE} holds verdicts of {' and '.join(names)}: judge the run anew")
    if not names:
        return dict(figures)
    without = sum(not each.verdicts for each in judged)
    tokens = {name: sum(each.llm.get(name, 0) for each in judged) for name in SPENT}
    n = len(judged) - without
    told = {"by": names[0], "n": n, "unjudged": without, "tokens": tokens}
    doubt = f"{without} of {len(judged)} answers have no verdict: judge again; see {FILE}"
    return {**figures, "judged": told, "warnings": [*figures["warnings"], *[doubt] * bool(without)]}
