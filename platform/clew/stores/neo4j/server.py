"""A connection to a Neo4j server: it waits out what passes, and tells what does not."""

import logging
import os
from collections.abc import Callable, Mapping
from threading import RLock
from typing import Any, LiteralString, TypeVar

import neo4j
import tenacity

from clew.errors import ClewError, ConfigError, StoreError
from clew.stores.neo4j import cypher
from clew.stores.neo4j.faults import (
    FAULTS,
    Address,
    explained,
    lost,
    misconfigured,
    passing,
    reason,
)

log = logging.getLogger(__name__)

Result = TypeVar("Result")
Rows = list[list[Any]]
Statement = LiteralString
TIMEOUT = 600.0  # seconds after which the server gives up a transaction whose writer is stuck
_answered: set[str] = set()  # servers that this process has talked to


class Server:
    """A driver with one session to read and one to write in.

    What is read after a write has seen it, in a cluster too.

    Raises (on construction):
        ConfigError: the address cannot be one, or the password's variable is not set.
    """

    def __init__(self, address: Address) -> None:
        self.address = address
        self._lock = RLock()
        self._sessions: dict[str, neo4j.Session] = {}
        self._bookmarks = neo4j.GraphDatabase.bookmark_manager()
        self._database = address.database
        self._driver: neo4j.Driver | None = _driver(address)

    def __str__(self) -> str:
        return str(self.address)

    @property
    def driver(self) -> neo4j.Driver:
        """The driver; whoever asks for it does not close it."""
        if self._driver is None:
            raise StoreError(f"The memory on {self} was closed: open it again to use it.")
        return self._driver

    @property
    def database(self) -> str:
        """The name of the database, asked for where no setting names it."""
        if self._database is None:
            ((self._database,),) = self.read(cypher.DATABASE, {})
        return str(self._database)

    def ask(self, work: Callable[[], Result]) -> Result:
        """Do something that may be done twice, again and again while what is wrong may pass.

        A server that was never reached is not waited for: its address may be wrong.

        Raises:
            StoreError: the server cannot be reached or refuses; it names the setting.
        """
        attempts = tenacity.Retrying(
            stop=tenacity.stop_after_delay(self.address.patience),
            wait=tenacity.wait_exponential(multiplier=0.1, max=2.0),
            retry=tenacity.retry_if_exception(self._passes),
            before_sleep=self._told,
            reraise=True,
        )
        try:
            with self._lock:
                found = attempts(work)
        except FAULTS as error:
            raise explained(error, self.address, self._passes(error)) from None
        _answered.add(self.address.uri)
        return found

    def read(self, statement: Statement, params: Mapping[str, Any]) -> Rows:
        """Return the rows that a query finds."""
        return self.ask(lambda: self._ran(neo4j.READ_ACCESS, statement, params))

    def change(self, statement: Statement, params: Mapping[str, Any]) -> Rows:
        """Run a statement that makes its own transactions; it may be run twice."""
        return self.ask(lambda: self.once(statement, params))

    def once(self, statement: Statement, params: Mapping[str, Any]) -> Rows:
        """Run such a statement; its faults are the caller's."""
        with self._lock:
            return self._ran(neo4j.WRITE_ACCESS, statement, params)

    def begin(self) -> neo4j.Transaction:
        """Begin a transaction that writes; its faults are the caller's, inside `ask`."""
        return self._session(neo4j.WRITE_ACCESS).begin_transaction(timeout=TIMEOUT)

    def undo(self, transaction: neo4j.Transaction) -> None:
        """Undo a transaction, or see it undone with the connection."""
        _quietly(transaction.close)

    def told(self, error: BaseException) -> ClewError:
        """Return what people are told of a fault that is not waited out."""
        return explained(error, self.address, False)

    def reader(self) -> neo4j.Session:
        """Return a new session that cannot write, to be closed."""
        return self._open(neo4j.READ_ACCESS)

    def close(self) -> None:
        """Let go of the connection; closing twice is closing once."""
        with self._lock:
            for session in self._sessions.values():
                _quietly(session.close)
            self._sessions.clear()
            if self._driver is not None:
                _quietly(self._driver.close)
            self._driver = None

    def _ran(self, access: str, statement: Statement, params: Mapping[str, Any]) -> Rows:
        return [list(record) for record in self._session(access).run(statement, dict(params))]

    def _session(self, access: str) -> neo4j.Session:
        if access not in self._sessions:
            self._sessions[access] = self._open(access)
        return self._sessions[access]

    def _open(self, access: str) -> neo4j.Session:
        return self.driver.session(
            default_access_mode=access,
            database=self.address.database,
            bookmark_manager=self._bookmarks,
        )

    def _passes(self, error: BaseException) -> bool:
        return passing(error) and (self.address.uri in _answered or not lost(error))

    def _told(self, state: tenacity.RetryCallState) -> None:
        self._renew()
        if state.attempt_number == 3 and state.outcome is not None:  # a deadlock is soon over
            error = state.outcome.exception()
            what = reason(error) if error is not None else ""
            log.warning("%s: %s; trying again for %g s", self, what, self.address.patience)

    def _renew(self) -> None:
        """Let go of sessions that what went wrong may have left unusable."""
        for session in self._sessions.values():
            _quietly(session.close)
        self._sessions.clear()


def _driver(address: Address) -> neo4j.Driver:
    auth = None
    if address.password_env is not None:
        password = os.environ.get(address.password_env)
        if not password:
            raise ConfigError(
                f"store.graph.password_env: the environment variable {address.password_env} is "
                f"not set; set it to the password of user {address.user} of {address}, as "
                f'eval "$(clew services env)" does for a server of clew services up'
            )
        auth = neo4j.basic_auth(address.user, password)
    try:
        return neo4j.GraphDatabase.driver(
            address.uri,
            auth=auth,
            connection_timeout=10.0,
            connection_acquisition_timeout=20.0,
            notifications_min_severity="OFF",
            telemetry_disabled=True,
            user_agent="clew",
        )
    except (*FAULTS, ValueError) as error:
        raise misconfigured(error) from None


def _quietly(close: Callable[[], None]) -> None:
    try:
        close()
    except (*FAULTS, OSError) as error:
        log.debug("closing: %s", error)
