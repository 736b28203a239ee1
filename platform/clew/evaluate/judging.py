"""Judging: a run that has ended gets a judge's verdicts into its summary."""

import json
from pathlib import Path

from clew.errors import RunError
from clew.evaluate.building import read_built, read_bursts
from clew.evaluate.journal import read_records
from clew.evaluate.judge import Judge, judge_all
from clew.evaluate.judged import with_judge, with_verdicts
from clew.evaluate.manifest import write_json
from clew.evaluate.run import alone
from clew.evaluate.summary import promised_effects, summarise
from clew.models.llm import Llm
from clew.systems.base import MemorySystem


def judged_run(folder: Path, system: MemorySystem, judge: Judge, llm: Llm) -> int:
    """Judge all answers of a run that has ended, and write its summary anew.

    Returns how many answers have no verdict.

    Raises:
        RunError: the run has not ended.
        LlmError: the model cannot be asked; the same command goes on there.
    """
    path = folder / "summary.json"
    if not path.is_file():
        raise RunError(f"{path} is not there: let the run end first, with its own command")
    with alone(folder):
        before = json.loads(path.read_text(encoding="utf-8"))
        records = read_records(folder / "journal.jsonl")
        judged = judge_all(folder, records, judge, llm)
        figures = summarise(
            with_verdicts(records, judged),
            list(read_built(folder).values()),
            read_bursts(folder),
            promised_effects(system),
        )
        names = {key: before[key] for key in ("system", "ablation", "dataset")}
        write_json(path, names | with_judge(figures, judged))
    return sum(not each.verdicts for each in judged)
