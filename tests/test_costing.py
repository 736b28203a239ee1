"""`clew cost`: an estimate is near what the run then takes; afterwards it tells what was paid."""

import json
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from clew.build import build
from clew.cli import app
from clew.composing import composed
from clew.costing import Estimate, Pace, estimated
from clew.evaluate.cost import Costs, paid, sampled, total
from clew.evaluate.judge import Judge
from clew.evaluate.judging import judged_run
from clew.evaluate.manifest import Settings
from clew.evaluate.run import run
from clew.models.llm import Usage

SMALL = ["dataset=tiny", "dataset.questions=6", "embedder=words", "system=ariadne_llm"]
SMALL += ["system.windows.size=10"]
CONVERSATIONS = 4


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run with replies by rule, judged."""
    folder = tmp_path_factory.mktemp("runs") / "made"
    more = [f"dataset.conversations={CONVERSATIONS}", "llm=scripted", "tracking=none"]
    config = composed([*SMALL, *more, "price=gpt_4o_mini"])
    parts = build(config, folder)
    settings = Settings("made", "ariadne_llm", config=config, budgets=(500,))
    with closing(parts.llm):
        assert run(parts.system, parts.dataset, parts.new_memory, folder, settings).exit_code == 0
        assert judged_run(folder, parts.system, Judge(), parts.llm) == 0
    return folder


@pytest.fixture(autouse=True)
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def call(*words: str) -> Result:
    return CliRunner().invoke(app, ["cost", *words], env={"COLUMNS": "200"})


def cells(done: Result, part: str) -> list[str]:
    (row,) = [line for line in done.stdout.splitlines() if line.strip().startswith(part)]
    return row.removeprefix(f" {part}").split()


def estimate(sample: int, *words: str) -> Estimate:
    settings = [*SMALL, f"dataset.conversations={CONVERSATIONS}", *words]
    plain = [each for each in settings if not each.startswith("judge")]
    return estimated(composed(plain), settings, sample)


@pytest.mark.parametrize("sample", [CONVERSATIONS, 2])
def test_an_estimate_is_within_15_percent_of_what_the_run_takes(made: Path, sample: int) -> None:
    before, after = estimate(sample, "judge=lenient").costs, paid(made)
    assert list(before) == list(after) == ["ingest", "query", "judge"]
    for part in after:
        assert after[part].calls > 0
        assert before[part].calls == pytest.approx(after[part].calls, rel=0.15)
        assert before[part].prompt_tokens == pytest.approx(after[part].prompt_tokens, rel=0.15)
    whole = [total(costs.values()).completion_tokens for costs in (before, after)]
    assert whole[0] == pytest.approx(whole[1], rel=0.15)


def test_a_rehearsal_of_everything_takes_exactly_what_the_run_takes(made: Path) -> None:
    after: Costs = paid(made)
    assert estimate(CONVERSATIONS, "judge=lenient").costs == after


def test_schemas_of_replies_are_counted_apart() -> None:
    whole, half = estimate(CONVERSATIONS), estimate(CONVERSATIONS // 2)
    calls = total(whole.costs.values()).calls
    assert 50 * calls < whole.schemas < 700 * calls
    assert half.schemas == pytest.approx(whole.schemas, rel=0.05)


def test_a_baseline_pays_for_its_reader_alone_and_for_no_judge_that_was_not_asked_for() -> None:
    costs = estimate(1, "system=bm25", "reader=llm").costs
    assert costs["ingest"] == costs["judge"] == Usage()
    assert costs["query"].calls == 6 * CONVERSATIONS


def test_a_system_by_rules_costs_nothing() -> None:
    assert total(estimate(1, "system=bm25").costs.values()) == Usage()


def test_the_command_tells_tokens_money_and_time_before_a_run(tmp_path: Path) -> None:
    small = [*SMALL, "dataset.conversations=1", "llm=scripted", "llm.concurrency=2"]
    done = call(*small, "price=gpt_4o_mini", "--latency", "6", "--rate", "1000000")
    assert done.exit_code == 0, done.output
    calls, prompt, completion, money, _ = cells(done, "in all")
    usage = [int(each.replace(",", "")) for each in (calls, prompt, completion)]
    assert float(money) == pytest.approx((usage[1] * 0.15 + usage[2] * 0.6) / 1e6, abs=1e-4)
    ingest, query = cells(done, "ingest"), cells(done, "query")
    assert float(ingest[-1]) == pytest.approx(int(ingest[0]) * 6 / 60 / 2, abs=0.06)
    assert float(query[-1]) == pytest.approx(int(query[0]) * 6 / 60, abs=0.06)
    assert "Tried out on 40 of 40 messages and 6 of 6 questions." in done.stdout


def test_the_command_tells_what_a_run_has_paid(made: Path) -> None:
    done = call(str(made))
    assert done.exit_code == 0, done.output
    whole = total(paid(made).values())
    calls, prompt, completion, money, known, _ = cells(done, "in all")
    assert (calls, known) == (str(whole.calls), "0")
    assert int(prompt.replace(",", "")) == whole.prompt_tokens
    assert int(completion.replace(",", "")) == whole.completion_tokens
    dearer = cells(call(str(made), "price=gpt_4o"), "in all")[3]
    assert float(dearer) == pytest.approx(float(money) * 10 / 0.6, rel=0.05)
    tokens = json.loads((made / "summary.json").read_text())["tokens"]
    assert tokens["build"]["calls"] + tokens["query"]["calls"] < whole.calls  # the judge's beside


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nowhere"], "nowhere: no run is there"),
        (["price=gold"], "price=gold: choose one of gpt_4_1_mini, gpt_4o, gpt_4o_mini, own"),
        (["system.gate.likness=1"], "system.gate.likness: there is no such setting; did you mean"),
        (["nope.x=1"], "clew: nope: there is no such setting; there are system, dataset, "),
        (["judge=kind", *SMALL, "dataset.conversations=1"], "choose one of lenient, strict"),
    ],
)
def test_a_mistake_is_told_in_one_line(words: list[str], told: str) -> None:
    done = call(*words)
    assert done.exit_code == 2 and told in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_run_that_is_there_takes_no_other_settings(made: Path) -> None:
    done = call(str(made), "llm=openai")
    assert done.exit_code == 2 and "only price= may be set" in done.stderr


def test_what_cannot_be_tried_out_without_its_server_is_told() -> None:
    done = call("system=ariadne_llm", "ablation=prize", *SMALL[:3], "dataset.conversations=1")
    assert done.exit_code == 2
    assert "gen-0:0 cannot be tried out here" in done.stderr and "Neo4j" in done.stderr


def test_a_sample_is_taken_from_all_over_the_data() -> None:
    assert sampled(list("abcdefghij"), 3) == ["a", "e", "i"]  # type: ignore[arg-type]
    assert sampled(list("ab"), 3) == ["a", "b"]  # type: ignore[arg-type]
    assert sampled([], 3) == []


def test_questions_wait_for_their_replies_one_by_one() -> None:
    pace, usage = Pace(1.0, 50.0, 4), Usage(10, 0, 500)
    assert (pace.seconds("ingest", usage), pace.seconds("query", usage)) == (5.0, 20.0)
