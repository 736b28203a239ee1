"""Outcomes: a question is right or wrong, and its evidence was somewhere or nowhere."""

from typing import Any

import pytest

from clew.evaluate.journal import Record
from clew.report.html.outcomes import outcome, place, selections


def record(category: int = 4, status: Any = "ok", **scores: float) -> Record:
    return Record("t:0", "t", category, "Who?", None, "otter", scores=scores, status=status)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ({"f1_locomo": 0.5}, "right"),
        ({"f1_locomo": 0.49}, "wrong"),
        ({"f1_locomo": 0.1, "judge": 1.0}, "right"),
        ({"f1_locomo": 0.9, "judge": 0.0}, "wrong"),
    ],
)
def test_half_a_score_is_right_and_a_judge_comes_first(
    scores: dict[str, float], expected: str
) -> None:
    assert outcome(record(**scores)) == expected


def test_a_question_that_failed_is_neither() -> None:
    assert outcome(record(status="failed", f1_locomo=0.0)) == "failed"


@pytest.mark.parametrize(
    ("read", "widest", "expected"),
    [
        (1.0, 1.0, "context"),
        (1.0, 0.5, "context"),  # a context longer than any that was measured
        (0.5, 1.0, "cut"),
        (0.5, 0.5, "partly"),
        (0.0, 0.5, "partly"),
        (0.0, 0.0, "nowhere"),
    ],
)
def test_evidence_is_looked_for_in_the_context_then_in_the_widest_one(
    read: float, widest: float, expected: str
) -> None:
    scores = {"evidence_recall_250": 0.0, "evidence_recall_2000": widest}
    assert place(record(evidence_recall=read, **scores)) == expected


def test_what_nothing_answers_and_what_names_no_evidence_has_none() -> None:
    assert place(record(category=5, evidence_recall=0.0)) == "none"
    assert place(record()) == "none"


def test_questions_are_counted_by_list_and_category() -> None:
    records = [
        record(1, f1_locomo=0.0, evidence_recall=1.0),
        record(4, f1_locomo=0.0, evidence_recall=1.0),
        record(4, f1_locomo=1.0, evidence_recall=0.0),
        record(4, f1_locomo=0.0, evidence_recall=0.5, evidence_recall_500=1.0),
        record(5, f1_locomo=0.0),
        record(4, status="failed"),
    ]
    found = selections(records)
    counts = {each.name: each.counts for each in found.lists}
    assert found.numbers == (1, 4, 5)
    assert found.categories == ("multi-hop", "single-hop", "adversarial")
    assert counts == {
        "Wrong, evidence in the context": (1, 1, 0, 2),
        "Evidence not retrieved": (0, 1, 0, 1),
        "Wrong, evidence cut off": (0, 1, 0, 1),
        "Wrong": (1, 2, 1, 4),
        "Failed": (0, 1, 0, 1),
        "Right": (0, 1, 0, 1),
    }
    names = [{found.lists[n].name for n in on} for on in found.of]
    assert names[2] == {"Evidence not retrieved", "Right"}
    assert names[4] == {"Wrong"}
