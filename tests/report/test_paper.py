"""Tables of papers: which run fills which row, and what stands in it."""

import json
import shlex
from pathlib import Path

import pytest
from paper_runs import ABLATIONS, made_run, made_sweep, records, table_3

from clew.errors import RunError
from clew.evaluate import stats
from clew.report.paper.found import discover
from clew.report.paper.known import TABLES
from clew.report.paper.made import Line, Made, make
from clew.report.paper.measured import Value
from clew.report.paper.written import markdown

T4 = TABLES["ariadne_4"]


def ours(made: Made) -> dict[str, Line]:
    return {line.title: line for line in made.of("ours")}


def folders(made: Made) -> dict[str, str]:
    return {line.title: " ".join(path.name for path in line.folders) for line in made.of("ours")}


def value(line: Line, heading: str) -> Value:
    return next(value for column, value in line.values.items() if column.heading == heading)


def said(made: Made) -> str:
    return "\n".join([*made.notes, *made.passed_over])


def test_each_ablation_fills_its_row(runs: Path) -> None:
    made = table_3(runs)
    assert list(folders(made).values()) == list(ABLATIONS)
    assert not made.missing
    assert [line.title for line in made.of("published")] == list(folders(made))


def test_figures_are_those_of_the_journal_with_n_and_intervals(runs: Path) -> None:
    full = ours(table_3(runs))["full"]
    asked = [record for record in records(0.0, ("a", "b")) if record.category != 5]
    by_category = {c: [r.scores["f1_set"] for r in asked if r.category == c] for c in (1, 2, 3, 4)}
    plain = {c: 100 * sum(scores) / len(scores) for c, scores in by_category.items()}
    temporal, macro, micro = (value(full, h) for h in ("temp. F1", "avg F1 (macro)", "F1 (micro)"))
    assert temporal.mean == pytest.approx(plain[2])
    assert (temporal.n, macro.n, micro.n) == (4, 16, 16)
    assert macro.mean == pytest.approx(sum(plain.values()) / 4)
    assert micro.mean == pytest.approx(100 * sum(r.scores["f1_set"] for r in asked) / 16)
    for each in (temporal, macro, micro):
        assert each.low is not None and each.high is not None
        assert each.low < each.mean < each.high


def test_differences_to_full_are_paired_as_those_of_the_comparison(runs: Path) -> None:
    lines = ours(table_3(runs))
    pairs = stats.paired(records(0.05, ("a", "b")), records(0.0, ("a", "b")))
    told = stats.compare(pairs, ["f1_set"], stats.RESAMPLES)
    for group, heading in (("macro", "Δ avg F1"), ("micro", "Δ F1 micro")):
        theirs = next(one for one in told if one.group == group)
        mine = value(lines["w/o gating"], heading)
        wanted = [100 * n for n in (theirs.difference, theirs.low, theirs.high)]
        assert [mine.mean, mine.low, mine.high] == pytest.approx(wanted)
        assert not any(column.heading == heading for column in lines["full"].values)


def test_published_differences_are_those_of_the_printed_numbers(runs: Path) -> None:
    published = {line.title: line for line in table_3(runs).of("published")}
    assert value(published["w/o bridges"], "Δ avg F1").mean == pytest.approx(35.57 - 42.57)


def test_a_run_with_another_number_of_its_own_fills_no_row(runs: Path) -> None:
    words = ("system.gate.likeness=0.9",)
    made_run(runs, "tried", words=words, end="2027-01-01T00:00:00+00:00")
    assert folders(table_3(runs))["full"] == "full"


def test_of_several_runs_the_latest_is_taken_and_told(runs: Path) -> None:
    made_run(runs, "again", end="2026-12-01T00:00:00+00:00")
    made = table_3(runs)
    assert folders(made)["full"] == "again"
    assert f"full: 2 runs fit, the latest is taken: {runs}/again/" in said(made)


@pytest.mark.parametrize("status", ["failed", "stopped", "running", "unknown"])
def test_a_run_that_did_not_end_well_is_not_used_and_is_told(runs: Path, status: str) -> None:
    made_run(runs, "bad", status=status, end="2026-12-01T00:00:00+00:00")
    made = table_3(runs)
    assert folders(made)["full"] == "full"
    assert f"not used, because it is {status}: {runs}/bad/" in said(made)


def test_a_missing_row_is_named_with_the_command_that_fills_it(tmp_path: Path) -> None:
    made_run(tmp_path, "full", words=("embedder=words", "dataset.only=[a,b]"), only=("a", "b"))
    missing = dict(table_3(tmp_path).missing)
    assert list(missing) == ["w/o gating", "w/o coarsening", "w/o bridges", "w/o topology"]
    assert shlex.split(missing["w/o gating"]) == [
        "python", "experiments/run.py", "system=ariadne", "dataset=locomo", "ablation=no_gating",
        "embedder=words", "dataset.only=[a,b]",
    ]  # fmt: skip
    text = markdown(table_3(tmp_path))
    assert "run.py sweep=ariadne_table3 dataset=locomo**" in text
    assert "| ours | w/o gating | missing | – |" in text
    assert missing["w/o gating"] in text


def test_runs_of_another_set_up_share_no_table_and_are_told(runs: Path) -> None:
    made_run(runs, "other", model="MiniLM", end="2027-01-01T00:00:00+00:00")
    made = table_3(runs)
    assert folders(made)["full"] == "full"
    assert f"another set-up, not mixed in (ariadne; 1 of the rows): {runs}/other" in said(made)


def test_runs_that_differ_in_their_seed_alone_are_repeats_and_averaged_by_question(
    runs: Path,
) -> None:
    for seed in (1, 2):
        made_run(runs, f"full-{seed}", shift=seed / 10, seed=seed)
    made = table_3(runs)
    assert folders(made)["full"] == "full full-1 full-2"
    micro = value(ours(made)["full"], "F1 (micro)")
    alone = value(ours(made)["w/o gating"], "F1 (micro)")
    assert micro.n == 16
    assert micro.mean == pytest.approx(alone.mean + 5)  # w/o gating is 5 above the first seed
    assert value(ours(made)["w/o gating"], "Δ F1 micro").mean == pytest.approx(-5)
    setup = {aspect: mine for aspect, _, mine in made.setup}
    assert "seed 0 and seed 1 and seed 2 (full)" in setup["repeats"]


def test_runs_of_other_models_are_no_repeats_whatever_their_seed(tmp_path: Path) -> None:
    made_run(tmp_path, "one", "ariadne_llm", llm="small")
    made_run(tmp_path, "two", "ariadne_llm", llm="large", seed=1, end="2027", shift=0.5)
    made = make(TABLES["ariadne_1"], discover(tmp_path), "locomo")
    assert folders(made) == {"AriadneMem: ariadne_llm": "two"}
    assert "2 runs fit, the latest is taken" in said(made)


def test_a_row_that_differs_from_full_in_more_than_its_stage_is_told(runs: Path) -> None:
    made_run(runs, "older", ablation="no_bridges", gate=0.5, end="2027")
    assert "w/o bridges differs from full in system.gate, system.expand" in said(table_3(runs))


def test_a_system_of_the_family_can_be_asked_for(runs: Path) -> None:
    made_run(runs, "paper", "ariadne_paper")
    assert folders(table_3(runs, system="ariadne_paper")) == {"full": "paper"}


def test_runs_over_all_of_the_data_go_before_those_over_a_part(runs: Path) -> None:
    part = runs / "part"
    words = ("dataset.only=[a]",)
    made_run(part, "full", words=words, only=("a",), end="2027-01-01T00:00:00+00:00")
    assert "NOT COMPARABLE" not in said(table_3(runs))
    assert "ours is over a part of locomo only" in said(table_3(part))


def test_other_data_than_the_papers_is_said_loudly(tmp_path: Path) -> None:
    made_run(tmp_path, "full", dataset="generated")
    made = table_3(tmp_path, dataset="generated")
    assert made.notes[0].startswith("NOT COMPARABLE: the published numbers are of LoCoMo")
    assert not table_3(tmp_path).of("ours")


def test_data_made_in_another_size_are_other_data_and_a_file_has_two_names(tmp_path: Path) -> None:
    tiny = made_run(tmp_path, "tiny", dataset="generated", words=("dataset=tiny",))
    told = made_run(tmp_path, "told", dataset="talks", words=("dataset=jsonl",), path="talks.jsonl")
    found = discover(tmp_path)
    named = {name: [run.folder for run in found if run.of(name)] for name in ("generated", "tiny")}
    assert named == {"generated": [], "tiny": [tiny]}
    assert all([run.folder for run in found if run.of(n)] == [told] for n in ("talks", "jsonl"))


def test_a_category_that_ours_was_not_asked_is_told_of_as_missing_in_its_averages(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no question" not in said(table_3(runs))
    monkeypatch.setattr("paper_runs.CATEGORIES", (1, 2, 4, 5))
    made_run(runs / "less", "full")
    assert "averages over the others: open-domain" in said(table_3(runs / "less"))


def test_only_the_jobs_of_a_sweep_are_used_where_one_is_named(runs: Path) -> None:
    jobs = [made_run(runs / "t3-locomo-jobs", f"job-{a}", ablation=a) for a in ABLATIONS[:2]]
    made_sweep(runs, "t3", jobs)
    assert list(folders(table_3(runs, "t3")).values()) == ["job-full", "job-no_gating"]
    assert folders(table_3(runs, "t3-locomo")) == folders(table_3(runs, "t3"))


def test_a_sweep_that_was_moved_finds_its_jobs_beside_it(tmp_path: Path) -> None:
    (old := tmp_path / "old").mkdir()
    made_sweep(old, "t3", [made_run(old, "job")])
    old.rename(tmp_path / "new")
    assert folders(table_3(tmp_path / "new", "t3")) == {"full": "job"}


def test_an_unknown_sweep_lists_those_that_there_are(runs: Path) -> None:
    made_sweep(runs, "t3", [])
    with pytest.raises(RunError, match=r"no such sweep \(there: t3-locomo\).*run\.py sweep=t4"):
        discover(runs, ["t4"])


def test_a_run_with_a_damaged_manifest_is_left_out_with_a_warning(
    runs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (made_run(runs, "broken") / "manifest.json").write_text("{")
    assert folders(table_3(runs))["full"] == "full"
    assert f"left out: {runs}/broken/manifest.json is missing or damaged" in caplog.text


@pytest.mark.parametrize(
    ("damage", "told"),
    [({"seeds": None}, "seeds: "), ({"command": "python 'run"}, "its command is none (No closing")],
)
def test_a_run_whose_manifest_has_other_than_it_should_is_left_out_with_a_warning(
    runs: Path, caplog: pytest.LogCaptureFixture, damage: dict[str, object], told: str
) -> None:
    manifest = made_run(runs, "broken") / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | damage))
    assert folders(table_3(runs))["full"] == "full"
    assert f"left out: {manifest}: {told}" in caplog.text


def test_copies_that_the_tracker_keeps_are_no_runs(runs: Path) -> None:
    made_run(runs / "mlartifacts", "copy", end="2027-01-01T00:00:00+00:00")
    assert folders(table_3(runs))["full"] == "full"


def test_a_depth_that_is_missing_gets_a_folder_of_its_own(tmp_path: Path) -> None:
    made_run(tmp_path, "default")
    missing = dict(make(T4, discover(tmp_path), "locomo").missing)
    assert missing["k_lex = 10"] == (
        "python experiments/run.py system=ariadne dataset=locomo system.recall.k_lex=10 "
        "name=ariadne-locomo-k_lex_10"
    )


def test_a_depth_fills_its_row_and_the_default_both_halves(tmp_path: Path) -> None:
    made_run(tmp_path, "default")
    made_run(tmp_path, "one", k_sem=1, words=("system.recall.k_sem=1",), shift=0.25)
    made = make(T4, discover(tmp_path), "locomo")
    assert folders(made) == {
        "k_sem = 1": "one", "k_sem = 20 (default)": "default", "k_lex = 5 (default)": "default",
    }  # fmt: skip
    assert value(ours(made)["k_sem = 1"], "Δ avg F1").mean == pytest.approx(25.0)
    assert folders(table_3(tmp_path)) == {"full": "default"}


def test_seconds_are_of_a_conversation_with_embedding_told_apart(tmp_path: Path) -> None:
    made_run(tmp_path, "one", "bm25")
    made = make(TABLES["ariadne_2"], discover(tmp_path), "locomo")
    line = ours(made)["not in the paper: bm25"]
    got = {h: value(line, h).mean for h in ("construction s", "retrieval s", "total s")}
    assert got == pytest.approx({"construction s": 3.0, "retrieval s": 2.0, "total s": 5.0})
    assert value(line, "of it embedding s").mean == pytest.approx(2 * 0.5 + 8 * 0.125)
    assert value(line, "total s").n == 2
