"""Compare two runs question by question: paired differences with 95 % intervals, and flips.

python experiments/compare.py ariadne hybrid
python experiments/compare.py runs/a runs/b --metrics evidence_recall_500 --flips 50
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from clew.errors import ClewError, RunError
from clew.evaluate.journal import Record, read_records
from clew.evaluate.stats import Difference, Flip, compare, flips, paired
from clew.report.tables import Grid, load_run

METRICS = ("f1_locomo", "bleu1", "evidence_recall_250", "evidence_recall_500", "all_evidence_500")


def main(words: Sequence[str] | None = None) -> int:
    """Print the comparison; return 1 when there is none to make."""
    asked = _parser().parse_args(words)
    console = Console()
    try:
        folders = [_folder(name, asked.runs) for name in (asked.a, asked.b)]
        pairs = _pairs(folders)
        found = compare(pairs, asked.metrics, asked.resamples)
        _differences(found, folders).print(console)
        _flips(flips(pairs, asked.metrics[0]), asked.metrics[0], asked.flips).print(console)
    except ClewError as error:
        Console(stderr=True).print(str(error), markup=False, soft_wrap=True)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("a", help="a run's name or folder")
    parser.add_argument("b", help="the run to hold it against")
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="where named runs lie")
    parser.add_argument("--metrics", nargs="+", default=list(METRICS))
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--flips", type=int, default=20, help="how many flipped questions to list")
    return parser


def _folder(name: str, runs: Path) -> Path:
    """Return the folder of a run given by name or path."""
    found = next((f for f in (runs / name, Path(name)) if (f / "journal.jsonl").is_file()), None)
    if found is None:
        raise RunError(f"No run {name}: neither {runs / name} nor {name} holds a journal.jsonl")
    return found


def _pairs(folders: Sequence[Path]) -> list[tuple[Record, Record]]:
    a, b = (load_run(folder) for folder in folders)
    if a.data != b.data:
        raise RunError(
            f"{a.folder} and {b.folder} are over different data ({a.data[0]} {a.data[1][:12]}, "
            f"{b.data[0]} {b.data[1][:12]}): compare runs of the same dataset"
        )
    return paired(*(read_records(folder / "journal.jsonl") for folder in folders))


def _differences(found: Sequence[Difference], folders: Sequence[Path]) -> Grid:
    headings = ("category", "metric", "n", "A", "B", "A - B", "95 % interval")
    rows = []
    for one in found:
        sure = "*" * (one.low > 0 or one.high < 0)
        values = (one.n, *(f"{100 * v:.2f}" for v in (one.a, one.b)))
        span = f"{100 * one.low:+.2f} to {100 * one.high:+.2f}{sure}"
        rows.append(
            (one.group, one.metric, *map(str, values), f"{100 * one.difference:+.2f}", span)
        )
    a, b = folders
    title = f"A = {a}, B = {b} (percent; * interval without 0)"
    return Grid(title, headings, tuple(rows), left=2)


def _flips(found: Sequence[Flip], metric: str, most: int) -> Grid:
    rows = [
        (
            flip.a.question,
            str(flip.a.category),
            "A" if flip.a.scores[metric] > flip.b.scores[metric] else "B",
            flip.a.query,
            flip.a.gold,
            flip.a.answer,
            flip.b.answer,
        )
        for flip in found[:most]
    ]
    headings = ("question", "cat.", "better", "asked", "gold", "A says", "B says")
    title = f"{len(found)} questions flipped by {metric} (0.5 or more in one run only)"
    if len(found) > most:
        title += f"; the first {most}, more with --flips"
    return Grid(title, headings, tuple(rows), left=len(headings))


if __name__ == "__main__":
    sys.exit(main())
