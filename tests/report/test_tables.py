"""Tables: the figures of the summaries, both averages, n, and where the files are."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from tiny_run import start

from clew.errors import RunError
from clew.report.tables import Grid, Run, load_run, overview, show, tables

MEASURED = {
    "n": 10, "n_evidence": 9, "abstained": 1, "f1_locomo": 0.4567, "bleu1": 0.3,
    "evidence_recall_250": 0.5, "evidence_recall_500": 0.6001, "evidence_recall_1000": 0.7,
    "evidence_recall_2000": 0.8, "context_tokens": 421.7,
}  # fmt: skip
MACRO = MEASURED | {"n": 4, "f1_locomo": 0.3344}
LATENCY = {
    "add_p50": 51.0, "add_p50_noembed": 1.04, "add_p95_noembed": 3.21,
    "search_p50": 55.0, "search_p50_noembed": 5.55, "search_p95_noembed": 14.9,
}  # fmt: skip


def made(system: str = "ariadne", sha256: str = "ff", **more: Any) -> Run:
    summary = {
        "system": system, "ablation": "full", "dataset": "talks", "micro": MEASURED,
        "macro": MACRO, "latency_ms": LATENCY, "failed": 0, "lost": 0,
        "by_category": {"1": MEASURED | {"f1_locomo": 0.11}, "5": MEASURED | {"f1_locomo": 0.9}},
    }  # fmt: skip
    manifest = {"dataset": {"name": "talks", "sha256": sha256}, "status": "done"}
    return Run(Path("runs") / system, summary | more, manifest)


def printed(runs: list[Run]) -> str:
    out = io.StringIO()
    show(runs, Console(file=out, width=80))
    return out.getvalue()


def test_a_run_has_a_row_for_each_average_with_its_figures() -> None:
    micro, macro = overview([made()], "talks").rows
    assert micro == (
        "ariadne", "micro", "10/9", "45.7", "30.0", "50.0", "60.0", "70.0", "80.0", "422",
        "1.0 / 3.2", "5.5 / 14.9",
    )  # fmt: skip
    assert macro[:4] == ("", "macro", "4 cat.", "33.4")
    assert macro[-2:] == ("", "")


def test_a_judges_scores_have_a_column_where_a_run_was_judged_and_a_note_says_by_whom() -> None:
    judged = made("bm25", micro=MEASURED | {"judge": 0.625}, judged={"by": "strict told"})
    grid = overview([made(), judged], "talks")
    at = grid.headings.index("judge")
    assert [row[at] for row in grid.rows] == ["–", "–", "62.5", "–"]
    assert grid.notes[-1].endswith("judge: strict told")
    assert "judge" not in overview([made()], "talks").headings


def test_headings_and_cells_are_as_many() -> None:
    for grid in tables([made(), made("bm25")]):
        assert {len(row) for row in grid.rows} == {len(grid.headings)}


def test_categories_stand_side_by_side_and_the_adversarial_by_abstention() -> None:
    grid = tables([made()])[1]
    assert grid.headings == (
        "system", "multi-hop (10) F1", "R@500", "adversarial (10) abstained",
    )  # fmt: skip
    assert grid.rows == (("ariadne", "11.0", "60.0", "90.0"),)


def test_a_category_that_a_run_was_not_asked_is_no_zero() -> None:
    grid = tables([made(), made("bm25", by_category={})])[1]
    assert grid.rows[1] == ("bm25", "–", "–", "–")


def test_figures_that_are_not_there_are_no_zeros() -> None:
    empty = {"n": 0, "n_evidence": 0, "abstained": 0}
    micro, _ = overview([made(micro=empty, macro={"n": 0}, latency_ms={})], "talks").rows
    assert micro == ("ariadne", "micro", "0/0", *["–"] * 9)


def test_an_ablation_is_named() -> None:
    assert made(ablation="no_gating").title == "ariadne, no_gating"


def test_everything_is_printed_in_full_where_no_terminal_is() -> None:
    text = printed([made(), made("bm25", failed=2, lost=1)])
    for words in ("10/9", "R@2000", "5.5 / 14.9", "ariadne: runs/ariadne/", "n: answerable"):
        assert words in text
    assert "bm25: runs/bm25/; 2 questions failed; 1 messages lost" in text
    assert "…" not in text


def test_a_run_that_did_not_end_well_is_marked() -> None:
    run = Run(Path("runs/x"), made().summary, {"status": "stopped"})
    assert "status stopped" in printed([run])


def test_runs_over_different_data_share_no_table() -> None:
    grids = tables([made(), made("bm25", "ee"), made("dense")])
    assert len(grids) == 4
    assert {row[0] for grid in grids[2:] for row in grid.rows if row[0]} == {"ariadne", "dense"}


def test_markdown_holds_the_same_cells() -> None:
    text = tables([made("a|b")])[0].markdown()
    lines = text.splitlines()
    assert lines[0] == "**talks: answers and evidence**"
    assert lines[2].startswith("| system | mean | n | F1 |")
    assert lines[3].startswith("| --- | --- | ---: |")
    assert lines[4].startswith("| a/b | micro | 10/9 | 45.7 |")
    assert "runs/a|b/" in text


def test_square_brackets_are_shown_and_not_taken_as_markup() -> None:
    out = io.StringIO()
    Grid("[t]", ("h",), (("[red]x",),), ("[n]",)).print(Console(file=out))
    assert "[red]x" in out.getvalue()
    assert "[t]" in out.getvalue()
    assert "[n]" in out.getvalue()


def test_a_real_run_is_read_and_shown(tmp_path: Path) -> None:
    summary = start(tmp_path / "one")
    micro, macro = overview([load_run(tmp_path / "one")], "talks").rows
    assert micro[2] == "10/8"
    assert micro[3] == f"{100 * summary.content['micro']['f1_locomo']:.1f}"
    assert macro[3] == f"{100 * summary.content['macro']['f1_locomo']:.1f}"


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("manifest.json", "{", "is missing or damaged"),
        ("manifest.json", "[]", r"is no JSON object but \[\]"),
        ("manifest.json", '{"config_hash": "x"}', "config: field required"),
        ("manifest.json", '{"config_hash": "x", "config": 5}', "config: input .* dict.*, is 5"),
        ("summary.json", "{", r"cannot be read \(JSONDecodeError\): .*starting its command again"),
        ("summary.json", "{}", "system: field required.*starting its command again"),
        ("summary.json", "[]", r"is no JSON object but \[\]"),
    ],
)
def test_files_of_a_run_that_do_not_fit_are_told_by_file_and_field(
    tmp_path: Path, name: str, text: str, what: str
) -> None:
    start(tmp_path)
    (tmp_path / name).write_text(text)
    with pytest.raises(RunError, match=f"{name}:? {what}"):
        load_run(tmp_path)


@pytest.mark.parametrize(
    ("field", "value", "what"),
    [
        ("micro", {"f1_locomo": 0.5}, "micro: there is no n"),
        ("macro", {"n": 4, "bleu1": "good"}, r"macro\.bleu1.*is 'good'"),
        ("by_category", {"one": {"n": 1}}, r"by_category\.one"),
        ("latency_ms", None, "latency_ms: input should be a valid dict"),
    ],
)
def test_figures_that_are_none_are_told(
    tmp_path: Path, field: str, value: object, what: str
) -> None:
    summary = start(tmp_path)
    (tmp_path / "summary.json").write_text(json.dumps(dict(summary.content) | {field: value}))
    with pytest.raises(RunError, match=what):
        load_run(tmp_path)


def test_a_run_that_never_ended_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"FileNotFoundError.*starting its command again"):
        load_run(tmp_path)
