"""LaTeX: grids as tables with the rules of booktabs, to be read in with `input`."""

import re
from collections.abc import Sequence

from clew.report.tables import Grid

HEAD = "% needs \\usepackage{booktabs,graphicx}\n"
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


def latex(grids: Sequence[Grid]) -> str:
    """Return the first grid as a table with a caption, and the others below it in small."""
    first, *others = grids
    parts = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escape(first.title)}}}",
        r"\resizebox{\linewidth}{!}{%",
        _tabular(first, "l" * first.left + "r" * (len(first.headings) - first.left)) + "}",
        *(rf"\par\raggedright\footnotesize {escape(note)}" for note in first.notes),
        *(_small(other) for other in others),
        r"\end{table}",
    ]
    return HEAD + "\n".join(parts) + "\n"


def _small(grid: Grid) -> str:
    """Return a grid of text, its columns sharing the line."""
    width = f"p{{{0.9 / len(grid.headings):.2f}\\linewidth}}"
    return "\\par\\medskip\\footnotesize\n" + _tabular(grid, width * len(grid.headings))


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
    lines = [_MINUS.sub("$-$", escape(line)) for line in text.split("\n")]
    if len(lines) == 1:
        return lines[0]
    return rf"\shortstack[r]{{{lines[0]}\\ {{\tiny {' '.join(lines[1:])}}}}}"
