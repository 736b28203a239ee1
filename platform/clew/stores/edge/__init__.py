"""VectorStore on Qdrant Edge, in process and on disk: read store.py first."""

from clew.stores.edge.store import EdgeVectors

__all__ = ["EdgeVectors"]
