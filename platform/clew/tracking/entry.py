"""An entry: a run in MLflow, on a local database or a server, and nothing else imports MLflow.

A run's own files are the truth; what is sent here can be sent again. The id of the MLflow
run lies in the run's folder, so a run that is resumed goes on under the same entry.
"""

import json
import logging
import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clew.errors import ConfigError, RunError
from clew.tracking.contract import Status, Steps
from clew.tracking.process import alone, identity, is_gone
from clew.tracking.values import LONGEST, flatten, loginless, measures, safe

AT_ONCE = 100  # parameters or metrics in one call, MLflow's own limit of parameters
FILES = frozenset({".json", ".jsonl", ".log", ".html", ".md", ".csv", ".tex", ".svg", ".png"})
PARENT, NAME, PROCESS = "mlflow.parentRunId", "mlflow.runName", "clew.process"

_STATUS: Mapping[Status, str] = {
    "done": "FINISHED",
    "failed": "FAILED",
    "stopped": "KILLED",
    "killed": "KILLED",
}
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Mlflow:
    """An MLflow experiment in a SQLite file, or on a server where `uri` names one.

    `parent` is the id of the entry that the run's is to stand below, `called` its name there.

    Raises (on start, finish and settle):
        ConfigError: the tracking store cannot be opened.
        RunError: the figures could not be sent; the run's own files are complete.
    """

    uri: str = "sqlite:///runs/mlflow.db"
    experiment: str = "clew"
    parent: str | None = None
    called: str | None = None
    run: str = field(default="", init=False)
    _client: Any = field(default=None, init=False, repr=False)
    _experiment: str = field(default="", init=False)
    _folder: Path = field(default=Path(), init=False)

    def start(self, folder: Path, tags: Mapping[str, str], parameters: Mapping[str, Any]) -> None:
        """Open the entry, and mend those of runs that were killed since."""
        self._folder = folder
        with self._speaking(ConfigError, "start with tracking=none, or set tracking.uri"):
            self._experiment = self._open()
            self._mend()
            self.run = self._resume() or self._create(folder, self.called or folder.name)
            more = {PARENT: self.parent} if self.parent else {}
            for name, value in {**tags, **more, PROCESS: identity(os.getpid())}.items():
                self._client.set_tag(self.run, name, value[:LONGEST])
            self._send_parameters(parameters)

    def finish(
        self, summary: Mapping[str, Any], status: Status, steps: Steps | None = None
    ) -> None:
        """Send the figures and the run's files, and close the entry."""
        remedy = f"{self._folder} is complete; run the same command again to send it"
        with self._speaking(RunError, remedy):
            self._send_figures(self.run, summary, steps or {})
            self._send_files(self.run, self._folder)
            self._client.set_terminated(self.run, _STATUS[status])

    def settle(self, folder: Path, called: str, status: Status, error: str) -> None:
        """Put the run of another process below this one's entry, and tell how it ended."""
        with self._speaking(RunError, f"{folder} is as it was; run the same command again"):
            run = self._known(folder) or self._create(folder, called)
            entry = self._client.get_run(run)
            if PARENT not in entry.data.tags:  # else another sweep has it
                self._client.set_tag(run, PARENT, self.run)
                self._client.set_tag(run, NAME, called)
            if entry.info.status == "FINISHED" and status == "done":
                return
            if status == "done":
                self._send_figures(run, json.loads((folder / "summary.json").read_text()), {})
            else:
                self._client.set_tag(run, "error", error[:LONGEST])
            self._send_files(run, folder)
            self._client.set_terminated(run, _STATUS[status])

    def _open(self) -> str:
        """Connect and return the experiment's id; one process at a time may make the file."""
        os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
        os.environ.setdefault("MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT", "true")
        from mlflow.tracking import MlflowClient

        for chatty in ("mlflow", "alembic"):
            logging.getLogger(chatty).setLevel(logging.WARNING)
        with alone(self._place()) as folder:
            self._client = MlflowClient(self.uri)
            if known := self._client.get_experiment_by_name(self.experiment):
                return str(known.experiment_id)
            where = str((folder / "mlartifacts").resolve()) if folder else None
            return str(self._client.create_experiment(self.experiment, artifact_location=where))

    def _place(self) -> Path | None:
        """Return the file that a SQLite address names."""
        scheme, _, path = self.uri.partition(":///")
        return Path(path) if scheme == "sqlite" else None

    def _mend(self) -> None:
        """Close the entries of this machine's runs whose process is gone."""
        for run in self._client.search_runs([self._experiment], "attributes.status = 'RUNNING'"):
            if is_gone(run.data.tags.get(PROCESS, "")):
                self._client.set_terminated(run.info.run_id, "KILLED")

    def _create(self, folder: Path, name: str) -> str:
        made = str(self._client.create_run(self._experiment, run_name=name).info.run_id)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "mlflow.json").write_text(json.dumps({"run": made}) + "\n")
        return made

    def _resume(self) -> str:
        """Return the id that this folder had before, if this store knows it."""
        if known := self._known(self._folder):
            self._client.update_run(known, status="RUNNING")
            for tag in {"error"} & self._client.get_run(known).data.tags.keys():
                self._client.delete_tag(known, tag)
        return known

    def _known(self, folder: Path) -> str:
        from mlflow.exceptions import MlflowException

        try:
            known = str(json.loads((folder / "mlflow.json").read_text())["run"])
            self._client.get_run(known)
        except (MlflowException, OSError, ValueError, KeyError, TypeError):
            return ""  # another store, or half a file: a new entry is right
        return known

    def _send_figures(self, run: str, summary: Mapping[str, Any], steps: Steps) -> None:
        from mlflow.entities import Metric

        figures = [Metric(name, value, 0, 0) for name, value in measures(summary).items()]
        for name, values in steps.items():
            figures += [Metric(safe(name), value, 0, n) for n, value in enumerate(values)]
        for start in range(0, len(figures), AT_ONCE):
            self._client.log_batch(run, metrics=figures[start : start + AT_ONCE])

    def _send_files(self, run: str, folder: Path) -> None:
        for file in sorted(folder.iterdir()):
            if file.suffix in FILES and file.is_file():
                self._client.log_artifact(run, str(file))

    def _send_parameters(self, parameters: Mapping[str, Any]) -> None:
        """Send what is new; MLflow refuses another value for a known name."""
        from mlflow.entities import Param

        known = self._client.get_run(self.run).data.params
        flat = flatten(parameters)
        for name in sorted(known.keys() & flat.keys()):
            if known[name] != flat[name]:
                _log.warning("tracking keeps %s=%s, not %s", name, known[name], flat[name])
        new = [Param(name, flat[name]) for name in sorted(flat.keys() - known.keys())]
        for start in range(0, len(new), AT_ONCE):
            self._client.log_batch(self.run, params=new[start : start + AT_ONCE])

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
                reason = loginless((str(error).splitlines() or [type(error).__name__])[0])
                where = loginless(self.uri)
                raise kind(f"MLflow at {where}: {reason[:200]}; {remedy}") from None
