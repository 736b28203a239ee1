"""`clew services`: a Neo4j with GDS on this machine, without Docker."""

import os
import shlex
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from clew.errors import ConfigError, ServiceError
from clew.services import process
from clew.services.home import Home, Launch
from clew.services.jars import Jars
from clew.services.neo4j import Asked, Neo4j, tail
from clew.services.probe import USER, gds_version

NOT_RUNNING = 3  # as service managers have it

services = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

HomeOption = Annotated[
    str,
    typer.Option(
        "--home",
        help="The server's folder; else neo4j in ~/.local/share/clew, or in $XDG_DATA_HOME/clew.",
        show_default=False,
    ),
]
Port = Annotated[
    int | None, typer.Option(min=0, max=65535, help="0 takes any that is free; else as usual.")
]
Patience = Annotated[float, typer.Option(min=0, help="Seconds to wait.")]


@services.callback()
def teach() -> None:
    """Run Neo4j with GDS here, without Docker: `up`, `env`, `status`, `logs`, `down`.

    It needs Java 17 or 21, and Maven the first time. After `clew services up`,
    `eval "$(clew services env)"` tells a shell where it is.
    """


@services.command()
def up(
    home: HomeOption = "",
    bolt_port: Port = None,
    http_port: Port = None,
    heap: Annotated[str | None, typer.Option(help="As in 512m or 2g.")] = None,
    patience: Patience = 180,
) -> None:
    """Fetch Neo4j where need be, start it, and wait until it answers."""
    begun, server = time.monotonic(), _server(home)
    running = server.up(Asked(bolt_port, http_port, _heap(heap)), patience)
    launch, took = running.launch, time.monotonic() - begun
    how = "was up already" if running.was_up else f"is up after {took:.0f} s"
    server.voice.say(f"Neo4j {launch.neo4j} with GDS {launch.gds} {how}: {launch.uri}")
    server.voice.say(f"Look into it at {launch.browser}, as {USER}")
    server.voice.say(f'Tell your shell of it: eval "$(clew services env{_option(home)})"')


@services.command()
def down(home: HomeOption = "", patience: Patience = 90) -> None:
    """Stop Neo4j cleanly; its data stay."""
    server = _server(home)
    stopped = server.down(patience)
    server.voice.say("Neo4j has stopped" if stopped else "Neo4j was not running")


@services.command()
def status(home: HomeOption = "") -> None:
    """Show what runs, where, and with how much memory; exit code 3 if nothing does."""
    server = _server(home)
    running = server.running()
    if running is None:
        print(_table({"neo4j": "not running", "home": str(server.home.folder)}))
        raise typer.Exit(NOT_RUNNING)
    launch = running.launch
    state, gds = _asked(server, launch)
    rows = {
        "neo4j": state,
        "pid": str(running.pid),
        "bolt": launch.uri,
        "browser": launch.browser,
        "versions": f"Neo4j {launch.neo4j}, GDS {gds}, Java {launch.java}",
        "memory": f"{process.memory(running.pid)} MB, heap at most {launch.heap}",
        "home": str(server.home.folder),
    }
    print(_table(rows))


@services.command()
def logs(
    home: HomeOption = "",
    lines: Annotated[int, typer.Option("-n", min=0, help="How many of the last lines.")] = 50,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on as it grows.")] = False,
) -> None:
    """Print what the server logged last."""
    log = _server(home).home.log
    if not log.exists():
        raise ServiceError(f"{log} is not there: {_start(home)}")
    at = log.stat().st_size
    for line in tail(log, lines):
        print(line)
    while follow:
        try:
            at = _grown(log, at)
            time.sleep(0.3)
        except KeyboardInterrupt:
            return


@services.command()
def env(home: HomeOption = "") -> None:
    """Print where the server is, for a shell: `eval "$(clew services env)"`.

    This prints the password.
    """
    server = _server(home)
    running = server.running()
    if running is None:
        raise ServiceError(f"No Neo4j runs at {server.home.folder}: {_start(home)}")
    password = server.home.password(os.environ)
    for name, value in {
        "NEO4J_URI": running.launch.uri,
        "NEO4J_USER": USER,
        "NEO4J_PASSWORD": password,
    }.items():
        print(f"export {name}={shlex.quote(value)}")


class Terminal:
    """Tells a person: lines that stay, and on a terminal one that counts the seconds."""

    def __init__(self) -> None:
        self._counting = False

    def say(self, line: str) -> None:
        """Print a line."""
        self._clear()
        print(line, flush=True)

    def waiting(self, line: str) -> None:
        """Show a line in place of the last such one, where someone looks on."""
        if sys.stderr.isatty():
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
            self._counting = True

    def _clear(self) -> None:
        if self._counting:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self._counting = False


def _server(home: str) -> Neo4j:
    folder = Path(home) if home else _place("XDG_DATA_HOME", ".local/share") / "neo4j"
    jars = Jars.under(_place("XDG_CACHE_HOME", ".cache"))
    return Neo4j(Home(folder), jars, os.environ, Terminal())


def _option(home: str) -> str:
    return f" --home {shlex.quote(home)}" if home else ""


def _start(home: str) -> str:
    return f'start it with "clew services up{_option(home)}"'


def _place(variable: str, usual: str, environ: Mapping[str, str] = os.environ) -> Path:
    """Return Clew's own folder among the user's data or downloads."""
    named = environ.get(variable, "")
    return (Path(named) if os.path.isabs(named) else Path.home() / usual) / "clew"


def _asked(server: Neo4j, launch: Launch) -> tuple[str, str]:
    """Return how a running server does, and its version of GDS."""
    try:
        answers = gds_version(launch.uri, server.home.password(server.environ))
    except ConfigError:
        return "running, and refuses NEO4J_PASSWORD or needs it", launch.gds
    return ("running" if answers else "running, and does not answer yet"), answers or launch.gds


def _heap(asked: str | None) -> str | None:
    """Return the heap as Java takes it."""
    if asked is None:
        return None
    number, unit = asked[:-1], asked[-1:].lower()
    if not number.isdecimal() or unit not in ("m", "g") or int(number) < 1:
        raise ConfigError(f"--heap {asked}: say a number of megabytes or gigabytes, as 512m or 2g")
    return f"{int(number)}{unit}"


def _table(rows: Mapping[str, str]) -> str:
    return "\n".join(f"{name:9} {value}" for name, value in rows.items())


def _grown(log: Path, at: int) -> int:
    """Print what was added to a log since it had this size; return its size now."""
    size = log.stat().st_size if log.exists() else 0
    start = at if size >= at else 0  # it was begun anew
    if size > start:
        with log.open("rb") as file:
            file.seek(start)
            added = file.read(size - start)
        sys.stdout.write(added.decode(errors="replace"))
        sys.stdout.flush()
    return size
