"""What has to be installed: it is told at once, exactly, and before anything is done."""

from pathlib import Path

import pytest

from clew.services.java import find_tools

pytestmark = pytest.mark.usefixtures("of_its_own")


def test_all_that_is_missing_is_told_at_once(call, home: Path) -> None:
    done = call("up")
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1
    for part in (
        "needs Java 17 or 21",
        "no java on PATH",
        "apt install openjdk-17-jre-headless",
        "no mvn on PATH",
        "apt install maven",
        "docker compose up -d --wait neo4j",
    ):
        assert part in done.stderr
    assert not (home / "password").exists()


@pytest.mark.parametrize(
    ("version", "told"), [("11.0.2", "Java 11"), ("1.8.0_392", "Java 8"), ("25", "Java 25")]
)
def test_a_java_that_neo4j_does_not_run_on_is_refused(
    call, java, maven, version: str, told: str
) -> None:
    java(version)
    maven()
    done = call("up")
    assert done.exit_code == 2
    assert f"needs Java 17 or 21, and {Path('/')}" in done.stderr
    assert f"bin/java is {told}: install one" in done.stderr
    assert "Maven" not in done.stderr


@pytest.mark.parametrize("version", ["17.0.15", "21-ea", "21"])
def test_java_17_and_21_do_and_then_maven_is_missed(call, java, version: str) -> None:
    java(version)
    done = call("up")
    assert done.exit_code == 2
    assert "Java 17 or 21" not in done.stderr
    assert "there is no mvn on PATH" in done.stderr


def test_maven_is_not_needed_where_nothing_is_to_be_fetched(java, tmp_path: Path) -> None:
    java("21.0.1")
    tools = find_tools({"PATH": str(tmp_path / "bin")}, maven=False)
    assert (tools.java_version, tools.maven) == ("21.0.1", "")


def test_a_java_home_without_java_is_named(call, java, monkeypatch, tmp_path: Path) -> None:
    java()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "bin"))
    assert f"JAVA_HOME={tmp_path}/bin has no bin/java" in call("up").stderr


def test_a_java_that_does_not_run_is_told_with_what_it_said(call, tmp_path: Path) -> None:
    broken = tmp_path / "bin" / "java"
    broken.write_text("#!/bin/sh\necho Unable to locate a Java Runtime. >&2\nexit 1\n")
    broken.chmod(0o755)
    assert "does not run (it said: Unable to locate a Java Runtime.)" in call("up").stderr


def test_a_java_that_cannot_be_executed_is_told(call, monkeypatch, tmp_path: Path) -> None:
    (tmp_path / "bin" / "java").write_text("no program")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert "does not run" in call("up").stderr
