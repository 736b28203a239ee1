"""rustworkx: the contract of graph algorithms."""

from algorithms_contract import GraphAlgorithmsContract

from clew.stores.rustworkx import RustworkxAlgorithms


class TestRustworkx(GraphAlgorithmsContract):
    algorithms = RustworkxAlgorithms()
