"""A home: its password is made once and seen by nobody, and nothing else is overwritten."""

import stat
from pathlib import Path

import pytest

from clew.errors import ConfigError, ServiceError
from clew.services.home import Home, Launch

LAUNCH = Launch(17001, 17002, "512m", "17.0.15", "5.26.25", "2.13.9")


@pytest.fixture
def made(home: Path) -> Home:
    made = Home(home)
    made.make()
    made.lock.touch()
    return made


def started(home: Home) -> None:
    """Have a server been started here once."""
    (home.folder / "data" / "databases" / "system").mkdir(parents=True)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_password_is_made_once_and_only_its_user_can_read_it(made: Home) -> None:
    password = made.password({})
    assert len(password) >= 32
    assert made.password({}) == password
    started(made)
    assert made.password({}) == password
    assert made.password({"NEO4J_PASSWORD": password}) == password
    assert mode(made.secret) == 0o600
    assert mode(made.folder) == 0o700


def test_a_password_of_the_user_s_is_taken_and_kept_nowhere(made: Home) -> None:
    assert made.password({"NEO4J_PASSWORD": "long enough"}) == "long enough"
    made.configure(LAUNCH, Path("/jars"))
    texts = [path.read_text() for path in made.folder.rglob("*") if path.is_file()]
    assert texts and not any("long enough" in text for text in texts)


def test_another_password_than_the_kept_one_is_refused_without_being_shown(made: Home) -> None:
    made.password({})
    with pytest.raises(ConfigError, match="NEO4J_PASSWORD is not the password") as refused:
        made.password({"NEO4J_PASSWORD": "not-this-one"})
    assert "not-this-one" not in str(refused.value)


@pytest.mark.parametrize("password", ["short", "with\nanother line"])
def test_a_password_that_neo4j_would_not_take_is_refused_at_once(made: Home, password: str) -> None:
    with pytest.raises(ConfigError, match="8 or more printable characters"):
        made.password({"NEO4J_PASSWORD": password})


def test_a_server_set_up_with_the_user_s_password_asks_for_it(made: Home) -> None:
    started(made)
    with pytest.raises(ConfigError, match="set NEO4J_PASSWORD to it"):
        made.password({})


def test_a_server_listens_on_this_machine_alone_with_a_password(made: Home) -> None:
    made.configure(LAUNCH, Path("/jars"))
    lines = (made.conf / "neo4j.conf").read_text().splitlines()
    assert "server.bolt.listen_address=127.0.0.1:17001" in lines
    assert "server.http.listen_address=127.0.0.1:17002" in lines
    assert "dbms.security.auth_enabled=true" in lines
    assert "dbms.usage_report.enabled=false" in lines
    assert not [line for line in lines if "0.0.0.0" in line]


def test_what_a_server_was_started_with_is_remembered(made: Home) -> None:
    assert made.launch() is None
    made.configure(LAUNCH, Path("/jars"))
    assert made.launch() == LAUNCH
    (made.folder / "launch.json").write_text('{"bolt_port": 1')
    assert made.launch() is None


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    with pytest.raises(ServiceError, match="holds something else: set --home"):
        Home(tmp_path).make()
    assert not (tmp_path / "conf").exists()


def test_a_home_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ServiceError, match="cannot be made"):
        Home(tmp_path / "file" / "home").make()
