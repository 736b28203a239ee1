"""What is asked of the network: is a port free, and does a Neo4j with GDS answer?"""

import socket

from clew.errors import ConfigError, ServiceError

USER = "neo4j"
SECONDS = 10  # for a connection, of which one that hangs would take many more


def free_port(asked: int | None, usual: int, option: str) -> int:
    """Return the port that is asked for, or the usual one; 0 asks for any that is free.

    Raises:
        ServiceError: something else has it.
    """
    port = usual if asked is None else asked
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise ServiceError(
                f"Port {port} cannot be had ({error.strerror}): set {option} to another, or to 0 "
                "for any that is free"
            ) from error
        return int(probe.getsockname()[1])


def gds_version(uri: str, password: str) -> str:
    """Return the version of GDS that answers at `uri`; nothing if none does yet.

    Raises:
        ConfigError: it refuses the password.
    """
    from neo4j import GraphDatabase
    from neo4j.exceptions import AuthError, DriverError, Neo4jError

    if not _listens(uri):
        return ""
    login = USER, password
    try:
        with (
            GraphDatabase.driver(
                uri, auth=login, telemetry_disabled=True, connection_acquisition_timeout=SECONDS
            ) as driver,
            driver.session() as session,
        ):
            return str(session.run("RETURN gds.version()").single(strict=True)[0])
    except AuthError as error:
        raise ConfigError(
            f"Neo4j at {uri} does not take this password: set NEO4J_PASSWORD to the one that it "
            "was set up with, or --home to another folder"
        ) from error
    except (DriverError, Neo4jError):
        return ""


def _listens(uri: str) -> bool:
    """Return whether anything listens there, without waiting for more."""
    host, _, port = uri.removeprefix("bolt://").rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=2).close()
    except OSError:
        return False
    return True
