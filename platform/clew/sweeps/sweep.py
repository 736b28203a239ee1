"""A sweep: its jobs are planned, those that are not finished are run, and all is told.

The same command goes on where a sweep stopped: what is done under the same settings and with
the same data is skipped, and what failed is tried again.
"""

import logging
import signal
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from clew.build import made
from clew.errors import ClewError, RunError
from clew.evaluate.manifest import config_hash, read_manifest
from clew.evaluate.run import alone
from clew.interrupt import INTERRUPTED
from clew.prepare import prepared
from clew.report import tables
from clew.sweeps.ending import read_ending, settled
from clew.sweeps.grid import LOGS, Grid, gridded
from clew.sweeps.plan import Job, planned, sweep_folder
from clew.sweeps.record import Record, Row
from clew.sweeps.version import warn_of_other
from clew.sweeps.watch import stop_file
from clew.tracking import Status, Tracker

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Launched:
    """How launching went: whether it was interrupted, or what the launcher itself broke on."""

    interrupted: bool = False
    error: str = ""


def swept(arguments: Sequence[str], console: Console) -> int:
    """Run the jobs that these arguments ask for; return the worst of their exit codes."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C, so that children end
    with gridded(arguments) as grid:
        folder = sweep_folder(grid, jobs := planned(grid))
        if (folder / "manifest.json").exists():
            raise RunError(f"{folder} holds a run: name the sweep otherwise with name=")
        with alone(folder):
            return _swept(grid, jobs, folder, console)


def _swept(grid: Grid, jobs: Sequence[Job], folder: Path, console: Console) -> int:
    skipped = {job.folder for job in jobs if is_finished(job)}
    pending = [job for job in jobs if job.folder not in skipped]
    rows = [Row(job, skipped=job.folder in skipped) for job in jobs]
    record = Record(folder, grid, rows)
    tracker: Tracker = made(grid.cells[0].config["tracking"], "tracking")
    tracker.start(folder, record.tags, dict(grid.fixed))
    for job in pending:
        for left in (job.folder / "job.json", stop_file(job.folder, job.folder.parent / LOGS)):
            left.unlink(missing_ok=True)
    record.write()
    launched = _launched(grid, [job.words(tracker.run) for job in pending])
    if launched.interrupted:
        _stop(pending)
    for row in rows:
        row.ending = _ending(row, launched)
    record.write(ended=True)
    record.show(console)
    if grid.cells[0].config["table"]:
        tables.show([_result(row.job) for row in rows if row.status == "done"], console)
    _close(record, tracker, launched)
    return INTERRUPTED if launched.interrupted else record.exit_code


def _stop(jobs: Sequence[Job]) -> None:
    """Stop jobs wherever a launcher has put them; in a queue they end when they begin."""
    for job in jobs:
        if not (job.folder / "job.json").exists():
            (logs := job.folder.parent / LOGS).mkdir(parents=True, exist_ok=True)
            stop_file(job.folder, logs).touch()


def is_finished(job: Job) -> bool:
    """Tell whether a job is done, with the settings and the data that it would have now."""
    config: dict[str, Any] = dict(job.cell.config)
    if config.get("overwrite"):
        return False
    try:
        manifest = read_manifest(job.folder)
        if manifest.get("status") != "done" or not (job.folder / "summary.json").exists():
            return False
        parts, settings = prepared(config, job.cell.choices, job.folder, "")
        same = bool(config_hash(settings, parts.dataset.sha256) == manifest["config_hash"])
    except ClewError:
        return False  # what is wrong the job itself tells
    if same:
        warn_of_other(job.folder.name, manifest)
    return same


def _result(job: Job) -> tables.Run:
    """Return the run of a job, called after what it varies."""
    run = tables.load_run(job.folder)
    return replace(run, summary={**run.summary, "system": job.called, "ablation": "full"})


def _launched(grid: Grid, words: Sequence[Sequence[str]]) -> _Launched:
    """Have jobs run; what the launcher breaks on is no job's fault, and is told."""
    if not words:
        return _Launched()
    try:
        grid.launch(words)
    except KeyboardInterrupt:
        return _Launched(interrupted=True)
    except Exception as error:
        _log.debug("%s", traceback.format_exc())
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        return _Launched(error=f"launcher={grid.launcher} gave up: {reason[:300]}")
    return _Launched()


def _ending(row: Row, launched: _Launched) -> Any:
    folder = row.job.folder
    if row.skipped:
        return read_ending(folder)
    return read_ending(folder) or settled(folder, launched.error)


def _close(record: Record, tracker: Tracker, launched: _Launched) -> None:
    """Tell the tracker what the jobs came to, those too that could not tell it themselves."""
    for row in record.rows:
        if tracker.run and row.status != "waiting":
            tracker.settle(row.job.folder, row.job.called, row.tracked, row.error)
    record.write(ended=True)  # with the entries that were made just now
    status: Status = "failed" if record.exit_code or launched.error else "done"
    tracker.finish(record.figures, "stopped" if launched.interrupted else status)
