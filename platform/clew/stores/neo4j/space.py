"""Neo4j: the settings of a server, and the space on it that belongs to one run."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field

from clew.errors import ConfigError
from clew.stage import checked
from clew.stores.neo4j import cypher
from clew.stores.neo4j.faults import Address
from clew.stores.neo4j.schema import prepare
from clew.stores.neo4j.server import Server
from clew.stores.neo4j.store import Neo4jGraph

Name = Annotated[str, Field(min_length=1)]
Seconds = Annotated[float, Field(ge=0, le=86_400)]
SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")


@checked
class Neo4j:
    """A run's space in a database; called, it opens the graph of a conversation.

    `conf/store/neo4j.yaml` says what each setting does.

    Raises (on construction):
        ConfigError: a setting is out of range.
    """

    uri: str = "bolt://127.0.0.1:7687"
    user: Name = "neo4j"
    password_env: Name | None = "NEO4J_PASSWORD"
    database: Name | None = None
    space: Name | None = None
    patience: Seconds = 120

    def __post_init__(self) -> None:
        """Check what a type cannot say."""
        try:
            parts = urlsplit(self.uri)
            fits = parts.scheme in SCHEMES and parts.hostname and (parts.port or 7687)
        except ValueError:
            fits = None
        if not fits:
            raise ConfigError("Neo4j: uri: set it to bolt://host:port, or neo4j:// for a cluster")
        if parts.username is not None or parts.query:
            raise ConfigError(
                f"Neo4j: uri: holds a login or a query; name the host and port alone, set user= "
                f"and put the password into the variable {self.password_env or 'of password_env'}"
            )
        if self.space is not None and "/" in self.space:
            raise ConfigError(f"Neo4j: space: set it to a name without /, got {self.space!r}")

    def __str__(self) -> str:
        return f"space {self.space} of Neo4j at {self.uri}"

    def __call__(self, folder: Path, conversation: str) -> Neo4jGraph:
        """Open the graph of a conversation, and bring the database's schema up to date.

        Raises:
            StoreError: the server cannot be reached, or refuses.
            StoreMismatch: the database was written by a newer version.
        """
        server = Server(self._address)
        try:
            prepare(server)
            return Neo4jGraph(server, self._space, conversation)
        except BaseException:
            server.close()
            raise

    def conversations(self) -> list[str]:
        """Return the ids of the run's conversations that are there, sorted."""
        with self._connected() as server:
            found = server.read(cypher.CONVERSATIONS, {"space": self._space})
            return sorted(conversation for (conversation,) in found)

    def clear(self) -> None:
        """Delete all that the run wrote, in small transactions; other runs' stays."""
        with self._connected() as server:
            for (scope,) in server.read(cypher.SCOPES, {"space": self._space}):
                for statement in cypher.EMPTY:
                    server.change(statement, {"scope": scope})

    @contextmanager
    def _connected(self) -> Iterator[Server]:
        server = Server(self._address)
        try:
            yield server
        finally:
            server.close()

    @property
    def _address(self) -> Address:
        return Address(self.uri, self.user, self.password_env, self.database, self.patience)

    @property
    def _space(self) -> str:
        if self.space is None:
            raise ConfigError("Neo4j: space: set it to the run's name")
        return self.space
