"""Qdrant: the settings of a server, and the space on it that belongs to one run."""

from pathlib import Path
from typing import Annotated

from pydantic import Field
from qdrant_client import models

from clew.addresses import check_address, check_in_clear
from clew.errors import ConfigError
from clew.stage import Count, checked
from clew.stores.qdrant.collection import (
    Spread,
    check_version,
    exists,
    open_collection,
)
from clew.stores.qdrant.points import Scope, one
from clew.stores.qdrant.server import Address, Server
from clew.stores.qdrant.store import QdrantVectors

Name = Annotated[str, Field(pattern=r"^[\w.-]{1,128}$")]
Seconds = Annotated[float, Field(ge=0)]
MOST = 100_000  # conversations of one run that can be listed


@checked
class Qdrant:
    """A run's space in a collection; called, it opens the vectors of a conversation.

    `conf/vectors/qdrant.yaml` says what each setting does.

    Raises (on construction):
        ConfigError: a setting is out of range, or would send the key for all to read.
    """

    url: str = "http://127.0.0.1:6333"
    api_key_env: str = "QDRANT_API_KEY"
    key_in_clear: bool = False
    collection: Name = "clew"
    space: str | None = None
    exact: bool = True
    shard_number: Count = 1
    replication_factor: Count = 1
    write_consistency_factor: Count = 1
    timeout: Count = 30
    patience: Seconds = 60

    def __post_init__(self) -> None:
        """Check what has to do with more than one setting."""
        check_address(self.url, "Qdrant: url", "http://127.0.0.1:6333", "api_key_env")
        if self.space is not None and (not self.space or "/" in self.space):
            raise ConfigError(f"Qdrant: space: set it to a name without /, got {self.space!r}")
        if self.write_consistency_factor > self.replication_factor:
            raise ConfigError(
                "Qdrant: write_consistency_factor: set it to replication_factor at most"
            )

    def __str__(self) -> str:
        return f"space {self.space} of collection {self.collection} of Qdrant at {self.url}"

    def __call__(self, folder: Path, conversation: str, dimension: int) -> QdrantVectors:
        """Open the vectors of a conversation, and make the collection where it is missing.

        Raises:
            StoreError: the server cannot be reached, or refuses.
            StoreMismatch: the collection holds vectors of another kind.
        """
        scope = Scope(self._space, conversation)
        copies, written = self.replication_factor, self.write_consistency_factor
        spread = Spread(self.shard_number, copies, written)
        server = self.connect()
        try:
            open_collection(server, self.collection, dimension, spread)
        except BaseException:
            server.close()
            raise
        return QdrantVectors(server, self.collection, scope, dimension, self.exact)

    def connect(self) -> Server:
        """Return a connection to the server, which is one that can be worked with."""
        address = Address(self.url, self.api_key_env, self.timeout, self.patience)
        if address.key and not self.key_in_clear:
            check_in_clear(self.url, "Qdrant: url", self.api_key_env, "key_in_clear")
        server = Server(address)
        try:
            check_version(server)
        except BaseException:
            server.close()
            raise
        return server

    def conversations(self) -> list[str]:
        """Return the ids of the run's conversations that are there, sorted."""
        server = self.connect()
        try:
            if not exists(server, self.collection):
                return []
            found = server.ask(
                lambda client: client.facet(
                    self.collection,
                    "conversation",
                    facet_filter=one("space", self._space),
                    limit=MOST,
                    exact=True,
                )
            )
            return sorted(str(hit.value) for hit in found.hits)
        finally:
            server.close()

    def clear(self) -> None:
        """Delete all points of the run; other runs' stay."""
        server = self.connect()
        try:
            if exists(server, self.collection):
                every = models.FilterSelector(filter=one("space", self._space))
                server.ask(lambda client: client.delete(self.collection, every, wait=True))
        finally:
            server.close()

    @property
    def _space(self) -> str:
        if self.space is None:
            raise ConfigError("Qdrant: space: set it to the run's name")
        return self.space
