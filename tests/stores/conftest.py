"""Make the contracts, which every store's tests subclass, importable; and a space in Neo4j."""

import os
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from clew.stores.neo4j import Neo4j

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def neo4j_space() -> Iterator["Neo4j"]:
    """Return a space of its own in the Neo4j that NEO4J_URI names, emptied afterwards."""
    from clew.stores.neo4j import Neo4j

    user = os.environ.get("NEO4J_USER", "neo4j")
    space = Neo4j(os.environ["NEO4J_URI"], user, space=f"test {uuid.uuid4()}", patience=30)
    yield space
    space.clear()
