"""Plan: the jobs of a grid, each with a name and a folder that no other job has."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.errors import ConfigError
from clew.evaluate.naming import part_name, run_name, tells
from clew.prepare import label_of
from clew.reopen import ROOT
from clew.sweeps.grid import Cell, Grid


@dataclass(frozen=True, slots=True)
class Job:
    """A cell of a grid, and the folder that its run has."""

    cell: Cell
    folder: Path

    @property
    def called(self) -> str:
        """What the job varies, for people; its name where that is nothing."""
        varied = (f"{key}={value}" for key, value in self.cell.varied.items())
        return " ".join(varied) or self.folder.name

    def words(self, parent: str) -> tuple[str, ...]:
        """Return the words that start it, below this entry of the tracker."""
        named = (*self.cell.words, f"name={quoted(self.folder.name)}")
        if not parent:
            return named
        below = f"tracking.parent={quoted(parent)}", f"tracking.called={quoted(self.called)}"
        return (*named, *below)


def quoted(value: str) -> str:
    """Return a text as one value in Hydra's grammar."""
    marked = re.sub(r"(\\*)'", r"\1\1\\'", value)
    return f"'{marked}'"


def planned(grid: Grid) -> list[Job]:
    """Return all jobs.

    Raises:
        ConfigError: several were given one name.
    """
    jobs = [Job(cell, ROOT / str(cell.config["runs"]) / _name(grid, cell)) for cell in grid.cells]
    counts = Counter(job.folder for job in jobs)
    if shared := next((folder for folder, n in counts.items() if n > 1), None):
        keys = sorted(key for cell in grid.cells[:1] for key in cell.varied if key != "name")
        raise ConfigError(
            f"name: {shared.name} would be the folder of several jobs, which vary "
            f"{', '.join(keys)}; leave name= out, and each job is called after what it varies"
        )
    return jobs


def sweep_folder(grid: Grid, jobs: Sequence[Job]) -> Path:
    """Return where the sweep's own files lie: beside its jobs, also where there is one alone."""
    folder = _folder(grid)
    taken = folder in {job.folder for job in jobs}
    return folder.with_name(f"{folder.name}-sweep") if taken else folder


def _folder(grid: Grid) -> Path:
    """Return a folder that is named as the sweep is, or called after what it fixes."""
    runs = ROOT / str(grid.config.runs)
    named = grid.fixed.get("name", "")
    if named and not _named_by_job(grid):
        return runs / run_name(str(grid.cells[0].config["name"]), "")
    sets = "+".join(dict.fromkeys(cell.choices["dataset"] for cell in grid.cells))
    sweep = grid.sweep if grid.sweep != "none" else "grid"
    more = {k: v.replace(",", "+") for k, v in _telling({**grid.fixed, **grid.free}).items()}
    return runs / part_name(f"{sweep}-{sets}", {k: v for k, v in more.items() if k != "dataset"})


def _name(grid: Grid, cell: Cell) -> str:
    if _named_by_job(grid):
        return run_name(str(cell.config["name"]), "")
    if "name" in grid.fixed and cell.config["name"]:
        return part_name(str(cell.config["name"]), cell.varied)
    return run_name(None, label_of(cell.choices), _telling({**grid.fixed, **cell.varied}))


def _named_by_job(grid: Grid) -> bool:
    """Tell whether jobs were given names, by a list or by something in them that varies."""
    return "name" in grid.free or "$" in grid.fixed.get("name", "")


def _telling(settings: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in settings.items() if tells(key)}
