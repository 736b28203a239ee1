"""What goes wrong with a Neo4j server: whether it may pass, and what to change if not."""

from dataclasses import dataclass

from neo4j.exceptions import (
    AuthError,
    ClientError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)

from clew.errors import ClewError, ConfigError, StoreError

FAULTS = (Neo4jError, DriverError)
_LOST = (ServiceUnavailable, SessionExpired)
_TIMED_OUT = "Neo.ClientError.Transaction.TransactionTimedOut"
_READ_ONLY = ("ReadOnly", "AccessMode", "NotALeader")
_HEAP = ("OutOfMemory", "MemoryPool", "StackOverFlow")
_TOO_MUCH = "db.memory.transaction.max threshold"  # for one transaction, however often it is tried

_SAFE = "nothing is half written"
_FIND = (
    "start it with `docker compose up -d --wait neo4j` or `clew services up`, or set "
    "store.graph.uri= or the variable NEO4J_URI to where it runs; store=sqlite needs no server"
)
_LET_WRITE = (
    "grant it the role publisher or set store.graph.user= to another, and let the server's "
    "setting server.databases.default_to_read_only be false"
)
_MAKE_ROOM = (
    "raise its settings server.memory.heap.max_size, dbms.memory.transaction.total.max and "
    f"db.memory.transaction.max, or set system.windows.size= lower; {_SAFE}"
)
_NAME_ONE = "set store.graph.database= to one it has, or to null for its own"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is, and who speaks to it; `patience` is in seconds."""

    uri: str
    user: str
    password_env: str | None
    database: str | None
    patience: float

    def __str__(self) -> str:
        return f"Neo4j at {self.uri}"


def lost(error: BaseException) -> bool:
    """Tell whether nothing answers, as far as is known."""
    return isinstance(error, _LOST)


def passing(error: BaseException) -> bool:
    """Tell whether a transaction that met this error may succeed when it is done again."""
    if isinstance(error, IncompleteCommit):
        return True  # the token tells whether it was done
    if isinstance(error, Neo4jError):
        if _TOO_MUCH in (error.message or ""):
            return False
        return error.is_retryable() or str(error.code).startswith(_TIMED_OUT)
    return isinstance(error, DriverError) and error.is_retryable()


def reason(error: BaseException) -> str:
    """Return what the driver, the server or the system says, on one line and not too long."""
    root = error
    while lost(error) and (cause := root.__cause__ or root.__context__):
        root = cause
    if isinstance(root, OSError) and root.strerror:
        return root.strerror
    if "looks like HTTP" in str(error):
        return "its HTTP port answers there, the one for Bolt is another, 7687 by default"
    text = error.message if isinstance(error, Neo4jError) and error.message else str(error)
    return " ".join(text.split())[:300] or type(error).__name__


def explained(error: BaseException, at: Address, waited: bool) -> ClewError:
    """Say in one line what is wrong, and which setting, variable or server setting to change."""
    code = str(getattr(error, "code", "") or "")
    after = f", also after {at.patience:g} s" * waited
    what = f"({reason(error)})"
    if isinstance(error, AuthError) or (".Security." in code and "Forbidden" not in code):
        return StoreError(_refused(at, code, reason(error)))
    if lost(error):
        return StoreError(f"{at} cannot be reached {what}{after}: {_FIND}")
    if "Forbidden" in code or any(sign in code for sign in _READ_ONLY):
        return StoreError(f"{at} does not let {at.user} write {what}: {_LET_WRITE}")
    if any(sign in code for sign in _HEAP):
        return StoreError(f"{at} has run out of memory{after} {what}: {_MAKE_ROOM}")
    if "DatabaseNotFound" in code:
        return StoreError(f"{at} has no database {at.database!r}: {_NAME_ONE}")
    named = f"({code or type(error).__name__}: {reason(error)})"
    if isinstance(error, ClientError) or not passing(error):
        return StoreError(f"{at} refused a request {named}; {_SAFE}, its log says more")
    return StoreError(
        f"{at} is not able to serve{after} {named}: look after it, or raise store.graph.patience="
    )


def _refused(at: Address, code: str, why: str) -> str:
    if code.endswith("CredentialsExpired"):
        return (
            f"{at} asks {at.user} for a new password ({why}): set one in its Browser or with "
            f"cypher-shell, and put it into the variable {at.password_env}"
        )
    if at.password_env is None:
        return f"{at} asks for a password ({why}): set store.graph.password_env= to a variable"
    return (
        f"{at} refused user {at.user} ({why}): set the variable {at.password_env} to the right "
        f"password, or store.graph.user= to another user"
    )


def misconfigured(error: BaseException) -> ConfigError:
    """Say that the driver cannot make anything of the address."""
    return ConfigError(f"Neo4j: uri: {reason(error)}; set it to bolt://host:port")
