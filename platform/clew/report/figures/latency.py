"""Latency: what a workload took, as a picture: memory over time, and percentiles of requests."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from clew.evaluate.footprint import Look
from clew.report.figures.style import panels, save

_MARKS: Mapping[str, tuple[str, str]] = {"search": ("s", "Search"), "add": ("o", "Add")}
_KINDS: Mapping[str, dict[str, Any]] = {
    "latency": {"linestyle": "-", "color": "#1b4f8f", "markerfacecolor": "#1b4f8f"},
    "latency_noembed": {"linestyle": "--", "color": "#777777", "markerfacecolor": "white"},
}
_FIGURES = {"p50": "P50", "mean": "mean", "p90": "P90", "p99": "P99", "max": "max"}
_SAID = {"latency": "", "latency_noembed": ", without embedding"}


def draw_latency(figures: Mapping[str, Any], looks: Sequence[Look], out: Path) -> list[Path]:
    """Draw what `latency.json` says under `latency`, and all looks at the process.

    Kinds of requests differ by shape, with and without embedding by line and filling. The
    files are figure_latency.svg and .png.
    """
    with panels(1, 2, (7.5, 3.4)) as (picture, axes):
        (over_time, by_percentile), = axes  # fmt: skip
        _memory(over_time, figures["phases"], looks)
        _percentiles(by_percentile, figures)
        picture.legend(
            *by_percentile.get_legend_handles_labels(), loc="outside lower center", ncols=2
        )
        return save(picture, out, "figure_latency")


def _memory(panel: Any, phases: Sequence[Mapping[str, Any]], looks: Sequence[Look]) -> None:
    panel.plot([look.seconds for look in looks], [look.rss for look in looks], color="#1b4f8f")
    panel.set(xlabel="seconds", ylabel="resident memory, MB", title="RSS over the workload")
    panel.set_ylim(bottom=0)
    top = panel.get_ylim()[1]
    for phase in phases[1:]:  # before the first there is nothing to be told apart
        panel.axvline(phase["start"], color="black", linewidth=0.8, linestyle=":")
        panel.text(
            phase["start"], 0.02 * top, f" {phase['name']}", rotation=90, fontsize=8, va="bottom"
        )


def _percentiles(panel: Any, figures: Mapping[str, Any]) -> None:
    from matplotlib.ticker import LogLocator, NullFormatter

    for of, (marker, name) in _MARKS.items():
        for kind, look in _KINDS.items():
            heights = [figures[of][kind][figure] for figure in _FIGURES]
            panel.plot(
                list(_FIGURES.values()), heights, marker=marker, label=name + _SAID[kind], **look
            )
    rate = figures["load"]["rate"]
    panel.set(yscale="log", ylabel="ms (log scale)", title=f"Latency at {rate:g} a second")
    panel.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    panel.yaxis.set_major_formatter("{x:g}")
    panel.yaxis.set_minor_formatter(NullFormatter())
