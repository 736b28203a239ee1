"""What a limit on a memory's size does: to the process, to the answers, and to latency.

    python experiments/paging.py
    python experiments/paging.py --messages 10000 --systems ariadne --evict lru

A generated conversation is remembered, added to and asked about by experiments/latency.py, each
time in a process of its own: first without a limit, then with one of a quarter of what is
stored, or of 16 MB where that is more (store.paging.limit). Writes paging.csv into the folder.
Exit codes: 0 all is well, 1 contexts differ under a limit or the process took more than it may,
2 a setting is wrong.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from clew.evaluate.footprint import MB
from clew.paging import LEAST
from clew.report.rows import grid_of, write_rows

ROOT = Path(__file__).resolve().parents[1]
TURNS = 20  # of a session
SHARE = 4  # of what is stored, the part that may be held
SLACK = 1.15  # times limit and base together, that the process may take


@dataclass(frozen=True, slots=True)
class Paged:
    """A memory under a limit, or without: sizes in MB, times in ms without embedding.

    `base` is the process with an empty memory, `held` the most at the end of a part of the
    workload, `peak` the most that was seen at any moment, searches included. `over` is by how many
    percent the peak lies above base and limit together; `same` whether all contexts are those of
    no limit.
    """

    system: str
    evict: str
    limit: float
    stored: float
    base: float
    held: float
    peak: float
    over: float
    same: bool
    search_mean: float
    add_mean: float
    load_s: float

    @property
    def kept(self) -> bool:
        """Whether it did what a limit promises."""
        return self.same and (not self.limit or self.over <= 100 * (SLACK - 1))


def main(words: Sequence[str] | None = None) -> int:
    """Measure, print the table, and write the file."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--messages", type=int, default=50_000)
    parser.add_argument("--systems", nargs="+", default=["hybrid", "ariadne"])
    parser.add_argument("--evict", nargs="+", default=["lru", "lfu"])
    parser.add_argument("--folder", type=Path, default=Path("runs/paging"))
    asked = parser.parse_args(words)
    os.chdir(ROOT)
    rows: list[Paged] = []
    for system in asked.systems:
        try:
            rows += paged(system, asked.messages, asked.evict, asked.folder)
        except subprocess.CalledProcessError as error:
            return int(error.returncode)  # it has said what is wrong
    lines = list(map(asdict, rows))
    grid_of(f"{asked.messages} messages under a limit; MB and ms", lines).print(Console())
    write_rows(asked.folder / "paging.csv", lines)
    return 0 if all(row.kept for row in rows) else 1


def paged(system: str, messages: int, evict: Sequence[str], folder: Path) -> list[Paged]:
    """Measure a system without a limit and with one."""
    free = measured(system, messages, folder, "free")
    limit = max(free["stored"] / SHARE, LEAST / MB)
    rows = [row_of(system, "", 0.0, free, free)]
    for how in evict:
        words = (f"store.paging.limit={round(limit)}MB", f"store.paging.evict={how}")
        found = measured(system, messages, folder, how, *words)
        rows.append(row_of(system, how, limit, found, free))
    return rows


def measured(system: str, messages: int, folder: Path, name: str, *words: str) -> Mapping[str, Any]:
    """Return what a process of its own says of the memory that it built."""
    name = f"{system}-{name}"
    data = f"conversations=1 sessions={-(-messages // TURNS)} turns={TURNS} questions=60"
    command = [
        *(sys.executable, "experiments/latency.py", f"system={system}", f"runs={folder}"),
        *(f"name={name}", "overwrite=true", "tracking=none", "dataset=generated"),
        *(f"dataset.{each}" for each in data.split()),
        *("embedder=words", "embedder.dimension=384", "rate=10", "requests=100", *words),
    ]
    subprocess.run(command, check=True)
    figures: Mapping[str, Any] = json.loads((folder / name / "latency.json").read_text())["latency"]
    return figures


def row_of(
    system: str, evict: str, limit: float, figures: Mapping[str, Any], free: Mapping[str, Any]
) -> Paged:
    """Sum up a measurement beside that without a limit."""
    base, peak = figures["rss"]["base"], figures["rss"]["peak"]
    return Paged(
        system=system,
        evict=evict,
        limit=limit,
        stored=figures["stored"],
        base=base,
        held=max(phase["rss"] for phase in figures["phases"]),
        peak=peak,
        over=100 * (peak / (base + limit) - 1) if limit else 0.0,
        same=figures["contexts"] == free["contexts"],
        search_mean=figures["search"]["latency_noembed"]["mean"],
        add_mean=figures["add"]["latency_noembed"]["mean"],
        load_s=figures["phases"][1]["end"] - figures["phases"][1]["start"],
    )


if __name__ == "__main__":
    sys.exit(main())
