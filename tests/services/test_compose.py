"""docker-compose.yml: pinned, on this machine alone, without secrets, and watched as it should be.

No Docker is needed: the file is read as it stands, and what its health checks run is run here.
"""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import yaml

from clew.services.jars import versions

ROOT = Path(__file__).resolve().parents[2]
FILE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVERS: dict[str, dict[str, Any]] = FILE["services"]


class Health(BaseHTTPRequestHandler):
    """Answers a server's health check with a status of one's choice."""

    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status if self.path in ("/readyz", "/health") else 404)
        self.end_headers()

    def log_message(self, format: str, *values: object) -> None:
        """Say nothing."""


@pytest.fixture
def health() -> Iterator[HTTPServer]:
    Health.status = 200
    with HTTPServer(("127.0.0.1", 0), Health) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def check(name: str, port: int = 0, **environ: str) -> int:
    """Run a server's health check as its container would, on another port; return its code."""
    kind, *words = SERVERS[name]["healthcheck"]["test"]
    words = [re.sub(r"(?<=[/:])(6333|5000)\b", str(port), word) for word in words]
    words = [word.replace("$$", "$") for word in words]
    command = ["sh", "-c", *words] if kind == "CMD-SHELL" else words
    command = [sys.executable if word == "python" else word for word in command]
    return subprocess.run(
        command, env=os.environ | environ, check=False, timeout=30, stderr=subprocess.DEVNULL
    ).returncode


def test_neo4j_qdrant_and_mlflow_are_there() -> None:
    assert set(SERVERS) == {"neo4j", "qdrant", "mlflow"}


@pytest.mark.parametrize("name", SERVERS)
def test_a_server_is_pinned_and_watched_and_has_limits(name: str) -> None:
    server = SERVERS[name]
    assert re.search(r":v?\d+\.\d+\.\d+(-community)?$", server["image"])
    assert server["restart"] == "unless-stopped"
    assert re.fullmatch(r"[1-4]g", server["mem_limit"])
    assert {"test", "interval", "timeout", "retries", "start_period"} <= set(server["healthcheck"])


@pytest.mark.parametrize("name", SERVERS)
def test_a_server_is_reached_from_this_machine_alone(name: str) -> None:
    assert SERVERS[name]["ports"]
    for port in SERVERS[name]["ports"]:
        assert re.fullmatch(r"127\.0\.0\.1:\$\{\w+:-\d+\}:\d+", port)


@pytest.mark.parametrize("name", SERVERS)
def test_data_lie_in_a_named_volume_of_the_server_s_own(name: str) -> None:
    for volume in SERVERS[name]["volumes"]:
        named = volume.split(":")[0]
        assert named in FILE["volumes"]
        assert named.startswith(name)


def test_secrets_come_from_the_environment_and_have_no_default() -> None:
    secrets = {
        "NEO4J_AUTH": SERVERS["neo4j"]["environment"]["NEO4J_AUTH"],
        "QDRANT": SERVERS["qdrant"]["environment"]["QDRANT__SERVICE__API_KEY"],
    }
    for value in secrets.values():
        assert re.fullmatch(r"(neo4j/)?\$\{(NEO4J_PASSWORD|QDRANT_API_KEY):\?[^}]+\}", value)
    example = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    assert {"NEO4J_PASSWORD=", "QDRANT_API_KEY="} <= set(example)
    assert ".env" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_no_server_tells_anyone_of_its_use() -> None:
    assert SERVERS["neo4j"]["environment"]["NEO4J_dbms_usage__report_enabled"] == "false"
    assert SERVERS["neo4j"]["environment"]["NEO4J_client_allow__telemetry"] == "false"
    assert SERVERS["qdrant"]["environment"]["QDRANT__TELEMETRY_DISABLED"] == "true"
    assert SERVERS["mlflow"]["environment"]["MLFLOW_DISABLE_TELEMETRY"] == "true"


def test_neo4j_is_the_one_that_clew_services_runs_and_is_given_settings_only() -> None:
    assert SERVERS["neo4j"]["image"] == f"neo4j:{versions().neo4j}-community"
    settings = [name for name in SERVERS["neo4j"]["environment"] if not name.isupper()]
    known = {"NEO4J_AUTH", "NEO4J_PLUGINS"}  # any other in capitals would be a wrong setting
    assert set(SERVERS["neo4j"]["environment"]) == known | set(settings)


@pytest.mark.parametrize(("name", "package"), [("qdrant", "qdrant-client"), ("mlflow", "mlflow")])
def test_a_server_is_of_its_client_s_version(name: str, package: str) -> None:
    image = SERVERS[name]["image"].rpartition(":v")[2]
    assert image.split(".")[:2] == version(package).split(".")[:2]


@pytest.mark.parametrize("name", ["qdrant", "mlflow"])
def test_a_health_check_tells_whether_the_server_is_ready(name: str, health: HTTPServer) -> None:
    assert check(name, health.server_port) == 0
    Health.status = 503
    assert check(name, health.server_port) != 0


@pytest.mark.parametrize("name", ["qdrant", "mlflow"])
def test_a_health_check_fails_where_nothing_listens(name: str) -> None:
    assert check(name, port=1) != 0


def test_neo4j_s_health_check_asks_for_gds_and_shows_no_password(tmp_path: Path) -> None:
    shell = tmp_path / "cypher-shell"
    shell.write_text(f'#!/bin/sh\necho "$NEO4J_USERNAME $NEO4J_PASSWORD $*" > {tmp_path}/said\n')
    shell.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    assert check("neo4j", PATH=path, NEO4J_AUTH="neo4j/with/slash") == 0
    said = (tmp_path / "said").read_text().split(maxsplit=2)
    assert said[:2] == ["neo4j", "with/slash"]
    assert "with/slash" not in said[2] and "RETURN gds.version()" in said[2]
