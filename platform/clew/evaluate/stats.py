"""Means with 95 % intervals, and paired differences, by bootstrap over questions.

Rows are questions, columns are metrics; NaN marks a metric that a question does not have
(evidence recall without gold evidence) and is left out of that metric's mean.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clew.errors import RunError
from clew.evaluate.journal import Record

Table = npt.NDArray[np.float64]

ANSWERABLE = (1, 2, 3, 4)  # LoCoMo's categories in every average; 5 is told apart
SEED = 2026
RESAMPLES = 2000
_CELLS = 4_000_000  # weights held at once


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean difference A - B over n questions, with its 95 % interval."""

    group: str
    metric: str
    a: float
    b: float
    difference: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Flip:
    """A question that one run answers and the other does not, as some metric sees it."""

    a: Record
    b: Record


def table(records: Sequence[Record], metrics: Sequence[str]) -> Table:
    """Return the scores of records by row and metric."""
    rows = [[record.scores.get(name, np.nan) for name in metrics] for record in records]
    return np.array(rows, dtype=np.float64).reshape(len(records), len(metrics))


def means(values: Table) -> Table:
    """Return each column's mean over the rows that have it; NaN where none has."""
    have = ~np.isnan(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(have, values, 0.0).sum(axis=0) / have.sum(axis=0))


def macro(values: Table, groups: npt.NDArray[np.int64]) -> Table:
    """Return the plain mean of the groups' means, over the groups that have one."""
    return means(np.stack([means(values[groups == group]) for group in np.unique(groups)]))


def resampled(values: Table, resamples: int, seed: int) -> Table:
    """Return the column means of that many draws of rows, with replacement."""
    rng, n = np.random.default_rng(seed), len(values)
    have = ~np.isnan(values)
    filled, present = np.where(have, values, 0.0), have.astype(np.float64)
    drawn: list[Table] = []
    for start in range(0, resamples, step := max(1, _CELLS // n)):
        size = min(step, resamples - start)
        times = rng.multinomial(n, np.full(n, 1 / n), size=size).astype(np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            drawn.append((times @ filled) / (times @ present))
    return np.concatenate(drawn)


def intervals(values: Table, resamples: int = RESAMPLES, seed: int = SEED) -> Table:
    """Return the 95 % interval of each column's mean: rows low and high."""
    return _bounds(resampled(values, resamples, seed))


def macro_intervals(
    values: Table, groups: npt.NDArray[np.int64], resamples: int = RESAMPLES, seed: int = SEED
) -> Table:
    """Return the 95 % interval of each column's macro mean; each group is drawn by itself."""
    drawn = [
        resampled(values[groups == group], resamples, seed + int(group))
        for group in np.unique(groups)
    ]
    stacked = np.stack(drawn)  # groups x resamples x columns
    return _bounds(means(stacked.reshape(len(drawn), -1)).reshape(stacked.shape[1:]))


def _bounds(drawn: Table) -> Table:
    found = np.full((2, drawn.shape[1]), np.nan)
    for column, values in enumerate(drawn.T):
        if (known := values[~np.isnan(values)]).size:
            found[:, column] = np.percentile(known, [2.5, 97.5])
    return found


def paired(a: Sequence[Record], b: Sequence[Record]) -> list[tuple[Record, Record]]:
    """Return the records of the questions that both runs were asked, in the order of A.

    Raises:
        RunError: no question is common to both.
    """
    other = {record.question: record for record in b}
    pairs = [(record, other[record.question]) for record in a if record.question in other]
    if not pairs:
        raise RunError("The two runs share no question: compare runs of the same dataset")
    return pairs


def compare(
    pairs: Sequence[tuple[Record, Record]],
    metrics: Sequence[str],
    resamples: int = 10_000,
    seed: int = SEED,
) -> list[Difference]:
    """Return paired differences by category, then over all answerable ones, micro and macro."""
    ours, theirs = (table([pair[side] for pair in pairs], metrics) for side in (0, 1))
    lost = np.isnan(ours) | np.isnan(theirs)
    ours[lost] = theirs[lost] = np.nan
    groups = np.array([pair[0].category for pair in pairs], dtype=np.int64)
    found: list[Difference] = []
    for group in np.unique(groups):
        rows = groups == group
        bounds = intervals(ours[rows] - theirs[rows], resamples, seed)
        averages = means(ours[rows]), means(theirs[rows])
        found += _differences(str(group), metrics, averages, bounds, _n(ours[rows]))
    rows = np.isin(groups, ANSWERABLE)
    if rows.any():
        a, b, kept = ours[rows], theirs[rows], groups[rows]
        bounds = intervals(a - b, resamples, seed)
        found += _differences("micro", metrics, (means(a), means(b)), bounds, _n(a))
        bounds = macro_intervals(a - b, kept, resamples, seed)
        found += _differences("macro", metrics, (macro(a, kept), macro(b, kept)), bounds, _n(a))
    return found


def _n(values: Table) -> Mapping[int, int]:
    return dict(enumerate(int(n) for n in (~np.isnan(values)).sum(axis=0)))


def _differences(
    group: str,
    metrics: Sequence[str],
    averages: tuple[Table, Table],
    bounds: Table,
    n: Mapping[int, int],
) -> list[Difference]:
    found = []
    for i, name in enumerate(metrics):
        if n[i]:
            a, b = (float(average[i]) for average in averages)
            low, high = (float(bound[i]) for bound in bounds)
            found.append(Difference(group, name, a, b, a - b, low, high, n[i]))
    return found


def flips(pairs: Sequence[tuple[Record, Record]], metric: str, at: float = 0.5) -> list[Flip]:
    """Return the questions whose score is at least `at` in one run and below it in the other."""
    return [
        Flip(a, b)
        for a, b in pairs
        if metric in a.scores
        and metric in b.scores
        and (a.scores[metric] >= at) != (b.scores[metric] >= at)
    ]
