"""Tracking: runs beside each other in MLflow, on a local database, and nothing else imports it.

A run's own files are the truth; what is sent here can be sent again. The id of the MLflow
run lies in the run's folder, so a run that is resumed goes on under the same entry.
"""

import fcntl
import json
import logging
import math
import os
import re
import socket
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from clew.errors import ConfigError, RunError

Status = Literal["done", "failed", "stopped"]

HIDDEN = "(hidden)"
LONGEST = 500  # characters of a parameter's value
AT_ONCE = 100  # parameters in one call, MLflow's own limit

_STATUS: Mapping[Status, str] = {"done": "FINISHED", "failed": "FAILED", "stopped": "KILLED"}
_SECRET = re.compile(r"(?i)(?:^|[._-])(?:\w*api_?key|key|secret|passw(?:or)?d|token|credentials?)$")
_LOGIN = re.compile(r"(?<=://)[^/@\s]+@")
_log = logging.getLogger(__name__)


class Tracker(Protocol):
    """Where the figures of a run are kept beside those of others."""

    def start(self, folder: Path, tags: Mapping[str, str], parameters: Mapping[str, Any]) -> None:
        """Open the entry of the run in `folder`, or the one it had before it was resumed."""

    def finish(self, summary: Mapping[str, Any], status: Status) -> None:
        """Send the figures and the run's files, and close the entry."""


@dataclass(frozen=True, slots=True)
class NoTracking:
    """Keep nothing beyond the run's own files."""

    def start(self, folder: Path, tags: Mapping[str, str], parameters: Mapping[str, Any]) -> None:
        """Do nothing."""

    def finish(self, summary: Mapping[str, Any], status: Status) -> None:
        """Do nothing."""


@dataclass(slots=True)
class Mlflow:
    """An MLflow experiment in a SQLite file, or on a server where `uri` names one.

    Raises (on start and finish):
        ConfigError: the tracking store cannot be opened.
        RunError: the figures could not be sent; the run's own files are complete.
    """

    uri: str = "sqlite:///runs/mlflow.db"
    experiment: str = "clew"
    _client: Any = field(default=None, init=False, repr=False)
    _run: str = field(default="", init=False)
    _folder: Path = field(default=Path(), init=False)

    def start(self, folder: Path, tags: Mapping[str, str], parameters: Mapping[str, Any]) -> None:
        """Open the entry, and mend those of runs that were killed since."""
        self._folder = folder
        with self._speaking(ConfigError, "start with tracking=none, or set tracking.uri"):
            experiment = self._open()
            self._mend(experiment)
            self._run = self._resume() or self._create(experiment, folder.name)
            for name, value in {**tags, "clew.process": _process(os.getpid())}.items():
                self._client.set_tag(self._run, name, value[:LONGEST])
            self._send_parameters(parameters)

    def finish(self, summary: Mapping[str, Any], status: Status) -> None:
        """Send the figures and the run's files, and close the entry."""
        from mlflow.entities import Metric

        remedy = f"{self._folder} is complete; run the same command again to send it"
        with self._speaking(RunError, remedy):
            step = [Metric(name, value, 0, 0) for name, value in measures(summary).items()]
            for start in range(0, len(step), AT_ONCE):
                self._client.log_batch(self._run, metrics=step[start : start + AT_ONCE])
            for file in sorted(self._folder.glob("*.json*")):
                self._client.log_artifact(self._run, str(file))
            self._client.set_terminated(self._run, _STATUS[status])

    def _open(self) -> str:
        """Connect and return the experiment's id; one process at a time may make the file."""
        os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
        from mlflow.tracking import MlflowClient

        for chatty in ("mlflow", "alembic"):
            logging.getLogger(chatty).setLevel(logging.WARNING)
        with _alone(self._place()) as folder:
            self._client = MlflowClient(self.uri)
            if known := self._client.get_experiment_by_name(self.experiment):
                return str(known.experiment_id)
            where = str((folder / "mlartifacts").resolve()) if folder else None
            return str(self._client.create_experiment(self.experiment, artifact_location=where))

    def _place(self) -> Path | None:
        """Return the file that a SQLite address names."""
        scheme, _, path = self.uri.partition(":///")
        return Path(path) if scheme == "sqlite" else None

    def _mend(self, experiment: str) -> None:
        """Close the entries of this machine's runs whose process is gone."""
        for run in self._client.search_runs([experiment], "attributes.status = 'RUNNING'"):
            process = run.data.tags.get("clew.process", "")
            host, _, rest = process.partition(" ")
            if host == socket.gethostname() and process != _process(int(rest.split()[0])):
                self._client.set_terminated(run.info.run_id, "KILLED")

    def _create(self, experiment: str, name: str) -> str:
        made = str(self._client.create_run(experiment, run_name=name).info.run_id)
        (self._folder / "mlflow.json").write_text(json.dumps({"run": made}) + "\n")
        return made

    def _resume(self) -> str:
        """Return the id that this folder had before, if this store knows it."""
        file = self._folder / "mlflow.json"
        if not file.exists():
            return ""
        from mlflow.exceptions import MlflowException

        try:
            known = str(json.loads(file.read_text())["run"])
            self._client.update_run(known, status="RUNNING")
        except (MlflowException, ValueError, KeyError, TypeError):
            return ""  # another store, or half a file: a new entry is right
        return known

    def _send_parameters(self, parameters: Mapping[str, Any]) -> None:
        """Send what is new; MLflow refuses another value for a known name."""
        from mlflow.entities import Param

        known = self._client.get_run(self._run).data.params
        flat = flatten(parameters)
        for name in sorted(known.keys() & flat.keys()):
            if known[name] != flat[name]:
                _log.warning("tracking keeps %s=%s, not %s", name, known[name], flat[name])
        new = [Param(name, flat[name]) for name in sorted(flat.keys() - known.keys())]
        for start in range(0, len(new), AT_ONCE):
            self._client.log_batch(self._run, params=new[start : start + AT_ONCE])

    @contextmanager
    def _speaking(self, kind: type[ConfigError] | type[RunError], remedy: str) -> Iterator[None]:
        """Turn what MLflow and its database raise into one line with a remedy."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # deprecations between MLflow and SQLAlchemy
            from mlflow.exceptions import MlflowException
            from sqlalchemy.exc import SQLAlchemyError

            try:
                yield
            except (MlflowException, SQLAlchemyError, OSError) as error:
                reason = _LOGIN.sub("", (str(error).splitlines() or [type(error).__name__])[0])
                where = _LOGIN.sub("", self.uri)
                raise kind(f"MLflow at {where}: {reason[:200]}; {remedy}") from None


def flatten(parameters: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Return nested settings by dotted name, shortened, with secrets hidden."""
    flat: dict[str, str] = {}
    for key, value in parameters.items():
        name = f"{prefix}{safe(str(key))}"
        if isinstance(value, Mapping) and value:
            flat |= flatten(value, f"{name}.")
        else:
            hidden = HIDDEN if value and _SECRET.search(name) else _LOGIN.sub("", str(value))
            flat[name] = hidden if len(hidden) <= LONGEST else hidden[: LONGEST - 1] + "…"
    return flat


def measures(summary: Mapping[str, Any], prefix: str = "") -> dict[str, float]:
    """Return every finite number of a summary by dotted name that MLflow accepts."""
    found: dict[str, float] = {}
    for key, value in summary.items():
        name = f"{prefix}{safe(str(key))}"
        if isinstance(value, Mapping):
            found |= measures(value, f"{name}.")
        elif _is_number(value) and math.isfinite(value):
            found[name] = float(value)
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def safe(name: str) -> str:
    """Return a name with only those characters that MLflow takes."""
    return re.sub(r"[^\w./ -]", "_", name.replace("@", "_at_").replace("%", "_percent"))


@contextmanager
def _alone(file: Path | None) -> Iterator[Path | None]:
    """Hold a lock beside a database file, making its folder; yield the folder."""
    if file is None:
        yield None
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield file.parent


def _process(pid: int) -> str:
    """Return host, number and start of a process; a number that is used again differs."""
    try:
        started = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        started = "gone" if not _alive(pid) else "unknown"
    return f"{socket.gethostname()} {pid} {started}"


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
