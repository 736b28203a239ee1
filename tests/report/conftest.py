"""Make the small systems of the evaluation's and these tests importable, and run one."""

import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "evaluate")]


@pytest.fixture(scope="session")
def woven(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a finished run with every kind of unit, to be read, not written."""
    from woven import woven

    return woven(tmp_path_factory.mktemp("woven") / "run")
