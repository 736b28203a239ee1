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


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Return a folder with the five runs of Table 3."""
    from paper_runs import ABLATIONS, made_run

    for n, ablation in enumerate(ABLATIONS):
        made_run(tmp_path, ablation, ablation=ablation, shift=n / 20)
    return tmp_path
