"""Queries of the curious: Cypher that only reads the graph, and not for ever.

The server refuses to write in read access mode. That leaves procedures that change its
memory and statements that read its files, so the plan of a query is looked at first.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from typing import Any

import neo4j
from neo4j.graph import Node, Path, Relationship

from clew.errors import StoreError
from clew.stores.neo4j.faults import FAULTS, lost, reason
from clew.stores.neo4j.server import Server

ROWS = 10_000  # at most, of one query
SECONDS = 20.0  # at most, for one query

_CALLS = re.compile(
    r"(?:db\.(?:labels|relationshipTypes|propertyKeys|schema\.\w+|index\.fulltext\.query\w+)"
    r"|gds\.(?:\w+\.)+(?:stream|stats)(?:\.estimate)?)\("
)
_REFUSED = ("LoadCSV", "Terminate", "Administration", "Show", "Foreach")


def rows(server: Server, query: str, params: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Run one query and return its rows by column name, as plain values.

    Raises:
        StoreError: it would write, is wrong, or returns too much or takes too long.
    """
    try:
        with server.reader() as session, session.begin_transaction(timeout=SECONDS) as transaction:
            plan = transaction.run(f"EXPLAIN {query}", dict(params)).consume()
            _check(plan)
            found = transaction.run(query, dict(params))
            records = found.fetch(ROWS + 1)
    except (*FAULTS, ValueError, TypeError) as error:
        if lost(error):
            raise server.told(error) from None
        raise StoreError(
            f"rows() is read-only and could not run this query: {reason(error)}"
        ) from error
    if len(records) > ROWS:
        raise StoreError(f"rows() returns {ROWS} rows at most: add a LIMIT to the query.")
    return [plain(dict(record)) for record in records]


def _check(summary: neo4j.ResultSummary) -> None:
    if summary.query_type != "r" or summary.plan is None:
        raise StoreError("rows() is read-only and does not run a query that writes or manages.")
    for operator, details in operators(summary.plan):
        if operator.startswith(_REFUSED):
            raise StoreError(f"rows() is read-only and reads the graph alone: no {operator}.")
        if operator.startswith("ProcedureCall") and not _CALLS.match(details):
            name = details.partition("(")[0]
            raise StoreError(f"rows() is read-only and does not call {name}.")


def operators(plan: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the names of a plan's operators, and what each says of itself."""
    yield plan["operatorType"].partition("@")[0], str(plan["args"].get("Details", ""))
    for child in plan.get("children", ()):
        yield from operators(child)


def plain(value: Any) -> Any:
    """Return a value of the driver as what JSON can hold; instants as ISO 8601."""
    if isinstance(value, Mapping | Node):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, Relationship):
        return {"type": value.type, **{key: plain(inner) for key, inner in value.items()}}
    if isinstance(value, Path):
        return [plain(value.nodes), plain(value.relationships)]
    if isinstance(value, bytes | bytearray):
        return value.hex()
    if isinstance(value, date | datetime | time) or hasattr(value, "iso_format"):
        return value.iso_format() if hasattr(value, "iso_format") else value.isoformat()
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(inner) for inner in value]
    return value
