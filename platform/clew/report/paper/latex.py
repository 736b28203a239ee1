"""LaTeX: grids as tables with the rules of booktabs, to be read in with `input`."""

import re
from collections.abc import Sequence

from clew.report.tables import Grid

HEAD = r"% needs \usepackage{booktabs}"
WIDTH = 102  # letters that fit into a line, intervals being in smaller print
_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "Δ": r"$\Delta$", "–": "--", "…": r"\ldots{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "''", "[": "{[}", "]": "{]}", "*": "{*}",
}  # fmt: skip

_MINUS = re.compile(r"(?:(?<= )|^)-(?=\d)")


def escape(text: str) -> str:
    """Return text that LaTeX prints as it stands."""
    return "".join(_SPECIAL.get(letter, letter) for letter in text)


def latex(table: Grid, setup: Grid, comments: Sequence[str] = ()) -> str:
    """Return a table with a caption and notes, its set-up as another, and lines not printed.

    What is wider than a page becomes several tables, the notes below the last one.
    """
    parts = table.parts(WIDTH)
    floats = []
    for n, part in enumerate(parts, start=1):
        title = table.title + f" (part {n} of {len(parts)})" * (len(parts) > 1)
        columns = "l" * part.left + "r" * (len(part.headings) - part.left)
        notes = part.notes if n == len(parts) else ()
        lines = [rf"\par\raggedright {escape(note)}" for note in notes]
        floats.append(_float(title, [_tabular(part, columns), *lines]))
    sharing = f"p{{{0.9 / len(setup.headings):.2f}\\linewidth}}" * len(setup.headings)
    floats.append(_float(f"{setup.title} of the table before", [_tabular(setup, sharing)]))
    return "\n".join([HEAD, *(f"% {line}" for line in comments), *floats]) + "\n"


def _float(title: str, content: Sequence[str]) -> str:
    begin = r"\begin{table}[htbp]\centering\scriptsize\setlength{\tabcolsep}{4pt}"
    return "\n".join([begin, rf"\caption{{{escape(title)}}}", *content, r"\end{table}"])


def _tabular(grid: Grid, columns: str) -> str:
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", _row(grid.headings), r"\midrule"]
    for number, row in enumerate(grid.rows):
        if number in grid.rules:
            lines.append(r"\midrule")
        lines.append(_row(row))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _row(cells: Sequence[str]) -> str:
    return " & ".join(map(_cell, cells)) + r" \\"


def _cell(text: str) -> str:
    first, *more = [_MINUS.sub("$-$", escape(line)) for line in text.split("\n")]
    if not more:
        return first
    below = " ".join(more)
    return rf"\begin{{tabular}}[t]{{@{{}}r@{{}}}}{first}\\ {{\tiny {below}}}\end{{tabular}}"
