"""GraphStore in Neo4j: read store.py first, the statements are in cypher.py."""

from clew.stores.neo4j.space import Neo4j
from clew.stores.neo4j.store import Neo4jGraph

__all__ = ["Neo4j", "Neo4jGraph"]
