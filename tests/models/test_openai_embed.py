"""OpenAiEmbedder: vectors of unit length, in order, in batches, and faults that are told."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fault_server import Answer, FaultServer, Wire, refuses, sends

from clew.errors import ClewError, ConfigError, LlmRefused, LlmUnavailable, LlmUnusable
from clew.models.embed_cache import CachedEmbedder
from clew.models.openai import OpenAiEmbedder
from clew.trace import recording


def embeds(wire: Wire, asked: Mapping[str, Any]) -> None:
    """Answer with the length of each text and 1, the last text first."""
    data = [{"index": n, "embedding": [len(t), 1]} for n, t in enumerate(asked["input"])]
    sends(200, {"data": data[::-1], "usage": {"total_tokens": 7}})(wire, asked)


def vectors(*rows: Any) -> Answer:
    return sends(200, {"data": [{"index": n, "embedding": r} for n, r in enumerate(rows)]})


@pytest.fixture
def embed(server: FaultServer) -> Iterator[OpenAiEmbedder]:
    quick = {"timeout": 0.6, "patience": 1.0}
    with closing(
        OpenAiEmbedder(model="e", dimension=2, base_url=server.base_url, batch=2, **quick)
    ) as embed:  # type: ignore[arg-type]
        yield embed


def test_texts_go_out_in_batches_and_come_back_in_order(
    server: FaultServer, embed: OpenAiEmbedder
) -> None:
    server.says(embeds)
    with recording() as trace:
        rows = embed(["abc", "a", ""])
    assert np.allclose(rows, np.array([[3, 1], [1, 1], [1, 1]]) / np.sqrt([[10], [2], [2]]))
    assert rows.dtype == np.float32
    assert [each["input"] for each in server.requests] == [["abc", "a"], [" "]]
    assert "dimensions" not in server.requests[0]
    assert trace.counts["embed.tokens"] == 14
    assert embed([]).shape == (0, 2)


def test_shorter_vectors_are_asked_for_and_are_another_embedder(server: FaultServer) -> None:
    server.says(embeds)
    with closing(
        OpenAiEmbedder(model="e", dimension=2, base_url=server.base_url, shorten=True)
    ) as embed:
        embed(["a"])
        assert embed.name == "e-2"
    assert server.requests[0]["dimensions"] == 2


def test_what_was_embedded_once_is_not_sent_again(
    server: FaultServer, embed: OpenAiEmbedder, tmp_path: Path
) -> None:
    server.says(embeds)
    with closing(CachedEmbedder(embed, tmp_path / "vectors.db")) as cached:
        first = cached(["a", "abc"])
        assert cached(["abc", "a"]).tobytes() == first[::-1].tobytes()
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("fault", "kind", "told"),
    [
        (refuses(401), LlmRefused, r"embedder\.embedder\.api_key_env"),
        (refuses(404, "no model e"), LlmRefused, r"embedder\.embedder\.model"),
        (refuses(503), LlmUnavailable, r"embedder\.embedder\.patience"),
        (vectors([1, 0, 0], [1, 1, 1]), ConfigError, r"embedder\.embedder\.dimension is 2.* 3"),
        (vectors([1, 0]), LlmUnusable, "1 embeddings for 2 texts"),
        (vectors([1, 0], [0, 0]), LlmUnusable, "no direction"),
        (vectors([1, 0], [None, 1]), LlmUnusable, "no list of numbers"),
        (sends(200, b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}'), LlmUnusable, "embedd"),
        (sends(200, {"data": None}), LlmUnusable, "no list of embeddings"),
    ],
    ids="401 404 503 dimension too-few zero null nan none".split(),
)
def test_faults_are_told_with_their_setting(
    server: FaultServer, embed: OpenAiEmbedder, fault: Answer, kind: type[ClewError], told: str
) -> None:
    server.says(fault)
    with pytest.raises(kind, match=told):
        embed(["a", "b"])
