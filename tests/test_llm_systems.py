"""Runs of the systems that ask a model at more than one place: the same again, and cut short."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for llm_run

from llm_run import left, ran_here, spent, status

from clew.build import build
from clew.composing import composed
from clew.costing import estimated
from clew.errors import LlmSpent
from clew.evaluate.cost import paid, total

PROMPTS = {
    "mandol_llm": ["ariadne_answer", "ariadne_extract", "mandol_layers"],
    "simplemem_v3_llm": [
        "ariadne_answer",
        "ariadne_extract",
        "simplemem_plan",
        "simplemem_summarise",
    ],
}


@pytest.fixture(scope="module", params=PROMPTS)
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return a system and the folder of a run of it, whose replies are kept."""
    runs = tmp_path_factory.mktemp(request.param)
    assert ran_here(runs, *words(request.param, runs)) == 0
    return request.param, runs


def words(system: str, replies: Path) -> list[str]:
    return [f"system={system}", "llm=scripted", f"llm.cache={replies}/replies.db"]


@pytest.mark.parametrize("system", PROMPTS)
def test_a_manifest_has_the_prompts_of_all_that_asks(system: str, tmp_path: Path) -> None:
    built = build(composed([f"system={system}", "llm=scripted", "embedder=words"]), tmp_path)
    assert list(built.prompts) == PROMPTS[system]


def test_no_message_is_lost(whole: Any) -> None:
    _, runs = whole
    closed = left(runs)["ledger"][-1]
    assert (closed["lost"], closed["outcomes"].get("fell_back", 0)) == (0, 0)


def test_the_same_from_the_cache_costs_nothing_and_is_the_same(whole: Any, tmp_path: Path) -> None:
    system, runs = whole
    assert ran_here(tmp_path, *words(system, runs)) == 0
    assert left(tmp_path) == left(runs)
    assert spent(tmp_path)["calls"] == 0 < spent(runs)["calls"]


def test_how_many_asks_are_out_at_once_changes_nothing(whole: Any, tmp_path: Path) -> None:
    system, runs = whole
    many = ("llm.cache=null", "llm.concurrency=16")
    assert ran_here(tmp_path, *words(system, runs), *many) == 0
    assert left(tmp_path) == left(runs)


def test_a_run_that_a_budget_stopped_goes_on_to_the_same_end(whole: Any, tmp_path: Path) -> None:
    system, runs = whole
    tokens = spent(runs)["prompt_tokens"] // 2
    with pytest.raises(LlmSpent, match=r"raise llm\.budget\.tokens"):
        ran_here(tmp_path, *words(system, tmp_path), f"llm.budget.tokens={tokens}")
    assert status(tmp_path)[0] == "stopped"
    assert ran_here(tmp_path, *words(system, tmp_path), "llm.budget.tokens=10000000") == 0
    for part in ("journal", "ledger"):
        assert left(tmp_path)[part] == left(runs)[part]
    assert total(paid(tmp_path / "run").values()).calls == spent(runs)["calls"]


def test_what_rules_took_over_of_abstract_memory_is_told(tmp_path: Path) -> None:
    short = ("system.agglomerate.reply=20", "system.agglomerate.splits=0")
    assert ran_here(tmp_path, *words("mandol_llm", tmp_path), *short) == 0
    summary = left(tmp_path)["summary"]
    assert summary["effects"]["abstract.by_rule"] == 40
    assert summary["effects"]["windows.fell_back"] == 8
    assert any("rules read 8 of 8 windows" in each for each in summary["warnings"])
    assert left(tmp_path)["ledger"][-1]["lost"] == 0


def test_what_rules_took_over_of_abstract_memory_is_told_of_other_systems_too(
    tmp_path: Path,
) -> None:
    short = ["system.agglomerate.reply=20", "system.agglomerate.splits=0"]
    by_model = ["system=written", "stage/agglomerate@system.agglomerate=llm", "llm=scripted"]
    assert ran_here(tmp_path, *by_model, *short) == 0
    summary = left(tmp_path)["summary"]
    assert summary["effects"]["abstract.by_rule"] == 40
    assert any("windows that the model could not" in each for each in summary["warnings"])


def test_its_calls_are_estimated_before_the_run(whole: Any) -> None:
    _, runs = whole
    config = json.loads((runs / "run" / "manifest.json").read_text())["config"]
    costs = estimated(config, [], sample=1).costs
    assert total(costs.values()).calls == spent(runs)["calls"]
