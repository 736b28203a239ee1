"""GraphAlgorithms by Neo4j's Graph Data Science; `algorithms` is to be read first."""

from clew.stores.gds.algorithms import GdsAlgorithms

__all__ = ["GdsAlgorithms"]
