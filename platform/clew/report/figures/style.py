"""Style: how every picture of ours looks; to be told apart without colour.

Published is open and dashed, ours is filled and solid; shape tells the rest. The same figures
make the same file: no date in it, and ids that are not random.
"""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Source = Literal["published", "ours"]

LOOK = Path(__file__).with_name("clew.mplstyle")
MARKS: dict[Source, dict[str, Any]] = {
    "published": {
        "color": "#777777", "markerfacecolor": "white", "marker": "o", "linestyle": "--",
    },
    "ours": {"color": "#1b4f8f", "markerfacecolor": "#1b4f8f", "marker": "s", "linestyle": "-"},
}  # fmt: skip
UNLINKED = {"linestyle": "none"}  # points with no line between them


@contextmanager
def panels(
    rows: int, columns: int, size: tuple[float, float]
) -> Iterator[tuple["Figure", list[list[Any]]]]:
    """Yield an empty picture and its panels in the common look, inches wide and high.

    It is to be saved within: the look also tells how.
    """
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with style.context(LOOK):
        made = Figure(figsize=size)
        FigureCanvasAgg(made)
        yield made, made.subplots(rows, columns, squeeze=False).tolist()


def save(picture: "Figure", out: Path, name: str) -> list[Path]:
    """Write a picture as SVG and as PNG; return the files."""
    files = [out / f"{name}.svg", out / f"{name}.png"]
    picture.savefig(files[0], metadata={"Date": None, "Creator": "clew"})
    picture.savefig(files[1], metadata={"Software": "clew"})
    return files


def svg(picture: "Figure") -> str:
    """Return a picture as text, for a notebook or a page."""
    out = io.StringIO()
    picture.savefig(out, format="svg", metadata={"Date": None, "Creator": "clew"})
    return out.getvalue()
