"""A real Neo4j with GDS, from its jars to its end: up, twice, at once, killed, and down.

It starts servers of its own, beside any that NEO4J_URI names, so it asks for CLEW_SERVICES=1,
for Java and, where the jars were never fetched, for Maven.
"""

import os
import re
import signal
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.errors import ConfigError
from clew.services import process
from clew.services.probe import gds_version

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
Done = subprocess.CompletedProcess[str]


def start(home: Path, *words: str, **environ: str) -> "subprocess.Popen[str]":
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")}
    command = [str(CLEW), "services", *words, "--home", str(home)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=kept | environ, stdout=pipe, stderr=pipe, text=True)


def call(home: Path, *words: str, **environ: str) -> Done:
    with start(home, *words, **environ) as running:
        out, err = running.communicate(timeout=350)
    return subprocess.CompletedProcess(running.args, running.returncode, out, err)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return the home of a running server."""
    home = tmp_path_factory.mktemp("neo4j") / "ho me"
    done = call(home, "up", *FREE)
    assert done.returncode == 0, done.stderr
    assert re.search(r"is up after \d+ s: bolt://127\.0\.0\.1:\d+", done.stdout)
    yield home
    assert call(home, "down").returncode == 0
    assert process.find(home) is None


def login(home: Path) -> tuple[str, str]:
    """Return where the server is and its password, as a shell learns them."""
    told = call(home, "env").stdout
    shown = f'{told}\nprintf "%s\\n" "$NEO4J_URI" "$NEO4J_PASSWORD"'
    uri, password = subprocess.run(
        ["sh", "-c", shown], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return uri, password


def ask(home: Path, query: str) -> list[object]:
    from neo4j import GraphDatabase

    uri, password = login(home)
    with GraphDatabase.driver(uri, auth=("neo4j", password), telemetry_disabled=True) as driver:
        return [record[0] for record in driver.execute_query(query).records]


def test_up_again_leaves_the_server_as_it_is(home: Path) -> None:
    pid = process.find(home)
    done = call(home, "up")
    assert done.returncode == 0, done.stderr
    assert "was up already: bolt://127.0.0.1:" in done.stdout
    assert process.find(home) == pid


def test_the_status_tells_what_answers(home: Path) -> None:
    done = call(home, "status")
    assert done.returncode == 0
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
    assert done.returncode == 2
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


def test_of_two_ups_at_once_one_starts_and_both_are_content(home: Path) -> None:
    done = call(home, "down")
    assert (done.returncode, done.stdout) == (0, "Neo4j has stopped\n")
    assert call(home, "status").returncode == 3
    assert "Stopped." in call(home, "logs", "-n", "5").stdout
    both = [start(home, "up", *FREE) for _ in range(2)]
    said = [each.communicate(timeout=350) for each in both]
    assert [each.returncode for each in both] == [0, 0], said
    assert sum("is up after" in out for out, _ in said) == 1
    assert sum("was up already" in out for out, _ in said) == 1


def test_a_server_killed_without_warning_comes_up_again_with_its_data(home: Path) -> None:
    ask(home, "MERGE (thread:Thread {name: 'red'}) RETURN thread.name")
    pid = process.find(home)
    assert pid
    os.kill(pid, signal.SIGKILL)
    while process.find(home) == pid:
        pass
    assert call(home, "status").returncode == 3
    assert call(home, "env").stdout == ""
    done = call(home, "up", *FREE)
    assert done.returncode == 0, done.stderr
    assert ask(home, "MATCH (thread:Thread) RETURN thread.name") == ["red"]
