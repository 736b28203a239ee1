"""Mandol's tables: every part has its row, and the paper's numbers over all are there."""

from pathlib import Path

from omegaconf import OmegaConf

from clew.report.paper.made import make
from clew.report.paper.mandol import TABLE_3, TABLE_PARTS

CONF = Path(__file__).resolve().parents[2] / "conf"


def test_the_sweep_fills_every_row_of_the_table_of_parts() -> None:
    sweep = OmegaConf.load(CONF / "sweep" / "mandol.yaml")
    params = sweep.hydra.sweeper.params
    assert params.system == "mandol"
    assert params.ablation.split(",") == [row.run.ablation for row in TABLE_PARTS.rows if row.run]


def test_a_part_is_a_stage_that_the_table_swaps() -> None:
    for row in TABLE_PARTS.rows[1:]:
        assert row.run is not None
        text = (CONF / "ablation" / f"{row.run.ablation}.yaml").read_text()
        assert any(f"@{stage}:" in text for stage in TABLE_PARTS.swapped), row.title


def test_the_papers_overall_stands_over_all_questions() -> None:
    values = {
        (line.title, column.heading): value.mean
        for line in make(TABLE_3, []).of("published")
        for column, value in line.values.items()
    }
    assert values["Mandol, GPT-4o-mini", "judge (micro)"] == 89.48
    assert values["Mandol, GPT-4.1-mini", "multi judge"] == 92.2
    assert values["EverMemOS, GPT-4o-mini", "tokens"] == 2500
