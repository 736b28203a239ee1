"""Latency: what a workload came to, as tables at a terminal and as the files of its folder."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from clew.evaluate.footprint import Look
from clew.report.figures.latency import draw_latency
from clew.report.paper.found import Found
from clew.report.paper.latency import beside, titled
from clew.report.paper.written import write
from clew.report.rows import cell, write_rows
from clew.report.tables import Grid

_KINDS = {"latency": "", "latency_noembed": "without embedding"}
_FIGURES = ("n", "mean", "p50", "p90", "p99", "max")
_QUEUE = ("delay_mean", "delay_max", "growth", "longest", "busy")


def grids(found: Found) -> list[Grid]:
    """Return the requests' table and the process's."""
    return [_requests(found), _process(found)]


def _requests(found: Found) -> Grid:
    figures = found.manifest["latency"]
    rows = [
        (of.title(), said, *(cell(figures[of][kind][name]) for name in _FIGURES),
         *(cell(queue[name]) for name in _QUEUE), "yes" if queue["grows"] else "no")
        for of in ("search", "add")
        for kind, said in _KINDS.items()
        for queue in [figures[of][kind.replace("latency", "queue")]]
    ]  # fmt: skip
    headings = ("", "", *_FIGURES, "wait", "wait max", "wait grows/s", "queue", "busy", "grows")
    notes = (
        "ms from the scheduled arrival to the result. wait: ms from arrival to start, and by how "
        "many of them it grew in a second; queue: the most requests that waited at once; busy: "
        "share of the time in which one was served; grows: by more than the time between two.",
        f"{found.folder}/",
    )
    return Grid(f"{titled(found)}: requests", headings, tuple(rows), notes, left=2)


def _process(found: Found) -> Grid:
    figures = found.manifest["latency"]
    base = figures["rss"]["base"]
    rows = [
        (phase["name"], cell(phase["end"] - phase["start"]), f"{phase['rss']:.0f}",
         f"{phase['rss'] - base:+.0f}", f"{phase['peak']:.0f}", f"{100 * phase['cpu']:.0f}")
        for phase in figures["phases"]
    ]  # fmt: skip
    headings = ("", "s", "RSS MB", "above base", "peak MB", "CPU %")
    notes = (
        f"RSS of this process at the end of each part, and its peak; the base has models loaded "
        f"and an empty memory open. CPU: of one core. Stored: {figures['stored']:.1f} MB. "
        f"Memory of servers and of a GPU is not seen.",
    )
    return Grid(f"{titled(found)}: process", headings, tuple(rows), notes)


def write_files(found: Found, looks: Sequence[Look]) -> list[Path]:
    """Write tables and pictures into the folder; return the files."""
    out, figures = found.folder, found.manifest["latency"]
    dataset = str(found.manifest["dataset"]["name"])
    files = [out / "latency.csv", out / "rss.csv"]
    write_rows(files[0], _lines(figures))
    write_rows(files[1], list(map(asdict, looks)))
    return [*files, *write(beside([found], dataset), out), *draw_latency(figures, looks, out)]


def _lines(figures: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a line for each kind of request, with and without embedding."""
    return [
        {
            "request": of,
            "embedding": kind == "latency",
            **figures[of][kind],
            **figures[of][kind.replace("latency", "queue")],
        }
        for of in ("search", "add")
        for kind in _KINDS
    ]
