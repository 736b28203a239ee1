"""The constraints and indexes of the Neo4j store, and how they come to be.

Several processes may do this at once on an empty database. `IF NOT EXISTS` alone does not
see what another transaction has not yet committed, so a clash is tried again until it is
seen. The number of the last step that is done is kept on the node (:Schema).
"""

import re

import tenacity
from neo4j.exceptions import Neo4jError

from clew.errors import StoreMismatch
from clew.stores.neo4j.faults import FAULTS, explained, passing
from clew.stores.neo4j.server import Server

OLDEST = (5, 26)  # the long-term release that clew is tested with

STEPS: tuple[tuple[str, ...], ...] = (
    (
        *(
            f"CREATE CONSTRAINT clew_{label.lower()}_{key} IF NOT EXISTS "
            f"FOR (n:{label}) REQUIRE (n.scope, n.{key}) IS UNIQUE"
            for label, key in (
                ("Message", "id"),
                ("Unit", "id"),
                ("Entity", "id"),
                ("Fact", "id"),
                ("Name", "text"),
                ("Decision", "seq"),
                ("Setting", "name"),
            )
        ),
        "CREATE CONSTRAINT clew_memory_scope IF NOT EXISTS "
        "FOR (n:Memory) REQUIRE n.scope IS UNIQUE",
        "CREATE CONSTRAINT clew_schema_name IF NOT EXISTS FOR (n:Schema) REQUIRE n.name IS UNIQUE",
        *(
            f"CREATE RANGE INDEX clew_{label.lower()}_{name} IF NOT EXISTS "
            f"FOR (n:{label}) ON ({on})"
            for label, name, on in (
                ("Memory", "space", "n.space"),
                ("Message", "position", "n.scope, n.position, n.id"),
                ("Unit", "position", "n.scope, n.position, n.id"),
                ("Unit", "session", "n.scope, n.session"),
                ("Unit", "said", "n.scope, n.said, n.position, n.id"),
                ("Fact", "subject", "n.scope, n.subject, n.property"),
                ("Fact", "property", "n.scope, n.property"),
                ("Decision", "about", "n.scope, n.about"),
                ("Decision", "op", "n.scope, n.op"),
            )
        ),
        "CREATE FULLTEXT INDEX clew_text IF NOT EXISTS FOR (n:Message|Unit) ON EACH [n.text] "
        "OPTIONS {indexConfig: {`fulltext.eventually_consistent`: true}}",
    ),
    (),  # units have spaces and may be archived: an earlier clew would lose that, so it is refused
)

VERSION = "MATCH (schema:Schema {name: 'clew'}) RETURN schema.version"
DONE = """
MERGE (schema:Schema {name: 'clew'})
SET schema.version = CASE WHEN schema.version > $version THEN schema.version ELSE $version END
"""
ONLINE = "CALL db.awaitIndexes(300)"

_CLASHES = ("AlreadyExists", "ConstraintCreationFailed", "ConstraintValidationFailed")


def prepare(server: Server) -> None:
    """Check the server, and bring constraints and indexes up to date.

    Raises:
        StoreMismatch: the server is too old, or a newer version of clew wrote to it.
    """
    found = server.read(VERSION, {})
    version = int(found[0][0]) if found else 0
    if version > len(STEPS):
        raise StoreMismatch(
            f"{server} has clew's schema {version} and this version of clew knows {len(STEPS)}: "
            f"install the newer clew, or set store.graph.uri= or store.graph.database= to another."
        )
    if version == len(STEPS):
        return
    _check_age(server)
    for step in STEPS[version:]:
        for statement in step:
            _make(server, statement)
    server.change(ONLINE, {})
    _make(server, DONE, version=len(STEPS))


def _check_age(server: Server) -> None:
    agent = server.ask(server.driver.get_server_info).agent
    number = re.match(r"Neo4j/(\d+)\.(\d+)", agent)
    if number and (int(number[1]), int(number[2])) < OLDEST:
        raise StoreMismatch(
            f"{server} is {agent}: clew needs Neo4j {'.'.join(map(str, OLDEST))} or newer; "
            f"`docker compose up -d --wait neo4j` and `clew services up` start one."
        )


def _make(server: Server, statement: str, **params: object) -> None:
    """Run a statement until no other process gets in its way."""
    attempts = tenacity.Retrying(
        stop=tenacity.stop_after_attempt(100),
        wait=tenacity.wait_exponential(multiplier=0.02, max=0.5),
        retry=tenacity.retry_if_exception(_clashes),
        reraise=True,
    )
    try:
        attempts(server.once, statement, params)
    except FAULTS as error:
        raise explained(error, server.address, passing(error)) from None


def _clashes(error: BaseException) -> bool:
    code = str(error.code) if isinstance(error, Neo4jError) else ""
    return passing(error) or any(sign in code for sign in _CLASHES)
