"""Page: the report of a run in one HTML file, readable without a network or a server.

What is told goes in as compressed JSON, which no text inside can break out of. Everything a
reader may ask is worked out here; the page's scripts only select and draw.
"""

import base64
import gzip
import html
import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from importlib.resources import files
from pathlib import Path
from typing import Any

from clew.errors import RunError
from clew.evaluate.journal import Record, read_records
from clew.evaluate.judged import read_judged, with_verdicts
from clew.evaluate.manifest import flat
from clew.report.html import figures
from clew.report.html.entries import Book, book
from clew.report.html.figures import Category, Figure, Point
from clew.report.html.outcomes import Selections, selections
from clew.report.html.remembered import Graphs, read_back
from clew.report.tables import Grid, Run, load_run

NAME = "report.html"
PARTS = ("page.css", "page.js", "graph.js", "questions.js")


@dataclass(frozen=True, slots=True)
class Page:
    """All that a page tells, in the order it does."""

    title: str
    facts: tuple[tuple[str, str], ...]
    doubts: tuple[str, ...]
    headline: tuple[Figure, ...]
    categories: tuple[Category, ...]
    curve: tuple[Point, ...]
    grids: tuple[Grid, ...]
    settings: tuple[tuple[str, str], ...]
    metrics: tuple[tuple[str, str], ...]
    selections: Selections
    book: Book


def write_report(folder: Path, graphs: Graphs | None = None, to: Path | None = None) -> Path:
    """Write the page of a finished run, by default into its folder; return where it is.

    `graphs` opens the graphs of its memories, for the texts and times of units.

    Raises:
        RunError: the run has no summary, or the page cannot be written.
    """
    run = load_run(folder)
    records = with_verdicts(read_records(folder / "journal.jsonl"), read_judged(folder))
    path = to or folder / NAME
    try:
        path.write_text(rendered(page(run, records, graphs)), encoding="utf-8")
    except OSError as error:
        raise RunError(f"{path} cannot be written ({error.strerror}): name another file") from error
    return path


def page(run: Run, records: Sequence[Record], graphs: Graphs | None = None) -> Page:
    """Gather what a page tells of a run."""
    recalled = read_back(records, graphs)
    old = any(record.graph is None and record.retrieved for record in records)
    undrawn = "This run's journal is from before evidence graphs were kept: only units are drawn"
    return Page(
        title=f"{run.title} on {run.summary['dataset']}",
        facts=_facts(run),
        doubts=(*run.summary.get("warnings", ()), *recalled.doubts, *(undrawn,) * old),
        headline=figures.headline(run.summary),
        categories=figures.categories(records),
        curve=figures.curve(run.summary),
        grids=figures.grids(run.summary),
        settings=tuple((k, str(v)) for k, v in sorted(flat(run.manifest["config"]).items())),
        metrics=tuple(figures.METRICS.items()),
        selections=selections(records),
        book=book(records, recalled),
    )


def rendered(page: Page) -> str:
    """Return the page as HTML; the same page is the same text, byte for byte."""
    told = json.dumps(
        page, default=_fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )
    encoded = told.encode(errors="replace")  # half a surrogate pair, as models cut emoji, is none
    data = base64.b64encode(gzip.compress(encoded, mtime=0)).decode()
    parts = files(__package__) / "page"
    made = (parts / "page.html").read_text(encoding="utf-8")
    for name in PARTS:
        made = made.replace(f"[[{name}]]", (parts / name).read_text(encoding="utf-8"))
    return made.replace("[[data]]", data).replace("[[title]]", html.escape(page.title))


def _fields(value: Any) -> dict[str, Any]:
    """Return a dataclass by its fields; `asdict` would copy all there is below them."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


def _facts(run: Run) -> tuple[tuple[str, str], ...]:
    """Return what the run was, by which code, and how it ended."""
    manifest: Any = run.manifest
    commit = str(manifest.get("commit", "unknown")) + ", with changes" * bool(manifest.get("dirty"))
    n, failed, lost = (run.summary[name] for name in ("n", "failed", "lost"))
    told = {
        "run": manifest.get("name", run.folder.name),
        "system": run.summary["system"],
        "ablation": run.summary["ablation"],
        "data": f"{run.summary['dataset']} ({manifest.get('dataset', {}).get('sha256', '')[:12]})",
        "questions": f"{n}, {failed} of them failed; {lost} messages lost",
        "models": ", ".join(f"{k}: {v}" for k, v in manifest.get("models", {}).items()),
        "judge": run.summary.get("judged", {}).get("by", ""),
        "status": manifest.get("status", "done"),
        "started": manifest.get("start", ""),
        "commit": commit,
        "configuration": manifest["config_hash"][:12],
        "command": manifest.get("command", ""),
    }
    return tuple((name, str(value)) for name, value in told.items() if value)
