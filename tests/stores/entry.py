"""experiments/run.py as tests call it: here where its end is all that counts, or as a command."""

import importlib.util
import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from clew.stores.neo4j import Neo4j

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "experiments" / "run.py"
SMALL = ("embedder=words", "tracking=none", "table=false")
TINY = ("dataset=tiny", "dataset.conversations=1")


@dataclass(frozen=True, slots=True)
class Done:
    """How a run ended."""

    returncode: int
    stderr: str


def command(runs: Path, name: str, *settings: str) -> list[str]:
    """Return what a shell would be told to run, on the tiny dataset unless another is set."""
    data = () if any(each.startswith("dataset=") for each in settings) else TINY
    words = [f"runs={runs}", f"name={name}", *SMALL, *data, *settings]
    return [sys.executable, str(SCRIPT), *words]


def run(runs: Path, name: str, *settings: str, **env: str) -> Done:
    """Run to the end in this process, which spares the seconds that importing everything takes."""
    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stderr(said), redirect_stdout(said):
        patch.chdir(ROOT)
        patch.setattr(sys, "argv", command(runs, name, *settings)[1:])
        for variable, value in {"HYDRA_FULL_ERROR": "1", **env}.items():
            patch.setenv(variable, value)
        return Done(_module().main(), said.getvalue())


def told(folder: Path) -> list[dict[str, Any]]:
    """Return what a run retrieved and answered and decided, without the times."""
    lines = (folder / "journal.jsonl").read_text() + (folder / "ledger.jsonl").read_text()
    rows = [json.loads(line) for line in lines.splitlines()]
    return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]


def space_of(name: str) -> Neo4j:
    """Return the space of a run of this name, where NEO4J_URI says."""
    user = os.environ.get("NEO4J_USER", "neo4j")
    return Neo4j(os.environ["NEO4J_URI"], user, space=name)


@cache
def _module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("run", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
