"""Starting a Neo4j: the words for Java, the first password, and the process that stays."""

import os
import subprocess
from collections.abc import Mapping

from clew.errors import ServiceError
from clew.services import process
from clew.services.home import Home
from clew.services.jars import Jars

OPENED = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
JVM = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED]
JVM += ["-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError", "-XX:-OmitStackTraceInFastThrow"]
JVM += ["-Dlog4j2.disable.jmx=true", "-Dfile.encoding=UTF-8"]
ADMIN = "org.neo4j.server.startup.Neo4jAdminCommand"


def spawn(
    java: str, heap: str, home: Home, jars: Jars, environ: Mapping[str, str]
) -> "subprocess.Popen[bytes]":
    """Start the server; it outlives this command and its terminal."""
    found = f"{jars.folder}/plugins/*:{jars.folder}/lib/*"  # GDS first, or it is not found
    with home.console.open("wb") as console:
        return subprocess.Popen(
            [java, f"-Xmx{heap}", *JVM, "-cp", found, *process.ending(home.folder)],
            cwd=home.folder,
            env=_without_secrets(environ, home),
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def set_password(
    java: str, password: str, home: Home, jars: Jars, environ: Mapping[str, str]
) -> None:
    """Set the password of a server that never ran, through a file that only its user can read.

    Raises:
        ServiceError: Neo4j refuses it.
    """
    secret = password.replace("\\", "\\\\").replace('"', '\\"')
    found = f"{jars.folder}/lib/*:{jars.folder}/plugins/*"
    file = home.folder / "first-password"
    file.unlink(missing_ok=True)
    try:
        with open(
            os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
        ) as out:
            out.write(f'-cp "{found}"\n{ADMIN}\ndbms set-initial-password -- "{secret}"\n')
        done = subprocess.run(
            [java, f"@{file}"],
            env=_without_secrets(environ, home),
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        file.unlink(missing_ok=True)
    if done.returncode:
        said = " ".join((done.stderr or done.stdout).replace(password, "***").split())
        raise ServiceError(f"Neo4j did not take a first password (it said: {said[:300]})")


def abandon(started: "subprocess.Popen[bytes]") -> None:
    """Stop a server that is of no use."""
    started.terminate()
    try:
        started.wait(timeout=30)
    except subprocess.TimeoutExpired:
        started.kill()
        started.wait()


def _without_secrets(environ: Mapping[str, str], home: Home) -> dict[str, str]:
    """Return the environment without NEO4J_ settings, of which one is a secret."""
    ours = {"NEO4J_HOME": str(home.folder), "NEO4J_CONF": str(home.conf), "LC_ALL": "C.UTF-8"}
    return {k: v for k, v in environ.items() if not k.startswith("NEO4J_")} | ours
