"""Neo4j with Graph Data Science, fetched, configured, started, watched and stopped.

It listens on this machine only, asks for a password, and outlives the command that started
it. All that can be asked twice, at once, or after a crash, is answered from the processes
that run and from locks that die with their holder, never from notes of an earlier command.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from clew.errors import ServiceError
from clew.services import process
from clew.services.home import Home, Launch, locked, room
from clew.services.jars import Jars, Voice, versions
from clew.services.java import Tools, find_tools
from clew.services.launch import abandon, set_password, spawn
from clew.services.probe import free_port, gds_version

BOLT, HTTP, HEAP = 7687, 7474, "1g"
NEEDED = 100  # megabytes of disk, to start


@dataclass(frozen=True, slots=True)
class Asked:
    """What a start is asked for; None leaves it as it runs, or as is usual. Port 0: a free one."""

    bolt_port: int | None = None
    http_port: int | None = None
    heap: str | None = None

    def differs(self, launch: Launch) -> str:
        """Return the first option that a running server does not fulfil."""
        for name in ("bolt_port", "http_port", "heap"):
            if getattr(self, name) not in (None, 0, getattr(launch, name)):
                return f"--{name.replace('_', '-')}"
        return ""


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers, or at least runs."""

    pid: int
    launch: Launch
    was_up: bool = True


@dataclass(frozen=True, slots=True)
class Neo4j:
    """The server of one home."""

    home: Home
    jars: Jars
    environ: Mapping[str, str]
    voice: Voice

    def up(self, asked: Asked, patience: float) -> Running:
        """Have the server run and answer; where it runs already, see that it answers.

        Raises:
            ServiceError: something is missing, in use, full, or did not answer in time.
            ConfigError: an option or NEO4J_PASSWORD does not fit.
        """
        self.home.make()
        try:
            with locked(self.home.lock, self.voice.say):
                return self._have(asked, patience)
        except OSError as error:
            raise ServiceError(
                f"{error.filename or self.home.folder} cannot be written or read "
                f"({error.strerror}): set --home, or XDG_CACHE_HOME for downloads, to another place"
            ) from error

    def running(self) -> Running | None:
        """Return the running server, whether or not it answers yet."""
        pid, launch = process.find(self.home.folder), self.home.launch()
        return Running(pid, launch) if pid and launch else None

    def _have(self, asked: Asked, patience: float) -> Running:
        if running := self.running():
            if option := asked.differs(running.launch):
                raise ServiceError(
                    f"Neo4j is up at {running.launch.uri} with another {option}: say "
                    '"clew services down" first, or set --home to another folder'
                )
            password = self.home.password(self.environ)
            self._wait(running, password, patience, lambda: process.find(self.home.folder))
            return running
        return self._start(asked, patience)

    def down(self, patience: float) -> bool:
        """Stop the server and wait until it has; return whether there was one.

        Raises:
            ServiceError: it has not stopped in time, or belongs to another user.
        """
        if not self.home.folder.exists():
            return False
        with locked(self.home.lock, self.voice.say):
            pid = process.find(self.home.folder)
            if pid is None:
                return False
            self._end(pid, patience)
            return True

    def _start(self, asked: Asked, patience: float) -> Running:
        fault = self.jars.fault()
        tools = find_tools(self.environ, maven=bool(fault))
        bolt = free_port(asked.bolt_port, BOLT, "--bolt-port")
        http = free_port(asked.http_port, HTTP, "--http-port")
        password = self.home.password(self.environ)
        if fault:
            self.voice.say(f"Fetching Neo4j and GDS into {self.jars.folder} ({fault})")
            self.jars.fetch(tools.maven, self.environ, self.voice)
        named = versions()
        heap = asked.heap or HEAP
        launch = Launch(bolt, http, heap, tools.java_version, named.neo4j, named.gds)
        return self._launch(launch, tools, password, patience)

    def _launch(self, launch: Launch, tools: Tools, password: str, patience: float) -> Running:
        room(self.home.folder, NEEDED, "--home")
        self.home.configure(launch, self.jars.folder)
        where = self.home, self.jars, self.environ
        if self.home.is_fresh():
            set_password(tools.java, password, *where)
        self.voice.say(f"Starting Neo4j {launch.neo4j} with GDS {launch.gds}, heap {launch.heap}")
        started = spawn(tools.java, launch.heap, *where)
        running = Running(started.pid, launch, was_up=False)
        try:
            self._wait(running, password, patience, lambda: started.poll() is None)
        except BaseException:
            abandon(started)
            raise
        return running

    def _wait(
        self, running: Running, password: str, patience: float, alive: Callable[[], object]
    ) -> None:
        """Wait until the server answers."""
        begun = time.monotonic()
        while not gds_version(running.launch.uri, password):
            waited = time.monotonic() - begun
            if not alive():
                raise ServiceError(f"Neo4j ended before it answered: {self._last_words()}")
            if waited > patience:
                raise ServiceError(
                    f"Neo4j at {running.launch.uri} did not answer in {patience:.0f} s: set "
                    f"--patience to more, or see what is wrong: {self._last_words()}"
                )
            self.voice.waiting(f"Waiting for {running.launch.uri}: {waited:.0f} s")
            time.sleep(0.25)

    def _last_words(self) -> str:
        """Return what the server said since its start that may tell why it failed."""
        log = tail(self.home.log, 80)
        starts = [n for n, line in enumerate(log) if line.endswith("Starting...")]
        since = log[max(starts, default=0) :]
        told = [line for line in since if "ERROR" in line or "WARN" in line]
        java = [line for line in tail(self.home.console, 80) if line.strip()]
        java = [line for line in java if not line.startswith("Picked up ")]
        said = " ".join(java[:3]) or (told or since or ["nothing"])[-1]
        return f"it said {said.strip()[:400]!r}, the rest is in {self.home.log.parent}"

    def _end(self, pid: int, patience: float) -> None:
        process.end(pid)
        begun = time.monotonic()
        while process.find(self.home.folder) == pid:
            waited = time.monotonic() - begun
            if waited > patience:
                raise ServiceError(
                    f"Neo4j (process {pid}) has not stopped in {patience:.0f} s: wait, set "
                    f"--patience to more, or see {self.home.log}"
                )
            self.voice.waiting(f"Waiting for process {pid} to stop: {waited:.0f} s")
            time.sleep(0.1)


def tail(file: Path, n: int) -> list[str]:
    """Return the last lines of a log; none where there is no log yet."""
    if not n or not file.exists():
        return []
    with file.open("rb") as log:
        log.seek(max(0, file.stat().st_size - 400 * n))
        return log.read().decode(errors="replace").splitlines()[-n:]
