"""The one who writes to a conversation: transactions that can be done again from the start.

A node (:Memory) counts the transactions. Each begins by raising the count from the number
that the writer knows, so that of two writers the second is refused, and leaves its token
there, so that one whose end was never confirmed is known when it is done again. A writer
that dies leaves nothing behind: the server undoes what was not committed.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar
from uuid import uuid4

import neo4j

from clew.errors import StoreBusy, StoreError
from clew.stores.neo4j import cypher
from clew.stores.neo4j.server import Rows, Server
from clew.stores.neo4j.writes import Writes

Result = TypeVar("Result")
Mark = tuple[int, int]


class Writer:
    """Writes to the `scope` of a conversation; `version` is None until it has to.

    `scope` holds what every statement is told of: the scope, its space and conversation.
    """

    def __init__(self, server: Server, scope: Mapping[str, str]) -> None:
        self._server, self._scope = server, dict(scope)
        self._writes, self._token, self._seq = Writes(), "", 0
        self._transaction: neo4j.Transaction | None = None
        self._lost = False
        self.version: int | None = None

    def claim(self) -> bool:
        """Learn what the next transaction starts from; tell whether that is news.

        Raises:
            StoreBusy: another process has written since this one did.
        """
        if self._lost:
            raise self._busy()
        if self.version is not None:
            return False
        ((self.version, seqs),) = self._server.read(cypher.KNOWN, self._scope)
        self._seq = max(seqs, default=0)
        return True

    def count(self, seq: int) -> int:
        """Return the number of the next line of the ledger, which may have one already."""
        number = seq or self._seq + 1
        self._seq = max(self._seq, number)
        return number

    def add(self, statement: str, rows: Iterable[tuple[Any, Mapping[str, Any]]]) -> None:
        """Write rows of a kind, each under its key, when the transaction ends."""
        self._writes.add(statement, rows)

    def do(self, statement: str, params: Mapping[str, Any]) -> None:
        """Run a statement, after what was written before it."""
        self._writes.do(statement, params)

    def restart(self) -> None:
        """Count the lines of the ledger from the start: there are none left."""
        self._seq = 0

    # --- what was written is read

    def concerns(self, statements: Iterable[str]) -> bool:
        """Tell whether a reader has to see writes of these kinds, or an open transaction."""
        return self._transaction is not None or self._writes.waiting(statements)

    def waiting(self, statement: str) -> list[Mapping[str, Any]]:
        """Return the rows of this kind that the server has yet to see."""
        return self._writes.rows(statement)

    def read(self, statement: str, params: Mapping[str, Any]) -> Rows:
        """Return the rows that a query finds inside the transaction."""
        return self._ask(lambda it: _rows(it, statement, {**self._scope, **params}))

    # --- beginning and end

    @property
    def mark(self) -> Mark:
        """A place to go back to."""
        return len(self._writes), self._seq

    def undo(self, mark: Mark) -> None:
        """Undo all that was written since `mark`."""
        n, self._seq = mark
        if self._writes.undo(n):
            self.drop()  # what is left is sent again

    def commit(self) -> None:
        """Make all that was written last, or nothing of it.

        Raises:
            StoreBusy: another process has written since this one did; nothing is written.
            StoreError: the server cannot be reached or refuses.
        """
        if not len(self._writes):
            self.drop()
            return
        try:
            self._server.ask(self._commit)
        except BaseException:
            self.version = None  # nobody knows
            raise
        assert self.version is not None
        self.version += 1
        self._begin_anew()

    def abandon(self) -> None:
        """Write nothing of it, and ask again where the ledger ends before the next."""
        self.version = None
        self.drop()
        self._begin_anew()

    def drop(self) -> None:
        """Let go of the server's transaction; it is begun again when it is needed."""
        transaction, self._transaction = self._transaction, None
        self._writes.sent = 0
        if transaction is not None:
            self._server.undo(transaction)

    def _begin_anew(self) -> None:
        self._writes, self._token = Writes(), ""

    def _ask(self, work: Callable[[neo4j.Transaction], Result]) -> Result:
        def attempt() -> Result:
            try:
                transaction = self._sent()
                if transaction is None:
                    raise self._busy()
                return work(transaction)
            except BaseException:
                self.drop()
                raise

        return self._server.ask(attempt)

    def _commit(self) -> None:
        try:
            if (transaction := self._sent()) is not None:
                transaction.commit()
            self._transaction = None
        except BaseException:
            self.drop()
            raise

    def _sent(self) -> neo4j.Transaction | None:
        """Send what was not sent yet; return None if all of it was committed before."""
        if self._transaction is None:
            self._transaction = self._server.begin()
            if not self._raised(self._transaction):
                self.drop()
                return None
        for statement, params in self._writes.unsent():
            found = _rows(self._transaction, statement, {**self._scope, **params})
            if statement in cypher.LINKS and found[0][0] != len(params["rows"]):
                raise StoreError(
                    f"An edge of {self._scope['conversation']} refers to a unit that is not "
                    f"stored: put units before their edges."
                )
        self._writes.sent = len(self._writes)
        return self._transaction

    def _raised(self, transaction: neo4j.Transaction) -> bool:
        """Raise the count; tell whether that was still to be done."""
        self._token = self._token or uuid4().hex
        params = {**self._scope, "version": self.version, "token": self._token}
        ((version, token),) = _rows(transaction, cypher.BEGIN, params)
        if version == self.version:
            return True
        assert self.version is not None
        if version == self.version + 1 and token == self._token:
            return False
        self._lost = True
        raise self._busy()

    def _busy(self) -> StoreBusy:
        return StoreBusy(
            f"The memory of {self._scope['conversation']} in space {self._scope['space']} of "
            f"{self._server} is being written by another process: wait for it or stop it, and "
            f"start again, or set another name=."
        )


def _rows(transaction: neo4j.Transaction, statement: str, params: Mapping[str, Any]) -> Rows:
    return [list(record) for record in transaction.run(statement, dict(params))]
