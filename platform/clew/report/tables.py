"""Tables of runs beside each other: at a terminal, or as Markdown.

The papers' "Average" is the plain mean of the four category means (macro); others average
over questions (micro). Both are shown, always with n. Category 5 is told apart, by the
share of abstentions. Scores are in percent, times in milliseconds as p50 / p95.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from clew.datasets import CATEGORIES
from clew.errors import RunError
from clew.evaluate.manifest import read_manifest
from clew.evaluate.shapes import Figured, shaped

SCORES = {
    "f1_locomo": "F1",
    "bleu1": "BLEU-1",
    "evidence_recall_250": "R@250",
    "evidence_recall_500": "R@500",
    "evidence_recall_1000": "R@1000",
    "evidence_recall_2000": "R@2000",
}
MISSING = "–"
WIDTH = 120  # where no terminal says how wide it is


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run: its folder, summary and manifest."""

    folder: Path
    summary: Mapping[str, Any]
    manifest: Mapping[str, Any]

    @property
    def title(self) -> str:
        """The system, with the ablation where it is not the full one."""
        system, ablation = self.summary["system"], self.summary["ablation"]
        return str(system) if ablation == "full" else f"{system}, {ablation}"

    @property
    def data(self) -> tuple[str, str]:
        """Name and hash of the data; figures of different data share no table."""
        return self.summary["dataset"], self.manifest.get("dataset", {}).get("sha256", "")


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as text: a title, headings, rows, and notes below."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    left: int = 1  # so many first columns are set to the left
    rules: tuple[int, ...] = ()  # before rows of these numbers is a line

    def print(self, console: Console) -> None:
        """Print it with its notes; where no terminal says how wide it is, wide enough."""
        if not console.is_terminal:
            console.width = max(console.width, WIDTH)
        console.print(Text(self.title, "italic"), soft_wrap=True)
        for part in self.parts(console.width):
            console.print(part._table())
        for note in self.notes:
            console.print(Text(note), soft_wrap=True)

    def parts(self, width: int) -> list["Grid"]:
        """Share the columns among tables so many letters wide, the first ones in each of them."""
        first = list(range(self.left))
        parts = [list(first)]
        for n in range(self.left, len(self.headings)):
            if len(parts[-1]) > self.left and self._width([*parts[-1], n]) > width:
                parts.append(list(first))
            parts[-1].append(n)
        return [self._of(columns) for columns in parts]

    def _of(self, columns: Sequence[int]) -> "Grid":
        """Return these columns alone."""
        headings, *rows = (tuple(row[n] for n in columns) for row in (self.headings, *self.rows))
        return replace(self, headings=headings, rows=tuple(rows))

    def _table(self) -> Table:
        made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for number, heading in enumerate(self.headings):
            made.add_column(heading, justify="left" if number < self.left else "right")
        for number, row in enumerate(self.rows):
            if number in self.rules:
                made.add_section()
            made.add_row(*map(Text, row))
        return made

    def _width(self, columns: Sequence[int]) -> int:
        cells = (self.headings, *self.rows)
        lines = {n: [line for row in cells for line in row[n].split("\n")] for n in columns}
        return sum(3 + max(map(cell_len, lines[n])) for n in columns)

    def markdown(self) -> str:
        """Return it for a README or a notebook."""
        rules = ["---" if n < self.left else "---:" for n in range(len(self.headings))]
        cells = (self.headings, *self.rows)
        rows = [[c.replace("|", "/").replace("\n", "<br>") for c in row] for row in cells]
        rows.insert(1, rules)
        lines = [f"| {' | '.join(row)} |" for row in rows]
        notes = [f"- {note}" for note in self.notes]
        return "\n".join([f"**{self.title}**", "", *lines, "", *notes]).rstrip() + "\n"


def load_run(folder: Path) -> Run:
    """Return a run by its folder.

    Raises:
        RunError: it has no summary, because it never ended, or one of another shape.
    """
    again = "let the run write it anew by starting its command again"
    path = folder / "summary.json"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RunError(
            f"{path} cannot be read ({type(error).__name__}): {again}, or name another run"
        ) from None
    summary = shaped(Figured, content, path, remedy=again)
    manifest = read_manifest(folder)
    if not manifest:
        raise RunError(f"{folder} has no manifest.json: name another run")
    return Run(folder, summary, manifest)


def tables(runs: Sequence[Run]) -> list[Grid]:
    """Return the overview and the table by category for each set of data."""
    by_data = groupby(sorted(runs, key=lambda run: run.data), key=lambda run: run.data)
    grids = []
    for (name, _), some in by_data:
        mine = sorted(some, key=lambda run: runs.index(run))
        grids += [overview(mine, name), by_category(mine, name)]
    return grids


def show(runs: Sequence[Run], console: Console) -> None:
    """Print the tables of runs, with where their files are."""
    for grid in tables(runs):
        grid.print(console)
        console.print()


def overview(runs: Sequence[Run], dataset: str) -> Grid:
    """Return two rows a run, micro and macro: scores, context tokens and latencies."""
    judged = any("judge" in run.summary["micro"] for run in runs)
    scores = SCORES | ({"judge": "judge"} if judged else {})
    headings = ("system", "mean", "n", *scores.values(), "tokens", "add ms", "search ms")
    rows = [_overview(run, which, scores) for run in runs for which in ("micro", "macro")]
    return Grid(f"{dataset}: answers and evidence", headings, tuple(rows), _notes(runs), left=2)


def by_category(runs: Sequence[Run], dataset: str) -> Grid:
    """Return F1 and evidence recall at 500 tokens by category; adversarial: abstentions."""
    known = sorted({c for run in runs for c in run.summary["by_category"]}, key=int)
    rows = []
    for run in runs:
        groups = run.summary["by_category"]
        cells = [_by_category(groups.get(c, {}), c) for c in known]
        rows.append((run.title, *(cell for pair in cells for cell in pair)))
    headings = ["system"]
    for c in known:
        n = max(run.summary["by_category"].get(c, {}).get("n", 0) for run in runs)
        name = f"{CATEGORIES.get(int(c), c)} ({n})"
        headings += [f"{name} abstained"] if int(c) == 5 else [f"{name} F1", "R@500"]
    return Grid(f"{dataset}: by category", tuple(headings), tuple(rows))


def _overview(run: Run, which: str, scores: Iterable[str]) -> tuple[str, ...]:
    figures, latency = run.summary[which], run.summary["latency_ms"]
    first = which == "micro"
    n = f"{figures['n']}/{figures['n_evidence']}" if first else f"{figures['n']} cat."
    times = [_times(latency, step) if first else "" for step in ("add", "search")]
    return (
        run.title if first else "",
        which,
        n,
        *(_percent(figures, metric) for metric in scores),
        _number(figures, "context_tokens"),
        *times,
    )


def _by_category(figures: Mapping[str, Any], category: str) -> tuple[str, ...]:
    if int(category) == 5:
        return (_percent(figures, "f1_locomo"),)
    return _percent(figures, "f1_locomo"), _percent(figures, "evidence_recall_500")


def _percent(figures: Mapping[str, Any], name: str) -> str:
    return f"{100 * figures[name]:.1f}" if name in figures else MISSING


def _number(figures: Mapping[str, Any], name: str) -> str:
    return f"{figures[name]:.0f}" if name in figures else MISSING


def _times(latency: Mapping[str, float], step: str) -> str:
    if f"{step}_p50_noembed" not in latency:
        return MISSING
    return f"{latency[f'{step}_p50_noembed']:.1f} / {latency[f'{step}_p95_noembed']:.1f}"


def _notes(runs: Sequence[Run]) -> tuple[str, ...]:
    """Say what n counts, what failed, and where the files are."""
    notes = [
        "n: answerable questions / those of them with gold evidence. R@500: percent of the gold "
        "messages in a context of 500 tokens. Times: p50 / p95 without embedding, which runs share."
        " With it: latency_ms in summary.json."
    ]
    for run in runs:
        failed, lost = run.summary["failed"], run.summary["lost"]
        trouble = f"; {failed} questions failed" * bool(failed)
        trouble += f"; {lost} messages lost" * bool(lost)
        by = run.summary.get("judged", {}).get("by", "")
        trouble += f"; judge: {by}" * bool(by)
        unjudged = run.summary.get("judged", {}).get("unjudged", 0)
        trouble += f"; {unjudged} answers without a verdict" * bool(unjudged)
        status = run.manifest.get("status", "done")
        trouble += f"; status {status}" * (status != "done")
        notes.append(f"{run.title}: {run.folder}/{trouble}")
    return tuple(notes)
