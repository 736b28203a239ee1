"""Depth: figures against how much is retrieved, a panel for each setting and figure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from clew.report.figures.marks import Mark, column, mark
from clew.report.figures.style import MARKS
from clew.report.paper.made import Made


@dataclass(frozen=True, slots=True)
class Depth:
    """Columns of a table (down) against settings of its rows (across).

    A setting's rows are those whose title begins with its name.
    """

    name: str
    table: str
    settings: tuple[str, ...]
    places: str  # where a setting lies in the configuration, with its name as {}
    columns: tuple[str, ...]
    size: tuple[float, float] = (6.3, 4.6)

    @property
    def shape(self) -> tuple[int, int]:
        """A row of panels for each column of the table."""
        return len(self.columns), len(self.settings)

    def marks(self, made: Made) -> list[Mark]:
        """Return the points, by panel, source and depth."""
        rows = {row.title: row for row in made.table.rows}
        found = []
        for heading in self.columns:
            shown = column(made, heading)
            for setting in self.settings:
                for line in made.lines:
                    run = rows[line.title].run
                    if run and line.title.startswith(setting) and shown in line.values:
                        k = run.settings[self.places.format(setting)]
                        found.append(mark(f"{heading}|{setting}", line, k, line.values[shown]))
        return sorted(found, key=lambda each: (each.panel, each.source, each.x))

    def paint(self, picture: Any, axes: list[list[Any]], marks: Sequence[Mark]) -> None:
        """Draw a line for each source in each panel."""
        by_panel = {panel: list(some) for panel, some in groupby(marks, key=lambda m: m.panel)}
        for heading, row in zip(self.columns, axes, strict=True):
            for setting, panel in zip(self.settings, row, strict=True):
                _lines(panel, by_panel.get(f"{heading}|{setting}", []))
                panel.set(xlabel=setting, ylabel=heading if panel is row[0] else "")
            _one_scale(row)
        panel = max((p for row in axes for p in row), key=lambda p: len(p.containers))
        picture.legend(*panel.get_legend_handles_labels(), loc="outside upper right", ncols=2)


def _lines(panel: Any, marks: Sequence[Mark]) -> None:
    for source, some in groupby(marks, key=lambda each: each.source):
        points = list(some)
        reach = list(zip(*(each.reach for each in points), strict=True))
        panel.errorbar(
            [each.x for each in points], [each.y for each in points], yerr=reach,
            capsize=2, label=source, **MARKS[source],
        )  # fmt: skip
    panel.set_xticks(sorted({each.x for each in marks}))


def _one_scale(row: Sequence[Any]) -> None:
    """Give panels that stand side by side the same scale."""
    bounds = [bound for panel in row for bound in panel.get_ylim()]
    for panel in row:
        panel.set_ylim(min(bounds), max(bounds))
