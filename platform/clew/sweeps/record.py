"""Record: `sweep.json`, what a sweep is and what became of its jobs, and the same as a table."""

import json
import os
from collections import Counter
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from clew.errors import RunError
from clew.evaluate.manifest import read_manifest, write_json
from clew.reopen import ROOT
from clew.report.tables import Grid as Table
from clew.sweeps.ending import Ending
from clew.sweeps.grid import Grid
from clew.sweeps.plan import Job
from clew.sweeps.version import commit
from clew.sweeps.watch import LOG
from clew.sweeps.work import Work, work_of
from clew.tracking import Status


@dataclass(slots=True)
class Row:
    """A job and what became of it; a skipped one was done before."""

    job: Job
    skipped: bool = False
    ending: Ending | None = None

    @property
    def status(self) -> str:
        """How it ended, or that it waits."""
        return "done" if self.skipped else self.ending.status if self.ending else "waiting"

    @property
    def tracked(self) -> Status:
        """How it ended, for the tracker."""
        return "done" if self.skipped or self.ending is None else self.ending.status

    @property
    def error(self) -> str:
        """What it ended with, if it failed."""
        return "" if self.skipped or self.ending is None else self.ending.error

    def told(self) -> dict[str, Any]:
        """Return it as it stands in `sweep.json`."""
        manifest = {}
        with suppress(RunError):
            manifest = read_manifest(self.job.folder)
        return {
            "varied": dict(self.job.cell.varied),
            "name": self.job.folder.name,
            "folder": placed(self.job.folder),
            "status": self.status,
            "skipped": self.skipped,
            "exit_code": self.ending.exit_code if self.ending else None,
            "signal": self.ending.signal if self.ending else None,
            "seconds": self.ending.seconds if self.ending else None,
            "error": self.error,
            "mlflow": entry_of(self.job.folder),
            "commit": manifest.get("commit"),
            "config_hash": manifest.get("config_hash"),
        }


def placed(path: Path) -> str:
    """Return a path from the repository's root, where it lies below that."""
    return str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)


def entry_of(folder: Path) -> str | None:
    """Return the id of a folder's entry in MLflow, if it has one."""
    with suppress(OSError, ValueError, KeyError):
        return str(json.loads((folder / "mlflow.json").read_text("utf-8"))["run"])
    return None


@dataclass(frozen=True, slots=True)
class Record:
    """The files of a sweep in its folder."""

    folder: Path
    grid: Grid
    rows: list[Row]

    @property
    def dataset(self) -> str:
        """The data of all jobs."""
        return ", ".join(dict.fromkeys(row.job.cell.choices["dataset"] for row in self.rows))

    @property
    def tags(self) -> dict[str, str]:
        """What the sweep's entry in a tracker is marked with."""
        return {"sweep": self.grid.sweep, "dataset": self.dataset, "commit": commit()}

    @property
    def exit_code(self) -> int:
        """The worst exit code of the jobs that were run; one that was not is no success."""
        ran = [row for row in self.rows if not row.skipped]
        return max((row.ending.exit_code if row.ending else 1 for row in ran), default=0)

    @property
    def figures(self) -> dict[str, Any]:
        """How many jobs ended how, and what they shared."""
        counts = Counter(row.status for row in self.rows)
        skipped = sum(row.skipped for row in self.rows)
        return {"jobs": dict(counts) | {"skipped": skipped}, "shared_work": asdict(self.work)}

    @property
    def work(self) -> Work:
        """What the jobs embedded and asked, and what they found done by others."""
        return work_of(row.job.folder for row in self.rows if row.status == "done")

    def write(self, ended: bool = False) -> None:
        """Write `sweep.json` and, at the end, the table as Markdown."""
        content = {
            "sweep": self.grid.sweep,
            "name": self.folder.name,
            "dataset": self.dataset,
            "launcher": self.grid.launcher,
            "shared": dict(self.grid.fixed),
            "ended": ended,
            "mlflow": entry_of(self.folder),
            "commit": commit(),
            "host": os.uname().nodename,
            "jobs": [row.told() for row in self.rows],
        }
        more = {"shared_work": self.figures["shared_work"]} if ended else {}
        write_json(self.folder / "sweep.json", content | more)
        if ended:
            (self.folder / "sweep.md").write_text(self.table().markdown(), "utf-8")

    def show(self, console: Console) -> None:
        """Print the table."""
        self.table().print(console)

    def table(self) -> Table:
        """Return a row for each job, and below them where to look for what went wrong."""
        rows = tuple(self._cells(row) for row in self.rows)
        wrong = [row for row in self.rows if not row.skipped and row.error]
        notes = [f"{r.job.called}: {r.error}; see {placed(r.job.folder / LOG)}" for r in wrong]
        shared = (self.work.told(),) if self.work != Work() else ()
        headings = ("job", "status", "exit code", "seconds", "folder")
        title = f"{self.folder.name}: {len(rows)} jobs"
        return Table(title, headings, rows, (*notes, *shared), left=2)

    def _cells(self, row: Row) -> tuple[str, ...]:
        status = "done before, skipped" if row.skipped else row.status
        code, seconds = "–", "–"
        if row.ending and not row.skipped:
            code, seconds = str(row.ending.exit_code), f"{row.ending.seconds:.1f}"
        return row.job.called, status, code, seconds, placed(row.job.folder)
