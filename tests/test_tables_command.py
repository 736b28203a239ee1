"""The command for tables: what it prints, writes, and refuses."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "report"))
from paper_runs import made_run  # noqa: E402


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the script as a module."""
    spec = importlib.util.spec_from_file_location("tables", ROOT / "experiments" / "tables.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "tables", module)
    spec.loader.exec_module(module)
    return module


def test_a_table_is_printed_and_written_to_the_folder_of_the_runs(
    tables: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_run(tmp_path, "full")
    assert tables.main(["table=ariadne_3", "figure=ariadne_3", f"runs={tmp_path}"]) == 0
    told = capsys.readouterr().out
    for words in ("42.6", "Missing in ours", "ablation=no_bridges", "GPT-4o", "ariadne_3.tex"):
        assert words in told
    assert {path.suffix for path in (tmp_path / "tables").iterdir()} == {
        ".md", ".csv", ".tex", ".svg", ".png",
    }  # fmt: skip


def test_a_table_without_a_run_says_in_one_line_how_to_get_some_and_others_go_on(
    tables: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_run(tmp_path, "bm25", "bm25")
    assert tables.main(["table=ariadne_3,ariadne_2", f"runs={tmp_path}"]) == 2
    out, err = capsys.readouterr()
    assert err.count("\n") == 1
    assert "python experiments/run.py sweep=ariadne_table3 dataset=locomo" in err
    assert "Table 2" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "Set table= to one or more of ariadne_1, "),
        (("table=,", "figure= "), "Set table= to one or more of ariadne_1, "),
        (("table=ariadne_9",), "there is no such table; there are ariadne_1, "),
        (("figure=ariadne_2",), "there is no such figure; there are ariadne_1, ariadne_3"),
        (("tabel=ariadne_1",), "tabel: there is no such setting; there are table, figure"),
        (("table=ariadne_1", "runs=nowhere"), "runs=nowhere: there is no such folder"),
    ],
)
def test_what_is_asked_for_and_is_not_there_is_one_line(
    tables: ModuleType, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str
) -> None:
    assert tables.main(words) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith("clew: ") and told in err
    assert err.count("\n") == 1


def test_a_table_in_words_is_answered_by_the_one_with_figures(
    tables: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_run(tmp_path, "m", "mandol")
    assert tables.main([f"runs={tmp_path}", "table=mandol_1"]) == 0
    out, told = capsys.readouterr()
    assert "mandol_1 compares systems in words; their figures are in mandol_3" in told
    assert (tmp_path / "tables" / "mandol_3.csv").is_file() and "Table 3" in out
