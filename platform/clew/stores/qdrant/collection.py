"""The collection on a Qdrant server: made where it is missing, and checked where it is not."""

from dataclasses import dataclass

from qdrant_client import QdrantClient, models

from clew.errors import StoreError, StoreMismatch
from clew.stores.points import ARCHIVED, SPACES, TIMES, VIEWS, WORDS
from clew.stores.qdrant.points import KEYWORDS, SCOPE
from clew.stores.qdrant.server import Server

COSINE, IDF = models.Distance.COSINE, models.Modifier.IDF
OLDEST = (1, 19)  # from which on words can be counted within a tenant
INDEXES: dict[str, models.KeywordIndexParams | models.PayloadSchemaType] = {
    SCOPE: models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True),
    **dict.fromkeys(KEYWORDS, models.PayloadSchemaType.KEYWORD),
    **dict.fromkeys(TIMES, models.PayloadSchemaType.FLOAT),
    ARCHIVED: models.PayloadSchemaType.BOOL,
    SPACES: models.PayloadSchemaType.KEYWORD,
}


@dataclass(frozen=True, slots=True)
class Spread:
    """How a collection that is made is spread over a cluster."""

    shards: int
    copies: int
    written: int  # copies that must have a write before it counts


def check_version(server: Server) -> None:
    """Refuse a server that is no Qdrant, or one that counts words otherwise.

    Raises:
        StoreError: it is too old, or another program.
    """
    version = server.ask(lambda client: client.info()).version
    try:
        major, minor = (int(part) for part in version.split(".")[:2])
    except ValueError:
        major, minor = 0, 0
    if major != OLDEST[0] or minor < OLDEST[1]:
        raise StoreError(
            f"{server} is version {version}: this needs {OLDEST[0]}.{OLDEST[1]} or a later "
            f"{OLDEST[0]}.x, which weighs words by the conversation they are in. Set "
            f"vectors.index.url= to such a server, or vectors=edge"
        )


def exists(server: Server, name: str) -> bool:
    """Say whether there is a collection of this name."""
    return server.ask(lambda client: client.collection_exists(name))


def open_collection(server: Server, name: str, dimension: int, spread: Spread) -> None:
    """Make sure that the collection is there and fits; two processes may do so at once.

    Raises:
        StoreMismatch: it is there, with vectors of another kind.
    """
    if not exists(server, name):
        try:
            server.ask(lambda client: _create(client, name, dimension, spread))
        except (StoreError, ValueError):
            if not exists(server, name):  # else another process was faster
                raise
    found = server.ask(lambda client: client.get_collection(name))
    _check(found.config.params, f"The collection {name} of {server}", dimension)
    for field in INDEXES.keys() - (found.payload_schema or {}).keys():
        _index(server, name, field)


def _create(client: QdrantClient, name: str, dimension: int, spread: Spread) -> None:
    dense = models.VectorParams(size=dimension, distance=COSINE)
    client.create_collection(
        name,
        vectors_config={view: dense for view in VIEWS},
        sparse_vectors_config={WORDS: models.SparseVectorParams(modifier=IDF)},
        hnsw_config=models.HnswConfigDiff(m=0, payload_m=16),  # a graph per tenant, not one
        shard_number=spread.shards,
        replication_factor=spread.copies,
        write_consistency_factor=spread.written,
    )


def _index(server: Server, name: str, field: str) -> None:
    schema = INDEXES[field]
    server.ask(
        lambda client: client.create_payload_index(name, field, field_schema=schema, wait=True)
    )


def _check(params: models.CollectionParams, which: str, dimension: int) -> None:
    dense = params.vectors if isinstance(params.vectors, dict) else {}
    sparse = (params.sparse_vectors or {}).get(WORDS)
    alike = all(view in dense and dense[view].distance == COSINE for view in VIEWS)
    if not alike or sparse is None or sparse.modifier != IDF:
        raise StoreMismatch(
            f"{which} was made by another program: it has not the vectors {', '.join(VIEWS)} "
            f"(cosine) and {WORDS} (idf). Set vectors.index.collection= to another name"
        )
    if other := [dense[view].size for view in VIEWS if dense[view].size != dimension]:
        raise StoreMismatch(
            f"{which} has vectors of {other[0]} dimensions, the embedder makes {dimension}: set "
            f"embedder= to the one it was made with, or vectors.index.collection= to another name"
        )
