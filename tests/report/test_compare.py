"""The comparison script: paired differences, flips, and what it refuses."""

import dataclasses
import importlib.util
import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import pytest
from tiny_run import ALL, Tiny, start

from clew.evaluate.journal import Record
from clew.evaluate.stats import Flip
from clew.memory import Memory
from clew.model import Graph, Query
from clew.report.flipped import Flipped

ROOT = Path(__file__).parents[2]


class Forgetful(Tiny):
    """Finds nothing about otters."""

    def gather(self, query: Query, memory: Memory) -> Graph:
        return Graph() if "otter" in query.text else super().gather(query, memory)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    start(folder / "full")
    start(folder / "less", Forgetful())
    return folder


def compared(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the script in this process, as wide as its tables are."""
    spec = importlib.util.spec_from_file_location("compare", ROOT / "experiments" / "compare.py")
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    out, err = io.StringIO(), io.StringIO()
    with patch.dict(os.environ, {"COLUMNS": "200"}), redirect_stdout(out), redirect_stderr(err):
        code = script.main(words)
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())


def rows(text: str, group: str, metric: str) -> list[str]:
    return next(line.split() for line in text.splitlines() if line.split()[:2] == [group, metric])


def test_differences_are_paired_by_category_with_n_and_intervals(runs: Path) -> None:
    done = compared("full", "less", "--runs", str(runs), "--resamples", "500")
    assert done.returncode == 0, done.stderr
    assert rows(done.stdout, "2", "evidence_recall_500") == [
        "2", "evidence_recall_500", "2", "100.00", "0.00", "+100.00", "+100.00", "to", "+100.00*",
    ]  # fmt: skip
    assert rows(done.stdout, "4", "f1_locomo")[2] == "4"
    assert rows(done.stdout, "4", "f1_locomo")[5:] == ["+0.00", "+0.00", "to", "+0.00"]
    micro = rows(done.stdout, "micro", "evidence_recall_500")
    assert micro[2:6] == ["8", "75.00", "50.00", "+25.00"]
    macro = rows(done.stdout, "macro", "evidence_recall_500")
    assert macro[5] == "+33.33"
    assert not any(
        line.split()[:2] == ["3", "evidence_recall_500"] for line in done.stdout.splitlines()
    )


def test_flipped_questions_are_listed_with_both_answers(runs: Path) -> None:
    done = compared("full", "less", "--runs", str(runs), "--resamples", "50")
    assert "2 questions flipped by f1_locomo" in done.stdout
    flipped = [line for line in done.stdout.splitlines() if "When came the otter?" in line]
    assert [line.split()[:3] for line in flipped] == [["a:0", "2", "A"], ["b:0", "2", "A"]]
    assert all("the otter came by at 0 o'clock" in line for line in flipped)
    assert all("I cannot tell" in line for line in flipped)


def test_only_so_many_flips_are_listed(runs: Path) -> None:
    done = compared(str(runs / "less"), str(runs / "full"), "--resamples", "50", "--flips", "1")
    assert "the first 1, more with --flips" in done.stdout
    assert done.stdout.count("When came the otter?") == 1


def test_flipped_questions_are_shown_with_both_contexts(runs: Path) -> None:
    words = ("full", "less", "--runs", str(runs), "--resamples", "50", "--flips", "1")
    assert "context of A" not in compared(*words).stdout
    told = compared(*words, "--contexts").stdout.partition("a:0 (temporal), better in A")[2]
    assert "gold evidence: D1:0 in A" in told
    assert "A says: the otter came by at 0 o'clock (f1_locomo" in told
    assert "B says: I cannot tell (f1_locomo 0, 0 tokens)" in told
    context = told.partition("context of A")[2]
    assert "> Ana: the otter came by at 0 o'clock" in context
    assert "b:0" not in told


def test_the_comparison_is_written_with_the_contexts_as_one_difference(
    runs: Path, tmp_path: Path
) -> None:
    file = tmp_path / "flips.md"
    words = ("full", "less", "--runs", str(runs), "--resamples", "50")
    assert compared(*words, "--markdown", str(file)).returncode == 0
    text = file.read_text()
    assert text.count("### ") == text.count("```diff") == 2
    assert "\n-Ana: the otter came by at 0 o'clock\n" in text
    assert "| micro | f1_locomo | 10 |" in text


def test_text_that_is_markdown_is_shown_as_it_stands() -> None:
    a = Record("a:0", "a", 4, "Is `x` <b>?", None, "a|b", context="one\n````\nboth")
    b = dataclasses.replace(a, context="both", scores={"f1_set": 0.0})
    a = dataclasses.replace(a, scores={"f1_set": 1.0})
    text = Flipped(Flip(a, b), "f1_set").markdown()
    assert "Is \\`x\\` \\<b\\>?" in text
    assert "- gold: a\\|b" in text
    assert "`````diff\n-one\n-````\n both\n`````" in text


def test_a_run_beside_itself_differs_in_nothing(runs: Path) -> None:
    done = compared("full", "full", "--runs", str(runs), "--resamples", "50")
    assert "0 questions flipped by f1_locomo" in done.stdout
    assert "*" not in done.stdout.replace("* interval without 0", "")


def test_an_unknown_run_is_one_clear_line(runs: Path) -> None:
    command = [sys.executable, str(ROOT / "experiments" / "compare.py"), "full", "nowhere"]
    command += ["--runs", str(runs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("clew: No run nowhere")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--metrics", "f1_lokomo"), "--metrics f1_lokomo: no such score; there are "),
        (("--resamples", "0"), "--resamples has to be 1 or more"),
        (("--flips", "-1"), "--flips 0 or more"),
    ],
)
def test_what_cannot_be_compared_by_is_one_line(
    runs: Path, words: tuple[str, ...], told: str
) -> None:
    done = compared("full", "less", "--runs", str(runs), *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_runs_over_different_data_are_not_compared(runs: Path, tmp_path: Path) -> None:
    start(tmp_path / "other", data=dataclasses.replace(ALL, sha256="f" * 64))
    done = compared(str(runs / "full"), str(tmp_path / "other"))
    assert done.returncode == 2
    assert "over different data" in done.stderr
