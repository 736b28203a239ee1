"""What a transaction is to write, kept until it is sent, and sent again if need be.

Writes wait in order. Those that only add or replace are sent in batches, each kind in one
statement; any other is sent alone, after what was before it. All of them come to the same
when they are done twice.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from clew.stores.neo4j import cypher

BATCH = 500  # rows in one statement
KINDS = (  # in the order they are sent: what is referred to before what refers to it
    cypher.SET,
    cypher.PUT_MESSAGES,
    cypher.PUT_ENTITIES,
    cypher.PUT_UNITS,
    *cypher.LINK.values(),
    cypher.RECORD,
)


@dataclass(frozen=True, slots=True)
class Write:
    """A row of one of KINDS under its `key`, or, without a key, a statement by itself."""

    statement: str
    params: Mapping[str, Any]
    key: Any = None


class Writes:
    """The writes of one outer transaction, and how many of them the server has seen."""

    def __init__(self) -> None:
        self._all: list[Write] = []
        self.sent = 0

    def __len__(self) -> int:
        return len(self._all)

    def add(self, statement: str, rows: Iterable[tuple[Any, Mapping[str, Any]]]) -> None:
        """Add rows of one of KINDS, each under its key; the same key again replaces it."""
        self._all += [Write(statement, row, key) for key, row in rows]

    def do(self, statement: str, params: Mapping[str, Any]) -> None:
        """Add a statement that is sent by itself."""
        self._all.append(Write(statement, params))

    def waiting(self, statements: Iterable[str]) -> bool:
        """Tell whether the server has yet to see any of these, or something unforeseeable."""
        asked = frozenset(statements)
        return any(w.key is None or w.statement in asked for w in self._all[self.sent :])

    def rows(self, statement: str) -> list[Mapping[str, Any]]:
        """Return the rows of this kind that the server has yet to see."""
        return [w.params for w in self._all[self.sent :] if w.statement == statement]

    def undo(self, mark: int) -> bool:
        """Forget all after the first `mark` writes; tell whether the server has seen some."""
        seen = self.sent > mark
        del self._all[mark:]
        return seen

    def unsent(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield statements and their parameters that do what was not sent yet."""
        batch: dict[str, dict[Any, Mapping[str, Any]]] = {}
        for write in self._all[self.sent :]:
            if write.key is not None:
                rows = batch.setdefault(write.statement, {})
                if write.statement != cypher.PUT_MESSAGES or write.key not in rows:
                    rows[write.key] = write.params
                continue
            yield from _batches(batch)
            batch = {}
            yield write.statement, write.params
        yield from _batches(batch)


def _batches(
    by_kind: Mapping[str, Mapping[Any, Mapping[str, Any]]],
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for statement in KINDS:
        rows = list(by_kind.get(statement, {}).values())
        for start in range(0, len(rows), BATCH):
            yield statement, {"rows": rows[start : start + BATCH]}
