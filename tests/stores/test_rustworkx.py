"""rustworkx: the contract of graph algorithms."""

from algorithms_contract import AlgorithmsContract

from clew.stores.rustworkx import RustworkxAlgorithms


class TestRustworkx(AlgorithmsContract):
    algorithms = RustworkxAlgorithms()
