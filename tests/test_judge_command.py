"""experiments/judge.py: its exit codes, and that it goes on where it stopped."""

import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

sys.path.insert(0, str(Path(__file__).parent))  # for llm_run

from llm_run import ROOT, ran_here

from clew.composing import composed
from clew.evaluate.cost import paid
from clew.evaluate.judged import read_judged
from clew.report.html.page import write_report

Judging = Callable[..., int]


def script() -> Any:
    """Return experiments/judge.py as a module."""
    spec = importlib.util.spec_from_file_location("judge", ROOT / "experiments" / "judge.py")
    assert spec and spec.loader
    entry = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(entry)
    return entry


@pytest.fixture
def judging(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Judging:
    """Return what judges a small run, as the command line does."""
    monkeypatch.chdir(tmp_path)
    assert ran_here(tmp_path, "llm=scripted") == 0
    entry = script()

    def judge(*words: str) -> int:
        settings = [f"run={tmp_path}/run", "table=false", "llm=scripted", *words]
        code: Any = entry.attempt(OmegaConf.create(composed(settings, "judging")))
        return int(code)

    return judge


def told(runs: Path) -> dict[str, Any]:
    content = json.loads((runs / "run" / "summary.json").read_text())
    return dict(content["judged"])


def test_answers_without_a_verdict_end_it_with_code_1_and_are_asked_about_again(
    judging: Judging, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = write_report(tmp_path / "run")
    before = page.read_bytes()
    assert judging("judge.reply=1") == 1  # every reply is cut off
    n = told(tmp_path)["unjudged"]
    assert n > 0 == told(tmp_path)["n"]
    assert f"{n} answers have no verdict; the same command asks" in capsys.readouterr().err
    assert judging() == 0
    assert told(tmp_path)["unjudged"] == 0
    assert {each.tries for each in read_judged(tmp_path / "run")} == {2}
    assert told(tmp_path)["tokens"]["calls"] == 2 * n
    assert page.read_bytes() != before


def test_a_budget_that_is_used_up_ends_it_with_code_2_and_a_larger_one_goes_on(
    judging: Judging, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cache = f"llm.cache={tmp_path}/verdicts.db"
    for tokens in (500, 500):
        assert judging(cache, f"llm.budget.tokens={tokens}") == 2
        assert "raise llm.budget.tokens" in capsys.readouterr().err
        assert 0 < paid(tmp_path / "run")["judge"].tokens <= tokens
    assert judging(cache, "llm.budget.tokens=100000") == 0
    spent = told(tmp_path)["tokens"]
    assert spent["calls"] + spent["cached"] == told(tmp_path)["n"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["llm=scripted"], "run: name the run to judge, as in run=l1"),
        (["run=l1", "judg=strict"], "judg: there is no such setting; did you mean judge?"),
        (["run=l1", "judge=strictly"], "judge=strictly: did you mean strict?"),
    ],
)
def test_a_mistake_is_told_as_elsewhere_with_the_setting(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)  # and back again from where the script goes
    monkeypatch.setattr(sys, "argv", ["judge.py", *words])
    assert script().main() == 2
    assert capsys.readouterr() == ("", f"clew: {said}\n")
