"""Known: every table of a paper that can be made again, by name."""

from collections.abc import Mapping
from typing import TypeVar

from clew.errors import ConfigError
from clew.report.paper import ariadne, latency, mandol, simplemem
from clew.report.paper.crossovers import CROSSOVERS
from clew.report.paper.divergences import DIVERGENCES
from clew.report.paper.shape import PaperTable

T = TypeVar("T")

TABLES: Mapping[str, PaperTable] = {
    table.name: table
    for table in (
        *(ariadne.TABLE_1, ariadne.TABLE_2, ariadne.TABLE_3, ariadne.TABLE_4, DIVERGENCES),
        *(simplemem.TABLE_1, simplemem.TABLE_5, simplemem.TABLE_6),
        *(mandol.TABLE_3, latency.TABLE_5, mandol.TABLE_PARTS, CROSSOVERS),
    )
}

IN_WORDS: Mapping[str, str] = {  # tables of a paper without figures, and where these are
    "mandol_1": mandol.TABLE_3.name,
}


def by_name(kind: str, name: str, known: Mapping[str, T]) -> T:
    """Return the table or figure of a name.

    Raises:
        ConfigError: there is none of that name; the text lists those that there are.
    """
    if name not in known:
        raise ConfigError(f"{kind}={name}: there is no such {kind}; there are {', '.join(known)}")
    return known[name]
