"""Rows: lines with the same keys, as a table at a terminal and as CSV."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from clew.report.tables import Grid

Row = Mapping[str, Any]


def grid_of(title: str, rows: Sequence[Row]) -> Grid:
    """Return at least one line as a table, decimals to two places."""
    return Grid(title, tuple(rows[0]), tuple(tuple(map(cell, row.values())) for row in rows))


def cell(value: object) -> str:
    """Return a value as text, decimals to two places."""
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    """Write at least one line as CSV, decimals to four places."""
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(rows[0])
        out.writerows(
            [round(v, 4) if isinstance(v, float) else v for v in row.values()] for row in rows
        )
