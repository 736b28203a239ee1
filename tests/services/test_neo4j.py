"""Up, down, status, logs and env, with processes that stand in for a server that will not do.

What a real Neo4j does is in test_neo4j_real.py.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from socketserver import BaseRequestHandler, TCPServer

import pytest

from clew.services import process
from clew.services.cli import Terminal
from clew.services.home import Home, Launch
from clew.services.jars import Jars
from clew.services.probe import free_port, gds_version

SLEEP = "import time; print('ready', flush=True); time.sleep(60)"
DEAF = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEP}"
Stand = Callable[..., "subprocess.Popen[str]"]

pytestmark = pytest.mark.usefixtures("of_its_own")


@pytest.fixture
def stand_in(home: Path) -> Iterator[Stand]:
    """Return what starts a process that looks like the home's server."""
    started: list[subprocess.Popen[str]] = []

    def start(code: str = SLEEP, words: list[str] | None = None) -> "subprocess.Popen[str]":
        made = Home(home)
        made.make()
        made.lock.touch()
        made.configure(Launch(free(), free(), "1g", "17.0.15", "5.26.25", "2.13.9"), Path("/jars"))
        command = [sys.executable, "-c", code, *(words or process.ending(home))]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert started[-1].stdout and started[-1].stdout.readline() == "ready\n"
        return started[-1]

    yield start
    for each in started:
        each.kill()
        each.communicate()


@pytest.fixture
def whole(jars: Jars, maven, tmp_path: Path) -> None:
    """Have the jars been fetched."""
    maven()
    jars.fetch(str(tmp_path / "bin" / "mvn"), os.environ, Terminal())


def free() -> int:
    return free_port(0, 0, "")


# --- ports


@pytest.mark.parametrize("option", ["--bolt-port", "--http-port"])
def test_a_port_in_use_is_told_with_the_option_that_chooses_another(
    call, java, maven, option: str
) -> None:
    java()
    maven()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ports = {"--bolt-port": "0", "--http-port": "0"} | {option: port}
        done = call("up", *[word for pair in ports.items() for word in pair])
    assert done.exit_code == 2
    assert f"Port {port} cannot be had (Address already in use): set {option} to" in done.stderr


def test_port_0_is_any_free_port() -> None:
    port = free_port(0, 7687, "--bolt-port")
    with socket.create_server(("127.0.0.1", port)):
        assert port > 0


# --- a server that does not come up


def test_a_server_that_ends_at_once_is_told_with_its_last_words(
    call, java, whole, home: Path
) -> None:
    java(runs="echo 'Too small maximum heap'; exit 1")
    done = call("up", "--bolt-port", "0", "--http-port", "0")
    assert done.exit_code == 2
    assert "ended before it answered: it said 'Too small maximum heap'" in done.stderr
    assert call("status").exit_code == 3


def test_a_server_that_does_not_answer_in_time_is_stopped(call, java, whole, home: Path) -> None:
    java(runs='PATH=/usr/bin:/bin; exec sh -c "while :; do sleep 0.1; done" "$@"')
    done = call("up", "--bolt-port", "0", "--http-port", "0", "--patience", "0.5")
    assert done.exit_code == 2
    assert "did not answer in 0 s: set --patience to more" in done.stderr
    assert process.find(home) is None


def test_a_first_password_that_is_refused_is_told_and_not_shown(
    call, java, whole, monkeypatch, tmp_path: Path
) -> None:
    java()
    program = tmp_path / "bin" / "java"
    text = program.read_text().replace("@*) exit 0", "@*) echo no $(cat ${1#@}) >&2; exit 1")
    program.write_text(text.replace("#!/bin/sh", "#!/bin/sh\nPATH=/usr/bin:/bin"))
    monkeypatch.setenv("NEO4J_PASSWORD", "a secret of mine")
    done = call("up", "--bolt-port", "0", "--http-port", "0")
    assert done.exit_code == 2
    assert "did not take a first password (it said: no " in done.stderr
    assert "a secret of mine" not in done.output


@pytest.mark.parametrize("heap", ["1t", "m", "-1g", "0g", ""])
def test_a_heap_that_java_would_not_take_is_refused(call, heap: str) -> None:
    done = call("up", "--heap", heap)
    assert done.exit_code == 2
    assert f"--heap {heap}: say a number of megabytes or gigabytes" in done.stderr


# --- what runs, and what only seems to


def test_a_running_server_is_found_by_its_command_line(call, stand_in: Stand) -> None:
    server = stand_in()
    done = call("status")
    assert done.exit_code == 0
    assert "running, and does not answer yet" in done.stdout
    assert str(server.pid) in done.stdout
    assert "5.26.25, GDS 2.13.9, Java 17.0.15" in done.stdout


def test_a_server_killed_without_warning_is_known_to_be_gone(call, stand_in: Stand) -> None:
    server = stand_in()
    server.send_signal(signal.SIGKILL)
    server.wait()
    assert call("status").exit_code == 3
    assert "was not running" in call("down").stdout


def test_a_process_that_only_names_the_server_is_not_taken_for_it(
    call, stand_in: Stand, home: Path
) -> None:
    stand_in(words=[" ".join(process.ending(home))])
    stand_in(words=process.ending(home.with_name("another")))
    assert process.find(home) is None
    assert call("down").stdout == "Neo4j was not running\n"


def test_up_waits_for_a_server_that_runs_already_and_leaves_it(call, stand_in: Stand) -> None:
    server = stand_in()
    done = call("up", "--patience", "0")
    assert done.exit_code == 2
    assert "did not answer in 0 s" in done.stderr
    assert server.poll() is None


def test_other_options_than_a_running_server_s_are_refused(call, stand_in: Stand) -> None:
    stand_in()
    for option, value in (("--bolt-port", "1"), ("--http-port", "1"), ("--heap", "3g")):
        done = call("up", option, value)
        assert done.exit_code == 2
        assert f'with another {option}: say "clew services down" first' in done.stderr


def test_without_proc_a_server_is_found_by_ps(
    monkeypatch, stand_in: Stand, home: Path, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setattr(process, "PROC", tmp_path / "no-proc")
    server = stand_in()
    assert process.find(home) == server.pid
    assert process.memory(server.pid) >= 1
    assert process.memory(2**22 + 1) == 0


def test_memory_is_told_in_megabytes_and_none_of_a_process_that_is_gone() -> None:
    assert 10 < process.memory(os.getpid()) < 100_000
    assert process.memory(2**22 + 1) == 0


# --- down, env, logs


def test_down_lets_a_server_end_by_itself_and_says_so(call, stand_in: Stand) -> None:
    server = stand_in()
    done = call("down")
    assert (done.exit_code, done.stdout) == (0, "Neo4j has stopped\n")
    assert server.wait() == -signal.SIGTERM


def test_down_says_when_a_server_does_not_stop(call, stand_in: Stand) -> None:
    server = stand_in(DEAF)
    done = call("down", "--patience", "0.3")
    assert done.exit_code == 2
    assert f"(process {server.pid}) has not stopped in 0 s" in done.stderr


def test_down_of_a_home_that_is_not_there_makes_none(call, home: Path) -> None:
    assert call("down").stdout == "Neo4j was not running\n"
    assert not home.exists()


def test_env_tells_a_shell_where_the_server_is(call, stand_in: Stand, monkeypatch) -> None:
    stand_in()
    monkeypatch.setenv("NEO4J_PASSWORD", 'it\'s $HOME "here"')
    done = call("env")
    assert done.exit_code == 0
    shown = 'printf "%s|" "$NEO4J_URI" "$NEO4J_USER" "$NEO4J_PASSWORD"'
    said = subprocess.run(
        ["/bin/sh", "-c", f"{done.stdout}\n{shown}"], capture_output=True, text=True, check=True
    ).stdout
    uri, user, password, _ = said.split("|")
    assert uri.startswith("bolt://127.0.0.1:")
    assert (user, password) == ("neo4j", 'it\'s $HOME "here"')


def test_env_without_a_server_tells_a_shell_nothing(call, home: Path) -> None:
    done = call("env")
    assert (done.exit_code, done.stdout) == (2, "")
    assert 'start it with "clew services up"' in done.stderr
    elsewhere = call("env", "--home", str(home / "my own"))
    assert f"start it with \"clew services up --home '{home}/my own'\"" in elsewhere.stderr


def test_a_server_whose_password_is_not_known_still_has_a_status(
    call, stand_in: Stand, home: Path
) -> None:
    stand_in()
    (home / "data" / "databases" / "system").mkdir(parents=True)
    done = call("status")
    assert done.exit_code == 0
    assert "running, and refuses NEO4J_PASSWORD or needs it" in done.stdout


def test_logs_are_the_last_lines_and_a_missing_log_is_told(call, home: Path) -> None:
    assert 'start it with "clew services up"' in call("logs").stderr
    Home(home).make()
    (home / "logs" / "neo4j.log").write_text("".join(f"line {n}\n" for n in range(100)))
    assert call("logs", "-n", "2").stdout == "line 98\nline 99\n"
    assert call("logs", "-n", "0").stdout == ""
    assert len(call("logs").stdout.splitlines()) == 50


def test_logs_are_followed_while_they_grow_and_begin_anew(home: Path) -> None:
    Home(home).make()
    log = home / "logs" / "neo4j.log"
    log.write_text("first\nsecond\n")
    code = "from clew.cli import app; app()"
    command = [sys.executable, "-c", code, "services", "logs", "-n", "1", "--follow"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as following:
        assert following.stdout
        with closing(following.stdout) as said:
            assert said.readline() == "second\n"
            with log.open("a") as file:
                file.write("third\n")
            assert said.readline() == "third\n"
            log.write_text("new\n")
            assert said.readline() == "new\n"
            time.sleep(0.1)
            following.send_signal(signal.SIGINT)
            assert following.wait(timeout=20) == 0


def test_what_is_no_neo4j_does_not_answer() -> None:
    with TCPServer(("127.0.0.1", 0), BaseRequestHandler) as other:  # it hangs up at once
        uri = f"bolt://127.0.0.1:{other.server_address[1]}"
        thread = threading.Thread(target=other.serve_forever)
        thread.start()
        assert gds_version(uri, "secret") == ""
        other.shutdown()
        thread.join()
    assert gds_version(uri, "secret") == ""  # where nothing listens


def test_up_and_down_are_explained(call) -> None:
    for words in ((), ("up", "--help"), ("logs", "--help")):
        assert call(*words).exit_code in (0, 2)
    assert "--bolt-port" in call("up", "--help").stdout
