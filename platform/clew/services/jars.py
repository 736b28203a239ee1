"""The jars of Neo4j and GDS: fetched once by the user's own Maven, and whole or fetched again.

They lie in a folder named for their versions, which all homes share. The folder takes its name
only when it is complete, and holds the hash of every jar, so neither an interrupted fetch nor a
damaged file is ever run. OpenGDS and Neo4j Community are under the GPL v3 and no part of Clew.
"""

import hashlib
import json
import os
import shutil
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from xml.etree import ElementTree

from clew.errors import ServiceError
from clew.services.home import locked, room

POM = Path(__file__).with_name("pom.xml")
LIST = "jars.json"  # the hash of every jar; written last
SIZE = 150  # megabytes, of all jars
NAMES = {"m": "http://maven.apache.org/POM/4.0.0"}


class Voice(Protocol):
    """Tells whoever is waiting what goes on."""

    def say(self, line: str) -> None:
        """Tell a line that stays."""

    def waiting(self, line: str) -> None:
        """Tell how long it has taken, over and over, until the next line is said."""


@dataclass(frozen=True, slots=True)
class Versions:
    """What the pom names."""

    neo4j: str
    gds: str


def versions() -> Versions:
    """Return the versions that the pom names."""
    said = ElementTree.parse(POM).getroot().find("m:properties", NAMES)
    if said is None:
        raise ServiceError(f"{POM} names no versions: install Clew again")
    found = {name: said.findtext(f"m:{name}.version", "", NAMES) for name in ("neo4j", "gds")}
    return Versions(**found)


@dataclass(frozen=True, slots=True)
class Jars:
    """The folder of all jars of these versions."""

    folder: Path

    @classmethod
    def under(cls, cache: Path) -> "Jars":
        """Return the folder for the pom's versions in a folder of downloads."""
        if os.pathsep in str(cache):
            raise ServiceError(f"Java cannot read jars under {cache}: set XDG_CACHE_HOME")
        named = versions()
        return cls(cache / f"neo4j-{named.neo4j}-gds-{named.gds}")

    def fault(self) -> str:
        """Return what is wrong with the folder, or nothing."""
        try:
            listed: dict[str, str] = json.loads((self.folder / LIST).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return "not fetched yet" if not self.folder.exists() else "its list of jars is missing"
        for name, known in listed.items():
            path = self.folder / name
            if not path.is_file() or _hash(path) != known:
                return f"{name} is {'damaged' if path.is_file() else 'missing'}"
        return ""

    def fetch(self, maven: str, environ: Mapping[str, str], voice: Voice) -> None:
        """Fetch the jars, unless another process has done so in the meantime.

        Raises:
            ServiceError: Maven failed, or there is no room.
        """
        part = self.folder.with_name(f"{self.folder.name}.part")
        with locked(self.folder.with_name(f"{self.folder.name}.lock"), voice.say) as lock:
            if not self.fault():
                return
            for old in (part, self.folder):  # what an interrupted fetch left
                shutil.rmtree(old, ignore_errors=True)
            room(self.folder.parent, 2 * SIZE, "XDG_CACHE_HOME")
            (part / "lib").mkdir(parents=True)
            shutil.copy(POM, part / "pom.xml")
            _run(maven, part, environ, voice, lock)
            _check(part)
            found = sorted(part.glob("*/*.jar"))
            listed = {path.relative_to(part).as_posix(): _hash(path) for path in found}
            (part / LIST).write_text(json.dumps(listed, indent=0), encoding="utf-8")
            part.rename(self.folder)


def _run(maven: str, part: Path, environ: Mapping[str, str], voice: Voice, lock: int) -> None:
    """Let Maven copy all jars beside the pom in `part`; while it does, it has the lock too."""
    log = part.with_suffix(".log")
    command = [maven, "--batch-mode", "--no-transfer-progress", "--strict-checksums"]
    begun = time.monotonic()
    with log.open("wb") as file:
        running = subprocess.Popen(
            [*command, "generate-resources"],
            cwd=part,
            env={k: v for k, v in environ.items() if k != "NEO4J_PASSWORD"},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            pass_fds=(lock,),
        )
        try:
            while running.poll() is None:
                voice.waiting(f"Maven is fetching {SIZE} MB: {time.monotonic() - begun:.0f} s")
                time.sleep(0.2)
        finally:
            if running.poll() is None:
                running.terminate()
                running.wait()
    if running.returncode:
        raise ServiceError(_failure(log))


def _failure(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    errors = [line.removeprefix("[ERROR]").strip() for line in lines if "[ERROR]" in line]
    said = (errors or lines or ["nothing"])[0][:600]
    return (
        f"Maven could not fetch Neo4j ({said}): what was fetched is kept, so try again; from where "
        f"it fetches is a matter of its own settings.xml. The whole of it is in {log}."
    )


def _check(part: Path) -> None:
    """Refuse jars without which nothing would start."""
    named = versions()
    for jar in (f"lib/neo4j-server-{named.neo4j}.jar", f"plugins/proc-{named.gds}.jar"):
        if not (part / jar).is_file():
            raise ServiceError(f"Maven said that all is well, but did not fetch {jar}: try again")


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
