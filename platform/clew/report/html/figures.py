"""Figures: a run's summary as its page shows it, in percent, with intervals."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clew.datasets import CATEGORIES
from clew.evaluate import stats
from clew.evaluate.journal import Record
from clew.evaluate.stats import ANSWERABLE
from clew.models.llm import SPENT
from clew.report.html.outcomes import budgets
from clew.report.tables import MISSING, Grid

METRICS = {
    "f1_locomo": "F1",
    "f1_set": "F1 (sets)",
    "bleu1": "BLEU-1",
    "judge": "Judge",
    "evidence_recall": "Evidence recall",
    "all_evidence_500": "All evidence at 500",
}
USES = {
    "build": "to remember",
    "build_per_conversation": "a conversation",
    "query": "to answer",
    "query_per_question": "a question",
    "judge": "to judge",
}


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean in percent over n questions, with its 95 % interval where there is one."""

    name: str
    n: int
    mean: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """A metric over all answerable questions: over questions, and over categories."""

    name: str
    micro: Mean
    macro: Mean | None


@dataclass(frozen=True, slots=True)
class Category:
    """The questions of a category and their means by metric."""

    name: str
    n: int
    means: tuple[Mean, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """Evidence recall in a context of so many tokens."""

    tokens: int
    micro: Mean
    macro: Mean | None


def headline(summary: Mapping[str, Any]) -> tuple[Figure, ...]:
    """Return the metrics that the run has."""
    return tuple(
        Figure(name, _mean(summary, "micro", key, name), _macro(summary, key, name))
        for key, name in METRICS.items()
        if key in summary["micro"]
    )


def curve(summary: Mapping[str, Any]) -> tuple[Point, ...]:
    """Return evidence recall by tokens, fewest first."""
    return tuple(
        Point(tokens, _mean(summary, "micro", key, "micro"), _macro(summary, key, "macro"))
        for tokens, key in budgets(summary["micro"]).items()
    )


def categories(records: Sequence[Record]) -> tuple[Category, ...]:
    """Return F1 and evidence recall by category; of the adversarial one, the abstentions."""
    return tuple(
        _category(number, [r for r in records if r.category == number])
        for number in sorted({record.category for record in records})
    )


def grids(summary: Mapping[str, Any]) -> tuple[Grid, ...]:
    """Return the tables of times, of what language models took, and of effects."""
    effects = tuple((name, f"{n:,}") for name, n in summary.get("effects", {}).items())
    return (
        Grid(
            "Latency in milliseconds",
            ("step", "p50", "p95", "mean"),
            tuple(_latencies(summary["latency_ms"])),
        ),
        _models(summary),
        Grid("Effects of the stages", ("effect", "times"), effects),
    )


def _mean(summary: Mapping[str, Any], which: str, key: str, name: str) -> Mean:
    group = summary[which]
    n = group["n_evidence"] if "evidence" in key and "n_evidence" in group else group["n"]
    low, high = summary.get("intervals", {}).get(which, {}).get(key, (None, None))
    return Mean(name, n, 100 * group[key], *(None if x is None else 100 * x for x in (low, high)))


def _macro(summary: Mapping[str, Any], key: str, name: str) -> Mean | None:
    return _mean(summary, "macro", key, name) if key in summary["macro"] else None


def _category(number: int, records: Sequence[Record]) -> Category:
    answerable = number in ANSWERABLE
    names = {"f1_locomo": "F1" if answerable else "abstained"}
    if answerable:
        names |= {"evidence_recall": "evidence recall"}
    values = stats.table(records, list(names))
    low, high = stats.intervals(values)
    n = (~np.isnan(values)).sum(axis=0)
    parts = zip(names.values(), n, stats.means(values), low, high, strict=True)
    means = tuple(
        Mean(name, int(k), *(round(100 * float(x), 4) for x in rest))
        for name, k, *rest in parts
        if k
    )
    return Category(CATEGORIES.get(number, str(number)), len(records), means)


def _latencies(latency: Mapping[str, float]) -> Iterator[tuple[str, ...]]:
    steps = {"add": "a message added", "search": "a search"}
    for step, name in steps.items():
        for suffix, how in (("", "with embedding"), ("_noembed", "without")):
            cells = [latency.get(f"{step}_{k}{suffix}") for k in ("p50", "p95", "mean")]
            yield f"{name}, {how}", *(MISSING if x is None else f"{x:.1f}" for x in cells)


def _models(summary: Mapping[str, Any]) -> Grid:
    """Return what was asked of language models: in all, and by conversation or question."""
    took = dict(summary.get("tokens", {}))
    if "judged" in summary:
        took["judge"] = summary["judged"]["tokens"]
    uses = [key for key in USES if any(took.get(key, {}).values())]
    parts = [*SPENT, *sorted({part for key in uses for part in took[key]} - {*SPENT})]
    rows = [
        (part.replace("_", " "), *(f"{round(took[key].get(part, 0), 1):,}" for key in uses))
        for part in parts
    ]
    headings = ("of a model", *(USES[key] for key in uses))
    return Grid("Language models", headings, tuple(rows) if uses else ())
