"""The tables of the SQLite store, how they come to be, and what its errors mean."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clew.errors import StoreBusy, StoreError, StoreMismatch

PATIENCE = 20.0  # seconds to wait for another process before StoreBusy
OURS = 0x436C6577  # "Clew", in the header of the file

STEPS = (
    """
CREATE TABLE setting (
    conversation TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (conversation, name)
) WITHOUT ROWID;
CREATE TABLE message (
    conversation TEXT NOT NULL, id TEXT NOT NULL, session TEXT NOT NULL,
    position INTEGER NOT NULL, speaker TEXT NOT NULL, text TEXT NOT NULL,
    said_at INTEGER, said_zone INTEGER, caption TEXT NOT NULL,
    PRIMARY KEY (conversation, id)
);
CREATE INDEX message_position ON message (conversation, position, id);
CREATE INDEX message_speaker ON message (conversation, speaker, position);
CREATE TABLE unit (
    conversation TEXT NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL,
    said_at INTEGER, said_zone INTEGER, session TEXT NOT NULL, position INTEGER NOT NULL,
    speaker TEXT NOT NULL, evidence TEXT NOT NULL,
    starts INTEGER, starts_zone INTEGER, ends INTEGER, ends_zone INTEGER,
    precision TEXT NOT NULL, phrase TEXT NOT NULL, context TEXT NOT NULL,
    keywords TEXT NOT NULL, entities TEXT NOT NULL, place TEXT NOT NULL,
    facts TEXT NOT NULL, kind TEXT NOT NULL, level INTEGER NOT NULL, stamp TEXT NOT NULL,
    PRIMARY KEY (conversation, id)
);
CREATE INDEX unit_position ON unit (conversation, position, id);
CREATE INDEX unit_session ON unit (conversation, session, position, id);
CREATE INDEX unit_said ON unit (conversation, said_at, position, id);
CREATE TABLE evidence (
    conversation TEXT NOT NULL, unit TEXT NOT NULL, message TEXT NOT NULL,
    PRIMARY KEY (conversation, unit, message),
    FOREIGN KEY (conversation, unit) REFERENCES unit (conversation, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX evidence_message ON evidence (conversation, message);
CREATE TABLE mention (
    conversation TEXT NOT NULL, unit TEXT NOT NULL, entity TEXT NOT NULL,
    PRIMARY KEY (conversation, unit, entity),
    FOREIGN KEY (conversation, unit) REFERENCES unit (conversation, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX mention_entity ON mention (conversation, entity);
CREATE TABLE fact (
    conversation TEXT NOT NULL, unit TEXT NOT NULL, place INTEGER NOT NULL,
    subject TEXT NOT NULL, property TEXT NOT NULL, value TEXT NOT NULL,
    functional INTEGER NOT NULL, negated INTEGER NOT NULL,
    PRIMARY KEY (conversation, unit, place),
    FOREIGN KEY (conversation, unit) REFERENCES unit (conversation, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX fact_slot ON fact (conversation, subject, property);
CREATE TABLE entity (
    conversation TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL,
    aliases TEXT NOT NULL,
    PRIMARY KEY (conversation, id)
) WITHOUT ROWID;
CREATE TABLE alias (
    conversation TEXT NOT NULL, folded TEXT NOT NULL, entity TEXT NOT NULL,
    PRIMARY KEY (conversation, folded, entity),
    FOREIGN KEY (conversation, entity) REFERENCES entity (conversation, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX alias_entity ON alias (conversation, entity);
CREATE TABLE edge (
    conversation TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL,
    kind TEXT NOT NULL, weight REAL NOT NULL,
    PRIMARY KEY (conversation, source, target, kind),
    FOREIGN KEY (conversation, source) REFERENCES unit (conversation, id) ON DELETE CASCADE,
    FOREIGN KEY (conversation, target) REFERENCES unit (conversation, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX edge_target ON edge (conversation, target);
CREATE TABLE ledger (
    conversation TEXT NOT NULL, seq INTEGER NOT NULL, op TEXT NOT NULL,
    targets TEXT NOT NULL, scores TEXT NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL,
    about TEXT, merged TEXT, until INTEGER, until_zone INTEGER,
    PRIMARY KEY (conversation, seq)
) WITHOUT ROWID;
CREATE INDEX ledger_about ON ledger (conversation, about) WHERE about IS NOT NULL;
""",
    """
ALTER TABLE unit ADD COLUMN spaces TEXT NOT NULL DEFAULT '[]';
DROP INDEX unit_session;
CREATE INDEX unit_session ON unit (conversation, session, level, position, id);
""",
)
TABLES = (
    *("ledger", "edge", "alias", "entity", "fact", "mention"),
    *("evidence", "unit", "message", "setting"),
)

_REMEDY = {
    "SQLITE_READONLY": "it is read-only: allow writing to it and its folder",
    "SQLITE_CANTOPEN": "it cannot be opened or made: check the folder and its permissions",
    "SQLITE_PERM": "it may not be opened: check its permissions",
    "SQLITE_FULL": "the disk is full: free some space and start again, nothing is half written",
    "SQLITE_IOERR": "reading or writing failed (a full or failing disk?): free some space",
    "SQLITE_NOTADB": "it is not a SQLite database: move the file away",
    "SQLITE_CORRUPT": "it is damaged: move the file away and build the memory again",
    "SQLITE_CONSTRAINT": "it refers to a unit that is not stored: put units before their edges",
}


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what SQLite raises into one of our errors, with the remedy."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorname", None) or ""
        if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise StoreBusy(
                f"The store {path} is locked by another process: wait for it or stop it, "
                f"or set store.graph.path= to another file."
            ) from error
        remedy = next((text for name, text in _REMEDY.items() if code.startswith(name)), "")
        raise StoreError(
            f"The store {path} failed ({error}): {remedy or 'see the error before this one'}; "
            f"or set store.graph.path= to another file."
        ) from error


def connect(path: Path) -> sqlite3.Connection:
    """Open the file for reading and writing, and bring its tables up to date."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"The folder {path.parent} cannot be made ({error.strerror}): set store.graph.path= to "
            f"a file in a folder that can be written to."
        ) from error
    with explained(path):
        db = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        try:
            _check(db, path)
            for pragma in (
                "journal_mode = WAL",
                "synchronous = NORMAL",
                "foreign_keys = ON",
                "secure_delete = ON",  # what is forgotten leaves no trace in the file
                "cache_size = -32000",
            ):
                db.execute(f"PRAGMA {pragma}")
            _migrate(db, path)
        except BaseException:
            db.close()
            raise
    return db


def _check(db: sqlite3.Connection, path: Path) -> None:
    (owner,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if tables and owner != OURS:
        raise StoreMismatch(
            f"{path} is a database of another program: set store.graph.path= to another file."
        )
    if version > len(STEPS):
        raise StoreMismatch(
            f"{path} has schema {version} and this version of clew knows {len(STEPS)}: "
            f"install the newer clew, or set store.graph.path= to another file."
        )


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    db.execute("BEGIN IMMEDIATE")  # another process may be doing the same
    try:
        _check(db, path)
        (version,) = db.execute("PRAGMA user_version").fetchone()
        for step in STEPS[version:]:
            for statement in step.split(";\n"):
                db.execute(statement)
        db.execute(f"PRAGMA application_id = {OURS}")
        db.execute(f"PRAGMA user_version = {len(STEPS)}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:  # SQLite itself may have given it up
            db.execute("ROLLBACK")
        raise
