"""The jars: a fetch that was cut short or a file that was damaged is never run."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from clew.errors import ServiceError
from clew.services import home as homes
from clew.services.cli import Terminal
from clew.services.jars import Jars, versions

FETCH = """
import os, sys
from pathlib import Path
from clew.services.cli import Terminal
from clew.services.jars import Jars
Jars(Path(sys.argv[1])).fetch(sys.argv[2], os.environ, Terminal())
"""

pytestmark = pytest.mark.usefixtures("of_its_own")


def fetch(jars: Jars, tmp_path: Path) -> None:
    jars.fetch(str(tmp_path / "bin" / "mvn"), os.environ, Terminal())


def until(what, seconds: float = 20) -> None:
    """Wait for something to come true."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_pom_names_full_versions_and_no_place_to_fetch_from() -> None:
    assert versions().neo4j.startswith("5.26.") and versions().gds.startswith("2.13.")
    pom = Path(homes.__file__).with_name("pom.xml").read_text(encoding="utf-8")
    assert "repositor" not in pom.lower()


def test_what_was_fetched_is_whole_and_not_fetched_again(jars, maven, tmp_path: Path) -> None:
    assert jars.fault() == "not fetched yet"
    maven()
    fetch(jars, tmp_path)
    assert jars.fault() == ""
    assert len(json.loads((jars.folder / "jars.json").read_text())) == 2
    maven(then="exit 1")
    fetch(jars, tmp_path)  # else it would have failed


@pytest.mark.parametrize("harm", [lambda jar: jar.write_text("serve"), lambda jar: jar.unlink()])
def test_a_damaged_or_missing_jar_is_found_and_all_is_fetched_anew(
    jars, maven, tmp_path: Path, harm
) -> None:
    maven()
    fetch(jars, tmp_path)
    jar = jars.folder / "plugins" / f"proc-{versions().gds}.jar"
    harm(jar)
    assert jars.fault().startswith(f"plugins/{jar.name} is ")
    fetch(jars, tmp_path)
    assert jars.fault() == ""


def test_a_folder_without_its_list_is_not_whole(jars, maven, tmp_path: Path) -> None:
    maven()
    fetch(jars, tmp_path)
    (jars.folder / "jars.json").write_text('{"lib/')
    assert jars.fault() == "its list of jars is missing"


def test_a_fetch_that_fails_leaves_nothing_to_run_and_tells_why(
    jars, maven, tmp_path: Path
) -> None:
    maven(then="echo '[INFO] so far'; echo '[ERROR] no route to host'; exit 1")
    with pytest.raises(ServiceError, match=r"\(no route to host\): what was fetched is kept"):
        fetch(jars, tmp_path)
    assert jars.fault() == "not fetched yet"
    maven()
    fetch(jars, tmp_path)
    assert jars.fault() == ""


def test_a_maven_that_is_content_without_the_jars_is_not_believed(
    jars, maven, tmp_path: Path
) -> None:
    maven(then="rm plugins/*")
    with pytest.raises(ServiceError, match="did not fetch plugins/proc"):
        fetch(jars, tmp_path)
    assert jars.fault() == "not fetched yet"


def test_a_fetch_killed_half_way_is_done_again_when_its_maven_has_ended(
    jars, maven, tmp_path: Path
) -> None:
    go = tmp_path / "go"
    maven(then=f"while [ ! -e {go} ]; do sleep 0.05; done")
    command = [sys.executable, "-c", FETCH, str(jars.folder), str(tmp_path / "bin" / "mvn")]
    half = subprocess.Popen(command)
    part = jars.folder.with_name(f"{jars.folder.name}.part")
    until((part / "plugins" / f"proc-{versions().gds}.jar").exists)
    half.send_signal(signal.SIGKILL)
    half.wait()
    assert jars.fault() == "not fetched yet"
    with jars.folder.with_name(f"{jars.folder.name}.lock").open("w") as lock:
        with pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # Maven goes on, and has it
        go.touch()
        fcntl.flock(lock, fcntl.LOCK_EX)
    maven()
    fetch(jars, tmp_path)
    assert jars.fault() == ""


def test_of_two_fetches_at_once_one_waits_and_uses_what_the_other_fetched(
    jars, maven, tmp_path: Path
) -> None:
    maven(then=f"echo once >> {tmp_path}/times; sleep 0.5")
    command = [sys.executable, "-c", FETCH, str(jars.folder), str(tmp_path / "bin" / "mvn")]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [each.communicate(timeout=60)[0] for each in both]
    assert [each.returncode for each in both] == [0, 0]
    assert sum("Another process is at work" in text for text in said) == 1
    assert (tmp_path / "times").read_text() == "once\n"
    assert jars.fault() == ""


def test_a_disk_without_room_is_told_before_anything_is_fetched(tmp_path: Path) -> None:
    with pytest.raises(ServiceError, match=r"MB are needed: make room, or set --home"):
        homes.room(tmp_path, 2**40, "--home")


def test_a_path_that_java_cannot_take_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ServiceError, match="set XDG_CACHE_HOME"):
        Jars.under(tmp_path / "a:b")
