"""Compare two runs question by question: paired differences with 95 % intervals, and flips.

    python experiments/compare.py ariadne hybrid
    python experiments/compare.py runs/a runs/b --metrics evidence_recall_500 --flips 50
    python experiments/compare.py ariadne hybrid --contexts
    python experiments/compare.py ariadne hybrid --markdown flips.md

Exit codes: 0 all is well, 2 a setting or a file is wrong.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from clew.cli import complain
from clew.errors import ClewError, RunError
from clew.evaluate.journal import Record, read_records
from clew.evaluate.stats import Difference, compare, flips, paired
from clew.report.flipped import Flipped
from clew.report.tables import Grid, load_run

WRONG = 2
METRICS = ("f1_locomo", "bleu1", "evidence_recall_250", "evidence_recall_500", "all_evidence_500")


def main(words: Sequence[str] | None = None) -> int:
    """Print the comparison; return the exit code."""
    asked = _parser().parse_args(words)
    console = Console()
    try:
        folders = [_folder(name, asked.runs) for name in (asked.a, asked.b)]
        pairs = _pairs(folders)
        _check(asked, pairs)
        found = compare(pairs, asked.metrics, asked.resamples)
        flipped = [Flipped(flip, asked.metrics[0]) for flip in flips(pairs, asked.metrics[0])]
        some = flipped[: asked.flips]
        parts = [_differences(found, folders), _flips(some, len(flipped), asked.metrics[0])]
        for part in parts:
            part.print(console)
        for each in some if asked.contexts else ():
            each.print(console)
        if asked.markdown:
            _write(asked.markdown, [*parts, *some])
    except ClewError as error:
        complain(error)
        return WRONG
    return 0


def _parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("a", help="a run's name or folder")
    parser.add_argument("b", help="the run to hold it against")
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="where named runs lie")
    parser.add_argument("--metrics", nargs="+", default=list(METRICS))
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--flips", type=int, default=20, help="how many flipped questions to list")
    parser.add_argument("--contexts", action="store_true", help="show both contexts of each")
    parser.add_argument("--markdown", type=Path, help="a file for all this with the contexts")
    return parser


def _check(asked: argparse.Namespace, pairs: Sequence[tuple[Record, Record]]) -> None:
    """Refuse numbers that cannot be, and metrics that no question was scored by."""
    if asked.resamples < 1 or asked.flips < 0:
        raise RunError("--resamples has to be 1 or more, and --flips 0 or more")
    scored = sorted({name for pair in pairs for record in pair for name in record.scores})
    if unknown := [name for name in asked.metrics if name not in {*scored, *METRICS}]:
        raise RunError(f"--metrics {unknown[0]}: no such score; there are {', '.join(scored)}")


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


def _flips(flipped: Sequence[Flipped], n: int, metric: str) -> Grid:
    headings = ("question", "cat.", "better", "asked", "gold", "A says", "B says")
    title = f"{n} questions flipped by {metric} (0.5 or more in one run only)"
    if n > len(flipped):
        title += f"; the first {len(flipped)}, more with --flips"
    return Grid(title, headings, tuple(each.row for each in flipped), left=len(headings))


def _write(file: Path, parts: Sequence[Grid | Flipped]) -> None:
    """Write the comparison with both contexts of the questions that are listed."""
    try:
        file.write_text("\n".join(part.markdown() for part in parts), encoding="utf-8")
    except OSError as error:
        raise RunError(f"{file} cannot be written ({error.strerror}): set --markdown") from None


if __name__ == "__main__":
    sys.exit(main())
