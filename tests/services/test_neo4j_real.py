"""A real Neo4j with GDS, from its jars to its end: up, twice, at once, killed, and down.

It starts servers of its own, beside any that NEO4J_URI names, so it asks for CLEW_SERVICES=1,
for Java and, where the jars were never fetched, for Maven.
"""

import os
import re
import signal
import subprocess
import sysconfig
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from entry import command, run, space_of, told
from neo4j import Driver, GraphDatabase
from neo4j.exceptions import DriverError
from stories import TALK
from typer.testing import CliRunner, Result

from clew.cli import app
from clew.errors import ConfigError, StoreError
from clew.services import cli, process
from clew.services.home import Home
from clew.services.java import find_tools
from clew.services.launch import spawn
from clew.services.probe import gds_version
from clew.stores.neo4j import schema

pytestmark = [
    pytest.mark.neo4j,
    pytest.mark.slow,
    pytest.mark.timeout(400),
    pytest.mark.skipif(
        not os.environ.get("CLEW_SERVICES"),
        reason="CLEW_SERVICES is not set: these tests start a Neo4j of their own",
    ),
]
CLEW = Path(sysconfig.get_path("scripts")) / "clew"
FREE = ("--bolt-port", "0", "--http-port", "0", "--heap", "512m")
NOTHING_SET = dict.fromkeys(("NEO4J_URI", "NEO4J_USER", "NEO4J_PASSWORD"))
HERE = "store.algorithms._target_=clew.stores.rustworkx.RustworkxAlgorithms"
LIMITS = """
server.databases.default_to_read_only=true
dbms.security.procedures.allowlist=db.*,dbms.*
db.memory.transaction.max=32m
"""


def call(home: Path, *words: str, **environ: str) -> Result:
    """Call `clew services` here."""
    asked = ["services", *words, "--home", str(home)]
    return CliRunner().invoke(app, asked, env={**NOTHING_SET, "COLUMNS": "200", **environ})


def start_up(home: Path, *words: str) -> "subprocess.Popen[str]":
    """Call `clew services up` as another process, which its server outlives."""
    kept = {name: value for name, value in os.environ.items() if name not in NOTHING_SET}
    asked = [str(CLEW), "services", "up", *words, "--home", str(home)]
    pipe = subprocess.PIPE
    return subprocess.Popen(asked, env=kept, stdout=pipe, stderr=pipe, text=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a place for a server, which is stopped in the end."""
    folder = tmp_path_factory.mktemp("neo4j") / "ho me"
    yield folder
    assert call(folder, "down").exit_code == 0
    assert process.find(folder) is None


@pytest.fixture
def home(folder: Path) -> Path:
    """Return the home of a running server."""
    return home_of(folder)


def home_of(folder: Path) -> Path:
    """See that the server runs."""
    if process.find(folder) is None:
        with start_up(folder, *FREE) as running:
            out, err = running.communicate(timeout=350)
        assert running.returncode == 0, err
        assert re.search(r"is up after \d+ s: bolt://127\.0\.0\.1:\d+", out)
    return folder


@pytest.fixture
def told_of(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the home of a running server that the environment names."""
    name_in_environment(home, monkeypatch)
    return home


def name_in_environment(home: Path, patch: pytest.MonkeyPatch) -> None:
    uri, password = login(home)
    for name, value in {"URI": uri, "USER": "neo4j", "PASSWORD": password}.items():
        patch.setenv(f"NEO4J_{name}", value)


def login(home: Path) -> tuple[str, str]:
    """Return where the server is and its password."""
    there = Home(home)
    launch = there.launch()
    assert launch
    return launch.uri, there.password({})


def ask(home: Path, query: str) -> list[object]:
    with connected(home) as driver:
        return values(driver, query)


def connected(home: Path) -> Driver:
    uri, password = login(home)
    return GraphDatabase.driver(uri, auth=("neo4j", password), telemetry_disabled=True)


def values(driver: Driver, query: str) -> list[object]:
    return [record[0] for record in driver.execute_query(query).records]  # type: ignore[call-overload]


def forget_schema(home: Path) -> None:
    """Leave nothing of what clew makes when it first comes to a server."""
    with connected(home) as driver:
        for kind, several in (("CONSTRAINT", "CONSTRAINTS"), ("INDEX", "INDEXES")):
            for name in values(driver, f"SHOW {several} YIELD name WHERE name STARTS WITH 'clew_'"):
                values(driver, f"DROP {kind} {name} IF EXISTS")
        values(driver, "MATCH (schema:Schema) DETACH DELETE schema")


def test_a_shell_learns_where_the_server_is(home: Path) -> None:
    shown = f'{call(home, "env").stdout}\nprintf "%s\\n" "$NEO4J_URI" "$NEO4J_PASSWORD"'
    said = subprocess.run(["sh", "-c", shown], capture_output=True, text=True, check=True).stdout
    assert tuple(said.splitlines()) == login(home)


def test_up_again_leaves_the_server_as_it_is(home: Path) -> None:
    pid = process.find(home)
    done = call(home, "up")
    assert done.exit_code == 0, done.stderr
    assert "was up already: bolt://127.0.0.1:" in done.stdout
    assert process.find(home) == pid


def test_the_status_tells_what_answers(home: Path) -> None:
    done = call(home, "status")
    assert done.exit_code == 0
    rows = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert rows["neo4j"] == "running"
    assert rows["pid"] == str(process.find(home))
    assert re.fullmatch(r"Neo4j 5\.26\.\d+, GDS 2\.13\.\d+, Java \d+.*", rows["versions"])
    assert re.fullmatch(r"\d{3,4} MB, heap at most 512m", rows["memory"])


def test_algorithms_run_with_what_env_tells(home: Path) -> None:
    found = ask(home, "CALL gds.list() YIELD name RETURN name")
    assert {"gds.steinerTree.stream", "gds.shortestPath.yens.stream"} <= set(found)
    assert {"gds.prizeSteinerTree.stream", "gds.shortestPath.dijkstra.stream"} <= set(found)


def test_a_wrong_password_is_refused_and_named_but_not_shown(home: Path) -> None:
    done = call(home, "up", NEO4J_PASSWORD="not-the-password")
    assert done.exit_code == 2
    assert done.stderr.startswith("clew: NEO4J_PASSWORD is not the password")
    assert "not-the-password" not in done.stdout + done.stderr
    uri, _ = login(home)
    with pytest.raises(ConfigError, match="does not take this password: set NEO4J_PASSWORD"):
        gds_version(uri, "not-the-password")
    assert process.find(home)


def test_the_password_is_in_no_command_line_log_or_setting(home: Path) -> None:
    _, password = login(home)
    folder = Path(f"/proc/{process.find(home)}")
    if folder.is_dir():
        for part in ("cmdline", "environ"):
            assert password.encode() not in (folder / part).read_bytes()
    files = [path for part in ("conf", "logs") for path in (home / part).rglob("*")]
    texts = {path.name: path.read_text(errors="replace") for path in files if path.is_file()}
    assert {"neo4j.conf", "neo4j.log", "console.log"} <= set(texts)
    assert [name for name, text in texts.items() if password in text] == []
    assert not (home / "first-password").exists()


def test_it_listens_on_loopback_alone(home: Path) -> None:
    tables = [Path("/proc/net/tcp"), Path("/proc/net/tcp6")]
    lines = [line.split() for table in tables if table.exists() for line in _lines(table)]
    port = f"{int(login(home)[0].rpartition(':')[2]):04X}"
    listening = [line[1] for line in lines if line[3] == "0A" and line[1].endswith(f":{port}")]
    assert all(address.split(":")[0].endswith("0100007F") for address in listening)
    assert listening or not tables[0].exists()


def _lines(table: Path) -> list[str]:
    return table.read_text().splitlines()[1:]


def test_two_runs_at_once_on_a_server_that_never_saw_one_both_finish(
    told_of: Path, tmp_path: Path
) -> None:
    forget_schema(told_of)
    names = ("steiner", "prize")
    both = [
        subprocess.Popen(
            command(tmp_path, name, "store=neo4j", f"ablation={name}", "dataset.sessions=1"),
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]
    said = [each.communicate(timeout=200)[1] for each in both]
    assert [each.returncode for each in both] == [0, 0], said
    assert all(told(tmp_path / name) for name in names)
    assert ask(told_of, "CALL gds.graph.list() YIELD graphName RETURN graphName") == []
    assert ask(told_of, "MATCH (schema:Schema) RETURN schema.version") == [len(schema.STEPS)]
    states = ask(told_of, "SHOW INDEXES YIELD state RETURN DISTINCT state")
    assert states == ["ONLINE"]


def test_a_server_killed_amid_a_run_is_started_by_one_of_two_and_the_run_goes_on(
    told_of: Path, tmp_path: Path
) -> None:
    size = "system.windows.size=2"
    assert run(tmp_path, "undisturbed", "store=sqlite", size).returncode == 0
    walk = subprocess.Popen(
        command(tmp_path, "walk", "store=neo4j", size), stderr=subprocess.PIPE, text=True
    )
    pid, launch = process.find(told_of), Home(told_of).launch()
    assert pid and launch
    with closing(space_of("walk")(tmp_path, "gen-0")) as watched:
        while watched.version() < 3 and walk.poll() is None:
            time.sleep(0.01)
        os.kill(pid, signal.SIGKILL)
    while process.find(told_of) == pid:
        time.sleep(0.01)
    assert call(told_of, "status").exit_code == 3
    assert call(told_of, "env").stdout == ""
    ports = ("--bolt-port", str(launch.bolt_port), "--http-port", str(launch.http_port))
    ups = [start_up(told_of, *ports, "--heap", "512m") for _ in range(2)]
    said = [each.communicate(timeout=350) for each in ups]
    assert [each.returncode for each in ups] == [0, 0], said
    assert sum("is up after" in out for out, _ in said) == 1
    assert sum("was up already" in out for out, _ in said) == 1
    _, complaint = walk.communicate(timeout=250)
    assert walk.returncode == 0, complaint
    assert "trying again for 120 s" in complaint
    assert told(tmp_path / "walk") == told(tmp_path / "undisturbed")


@pytest.fixture(scope="class")
def limited(folder: Path) -> Iterator[Path]:
    """Return the home of a server with the schema that it had and with limits."""
    server = cli._server(str(folder))
    with pytest.MonkeyPatch.context() as patch:
        name_in_environment(home_of(folder), patch)
        space_of("limits")(Path(), TALK).close()
    assert call(folder, "down").stdout == "Neo4j has stopped\n"
    assert call(folder, "status").exit_code == 3
    assert "Stopped." in call(folder, "logs", "-n", "5").stdout
    with (folder / "conf" / "neo4j.conf").open("a") as conf:
        conf.write(LIMITS)
    java = find_tools(os.environ, maven=False).java
    started = spawn(java, "512m", server.home, server.jars, os.environ)
    try:
        _wait(folder)
        yield folder
    finally:
        started.terminate()
        started.wait(timeout=60)


class TestAServerWithLimits:
    """One that lets nobody write, has no Graph Data Science, and little memory."""

    @pytest.mark.parametrize(
        ("settings", "told_"),
        [
            ((), "has no Graph Data Science: start one that has it.*store.algorithms._target_="),
            ((HERE,), "does not let neo4j write.*server.databases.default_to_read_only be false"),
        ],
        ids=["without GDS", "read-only"],
    )
    def test_what_it_does_not_let_a_run_do_is_told_in_one_line(
        self,
        limited: Path,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
        settings: tuple[str, ...],
        told_: str,
    ) -> None:
        name_in_environment(limited, monkeypatch)
        done = run(tmp_path, "limits", "store=neo4j", *settings)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
        assert re.search(told_, done.stderr)
        written = "MATCH (n) WHERE n.scope STARTS WITH 'limits/' RETURN count(n)"
        assert ask(limited, written) == [0]

    def test_what_takes_too_much_memory_is_told_with_the_settings_that_give_more(
        self, limited: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        name_in_environment(limited, monkeypatch)
        with closing(space_of("limits")(Path(), TALK)) as graph:
            with pytest.raises(StoreError) as raised:
                graph.server.read("UNWIND range(1, 3000000) AS n RETURN count(DISTINCT n)", {})
            assert graph.version() == 0
        settings = r"server\.memory\.heap\.max_size.*db\.memory\.transaction\.max"
        assert re.search(
            rf"has run out of memory \(.*: raise its settings {settings}", str(raised.value)
        )
        assert "\n" not in str(raised.value)


def _wait(home: Path) -> None:
    """Wait until a server answers that has no GDS."""
    for _ in range(600):
        try:
            with connected(home) as driver:
                return driver.verify_connectivity()
        except DriverError:
            time.sleep(0.2)
    raise AssertionError("it does not answer")
