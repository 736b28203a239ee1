"""A server's home: its settings, its password and its data, in one folder of the user's."""

import fcntl
import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from clew.errors import ConfigError, ServiceError

CONF = """\
# Written by "clew services up" at every start: change its options, not this file.
server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:{bolt}
server.bolt.advertised_address=127.0.0.1:{bolt}
server.http.listen_address=127.0.0.1:{http}
server.http.advertised_address=127.0.0.1:{http}
server.https.enabled=false
server.directories.lib={jars}/lib
server.directories.plugins={jars}/plugins
server.memory.pagecache.size=256m
db.tx_log.preallocate=false
dbms.security.auth_enabled=true
dbms.security.procedures.unrestricted=gds.*
dbms.security.allow_csv_import_from_file_urls=false
dbms.usage_report.enabled=false
client.allow_telemetry=false
"""
SHORTEST = 8  # characters of a password that Neo4j takes


@dataclass(frozen=True, slots=True)
class Launch:
    """What a server was started with."""

    bolt_port: int
    http_port: int
    heap: str
    java: str
    neo4j: str
    gds: str

    @property
    def uri(self) -> str:
        """Where drivers connect to."""
        return f"bolt://127.0.0.1:{self.bolt_port}"

    @property
    def browser(self) -> str:
        """Where Neo4j Browser is."""
        return f"http://127.0.0.1:{self.http_port}"


class Home:
    """The folder of one server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.expanduser().resolve()
        self.conf = self.folder / "conf"
        self.log = self.folder / "logs" / "neo4j.log"
        self.console = self.folder / "logs" / "console.log"  # what Java itself says
        self.lock = self.folder / "lock"
        self.secret = self.folder / "password"
        self._launch = self.folder / "launch.json"

    def make(self) -> None:
        """Make the folder, for the user's eyes only.

        Raises:
            ServiceError: it cannot be made, or holds something else already.
        """
        if self.folder.is_dir() and not self.lock.exists() and any(self.folder.iterdir()):
            raise ServiceError(f"{self.folder} holds something else: set --home to an empty folder")
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.log.parent.mkdir(exist_ok=True)
            self.conf.mkdir(exist_ok=True)
        except OSError as error:
            raise ServiceError(
                f"{self.folder} cannot be made ({error.strerror}): set --home to another place"
            ) from error

    def configure(self, launch: Launch, jars: Path) -> None:
        """Write the server's settings, and remember what it is started with."""
        text = CONF.format(bolt=launch.bolt_port, http=launch.http_port, jars=jars)
        _write(self.conf / "neo4j.conf", text)
        _write(self._launch, json.dumps(asdict(launch)))

    def launch(self) -> Launch | None:
        """Return what the server was last started with."""
        try:
            return Launch(**json.loads(self._launch.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def is_fresh(self) -> bool:
        """Return whether no server was ever started here: only then can a password be set."""
        return not (self.folder / "data" / "databases" / "system").exists()

    def password(self, environ: Mapping[str, str]) -> str:
        """Return NEO4J_PASSWORD, or else the one kept here; make one for a fresh home.

        Raises:
            ConfigError: NEO4J_PASSWORD cannot be this server's, or is needed and not set.
        """
        given = environ.get("NEO4J_PASSWORD", "")
        kept = self.secret.read_text(encoding="utf-8") if self.secret.exists() else ""
        if given and kept and given != kept:
            raise ConfigError(
                f"NEO4J_PASSWORD is not the password of the Neo4j at {self.folder}: unset it, "
                'say eval "$(clew services env)", or set --home to another folder'
            )
        if given and (len(given) < SHORTEST or not given.isprintable()):
            raise ConfigError(
                f"NEO4J_PASSWORD must have {SHORTEST} or more printable characters for Neo4j"
            )
        if not (given or kept) and not self.is_fresh():
            raise ConfigError(
                f"The Neo4j at {self.folder} was set up with a password of yours: set "
                "NEO4J_PASSWORD to it, or --home to another folder"
            )
        if not (given or kept):
            kept = secrets.token_urlsafe(24)
            _write(self.secret, kept)
        return given or kept


@contextmanager
def locked(path: Path, say: Callable[[str], None]) -> Iterator[int]:
    """Hold a lock file, after waiting for whoever holds it; a crash leaves nothing held.

    It is held until the last process that was handed the file's number has ended.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"Another process is at work on {path.parent}: waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield file
    finally:
        os.close(file)


def room(folder: Path, megabytes: int, setting: str) -> None:
    """Refuse a disk that is too full.

    Raises:
        ServiceError: less than that is free.
    """
    free = shutil.disk_usage(folder).free // 2**20
    if free < megabytes:
        raise ServiceError(
            f"{folder} has {free} MB free and {megabytes} MB are needed: make room, or set "
            f"{setting} to another disk"
        )


def _write(path: Path, text: str) -> None:
    """Replace a file's text at once, readable for the user alone."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with open(file, "w", encoding="utf-8") as out:
        out.write(text)
    new.replace(path)
