"""VectorStore on a Qdrant server or cluster: read space.py first, then store.py."""

from clew.stores.qdrant.space import Qdrant
from clew.stores.qdrant.store import QdrantVectors

__all__ = ["Qdrant", "QdrantVectors"]
