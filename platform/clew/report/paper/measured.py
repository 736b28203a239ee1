"""Measured: the figures of our runs that a table asks for, each with n and a 95 % interval.

Journals are read once, and only those of runs in the table. All runs are drawn together from
the questions, so a table costs one bootstrap and not one for each cell.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from clew.evaluate import stats
from clew.evaluate.journal import Record, read_lines, read_records
from clew.evaluate.stats import ANSWERABLE, Table
from clew.report.paper.found import Found
from clew.report.paper.shape import Column, PaperTable

TIMES = ("construction", "retrieval", "total", "embedding")  # seconds, by conversation
_SCALE = {"percent": 100.0, "points": 100.0}

Key = tuple[str, Column]  # a row's title and a column
Metric = tuple[str, str]  # a row's title and a metric


@dataclass(frozen=True, slots=True)
class Value:
    """A figure with how many it is of, and its interval where one can be told."""

    mean: float
    n: int | None = None
    low: float | None = None
    high: float | None = None


def measured(table: PaperTable, runs: Mapping[str, Sequence[Found]]) -> dict[Key, Value]:
    """Return what there is of ours, by row and column; repeats of a run are averaged."""
    folders = sorted({run.folder for repeats in runs.values() for run in repeats})
    records = {folder: read_records(folder / "journal.jsonl") for folder in folders}
    asked = {
        title: [record for run in repeats for record in records[run.folder]]
        for title, repeats in runs.items()
    }
    found = _scores(table, asked)
    columns = [column for column in table.columns if column.ours in TIMES]
    if columns:
        for title, repeats in runs.items():
            found |= _seconds(title, columns, [run.folder for run in repeats], asked[title])
    return found


def _scores(table: PaperTable, asked: Mapping[str, Sequence[Record]]) -> dict[Key, Value]:
    columns = [c for c in table.columns if c.ours and c.ours not in TIMES]
    names = sorted({column.ours for column in columns})
    metrics = [(title, name) for title in asked for name in names]
    if not metrics:
        return {}
    groups, values = _panel(asked, metrics)
    found: dict[Key, Value] = {}
    for against_base in (False, True):
        mine = [column for column in columns if column.against_base == against_base]
        panel = _against(values, metrics, table) if against_base else values
        for over in sorted({column.over for column in mine}):
            figures = _over(panel, groups, over)
            some = [column for column in mine if column.over == over]
            found |= _named(figures, metrics, some, table)
    return found


def _panel(
    asked: Mapping[str, Sequence[Record]], metrics: Sequence[Metric]
) -> tuple[np.typing.NDArray[np.int64], Table]:
    """Return the category of each question, and its value for each row and metric."""
    rows: dict[str, int] = {}
    groups: list[int] = []
    by_question: dict[str, dict[int, list[Record]]] = defaultdict(lambda: defaultdict(list))
    for title, records in asked.items():
        for record in records:
            if record.category not in ANSWERABLE:
                continue
            if record.question not in rows:
                rows[record.question] = len(rows)
                groups.append(record.category)
            by_question[title][rows[record.question]].append(record)
    values = np.full((len(rows), len(metrics)), np.nan)
    for column, (title, name) in enumerate(metrics):
        for row, repeats in by_question[title].items():
            values[row, column] = sum(_score(record, name) for record in repeats) / len(repeats)
    return np.array(groups, dtype=np.int64), values


def _score(record: Record, name: str) -> float:
    if name != "context_tokens":
        return record.scores.get(name, np.nan)
    return float(record.context_tokens) if record.status == "ok" else np.nan


def _against(values: Table, metrics: Sequence[Metric], table: PaperTable) -> Table:
    """Return each value's difference to that of its row's base for the same question."""
    at = {metric: column for column, metric in enumerate(metrics)}
    bases = [at.get((table.base_of(title), name)) for title, name in metrics]
    other = [np.full(len(values), np.nan) if b is None else values[:, b] for b in bases]
    return np.asarray(values - np.stack(other, axis=1))


def _over(values: Table, groups: np.typing.NDArray[np.int64], over: str) -> list[Value | None]:
    """Return each column's mean over a category or all, with its interval."""
    rows = groups == int(over) if over.isdigit() else np.full(len(groups), True)
    some, kept = values[rows], groups[rows]
    if not len(some):
        return [None] * values.shape[1]
    macro = over == "macro"
    averages = stats.macro(some, kept) if macro else stats.means(some)
    bounds = stats.macro_intervals(some, kept) if macro else stats.intervals(some)
    counts = (~np.isnan(some)).sum(axis=0)
    cells = zip(averages, counts, bounds[0], bounds[1], strict=True)
    return [
        Value(float(mean), int(n), float(low), float(high)) if n else None
        for mean, n, low, high in cells
    ]


def _named(
    figures: Sequence[Value | None],
    metrics: Sequence[Metric],
    columns: Sequence[Column],
    table: PaperTable,
) -> dict[Key, Value]:
    """Return figures by row and column, in percent where they are shares.

    A base has no difference to itself.
    """
    found = {}
    for (title, name), value in zip(metrics, figures, strict=True):
        for column in columns:
            own = column.against_base and title == table.base_of(title)
            if column.ours == name and value is not None and not own:
                found[title, column] = _scaled(value, _SCALE.get(column.kind, 1.0))
    return found


def _scaled(value: Value, by: float) -> Value:
    bounds = [None if bound is None else by * bound for bound in (value.low, value.high)]
    return Value(by * value.mean, value.n, *bounds)


def _seconds(
    title: str, columns: Sequence[Column], folders: Sequence[Path], records: Sequence[Record]
) -> dict[Key, Value]:
    """Return the seconds of a conversation, its answerable questions' alone, as means."""
    spent: dict[str, dict[str, float]] = defaultdict(lambda: dict.fromkeys(TIMES, 0.0))
    for burst in (line for folder in folders for line in read_lines(folder / "add.jsonl")):
        _spend(spent[burst["conversation"]], "construction", burst["seconds"], burst["embed"])
    counting = [record for record in records if record.category in ANSWERABLE]
    for record in counting:
        seconds = record.seconds
        embed = seconds.get("search_embed", 0.0)
        _spend(spent[record.conversation], "retrieval", seconds.get("search", 0.0), embed)
    asked = {record.conversation for record in counting}
    rows = np.array([[spent[c][name] for name in TIMES] for c in sorted(asked)]) / len(folders)
    if not len(rows):
        return {}
    bounds, averages = stats.intervals(rows), stats.means(rows)
    values = {
        name: Value(float(averages[i]), len(rows), float(bounds[0, i]), float(bounds[1, i]))
        for i, name in enumerate(TIMES)
    }
    return {(title, column): values[column.ours] for column in columns}


def _spend(into: dict[str, float], on: str, seconds: float, embed: float) -> None:
    into[on] += seconds
    into["total"] += seconds
    into["embedding"] += embed
