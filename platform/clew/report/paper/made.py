"""Made: a paper's table with all its cells, published and ours, and what is missing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from clew.datasets import CATEGORIES
from clew.report.paper.chosen import Chosen, choose, command
from clew.report.paper.found import Found
from clew.report.paper.measured import Key, Value, measured
from clew.report.paper.setup import setup_rows
from clew.report.paper.shape import Column, PaperTable, Row
from clew.report.published import Printed, published

Source = Literal["published", "ours"]


@dataclass(frozen=True, slots=True)
class Line:
    """A row of one source: its figures by column, those that there are."""

    source: Source
    title: str
    values: Mapping[Column, Value]
    folders: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Made:
    """A table to be printed: its lines, what they were made with, and notes."""

    table: PaperTable
    dataset: str
    lines: tuple[Line, ...]
    setup: tuple[tuple[str, str, str], ...]  # aspect, published, ours
    missing: tuple[tuple[str, str], ...]  # a row's title, and the command that fills it
    notes: tuple[str, ...]
    passed_over: tuple[str, ...] = ()  # runs that could have been used, and why they were not

    def of(self, source: Source) -> list[Line]:
        """Return the lines of one source."""
        return [line for line in self.lines if line.source == source]


def make(
    table: PaperTable, found: Sequence[Found], dataset: str = "locomo", system: str = ""
) -> Made:
    """Fill a table from the runs that were found."""
    chosen = choose(table, found, dataset, system)
    cells = measured(table, chosen.runs)
    ours = [
        Line("ours", title, {c: cells[title, c] for c in table.columns if (title, c) in cells},
             tuple(run.folder for run in repeats))
        for title, repeats in chosen.runs.items()
    ]  # fmt: skip
    return Made(
        table,
        dataset,
        (*published_lines(table), *ours),
        tuple(setup_rows(table, chosen.runs)),
        tuple(_missing(table, chosen, dataset)),
        (*_warnings(table, chosen, dataset), *_unasked(table, cells), *table.notes),
        chosen.notes,
    )


def published_lines(table: PaperTable) -> list[Line]:
    """Return the printed rows of a table, those of its figures that are printed."""
    if not table.published:
        return []
    cells = published(table.published)
    by_title = {row.title: row for row in table.rows}
    lines = []
    for row in table.rows:
        if row.printed:
            base = by_title.get(table.base_of(row.title))
            values = {c: _printed(cells, row, c, base) for c in table.columns if c.printed}
            known = {column: value for column, value in values.items() if value}
            lines.append(Line("published", row.title, known))
    return lines


def _printed(cells: Sequence[Printed], row: Row, column: Column, base: Row | None) -> Value | None:
    """Return a printed number, or the difference of two."""
    mine = _cell(cells, row, column)
    if mine is None or not column.against_base:
        return mine
    other = _cell(cells, base, column) if base and base is not row else None
    return Value(mean=mine.mean - other.mean) if other else None


def _cell(cells: Sequence[Printed], row: Row, column: Column) -> Value | None:
    for cell in cells:
        same = cell.metric == column.printed and cell.category in column.categories
        if same and cell.fits(row.printed):
            return Value(cell.value, int(cell.n) if cell.n else None)
    return None


def _missing(table: PaperTable, chosen: Chosen, dataset: str) -> list[tuple[str, str]]:
    return [
        (row.title, command(table, row, chosen, dataset))
        for row in table.rows
        if row.run and row.title not in chosen.runs
    ]


def _unasked(table: PaperTable, cells: Mapping[Key, Value]) -> list[str]:
    """Say which categories ours was not asked, so that its averages are of fewer."""
    had = {column for _, column in cells}
    asked = [column for column in table.columns if column.over.isdigit() and column.ours]
    lacking = [column for column in asked if cells and column not in had]
    names = sorted({CATEGORIES[int(column.over)] for column in lacking})
    said = "ours has no question of these categories, and averages over the others"
    return [f"{said}: {', '.join(names)}"] * bool(names)


def _warnings(table: PaperTable, chosen: Chosen, dataset: str) -> list[str]:
    """Say what keeps published numbers and ours from being compared at all."""
    said = []
    if dataset != "locomo" and table.published:
        said.append(
            f"NOT COMPARABLE: the published numbers are of LoCoMo, ours of {dataset}: "
            f"this table only shows that everything works"
        )
    parts = [title for title, repeats in chosen.runs.items() if repeats[0].part]
    if parts:
        said.append(
            f"NOT COMPARABLE: ours is over a part of {dataset} only (see data below), "
            f"in {len(parts)} of {len(chosen.runs)} rows"
        )
    return said
