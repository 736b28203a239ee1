"""rustworkx: the contract of graph algorithms, over SQLite."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from algorithms_contract import GraphAlgorithmsContract
from stories import TALK

from clew.errors import ConfigError
from clew.stores.graph import GraphAlgorithms, GraphStore
from clew.stores.rustworkx import RustworkxAlgorithms
from clew.stores.sqlite import SqliteGraph


class TestRustworkx(GraphAlgorithmsContract, examples=25):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[GraphStore]:
        store = SqliteGraph(tmp_path, TALK)
        yield store
        store.close()

    @pytest.fixture
    def algorithms(self, store: GraphStore) -> Iterator[GraphAlgorithms]:
        algorithms = RustworkxAlgorithms(store)
        yield algorithms
        algorithms.close()

    def test_prizes_are_refused_with_what_to_set(self, algorithms: GraphAlgorithms) -> None:
        with pytest.raises(ConfigError, match="store=neo4j"):
            algorithms.prize_steiner(["D1:1.00"])
