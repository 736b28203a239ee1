"""What talks to Graph Data Science on a Neo4j server, and what its errors mean."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from graphdatascience import GraphDataScience
from graphdatascience.error.gds_not_installed import GdsNotFound
from graphdatascience.error.unable_to_connect import UnableToConnectError
from graphdatascience.query_runner.neo4j_query_runner import Neo4jQueryRunner
from graphdatascience.query_runner.query_mode import QueryMode
from graphdatascience.query_runner.query_type import QueryType
from graphdatascience.versions import ServerVersion
from neo4j import Driver
from neo4j.exceptions import DriverError, Neo4jError
from pandas import DataFrame

from clew.errors import StoreError

OLDEST = ServerVersion(2, 13, 0)
CALLED = (
    "gds.graph.drop",
    "gds.graph.list",
    "gds.graph.nodeProperties.drop",
    "gds.pageRank.mutate",
    "gds.prizeSteinerTree.stream",
    "gds.shortestPath.dijkstra.stream",
    "gds.shortestPath.yens.stream",
    "gds.steinerTree.stream",
)
THERE = "SHOW PROCEDURES YIELD name WHERE name IN $called RETURN name"
REMEDY = (
    'start one that has it ("docker compose up -d --wait neo4j", or "clew services up"), or do '
    "without: store.algorithms._target_=clew.stores.rustworkx.RustworkxAlgorithms"
)


class Lost(StoreError):
    """The projection is not there any more, or the server is away."""


class _Runner(Neo4jQueryRunner):
    """Sends each call at once, without asking first whether the server is there.

    The graph store was asked a moment ago, and has the patience to wait for it.
    """

    def run_cypher(
        self,
        query: str,
        query_type: QueryType,
        params: dict[str, Any] | None = None,
        database: str | None = None,
        mode: QueryMode | None = None,
        *_: Any,
        **more: Any,
    ) -> DataFrame:
        return self.run_retryable_cypher(query, query_type, params, database, mode)


def connected(driver: Driver, database: str | None) -> GraphDataScience:
    """Return a client on a store's own driver.

    Raises:
        StoreError: the server has no Graph Data Science, or an old one, or forbids its use.
    """
    with explained(), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # an old server is told of below
        runner = _Runner(driver, "bolt", database=database)
        gds = GraphDataScience(runner, arrow=False, show_progress=False)
        if gds.server_version() < OLDEST:
            raise StoreError(
                f"Neo4j has Graph Data Science {gds.server_version()}, and {OLDEST} is the oldest "
                f"that will do: {REMEDY}."
            )
        there = set(gds.run_cypher(THERE, {"called": CALLED})["name"])
        if missing := [name for name in CALLED if name not in there]:
            raise StoreError(_told(f"no procedure with the name {', '.join(missing)}"))
        return gds


@contextmanager
def explained() -> Iterator[None]:
    """Turn what the client and the server raise into one of our errors, with the remedy."""
    try:
        yield
    except GdsNotFound as error:
        raise StoreError(f"Neo4j has no Graph Data Science: {REMEDY}.") from error
    except (DriverError, UnableToConnectError) as error:
        raise Lost(f"Neo4j was away while a graph algorithm ran: {error}") from error
    except Neo4jError as error:
        text = error.message or str(error)
        if "does not exist on database" in text:
            raise Lost(f"Neo4j lost a projection: {text}") from error
        raise StoreError(_told(text)) from error


def _told(text: str) -> str:
    """Say what is wrong with a call of Graph Data Science, and what to change."""
    told = " ".join(text.split())[:300]
    if "no procedure with the name" in text or "sandbox" in text or "Unknown function" in text:
        return (
            f"Neo4j does not allow Graph Data Science to work ({told}): add gds.* to "
            f"dbms.security.procedures.unrestricted and .allowlist in neo4j.conf, or {REMEDY}."
        )
    if "memory" in text.lower():
        return (
            f"Neo4j has too little memory for a projection ({told}): raise "
            f"server.memory.heap.max_size, or {REMEDY}."
        )
    return f"Graph Data Science failed: {told}. Its log, debug.log of the server, tells more."
