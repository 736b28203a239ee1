"""Marks: what a picture shows, as numbers, so that it can be checked and drawn again."""

import csv
import io
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from typing import TYPE_CHECKING, Any, Protocol

from clew.report.figures.style import Source
from clew.report.paper.made import Line, Made
from clew.report.paper.measured import Value
from clew.report.paper.shape import Column

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of a panel, with the interval of its `y` where there is one."""

    panel: str
    source: Source
    label: str
    x: float
    y: float
    low: float | None = None
    high: float | None = None

    @property
    def reach(self) -> tuple[float, float]:
        """How far the interval reaches below and above."""
        low, high = (self.y if bound is None else bound for bound in (self.low, self.high))
        return max(self.y - low, 0.0), max(high - self.y, 0.0)


class Drawn(Protocol):
    """A figure: of which table it is, what it shows of it, and how."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def table(self) -> str:
        """The table whose numbers it shows."""

    @property
    def size(self) -> tuple[float, float]:
        """Inches, wide and high."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of panels."""

    def marks(self, made: Made) -> list[Mark]:
        """Return the points."""

    def paint(self, picture: "Picture", axes: list[list[Any]], marks: Sequence[Mark]) -> None:
        """Draw the points into the panels."""


def mark(panel: str, line: Line, x: float, value: Value, label: str = "") -> Mark:
    """Return a figure of a line as a point."""
    return Mark(panel, line.source, label or line.title, x, value.mean, value.low, value.high)


def column(made: Made, heading: str) -> Column:
    """Return a table's column by its heading."""
    return next(column for column in made.table.columns if column.heading == heading)


def points_csv(marks: Sequence[Mark]) -> str:
    """Return a line for each point."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(field.name for field in fields(Mark))
    for each in marks:
        rows.writerow(f"{v:.6g}" if isinstance(v, float) else v for v in astuple(each))
    return out.getvalue()
