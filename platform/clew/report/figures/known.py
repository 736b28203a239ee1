"""Known: every figure that can be drawn, by name."""

from collections.abc import Mapping
from pathlib import Path

from clew.errors import RunError
from clew.report.figures.depth import Depth
from clew.report.figures.effects import Effects
from clew.report.figures.marks import Drawn, points_csv
from clew.report.figures.scatter import Scatter
from clew.report.figures.style import panels, save
from clew.report.paper.made import Made

_ALL: tuple[Drawn, ...] = (
    Scatter(
        "ariadne_1",
        "ariadne_2",
        "F1 against the time of a conversation; machines and language models differ",
        x="total s",
        y="avg F1 (macro)",
        only="GPT-4.1-mini",
    ),
    Effects("ariadne_3", "ariadne_3", "Δ avg F1", "difference of average F1 to full, in points"),
    Effects(
        "divergences",
        "divergences",
        "Δ R@500 micro",
        "Δ R@500 (micro), in points",
        size=(6.3, 5.2),
    ),
    Depth(
        "ariadne_4",
        "ariadne_4",
        settings=("k_sem", "k_lex"),
        places="system.recall.{}",
        columns=("avg F1 (macro)", "R@500 (micro)"),
    ),
)
FIGURES: Mapping[str, Drawn] = {each.name: each for each in _ALL}


def draw(drawn: Drawn, made: Made, out: Path) -> list[Path]:
    """Draw a figure of a made table; return its files: SVG, PNG and the points as CSV.

    Raises:
        RunError: nothing in the table can be shown, or the folder cannot be written.
    """
    marks = drawn.marks(made)
    if not marks:
        told = "".join(f"; {title}: {command}" for title, command in made.missing[:1])
        raise RunError(f"figure={drawn.name}: no run has what it shows{told}")
    points = out / f"figure_{drawn.name}.csv"
    try:
        out.mkdir(parents=True, exist_ok=True)
        points.write_text(points_csv(marks), encoding="utf-8")
        with panels(*drawn.shape, drawn.size) as (picture, axes):
            drawn.paint(picture, axes, marks)
            return [*save(picture, out, f"figure_{drawn.name}"), points]
    except OSError as error:
        raise RunError(f"{out} cannot be written ({error.strerror}): set out= elsewhere") from None
