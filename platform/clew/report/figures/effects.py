"""Effects: what each row changes against the base row, with intervals where they are known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clew.report.figures.marks import Mark, column, mark
from clew.report.figures.style import MARKS, UNLINKED, Source
from clew.report.paper.made import Made

_ASIDE: Mapping[Source, float] = {"published": 0.15, "ours": -0.15}  # of a row's height


@dataclass(frozen=True, slots=True)
class Effects:
    """A column of paired differences, a row of the picture for each row of the table with any."""

    name: str
    table: str
    column: str
    title: str
    size: tuple[float, float] = (6.3, 2.8)
    shape: tuple[int, int] = (1, 1)

    def marks(self, made: Made) -> list[Mark]:
        """Return a point for each difference; `x` is the row's number from the top.

        Rows that nobody has are left out: the table names them.
        """
        shown = column(made, self.column)
        lines = [line for line in made.lines if shown in line.values]
        had = {line.title for line in lines} - {made.table.base}
        rows = [row.title for row in made.table.rows if row.title in had]
        return [
            mark("", line, rows.index(line.title), line.values[shown])
            for line in lines
            if line.title in had
        ]

    def paint(self, picture: Any, axes: list[list[Any]], marks: Sequence[Mark]) -> None:
        """Draw differences from left to right, the first row on top."""
        panel = axes[0][0]
        panel.axvline(0, color="black", linewidth=0.8)
        for source, aside in _ASIDE.items():
            some = [each for each in marks if each.source == source]
            if some:
                panel.errorbar(
                    [each.y for each in some], [aside - each.x for each in some],
                    xerr=list(zip(*(each.reach for each in some), strict=True)), capsize=2,
                    label=source, **MARKS[source] | UNLINKED,
                )  # fmt: skip
        labels = {each.x: each.label for each in marks}
        panel.set_yticks([-x for x in labels], labels.values())
        panel.set(xlabel=self.title, ylim=(-max(labels, default=0) - 0.5, 0.5))
        panel.grid(axis="x")
        panel.grid(False, axis="y")
        picture.legend(loc="outside upper right", ncols=2)
