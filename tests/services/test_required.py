"""Tests of servers: skipped with a reason where there is none, never where they are required."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"
MARKED = """
import pytest
@pytest.mark.neo4j
def test_of_neo4j(): pass
"""
NAMED = """
import pytest
@pytest.mark.parametrize("server", ["neo4j"])
def test_that_only_names_it(server): pass
"""
SKIPPING = """
import pytest
@pytest.mark.neo4j
def test_that_skips_itself(): pytest.skip("no reason")
"""


def session(folder: Path, test: str, *options: str, uri: str = "") -> tuple[int, str]:
    """Run pytest on one test file beside a copy of our conftest."""
    shutil.copy(CONFTEST, folder / "conftest.py")
    (folder / "test_it.py").write_text(test, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = neo4j\n", encoding="utf-8")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("NEO4J_", "QDRANT_", "COV"))}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-ra", "-p", "no:cacheprovider", *options],
        cwd=folder,
        env=kept | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | ({"NEO4J_URI": uri} if uri else {}),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout + done.stderr


def test_without_a_server_its_tests_are_skipped_and_the_remedy_is_told(tmp_path: Path) -> None:
    code, said = session(tmp_path, MARKED)
    assert code == 0
    assert "1 skipped" in said
    assert "NEO4J_URI is not set: clew services up" in said


@pytest.mark.parametrize(
    ("test", "uri", "fault"),
    [
        (MARKED, "", "1 tests marked neo4j were skipped"),
        (SKIPPING, "bolt://somewhere", "1 tests marked neo4j were skipped"),
        (NAMED, "bolt://somewhere", "no test marked neo4j ran"),
    ],
)
def test_a_required_server_whose_tests_did_not_run_fails(
    tmp_path: Path, test: str, uri: str, fault: str
) -> None:
    code, said = session(tmp_path, test, "--require", "neo4j", uri=uri)
    assert code == 1
    assert fault in said


def test_a_required_server_whose_tests_ran_is_content(tmp_path: Path) -> None:
    code, said = session(tmp_path, MARKED, "--require", "neo4j", uri="bolt://somewhere")
    assert code == 0
    assert "--require: 1 tests marked neo4j ran" in said


def test_an_unknown_server_is_refused(tmp_path: Path) -> None:
    code, said = session(tmp_path, MARKED, "--require", "oracle")
    assert code == 4
    assert "no such server: oracle" in said
