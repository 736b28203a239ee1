"""Metrics: worked examples of both conventions, and the rules by category."""

import subprocess
import sys

import pytest

from clew.evaluate.metrics import (
    all_evidence,
    bleu1,
    evidence_recall,
    f1_locomo,
    f1_set,
    score,
    zero_scores,
)
from clew.model import Answer, Context, Graph, Query, Question

WORKED = {  # name: category, said, gold, official F1, set F1, BLEU-1
    "multi-answer, partial": (1, "Nora Pelham", "Quiet Anchors, Nora Pelham", 0.500, 0.667, 0.223),
    "multi-answer, overshoot": (
        1, "Nora Pelham, Quiet Anchors, Tom Velling, Orff", "Quiet Anchors, Nora Pelham",
        1.000, 0.727, 0.500,
    ),
    "article": (4, "the gate", "A gate", 1.000, 0.500, 0.500),
    "stemming": (4, "paddles", "paddling", 1.000, 0.000, 0.000),
    "quotes": (4, "Harriet's Kite", "\"Harriet's Kite\"", 1.000, 0.000, 0.513),
    "'and' and repeats": (4, "two owls two hens", "two owls and two hens", 1.000, 0.857, 0.779),
    "semicolon gold": (
        3, "Likely no", "LIkely no; though he enjoys sailing, he hopes to be a carpenter",
        1.000, 0.154, 0.002,
    ),
    "a year": (2, "2019", "2019", 1.000, 1.000, 1.000),
    "date order": (2, "June 9, 2021", "9 June 2021", 1.000, 1.000, 0.750),
    "ISO date": (2, "2021-06-09", "9 June 2021", 0.000, 0.000, 0.000),
    "adversarial, own words": (
        5, "It is not mentioned.", "Not mentioned in the conversation", 1.000, 0.444, 0.400,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WORKED)
def test_worked_examples_give_the_published_numbers(name: str) -> None:
    category, said, gold, official, by_set, bleu = WORKED[name]
    assert f1_locomo(said, gold, category) == pytest.approx(official, abs=5e-4)
    assert f1_set(said, gold) == pytest.approx(by_set, abs=5e-4)
    assert bleu1(said, gold) == pytest.approx(bleu, abs=5e-4)


def test_the_two_f1s_differ_as_the_conventions_do() -> None:
    said, gold = "On the 9th of April 2021", "9 April 2021"
    assert f1_locomo(said, gold, 2) == pytest.approx(0.5)
    assert f1_set(said, gold) == pytest.approx(4 / 9)
    said, gold = "the cats and the dogs", "cat and dog"
    assert f1_locomo(said, gold, 4) == pytest.approx(1.0)
    assert f1_set(said, gold) == pytest.approx(2 / 7)
    said, gold = "She runs and paints", "running, painting"
    assert f1_locomo(said, gold, 4) == pytest.approx(0.8)
    assert f1_locomo(said, gold, 1) == pytest.approx(0.5)
    assert f1_set(said, gold) == 0.0


def test_repeats_count_in_the_official_f1_and_not_in_the_other() -> None:
    assert f1_locomo("owl owl owl", "owl", 4) == pytest.approx(0.5)
    assert f1_set("owl owl owl", "owl") == 1.0


def test_commas_split_only_multi_hop_answers() -> None:
    assert f1_locomo("hens", "owls, hens", 1) == pytest.approx(0.5)
    assert f1_locomo("hens", "owls, hens", 4) == pytest.approx(2 / 3)


def test_a_semicolon_cuts_only_open_domain_golds() -> None:
    assert f1_locomo("no", "no; he sails", 3) == 1.0
    assert f1_locomo("no", "no; he sails", 4) == pytest.approx(0.5)


def test_an_empty_answer_scores_nothing() -> None:
    assert f1_locomo("", "otter", 4) == f1_locomo("", "otter, owl", 1) == 0.0
    assert f1_set("", "otter") == bleu1("", "otter") == bleu1("otter", "") == 0.0


@pytest.mark.parametrize(
    ("said", "right"),
    [("NOT MENTIONED", 1.0), ("There is no information available.", 1.0), ("an otter", 0.0)],
)
def test_adversarial_answers_have_to_abstain(said: str, right: float) -> None:
    assert f1_locomo(said, "anything", 5) == right


def test_recall_is_the_share_of_gold_messages_and_repeats_count_once() -> None:
    assert evidence_recall(("a", "b", "b"), ("b", "c")) == 0.5
    assert all_evidence(("a", "b"), ("b", "c")) == 0.0
    assert all_evidence(("a", "b"), ("b", "a")) == 1.0


def test_a_question_without_evidence_has_no_recall() -> None:
    assert evidence_recall((), ("a",)) is None
    assert all_evidence((), ("a",)) is None
    assert not any("evidence" in name for name in _score(_question(evidence=()), "x"))


def test_all_scores_of_an_answer_are_there() -> None:
    packed = {250: _context("a"), 500: _context("a", "b")}
    scores = score(_question(), Answer("otter", _context("c"), Graph()), packed)
    assert scores == {
        "f1_locomo": 1.0,
        "f1_set": 1.0,
        "bleu1": 1.0,
        "evidence_recall": 0.0,
        "evidence_recall_250": 0.5,
        "evidence_recall_500": 1.0,
        "all_evidence_500": 1.0,
    }


def test_a_gold_that_is_a_number_is_scored_as_its_digits() -> None:
    number: object = 2019
    assert _score(_question(gold=number), "2019")["f1_locomo"] == 1.0


def test_an_abstention_in_other_words_is_right_only_where_nothing_is_told() -> None:
    adversarial = _question(category=5)
    abstained = Answer("I cannot tell", _context(), abstained=True)
    assert score(adversarial, abstained, {})["f1_locomo"] == 1.0
    assert score(adversarial, Answer("I cannot tell", _context()), {})["f1_locomo"] == 0.0
    assert score(_question(), abstained, {})["f1_locomo"] == 0.0


def test_a_failed_question_scores_zero_everywhere_and_is_left_out_of_nothing() -> None:
    scores = zero_scores(_question())
    assert set(scores.values()) == {0.0}
    assert {"f1_locomo", "bleu1", "evidence_recall", "evidence_recall_2000"} <= scores.keys()
    assert zero_scores(_question(category=5))["f1_locomo"] == 0.0


def _context(*messages: str) -> Context:
    return Context("", 0, (), messages)


def _question(
    gold: object = "otter", category: int = 4, evidence: tuple[str, ...] = ("a", "b")
) -> Question:
    return Question("t:0", Query("Who?", None, "t"), gold, category, evidence)  # type: ignore[arg-type]


def _score(question: Question, said: str) -> dict[str, float]:
    return score(question, Answer(said, _context()), {500: _context()})


def test_scoring_loads_no_package_that_it_can_do_without() -> None:
    script = (
        "import sys; from clew.evaluate.metrics import bleu1; bleu1('a', 'b');"
        "print([m for m in ('pandas', 'scipy.stats', 'sklearn') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
