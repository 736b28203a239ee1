"""A paper's tables and figures again, from the runs that there are: published cells and ours.

    python experiments/tables.py table=ariadne_3 sweep=ariadne_table3
    python experiments/tables.py table=all figure=all dataset=locomo runs=runs out=paper

Settings: table, figure (a name, several with commas, or all), runs (their folder), sweep (use
only its jobs), dataset (locomo), system (of a family, the one to use), out (<runs>/tables).
Exit codes: 0 all is well, 2 a name or a file is wrong or no finished run fits.
"""

import logging
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from rich.console import Console

from clew.cli import complain
from clew.errors import ClewError, ConfigError, RunError
from clew.report.figures.known import FIGURES, draw
from clew.report.paper.found import Found, discover
from clew.report.paper.known import IN_WORDS, TABLES, by_name
from clew.report.paper.latency import TABLE_5, beside, measurements
from clew.report.paper.made import Made, make
from clew.report.paper.written import grids, write

ROOT = Path(__file__).resolve().parents[1]
WRONG = 2


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line sets."""

    table: str = ""
    figure: str = ""
    runs: str = "runs"
    sweep: str = ""
    dataset: str = "locomo"
    system: str = ""
    out: str = ""

    @property
    def folder(self) -> Path:
        """Where files go."""
        return Path(self.out) if self.out else Path(self.runs) / "tables"


def main(words: Sequence[str] | None = None) -> int:
    """Print and write what was asked for; return the exit code."""
    console = Console()
    words = sys.argv[1:] if words is None else words
    if {"--help", "-h"} & set(words):
        print(_usage())
        return 0
    try:
        asked = _asked(words)
        found = discover(Path(asked.runs), _names(asked.sweep))
    except ClewError as error:
        return _complain(error)
    code = 0
    for show, name in [
        *((_table, name) for name in _chosen(asked.table, TABLES)),
        *((_figure, name) for name in _chosen(asked.figure, FIGURES)),
    ]:
        try:
            files = show(name, asked, found, console)
            console.print(f"written: {', '.join(map(str, files))}", markup=False, soft_wrap=True)
        except ClewError as error:
            code = _complain(error)
    return code


def _usage() -> str:
    """Return what the script does, with the names of its tables and figures."""
    names = (("Tables", TABLES), ("Figures", FIGURES))
    return "\n".join([__doc__ or "", *(f"{what}: {', '.join(known)}" for what, known in names)])


def _complain(error: ClewError) -> int:
    complain(error)
    return WRONG


def _table(name: str, asked: Asked, found: Sequence[Found], console: Console) -> list[Path]:
    made = _filled(asked, name, found)
    for grid in grids(made):
        grid.print(console)
        console.print()
    return write(made, asked.folder)


def _figure(name: str, asked: Asked, found: Sequence[Found], console: Console) -> list[Path]:
    return draw(FIGURES[name], _filled(asked, FIGURES[name].table, found), asked.folder)


def _asked(words: Sequence[str]) -> Asked:
    """Read `key=value` words, as everywhere in Clew."""
    known = [each.name for each in fields(Asked)]
    pairs = dict(word.partition("=")[::2] for word in words)
    if unknown := [key for key in pairs if key not in known]:
        raise ConfigError(f"{unknown[0]}: there is no such setting; there are {', '.join(known)}")
    asked = _with_figures(Asked(**pairs))
    if not _names(asked.table) and not _names(asked.figure):
        raise ConfigError(
            f"Set table= to one or more of {', '.join(TABLES)}, or figure= to one or more of "
            f"{', '.join(FIGURES)}, or either to all"
        )
    for name in _chosen(asked.table, TABLES):
        by_name("table", name, TABLES)
    for name in _chosen(asked.figure, FIGURES):
        by_name("figure", name, FIGURES)
    return asked


def _with_figures(asked: Asked) -> Asked:
    """Put the table that has a paper's figures in the place of one that compares in words."""
    names = _names(asked.table)
    for name in (name for name in names if name in IN_WORDS):
        told = f"{name} compares systems in words; their figures are in {IN_WORDS[name]}"
        print(told, file=sys.stderr)
    named = dict.fromkeys(IN_WORDS.get(name, name) for name in names)
    return replace(asked, table=",".join(named))


def _chosen(text: str, known: Mapping[str, object]) -> list[str]:
    return list(known) if text == "all" else _names(text)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _filled(asked: Asked, name: str, found: Sequence[Found]) -> Made:
    table = TABLES[name]
    if name == TABLE_5.name:
        return _measured(asked)
    made = make(table, found, asked.dataset, asked.system)
    if not made.of("ours"):
        start = f"sweep={table.sweeps[0]}" if table.sweeps else "-m"
        raise RunError(
            f"{name}: no finished run over {asked.dataset} in {asked.runs}/ fits a row; make them "
            f"with: python experiments/run.py {start} dataset={asked.dataset}"
        )
    return made


def _measured(asked: Asked) -> Made:
    found = measurements(Path(asked.runs), asked.dataset)
    mine = [each for each in found if asked.system in ("", each.system)]
    if mine:
        return beside(mine, asked.dataset)
    raise RunError(
        f"{TABLE_5.name}: no measurement over {asked.dataset} in {asked.runs}/; make one with: "
        f"python experiments/latency.py dataset={asked.dataset}"
    )


if __name__ == "__main__":
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    os.chdir(ROOT)
    sys.exit(main())
