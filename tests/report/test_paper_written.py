"""Tables of papers as they are written: apart, with their set-up, in three formats."""

import csv
import io
import re
from pathlib import Path

import pytest
from paper_runs import made_run, table_3

from clew.errors import ConfigError
from clew.report.paper.found import discover
from clew.report.paper.known import TABLES, by_name
from clew.report.paper.latex import escape
from clew.report.paper.made import make
from clew.report.paper.shape import Column, PaperTable, Row, Setup, Wanted
from clew.report.paper.written import CSV_COLUMNS, csv_text, grids, write
from clew.report.tables import Grid

T3 = TABLES["ariadne_3"]


def test_the_set_up_tells_of_every_aspect_what_the_paper_says_and_what_ours_is(runs: Path) -> None:
    made_run(runs, "late", ablation="no_bridges", commit="beef" * 10, end="2027")
    setup = {aspect: (paper, mine) for aspect, paper, mine in table_3(runs).setup}
    assert setup["language model"][0] == "GPT-4o"
    assert setup["language model"][1].startswith("none: rules")
    assert setup["embedder"] == ("not named in the paper", "words-256")
    assert setup["data"][1] == "locomo 1 abababab"
    assert "beefbeefbe (w/o bridges)" in setup["code"][1]
    assert {"judge", "metric", "protocol", "machine"} <= setup.keys()


def test_every_value_is_a_line_of_the_csv(runs: Path) -> None:
    made = table_3(runs)
    rows = list(csv.DictReader(io.StringIO(csv_text(made))))
    assert tuple(rows[0]) == CSV_COLUMNS
    assert len(rows) == sum(len(line.values) for line in made.lines)
    cell = {(r["source"], r["system"], r["category"], r["metric"]): r for r in rows}
    assert len(cell) == len(rows)
    assert cell["published", "full", "macro", "f1_set"]["mean"] == "42.57"
    assert cell["ours", "full", "macro", "f1_set"]["run"] == str(runs / "full")
    assert float(cell["ours", "w/o gating", "macro", "f1_set - full"]["low"]) > 4.9


def test_published_and_ours_stand_apart_and_every_row_says_which_it_is(runs: Path) -> None:
    grid = grids(table_3(runs))[0]
    sources = [row[0] for row in grid.rows]
    assert sources == ["published"] * 5 + ["ours"] * 5
    assert grid.rules == (5,)
    assert {len(row) for row in grid.rows} == {len(grid.headings)}


def rows(tabular: str) -> list[str]:
    return [line for line in tabular.splitlines() if line.endswith(r" \\")]


def test_latex_is_whole_and_prints_every_letter_as_it_stands(runs: Path, tmp_path: Path) -> None:
    text = write(table_3(runs), tmp_path / "out")[2].read_text()
    for opened in ("table", "tabular"):
        assert text.count(f"\\begin{{{opened}}}") == text.count(f"\\end{{{opened}}}") > 0
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
    *parts, _ = re.findall(r"\\toprule(.*?)\\bottomrule", text, re.DOTALL)
    cells = [[len(re.findall(r"(?<!\\)&", row)) for row in rows(part)] for part in parts]
    assert all(len(set(part)) == 1 for part in cells)
    assert sum(part[0] - 1 for part in cells) == len(T3.columns)
    assert not re.search(r"[^\x00-\x7f]", text)
    assert escape("50 % of a_b & [c]*#$") == r"50 \% of a\_b \& {[}c{]}{*}\#\$"


def test_a_line_of_markdown_holds_a_row_also_where_cells_have_two_lines() -> None:
    text = Grid("t", ("a", "b"), (("x", "1.0\n0.5 to 1.5"),), ("one", "two")).markdown()
    assert "| x | 1.0<br>0.5 to 1.5 |" in text
    assert text.endswith("- one\n- two\n")


def test_files_are_written_the_same_twice(runs: Path, tmp_path: Path) -> None:
    files = write(table_3(runs), tmp_path / "out")
    before = [path.read_bytes() for path in files]
    assert [path.name for path in files] == ["ariadne_3.md", "ariadne_3.csv", "ariadne_3.tex"]
    assert [path.read_bytes() for path in write(table_3(runs), tmp_path / "out")] == before


def test_a_table_of_another_paper_is_a_declaration(tmp_path: Path) -> None:
    theirs = {"system": "SimpleMem", "backbone": "GPT-4.1-mini"}
    table = PaperTable(
        "simplemem_1",
        "SimpleMem, Table 1",
        columns=(Column("multi-hop F1", "1", "f1_set", "f1"),),
        rows=(Row("theirs", theirs), Row("bm25", run=Wanted(("bm25",)))),
        setup=Setup({"embedder": "Qwen3-Embedding-0.6B"}),
        published="simplemem_1",
    )
    made_run(tmp_path, "one", "bm25")
    grid, setup = grids(make(table, discover(tmp_path), "locomo"))
    assert [row[:2] for row in grid.rows] == [("published", "theirs"), ("ours", "bm25")]
    assert grid.rows[0][2] == "43.5"
    assert setup.rows == (("embedder", "Qwen3-Embedding-0.6B", "words-256"),)


def test_an_unknown_table_lists_those_that_there_are_by_name() -> None:
    with pytest.raises(ConfigError, match=r"table=t: .*there are ariadne_1, .*ariadne_4"):
        by_name("table", "t", TABLES)
