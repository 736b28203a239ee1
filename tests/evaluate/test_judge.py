"""The judge: which answers it is asked about, and what its verdicts come to."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "stages"))  # for talking

from talking import Model, llm
from tiny_run import Tiny, start

from clew.errors import LlmSpent, LlmUnavailable, RunError
from clew.evaluate.journal import Record, read_records
from clew.evaluate.judge import Judge, judge_all
from clew.evaluate.judged import FILE, read_judged, with_verdicts
from clew.evaluate.judging import judged_run
from clew.models.asking import Asking
from clew.models.cache import Cached
from clew.models.llm import Ask, Reply, Usage
from clew.models.recordings import Recordings


def record(id: str, answer: str, category: int = 4, **more: Any) -> Record:
    gold = "two brass lamps"
    return Record(id, "c", category, "What did he buy?", None, gold, answer, **more)


def says(ask: Ask) -> Any:
    return {"reason": "so", "correct": "Given: brass" in ask.user}


def test_a_judge_sees_question_reference_and_answer_and_no_more(tmp_path: Path) -> None:
    asking, model = llm(says)
    judged = Judge()(record("c:0", "brass\nlamps", context="a secret"), asking)
    assert (judged.score, judged.verdicts) == (1.0, (True,))
    (ask,) = model.asked
    assert ask.user == (
        "Question: What did he buy?\nReference: two brass lamps\nGiven: brass lamps"
    )
    spent = {"calls": 1, "prompt_tokens": 100, "completion_tokens": 20}
    assert judged.llm == spent | {"cached": 0, "cached_tokens": 0}
    asking.close()


def test_strict_and_lenient_are_told_different_things() -> None:
    asking, model = llm(says)
    for profile in ("lenient", "strict"):
        Judge(profile=profile)(record("c:0", "brass"), asking)  # type: ignore[arg-type]
    assert len({ask.system for ask in model.asked}) == 2
    assert "nothing that goes against it or past it" in model.asked[1].system
    asking.close()


def test_trials_are_told_apart_and_their_mean_counts() -> None:
    asking, model = llm(lambda ask: {"reason": "", "correct": ask.sample != 1})
    judged = Judge(trials=3)(record("c:0", "brass"), asking)
    assert {ask.sample for ask in model.asked} == {0, 1, 2}
    assert judged.verdicts == (True, False, True)
    assert judged.score == pytest.approx(2 / 3)
    asking.close()


def test_what_was_not_answered_is_wrong_without_a_call() -> None:
    asking, model = llm(says)
    for each in (
        record("c:0", "Not mentioned", abstained=True),
        record("c:1", "", status="failed"),
    ):
        assert Judge(trials=2)(each, asking).verdicts == (False, False)
    assert model.asked == []
    asking.close()


def test_a_judging_that_was_cut_off_goes_on_and_judges_nothing_twice(tmp_path: Path) -> None:
    records = [record(f"c:{n}", "brass" if n % 2 else "tin") for n in range(4)]
    records.append(record("c:4", "brass", category=5))
    asking, model = llm(lambda ask: LlmUnavailable("away") if len(model.asked) > 2 else says(ask))
    with pytest.raises(LlmUnavailable):
        judge_all(tmp_path, records, Judge(), asking)
    assert len(read_judged(tmp_path)) == 2
    asking.close()
    asking, model = llm(says)
    judged = judge_all(tmp_path, records, Judge(), asking)
    assert [each.score for each in judged] == [0, 1, 0, 1]  # category 5 is scored by abstention
    assert len(model.asked) == 2
    before = (tmp_path / FILE).read_bytes()
    assert judge_all(tmp_path, records, Judge(), asking) == judged
    assert (tmp_path / FILE).read_bytes() == before
    asking.close()


def test_what_was_paid_for_when_the_budget_ended_is_judged(tmp_path: Path) -> None:
    records = [record(f"c:{n}", f"brass {n}") for n in range(9)]
    asking, model = llm(lambda ask: LlmSpent("no more") if "brass 0" in ask.user else says(ask))
    with pytest.raises(LlmSpent):
        judge_all(tmp_path, records, Judge(), asking)
    told = read_judged(tmp_path)
    assert 0 < len(told) == len(model.asked) - 1 < len(records) - 1
    assert all(each.verdicts == (True,) for each in told)
    asking.close()
    asking, model = llm(says)
    assert len(judge_all(tmp_path, records, Judge(), asking)) == len(records)
    assert len(model.asked) == len(records) - len(told)
    asking.close()


def test_an_answer_with_no_usable_verdict_is_told_and_stops_no_other(tmp_path: Path) -> None:
    start(tmp_path)
    asking, _ = llm(lambda ask: "hm" if "otter" in ask.user else says(ask))
    unjudged = judged_run(tmp_path, Tiny(), Judge(retries=1), asking)  # type: ignore[arg-type]
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert unjudged == summary["judged"]["unjudged"] == 2
    assert summary["judged"]["n"] == 8
    assert "2 of 10 answers have no verdict: judge again; see judge.jsonl" in summary["warnings"]
    assert summary["micro"]["judge"] == 0.0
    lost = [each for each in read_judged(tmp_path) if not each.verdicts]
    assert all("gave no reply that could be used" in each.error for each in lost)
    start(tmp_path)  # the run's own command, again
    assert json.loads((tmp_path / "summary.json").read_text()) | {"latency_ms": 0} == summary | {
        "latency_ms": 0
    }
    asking.close()


def test_a_cut_off_verdict_is_none_and_the_other_trials_are_counted(tmp_path: Path) -> None:
    asking, _ = llm(
        lambda ask: Reply("{", Usage(1, 9, 9), "length") if ask.sample < 1 else says(ask)
    )
    judged = Judge(trials=3)(record("c:0", "brass"), asking)
    assert (judged.verdicts, judged.llm["calls"]) == ((), 3)
    asking.close()


def test_the_next_judging_asks_anew_though_a_cache_knows_the_useless_replies(
    tmp_path: Path,
) -> None:
    told = Model(lambda ask: "hm" if "tin" in ask.user and ask.sample < 1 else says(ask))
    told.settings = {"model": "told"}  # type: ignore[attr-defined]
    records = [record("c:0", "brass"), record("c:1", "tin")]
    results = []
    for _ in range(3):
        asking = Asking(Cached(told, Recordings(tmp_path / "llm.db")))  # type: ignore[arg-type]
        results.append(judge_all(tmp_path, records, Judge(retries=0), asking))
        asking.close()
    assert [[each.verdicts for each in judged] for judged in results] == [
        [(True,), ()],
        [(True,), (False,)],
        [(True,), (False,)],
    ]
    assert len(told.asked) == 3  # what is judged is not asked about again
    assert results[2][1].llm["calls"] == results[2][1].tries == 2


def test_answers_are_asked_about_ahead_and_verdicts_kept_in_order(tmp_path: Path) -> None:
    records = [record(f"c:{n}", "brass" if n % 2 else "tin") for n in range(12)]
    asking, model = llm(says, 4, pause=lambda ask: 0.01 if "tin" in ask.user else 0.0)
    judged = judge_all(tmp_path, records, Judge(trials=2), asking)
    asking.close()
    assert model.most > 1
    assert [each.question for each in judged] == [each.question for each in read_judged(tmp_path)]
    assert [each.score for each in judged] == [0, 1] * 6
    assert len(model.asked) == 24


def test_another_judge_begins_anew_and_so_does_another_answer(tmp_path: Path) -> None:
    asking, model = llm(says)
    records = [record("c:0", "brass"), record("c:1", "tin")]
    judge_all(tmp_path, records, Judge(), asking)
    judge_all(tmp_path, [records[0], record("c:1", "brass")], Judge(), asking)
    assert len(model.asked) == 3
    judge_all(tmp_path, records, Judge(profile="strict"), asking)
    assert len(model.asked) == 5
    assert {each.judge.split()[0] for each in read_judged(tmp_path)} == {"strict"}
    asking.close()


def test_verdicts_count_only_where_every_answer_has_one(tmp_path: Path) -> None:
    asking, _ = llm(says)
    records = [record("c:0", "brass"), record("c:1", "tin"), record("c:2", "x", category=5)]
    judged = judge_all(tmp_path, records, Judge(), asking)
    assert [r.scores.get("judge") for r in with_verdicts(records, judged)] == [1.0, 0.0, None]
    assert with_verdicts(records, judged[:1]) == records
    asking.close()


def test_a_run_gets_the_judges_mean_into_its_summary_and_keeps_it(tmp_path: Path) -> None:
    start(tmp_path)
    asking, _ = llm(lambda ask: {"reason": "", "correct": "otter" in ask.user})
    judged_run(tmp_path, Tiny(), Judge(), asking)  # type: ignore[arg-type]
    summary = json.loads((tmp_path / "summary.json").read_text())
    answerable = [r for r in read_records(tmp_path / "journal.jsonl") if r.category != 5]
    assert summary["judged"]["n"] == len(answerable) == 10
    assert summary["micro"]["judge"] == pytest.approx(0.2)
    assert "judge" not in summary["by_category"]["5"]
    start(tmp_path)  # the run's own command, again
    assert json.loads((tmp_path / "summary.json").read_text())["micro"] == summary["micro"]
    asking.close()


def test_a_run_that_has_not_ended_is_not_judged(tmp_path: Path) -> None:
    asking, _ = llm(says)
    with pytest.raises(RunError, match="let the run end first"):
        judged_run(tmp_path, Tiny(), Judge(), asking)  # type: ignore[arg-type]
    asking.close()
