"""Written: a made table at a terminal, and as Markdown, CSV and LaTeX.

Published numbers stand above, ours below a line; every row says which it is.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from clew.errors import RunError
from clew.report.paper.latex import latex
from clew.report.paper.made import Line, Made
from clew.report.paper.measured import Value
from clew.report.paper.shape import Column, Kind
from clew.report.tables import MISSING, Grid

CSV_COLUMNS = (
    "source", "system", "category", "metric", "mean", "n", "low", "high", "unit", "run",
)  # fmt: skip
_DIGITS: Mapping[Kind, int] = {
    "percent": 1, "points": 2, "tokens": 0, "seconds": 1, "milliseconds": 1,
}  # fmt: skip
_UNITS: Mapping[Kind, str] = {
    "percent": "percent", "points": "percentage points", "tokens": "tokens", "seconds": "s",
    "milliseconds": "ms",
}  # fmt: skip
_FINE = 10  # seconds below which another two digits are shown


def grids(made: Made) -> list[Grid]:
    """Return the table, its set-up, and what is missing where anything is."""
    table = _table(made)
    grid = replace(table, notes=(*table.notes, *made.passed_over, *_folders(made)))
    return [grid, _setup(made), *([_missing(made)] if made.missing else [])]


def _table(made: Made) -> Grid:
    published = made.of("published")
    rows = [_row(made, line) for line in published]
    rows += [_ours(made, title) for title in _wanted(made)]
    return Grid(
        f"{made.table.title}; ours on {made.dataset}",
        ("source", "", *(column.heading for column in made.table.columns)),
        tuple(rows),
        (*_counts(made), *made.notes),
        left=2,
        rules=(len(published),) if published else (),
    )


def _setup(made: Made) -> Grid:
    return Grid("Set-up", ("", "published", "ours"), made.setup, left=3)


def _missing(made: Made) -> Grid:
    sweeps = [f"sweep={name} dataset={made.dataset}" for name in made.table.sweeps]
    whole = "; its sweep: python experiments/run.py " + " and ".join(sweeps) if sweeps else ""
    return Grid(f"Missing in ours{whole}", ("row", "filled by"), made.missing, left=2)


def _folders(made: Made) -> list[str]:
    return [
        f"{line.title}: {', '.join(f'{folder}/' for folder in line.folders)}"
        for line in made.of("ours")
    ]


def _latex(made: Made) -> str:
    """Return what a paper prints; what only whoever made it needs is in comments."""
    missing = [f"missing, {title}: {command}" for title, command in made.missing]
    return latex(_table(made), _setup(made), [*made.passed_over, *_folders(made), *missing])


def _wanted(made: Made) -> list[str]:
    return [row.title for row in made.table.rows if row.run]


def _ours(made: Made, title: str) -> tuple[str, ...]:
    line = next((line for line in made.of("ours") if line.title == title), None)
    if line:
        return _row(made, line)
    return ("ours", title, "missing", *[MISSING] * (len(made.table.columns) - 1))


def _row(made: Made, line: Line) -> tuple[str, ...]:
    cells = (cell(line.values.get(column), column) for column in made.table.columns)
    return (line.source, line.title, *cells)


def cell(value: Value | None, column: Column) -> str:
    """Return a figure with its interval below it, or the mark of one that is not there."""
    if value is None:
        return MISSING
    digits = _DIGITS[column.kind]
    if column.kind == "seconds" and abs(value.mean) < _FINE:
        digits += 2

    def shown(number: float) -> str:
        rounded = round(number, digits) + 0.0  # no "-0.00"
        return f"{rounded:{'+' * column.against_base}.{digits}f}"

    if value.low is None or value.high is None:
        return shown(value.mean)
    sure = "*" * (column.against_base and (value.low > 0 or value.high < 0))
    return f"{shown(value.mean)}{sure}\n{shown(value.low)} to {shown(value.high)}"


def _counts(made: Made) -> list[str]:
    """Say what n is: by column where rows agree, and that they do not where not."""
    said = []
    for column in made.table.columns:
        counts = {line.values[column].n for line in made.of("ours") if column in line.values}
        known = sorted(n for n in counts if n is not None)
        if known and not column.against_base:
            said.append(f"{column.heading} {'/'.join(map(str, known))}")
    if not said:
        return []
    interval = "95 % intervals below ours: bootstrap over what n counts; * interval without 0."
    drawn = any(value.low is not None for line in made.of("ours") for value in line.values.values())
    return [f"n of ours: {', '.join(said)}.", *[interval] * drawn]


def csv_text(made: Made) -> str:
    """Return a line for each value."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(CSV_COLUMNS)
    rows.writerows(_values(made))
    return out.getvalue()


def _values(made: Made) -> Iterator[Sequence[object]]:
    for line in made.lines:
        for column, value in line.values.items():
            metric = column.ours or column.printed
            if column.against_base:
                metric += f" - {made.table.base_of(line.title)}"
            numbers = (value.mean, value.n, value.low, value.high)
            yield (
                line.source, line.title, column.over, metric, *map(_number, numbers),
                _UNITS[column.kind], " ".join(map(str, line.folders)),
            )  # fmt: skip


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def markdown(made: Made) -> str:
    """Return the grids one below the other."""
    return "\n".join(grid.markdown() for grid in grids(made))


def write(made: Made, out: Path) -> list[Path]:
    """Write Markdown, CSV and LaTeX into a folder; return the files.

    Raises:
        RunError: the folder cannot be written.
    """
    texts = {"md": markdown(made), "csv": csv_text(made), "tex": _latex(made)}
    files = {out / f"{made.table.name}.{kind}": text for kind, text in texts.items()}
    try:
        out.mkdir(parents=True, exist_ok=True)
        for path, text in files.items():
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise RunError(f"{out} cannot be written ({error.strerror}): set out= elsewhere") from None
    return list(files)
