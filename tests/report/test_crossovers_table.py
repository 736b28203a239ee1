"""The table of cross-overs: differences of every row are to its own host."""

from pathlib import Path

import pytest
from paper_runs import made_run

from clew.report.paper.found import discover
from clew.report.paper.known import TABLES
from clew.report.paper.made import Made, make
from clew.report.paper.written import csv_text

ABOVE = {"ariadne": 0.0, "ariadne_mmr": 0.02, "simplemem": 0.1, "simplemem_as_of": 0.07}


@pytest.fixture
def table(tmp_path: Path) -> Made:
    for system, shift in ABOVE.items():
        made_run(tmp_path, system, system, shift=shift)
    return make(TABLES["crossovers"], discover(tmp_path), "locomo")


def differences(table: Made, heading: str) -> dict[str, float]:
    return {
        line.title: value.mean
        for line in table.of("ours")
        for column, value in line.values.items()
        if column.heading == heading
    }


def test_a_row_differs_by_what_it_is_above_its_own_host(table: Made) -> None:
    assert differences(table, "Δ F1 micro") == pytest.approx(
        {"AriadneMem + MMR packing": 2.0, "SimpleMem + as-of arbitration": -3.0}
    )
    assert differences(table, "Δ tokens") == pytest.approx(
        {"AriadneMem + MMR packing": 0.0, "SimpleMem + as-of arbitration": 0.0}
    )


def test_the_csv_names_the_host_that_a_difference_is_to(table: Made) -> None:
    lines = csv_text(table).splitlines()
    assert any("SimpleMem + as-of arbitration,micro,f1_set - SimpleMem," in line for line in lines)
    assert any("AriadneMem + MMR packing,micro,f1_set - AriadneMem," in line for line in lines)


def test_a_row_without_its_host_has_figures_and_no_difference(tmp_path: Path) -> None:
    made_run(tmp_path, "written_layered", "written_layered")
    (line,) = make(TABLES["crossovers"], discover(tmp_path), "locomo").of("ours")
    headings = {column.heading for column in line.values}
    assert "F1 (micro)" in headings and not any(h.startswith("Δ") for h in headings)


def test_a_row_that_differs_from_its_host_in_more_than_its_part_is_told(tmp_path: Path) -> None:
    made_run(tmp_path, "ariadne")
    made_run(tmp_path, "ariadne_as_of", "ariadne_as_of", gate=0.5, k_sem=7)
    made = make(TABLES["crossovers"], discover(tmp_path), "locomo")
    told = "AriadneMem + as-of arbitration differs from AriadneMem in system.gate, system.recall"
    assert told in made.passed_over
