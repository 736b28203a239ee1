"""Java and Maven: whether what Neo4j needs is installed, and what to install if not."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from clew.errors import ServiceError

SUPPORTED = (17, 21)  # what Neo4j 5.26 runs on
GET_JAVA = (
    "install one (Debian, Ubuntu: apt install openjdk-17-jre-headless; macOS: brew install "
    "openjdk@21), or set JAVA_HOME to one that is there"
)
NO_MAVEN = (
    "Maven, which fetches Neo4j the first time, is missing: there is no mvn on PATH; install it "
    "(Debian, Ubuntu: apt install maven; macOS: brew install maven)"
)
OR_DOCKER = 'Or run it in Docker: "docker compose up -d --wait neo4j".'


@dataclass(frozen=True, slots=True)
class Tools:
    """The programs that run and fetch Neo4j; `maven` is empty where it is not needed."""

    java: str
    java_version: str
    maven: str = ""


def find_tools(environ: Mapping[str, str], maven: bool) -> Tools:
    """Return the Java to run Neo4j with and, where jars are to be fetched, Maven.

    Raises:
        ServiceError: one is missing or too old; it tells all that is missing at once.
    """
    mvn = shutil.which("mvn", path=environ.get("PATH", "")) if maven else ""
    faults = [] if mvn is not None else [NO_MAVEN]
    java, version = "", ""
    try:
        java = _java(environ)
        version = _version(java)
    except ServiceError as error:
        faults.insert(0, str(error))
    if faults:
        raise ServiceError(f"{'. '.join(faults)}. {OR_DOCKER}")
    return Tools(java, version, mvn or "")


def _java(environ: Mapping[str, str]) -> str:
    needs = "Neo4j 5.26 needs Java 17 or 21"
    if home := environ.get("JAVA_HOME", ""):
        java = Path(home) / "bin" / "java"
        if not java.is_file():
            raise ServiceError(f"{needs}, and JAVA_HOME={home} has no bin/java: {GET_JAVA}")
        return str(java)
    found = shutil.which("java", path=environ.get("PATH", ""))
    if found is None:
        raise ServiceError(f"{needs}, and there is no java on PATH: {GET_JAVA}")
    return found


def _version(java: str) -> str:
    """Return the version of a Java that Neo4j runs on."""
    try:
        done = subprocess.run(
            [java, "-version"], capture_output=True, text=True, check=False, timeout=60
        )
        told = done.stderr + done.stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        told = str(error)
    found = re.search(r'version "(?:1\.)?(\d+)([^"]*)"', told)
    if found is None:
        said = " ".join(told.split())[:200]
        raise ServiceError(f"{java} does not run (it said: {said}): {GET_JAVA}")
    if int(found[1]) not in SUPPORTED:
        raise ServiceError(
            f"Neo4j 5.26 needs Java 17 or 21, and {java} is Java {found[1]}: {GET_JAVA}"
        )
    return found[1] + found[2]
