"""Notebooks: they run from top to bottom on made-up data, and are kept without outputs."""

from pathlib import Path
from typing import Any

import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))
NAMES = [path.stem for path in NOTEBOOKS]


def cells(path: Path, kind: str = "code") -> list[Any]:
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == kind]


def test_there_are_three() -> None:
    assert NAMES == ["01_walk", "02_ablations", "03_compare"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_a_notebook_is_kept_without_outputs(path: Path) -> None:
    assert cells(path)
    assert not any(cell.outputs or cell.execution_count for cell in cells(path))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_a_notebook_is_short_and_says_what_it_does(path: Path) -> None:
    assert len(cells(path, "markdown")) >= 4
    assert sum(cell.source.count("\n") + 1 for cell in cells(path)) <= 90
    assert cells(path, "markdown")[0].source.startswith("# ")


@pytest.mark.timeout(180)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_a_notebook_runs_from_top_to_bottom(path: Path, tmp_path: Path) -> None:
    from nbclient import NotebookClient

    book = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}  # it needs nothing that lies beside it
    NotebookClient(book, timeout=150, kernel_name="python3", resources=resources).execute()
    shown = [o for cell in book.cells if cell.cell_type == "code" for o in cell.outputs]
    assert not any(output.output_type == "error" for output in shown)
    assert any("image/svg+xml" in output.get("data", {}) for output in shown)
