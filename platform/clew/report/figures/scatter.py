"""Scatter: what an answer costs against how good it is, one point for each system."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from clew.report.figures.marks import Mark, column, mark
from clew.report.figures.style import MARKS, UNLINKED
from clew.report.paper.made import Made

_LETTER, _HALF, _MARK = 5.8, 5.0, 4.0  # of a label and a mark, in points
_MOVES = (10.0, -10.0, 20.0, -20.0, 30.0, -30.0, 40.0)  # up or down from beside the point
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Scatter:
    """Two columns of a table against each other, `x` on a logarithmic scale.

    Of what is published only lines whose title holds `only` are shown.
    """

    name: str
    table: str
    title: str
    x: str
    y: str
    only: str = ""
    size: tuple[float, float] = (6.3, 3.8)
    shape: tuple[int, int] = (1, 1)

    def marks(self, made: Made) -> list[Mark]:
        """Return a point for each line that has both figures."""
        x, y = column(made, self.x), column(made, self.y)
        found = []
        for line in made.lines:
            shown = line.source == "ours" or self.only in line.title
            if shown and x in line.values and y in line.values:
                label = line.title.removesuffix(f", {self.only}").rpartition(": ")[2]
                found.append(mark("", line, line.values[x].mean, line.values[y], label))
        return found

    def paint(self, picture: Any, axes: list[list[Any]], marks: Sequence[Mark]) -> None:
        """Draw the points, each with its name beside it."""
        panel = axes[0][0]
        panel.set_xscale("log")
        for each in marks:
            reach = [[bound] for bound in each.reach]
            panel.errorbar(
                [each.x], [each.y], yerr=reach, capsize=2, **MARKS[each.source] | UNLINKED
            )
        panel.set(title=self.title, xlabel=f"{self.x} (log scale)", ylabel=self.y)
        panel.margins(x=0.28, y=0.12)
        picture.draw_without_rendering()  # places in the picture are known after that
        for each, place in zip(marks, _places(panel, marks), strict=True):
            at, line = (each.x, each.y), _line(*place)
            panel.annotate(
                each.label, at, place, textcoords="offset points", va="center", arrowprops=line
            )
        for source in sorted({each.source for each in marks}, reverse=True):
            panel.plot([], [], **(MARKS[source] | UNLINKED), label=source)
        panel.legend(loc="lower right")


def _line(right: float, up: float) -> dict[str, Any] | None:
    """Return the line from a label to its point, where it is not just beside it."""
    if not up:
        return None
    end = (1.0 if right < 0 else 0.0, 0.5)  # of the label
    return {"arrowstyle": "-", "linewidth": 0.5, "color": "0.5", "relpos": end, "shrinkB": _MARK}


def _places(panel: Any, marks: Sequence[Mark]) -> list[tuple[float, float]]:
    """Return how far from its point each label begins: where it lies on nothing, if there is."""
    scale = 72 / panel.figure.dpi
    points = [panel.transData.transform((each.x, each.y)) * scale for each in marks]
    taken = [_box(panel, each, scale) for each in marks]
    chosen = []
    for (x, y), each in zip(points, marks, strict=True):
        width = _LETTER * len(each.label)
        aside = ((8.0, 0.0), (-8 - width, 0.0))
        moved = [(right, up) for up in _MOVES for right, _ in aside]
        boxes = {
            (right, up): (x + right, y + up - _HALF, x + right + width, y + up + _HALF)
            for right, up in (*aside, *moved)
        }
        free = [at for at, box in boxes.items() if not any(_meet(box, b) for b in taken)]
        place = next(iter([*free, *boxes]))
        taken.append(boxes[place])
        chosen.append(place)
    return chosen


def _box(panel: Any, each: Mark, scale: float) -> Box:
    """Return what a point covers with its interval."""
    below, above = each.reach
    low, high = (
        panel.transData.transform((each.x, y)) * scale for y in (each.y - below, each.y + above)
    )
    return low[0] - _MARK, low[1] - _MARK, high[0] + _MARK, high[1] + _MARK


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
