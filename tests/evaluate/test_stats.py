"""Statistics: means that leave out what is not there, and intervals that hold."""

import numpy as np
import pytest
import scipy.stats

from clew.errors import RunError
from clew.evaluate.journal import Record
from clew.evaluate.stats import (
    compare,
    flips,
    intervals,
    macro,
    macro_intervals,
    means,
    paired,
    resampled,
    table,
)

NAN = float("nan")


def record(n: int, f1: float, category: int = 4, **more: float) -> Record:
    return Record(f"t:{n}", "t", category, "Who?", None, "x", scores={"f1": f1, **more})


def test_a_metric_that_a_question_lacks_is_left_out_of_its_mean() -> None:
    values = table([record(0, 1.0, recall=0.0), record(1, 0.0)], ["f1", "recall", "none"])
    assert means(values)[:2].tolist() == [0.5, 0.0]
    assert np.isnan(means(values)[2])


def test_macro_is_the_mean_of_means_and_micro_the_mean_of_all() -> None:
    values = np.array([[1.0]] * 9 + [[0.0]] + [[1.0], [0.0]])
    groups = np.array([1] * 10 + [2] * 2)
    assert means(values)[0] == pytest.approx(10 / 12)
    assert macro(values, groups)[0] == pytest.approx(0.7)


def test_a_constant_has_no_width() -> None:
    assert intervals(np.full((20, 1), 0.25)).tolist() == [[0.25], [0.25]]


def test_an_interval_is_as_wide_as_theory_says() -> None:
    values = np.array([[0.0], [1.0]] * 200)
    low, high = intervals(values, 4000)[:, 0]
    assert high - low == pytest.approx(2 * 1.96 * 0.5 / 20, rel=0.08)
    assert (low + high) / 2 == pytest.approx(0.5, abs=0.01)


def test_the_interval_agrees_with_scipy() -> None:
    values = np.random.default_rng(3).beta(0.5, 1.5, size=150)
    theirs = scipy.stats.bootstrap(
        (values,), np.mean, n_resamples=4000, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval
    low, high = intervals(values[:, None], 4000)[:, 0]
    assert low == pytest.approx(theirs.low, abs=0.006)
    assert high == pytest.approx(theirs.high, abs=0.006)


def test_the_same_seed_gives_the_same_interval_and_another_does_not() -> None:
    values = np.random.default_rng(3).random((50, 2))
    assert (intervals(values) == intervals(values)).all()
    assert (intervals(values) != intervals(values, seed=1)).all()


def test_many_rows_are_drawn_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(3).random((40, 1))
    whole = resampled(values, 100, 5)
    monkeypatch.setattr("clew.evaluate.stats._CELLS", 120)
    assert np.allclose(resampled(values, 100, 5), whole)


def test_an_interval_over_no_row_is_none() -> None:
    assert np.isnan(intervals(np.full((5, 1), NAN))).all()


def test_macro_intervals_draw_each_group_by_itself() -> None:
    values = np.array([[1.0]] * 50 + [[0.0]] * 2)
    bounds = macro_intervals(values, np.array([1] * 50 + [2] * 2))
    assert bounds.tolist() == [[0.5], [0.5]]


def test_pairing_is_by_question() -> None:
    a, b = [record(0, 1.0), record(1, 1.0)], [record(2, 0.0), record(1, 0.5), record(0, 0.0)]
    assert [(x.question, y.question) for x, y in paired(a, b)] == [("t:0", "t:0"), ("t:1", "t:1")]


def test_runs_without_a_common_question_cannot_be_compared() -> None:
    with pytest.raises(RunError, match="same dataset"):
        paired([record(0, 1.0)], [record(1, 1.0)])


def test_a_constant_gain_is_a_sure_difference_although_scores_vary() -> None:
    a = [record(n, n / 20 + 0.1, 1 + n % 4) for n in range(16)]
    b = [record(n, n / 20, 1 + n % 4) for n in range(16)]
    found = {one.group: one for one in compare(paired(a, b), ["f1"], 500)}
    assert set(found) == {"1", "2", "3", "4", "micro", "macro"}
    for one in found.values():
        assert (one.difference, one.low, one.high) == pytest.approx((0.1, 0.1, 0.1))
    assert (found["1"].n, found["micro"].n) == (4, 16)
    assert found["micro"].a == pytest.approx(0.475)


def test_differences_are_in_the_averages_without_the_adversarial() -> None:
    a = [record(0, 1.0, 1), record(1, 1.0, 1), record(2, 0.0, 2), record(3, 1.0, 5)]
    b = [record(0, 0.0, 1), record(1, 0.0, 1), record(2, 0.0, 2), record(3, 0.0, 5)]
    found = {one.group: one.difference for one in compare(paired(a, b), ["f1"], 50)}
    assert found == pytest.approx({"1": 1.0, "2": 0.0, "5": 1.0, "micro": 2 / 3, "macro": 0.5})


def test_only_adversarial_questions_have_no_average() -> None:
    pairs = paired([record(0, 1.0, 5)], [record(0, 0.0, 5)])
    assert [one.group for one in compare(pairs, ["f1"], 50)] == ["5"]


def test_a_metric_is_compared_where_both_runs_have_it() -> None:
    a = [record(0, 1.0, recall=1.0), record(1, 1.0, recall=1.0)]
    b = [record(0, 1.0, recall=0.0), record(1, 1.0)]
    found = [one for one in compare(paired(a, b), ["recall", "none"], 50) if one.group == "micro"]
    assert [(one.metric, one.n, one.difference) for one in found] == [("recall", 1, 1.0)]


def test_no_difference_means_an_interval_around_zero() -> None:
    rng = np.random.default_rng(0)
    a = [record(n, float(x)) for n, x in enumerate(rng.random(200))]
    b = [record(n, float(x)) for n, x in enumerate(rng.random(200))]
    one = compare(paired(a, b), ["f1"], 1000)[-2]
    assert one.low < 0 < one.high


def test_flips_are_questions_on_different_sides_of_a_half() -> None:
    a = [record(0, 1.0), record(1, 0.5), record(2, 0.4), record(3, 0.9)]
    b = [record(0, 0.0), record(1, 0.6), record(2, 0.5), record(3, 0.5)]
    assert [flip.a.question for flip in flips(paired(a, b), "f1")] == ["t:0", "t:2"]
    assert flips(paired(a, b), "recall") == []
