"""Shape: what a paper's table is. A table is data: which runs, which printed cells, which columns.

To add one, declare it in a file beside this one and name it in `known.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["percent", "points", "tokens", "seconds", "milliseconds"]


@dataclass(frozen=True, slots=True)
class Column:
    """A figure that each row has: where the paper prints it, and what of a run it is.

    `over` is a category's number, `macro` (the plain mean of the categories' means), `micro`
    (the mean over questions) or `conversation`. With `against_base` it is the paired
    difference to the table's base row. Without `printed` the paper has no such column.
    """

    heading: str
    over: str
    ours: str = ""
    printed: str = ""
    kind: Kind = "percent"
    against_base: bool = False

    @property
    def categories(self) -> tuple[str, ...]:
        """What a published file may have for the category; "1-4" is over all questions."""
        return (
            (self.over,) if self.over.isdigit() else ("", "1-4") if self.over == "micro" else ("",)
        )


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which run fills a row: one of these systems, with this ablation and these settings.

    No systems: those of the table's `family`.
    """

    systems: tuple[str, ...] = ()
    ablation: str = "full"
    settings: Mapping[str, Any] = field(default_factory=dict)  # by dotted place in the config
    more: str = ""  # what its command needs besides


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the paper, of ours, or of both: what it selects of what is printed, and a run.

    Its differences are to the row named `base`, or to the table's, from which its run differs
    in so many `parts`.
    """

    title: str
    printed: Mapping[str, str] = field(default_factory=dict)
    run: Wanted | None = None
    base: str = ""
    parts: int = 1


@dataclass(frozen=True, slots=True)
class Setup:
    """How the published numbers came about, as far as the paper says: by aspect, in words."""

    facts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table: its rows and columns, and what of ours may stand in one table.

    `family` holds the systems of ours that may stand in the paper's system's place; one of
    them fills all rows. Runs of one table are alike in all but the `swapped` stages; without
    any, rows are systems of their own. `sweeps` names what fills it.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    setup: Setup
    published: str = ""
    family: tuple[str, ...] = ()
    swapped: tuple[str, ...] = ()
    base: str = ""
    sweeps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def wanted(self, row: Row) -> tuple[str, ...]:
        """Return the systems of which one may fill this row."""
        return (row.run.systems or self.family) if row.run else ()

    def base_of(self, title: str) -> str:
        """Return the title of the row that the differences of a row are to: "" where none is."""
        own = next((row.base for row in self.rows if row.title == title), "")
        return own or self.base
