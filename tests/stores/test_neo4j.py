"""Neo4j: the contract, and what only a server can go through."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from graph_contract import GraphStoreContract
from stories import TALK

from clew.stores.graph import GraphStore
from clew.stores.neo4j import Neo4j

pytestmark = pytest.mark.neo4j


@pytest.fixture
def space(neo4j_space: Neo4j) -> Neo4j:
    return neo4j_space


class TestNeo4j(GraphStoreContract):
    DELETE = "MATCH (unit:Unit) DETACH DELETE unit"
    COUNT = "MATCH (unit:Unit {scope: $scope}) RETURN count(unit) AS n"
    ENDLESS = "UNWIND range(1, 1000000000) AS i RETURN i"
    WRONG = "MATSCH (unit) RETURN unit"

    @pytest.fixture
    def store(self, space: Neo4j) -> Iterator[GraphStore]:
        store = space(Path(), TALK)
        yield store
        store.close()
