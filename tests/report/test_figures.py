"""Figures: their points are the table's, and the same points make the same file."""

import csv
from pathlib import Path
from xml.etree import ElementTree

import pytest
from paper_runs import made_run

from clew.errors import RunError
from clew.report.figures.known import FIGURES, draw
from clew.report.paper.found import discover
from clew.report.paper.known import TABLES
from clew.report.paper.made import Made, make


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    made_run(folder, "default")
    made_run(folder, "paper", "ariadne_paper")
    made_run(folder, "chain", "ariadne_paper", ablation="code_chain_edges", shift=0.1)
    made_run(folder, "gate", ablation="no_gating", shift=0.1)
    for k in (1, 30):
        made_run(folder, f"k{k}", k_sem=k, words=(f"system.recall.k_sem={k}",), shift=k / 100)
    return folder


def table_of(name: str, runs: Path) -> Made:
    return make(TABLES[FIGURES[name].table], discover(runs), "locomo")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_the_same_file_twice_and_says_published_and_ours(
    name: str, runs: Path, tmp_path: Path
) -> None:
    made = table_of(name, runs)
    files = draw(FIGURES[name], made, tmp_path / "one")
    again = draw(FIGURES[name], made, tmp_path / "two")
    assert [path.name for path in files] == [
        f"figure_{name}.svg", f"figure_{name}.png", f"figure_{name}.csv",
    ]  # fmt: skip
    assert [path.read_bytes() for path in files] == [path.read_bytes() for path in again]
    texts = "\n".join(ElementTree.parse(files[0]).getroot().itertext())
    assert "ours" in texts
    assert ("published" in texts) == bool(made.of("published"))


def test_a_figure_of_nothing_is_told_with_a_command(tmp_path: Path) -> None:
    made_run(tmp_path, "paper", "ariadne_paper")
    made = table_of("divergences", tmp_path)
    with pytest.raises(RunError, match=r"figure=divergences: no run has .*ablation=code_"):
        draw(FIGURES["divergences"], made, tmp_path)


def test_time_against_f1_has_the_papers_five_systems_and_ours(runs: Path, tmp_path: Path) -> None:
    *_, points = draw(FIGURES["ariadne_1"], table_of("ariadne_1", runs), tmp_path)
    told = {(row["source"], row["label"]): row for row in rows(points)}
    assert len(told) == 7
    assert told["published", "Mem0"]["x"] == "1934.3"
    assert told["published", "AriadneMem"]["y"] == "46.3"
    assert told["published", "AriadneMem"]["low"] == ""
    mine = told["ours", "ariadne"]
    assert float(mine["low"]) < float(mine["y"]) < float(mine["high"])


def test_depths_are_drawn_at_their_k_the_default_in_both_panels(runs: Path, tmp_path: Path) -> None:
    *_, points = draw(FIGURES["ariadne_4"], table_of("ariadne_4", runs), tmp_path)
    places = [(row["panel"], row["source"], row["x"]) for row in rows(points)]
    f1 = [place[1:] for place in places if place[0] == "avg F1 (macro)|k_sem"]
    assert f1 == [
        *(("ours", k) for k in ("1", "20", "30")),
        *(("published", k) for k in ("1", "10", "20", "30")),
    ]
    assert ("R@500 (micro)|k_lex", "ours", "5") in places
    assert not any(source == "published" for panel, source, _ in places if panel[:2] == "R@")


def test_effects_are_the_differences_of_the_table(runs: Path, tmp_path: Path) -> None:
    *_, points = draw(FIGURES["ariadne_3"], table_of("ariadne_3", runs), tmp_path)
    told = {(row["source"], row["label"]): float(row["y"]) for row in rows(points)}
    assert told["ours", "w/o gating"] == pytest.approx(10)
    assert told["published", "w/o gating"] == pytest.approx(-0.89)
    assert len(told) == 5
