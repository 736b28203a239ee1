"""Published: the numbers that papers print, as they print them, and nothing of ours.

A file is a table of a paper, a line one of its cells: `category` is the number that LoCoMo
gives to what the column holds, `label` what the paper calls it, and `configuration` the row
as printed. Metrics are named as a run of ours names them where both measure the same.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from clew.errors import RunError


@dataclass(frozen=True, slots=True)
class Printed:
    """One printed number."""

    source: str
    benchmark: str
    system: str
    configuration: str
    backbone: str
    category: str
    label: str
    metric: str
    n: str
    value: float
    unit: str
    note: str

    def fits(self, selection: Mapping[str, str]) -> bool:
        """Return whether it is of the row that these fields select."""
        return all(getattr(self, name) == value for name, value in selection.items())


@cache
def published(name: str) -> tuple[Printed, ...]:
    """Return the numbers of a paper's table, in printed order.

    Raises:
        RunError: there is no such table; the text lists those that there are.
    """
    if name not in (known := published_tables()):
        raise RunError(f"{name}: no such published table; there are {', '.join(known)}")
    text = (resources.files(__name__) / f"{name}.csv").read_text("utf-8")
    rows = csv.DictReader(text.splitlines())
    return tuple(Printed(value=float(row.pop("value")), **row) for row in rows)


def published_tables() -> list[str]:
    """Return the names of the tables whose numbers are here."""
    files = resources.files(__name__).iterdir()
    return sorted(file.name[:-4] for file in files if file.name.endswith(".csv"))
