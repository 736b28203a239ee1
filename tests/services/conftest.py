"""Folders of a test's own, programs that say what a test needs, and the command line."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from clew.cli import app
from clew.services.jars import Jars, versions

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "stores"))  # entry, stories

JAVA = """#!/bin/sh
case "$1" in
-version) echo 'openjdk version "{version}" 2025-04-15' >&2 ;;
@*) exit 0 ;;
*) {runs} ;;
esac
"""
MAVEN = """#!/bin/sh
PATH=/usr/bin:/bin
mkdir -p plugins
echo server > lib/neo4j-server-{neo4j}.jar
echo procedures > plugins/proc-{gds}.jar
{then}
"""

Call = Callable[..., Result]
Program = Callable[..., None]


@pytest.fixture
def of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing of this machine be found: no Java, no Maven, no server, no downloads."""
    for name in ("JAVA_HOME", "NEO4J_URI", "NEO4J_USER", "NEO4J_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return (tmp_path / "data" / "clew" / "neo4j").resolve()


@pytest.fixture
def jars(tmp_path: Path) -> Jars:
    return Jars.under(tmp_path / "cache" / "clew")


@pytest.fixture
def call() -> Call:
    """Return what calls `clew services`."""
    return lambda *words: CliRunner().invoke(app, ["services", *words], env={"COLUMNS": "200"})


@pytest.fixture
def java(tmp_path: Path) -> Program:
    """Return what puts a Java of a version on PATH; what it runs is a line of shell."""

    def put(version: str = "17.0.15", runs: str = "exit 1") -> None:
        _program(tmp_path / "bin" / "java", JAVA.format(version=version, runs=runs))

    return put


@pytest.fixture
def maven(tmp_path: Path) -> Program:
    """Return what puts a Maven on PATH that makes the two jars, and then does this."""

    def put(then: str = "exit 0") -> None:
        named = versions()
        text = MAVEN.format(neo4j=named.neo4j, gds=named.gds, then=then)
        _program(tmp_path / "bin" / "mvn", text)

    return put


def _program(path: Path, text: str) -> None:
    new = path.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    new.chmod(0o755)
    os.replace(new, path)
