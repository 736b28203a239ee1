"""Found: the runs of a folder, by what their manifests say they were."""

import json
import logging
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from clew.errors import RunError
from clew.evaluate.manifest import read_manifest

ARTIFACTS = "mlartifacts"  # copies of runs that MLflow keeps
_PARTS = ("dataset.only", "dataset.limit", "dataset.questions")  # they leave some of it out
_PLACES = ("path", "_target_")
_SHAPING = ("system.", "stage/", "+system.", "~system.", "+stage/")  # overrides of what is tested

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Found:
    """A run by its manifest; its figures are read when a table asks for them."""

    folder: Path
    manifest: Mapping[str, Any]

    @property
    def system(self) -> str:
        """Its system, with its reader where that is not the system's own."""
        return str(self.manifest.get("system", ""))

    @property
    def ablation(self) -> str:
        """Which part was left out, or `full`."""
        return str(self.manifest.get("ablation", ""))

    @property
    def status(self) -> str:
        """How it ended."""
        return str(self.manifest.get("status", "unknown"))

    @property
    def seeds(self) -> str:
        """The seeds it was made with, as text: `seed 0`."""
        seeds = self.manifest.get("seeds", {})
        return ", ".join(f"{name} {value}" for name, value in seeds.items())

    @property
    def end(self) -> str:
        """When it ended, as text that sorts."""
        return str(self.manifest.get("end") or "")

    @cached_property
    def overrides(self) -> dict[str, str]:
        """What its command set, by setting."""
        words = shlex.split(str(self.manifest.get("command", "")))
        return dict(word.split("=", 1) for word in words if "=" in word)

    @property
    def shaping(self) -> set[str]:
        """Which stages and numbers of its system were set otherwise than by its name."""
        return {key for key in self.overrides if key.startswith(_SHAPING)}

    @property
    def part(self) -> dict[str, str]:
        """What of its dataset it was given, where that is not all, by setting."""
        return {key: self.overrides[key] for key in _PARTS if key in self.overrides}

    @property
    def data(self) -> dict[str, Any]:
        """Which data, and which part of it."""
        settings = {k: v for k, v in (self.at("dataset") or {}).items() if k not in _PLACES}
        return settings | {"sha256": self.manifest.get("dataset", {}).get("sha256", "")}

    def of(self, dataset: str) -> bool:
        """Return whether it is of a dataset, named as in its command or, of a file, as the data.

        Generated data of every size have one name, so there the command alone tells.
        """
        name = self.manifest.get("dataset", {}).get("name")
        read = "path" in (self.at("dataset") or {})
        return dataset == self.overrides.get("dataset", name) or (read and dataset == name)

    def at(self, place: str) -> Any:
        """Return what its configuration has at a dotted place, or None."""
        value: Any = self.manifest.get("config", {})
        for key in place.split("."):
            value = value.get(key) if isinstance(value, Mapping) else None
        return value


def discover(runs: Path, sweeps: Sequence[str] = ()) -> list[Found]:
    """Return the runs below a folder, or of these sweeps, by folder; warn of damaged ones.

    Raises:
        RunError: there is no such folder or sweep.
    """
    if not runs.is_dir():
        raise RunError(f"runs={runs}: there is no such folder; set runs= to where runs lie")
    if sweeps:
        folders: Iterable[Path] = {f for sweep in sweeps for f in _jobs(runs, sweep)}
    else:
        folders = {path.parent for pattern in ("*", "*/*") for path in _below(runs, pattern)}
    found = [Found(folder, _manifest(folder)) for folder in sorted(folders)]
    return [each for each in found if each.manifest]


def _manifest(folder: Path) -> Mapping[str, Any]:
    try:
        manifest = read_manifest(folder)
        shlex.split(str(manifest.get("command", "")))
    except RunError as error:
        _log.warning("left out: %s", error)
    except ValueError as error:
        _log.warning("left out: %s/manifest.json: its command is none (%s)", folder, error)
    else:
        return manifest
    return {}


def _below(runs: Path, pattern: str) -> list[Path]:
    paths = runs.glob(f"{pattern}/manifest.json")
    return [path for path in paths if ARTIFACTS not in path.relative_to(runs).parts]


def _jobs(runs: Path, sweep: str) -> list[Path]:
    """Return the folders of a sweep's jobs; a sweep is named as in its file, or as its folder."""
    files = sorted(runs.glob("*/sweep.json"))
    told = {file: _sweep(file) for file in files}
    mine = {f: t for f, t in told.items() if sweep in (t.get("sweep"), f.parent.name)}
    if not mine:
        there = ", ".join(sorted({str(f.parent.name) for f in files})) or "none"
        raise RunError(
            f"sweep={sweep}: {runs} holds no such sweep (there: {there}); "
            f"start it with python experiments/run.py sweep={sweep}, or leave sweep= out"
        )
    return [_place(runs, file, job) for file, told in mine.items() for job in told["jobs"]]


def _sweep(file: Path) -> Mapping[str, Any]:
    try:
        told = json.loads(file.read_text("utf-8"))
        if all("folder" in job for job in told["jobs"]):
            return dict(told)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise RunError(f"{file}: is no sweep's account; start the sweep again, or delete the file")


def _place(runs: Path, file: Path, job: Mapping[str, Any]) -> Path:
    """Return a job's folder, wherever the runs have been moved to since."""
    folder = Path(str(job["folder"]))
    places = (folder, runs / folder, file.parent / folder, runs / folder.name)
    return next((place for place in places if place.is_dir()), folder)
