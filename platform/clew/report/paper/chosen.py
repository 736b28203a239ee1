"""Chosen: which run fills which row of a table, and what was passed over.

A run fills a row when its system, ablation and settings are the row's, and nothing else of its
system was set otherwise. Runs beside each other have to be alike in all that the table does not
vary: of several such sets, the one over the whole dataset that fills most rows is taken.
Runs that differ in their seed alone are repeats, and fill a row together.
"""

import json
import shlex
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clew.report.paper.found import Found
from clew.report.paper.shape import PaperTable, Row, Wanted

DONE = "done"
_NOT_KEPT = frozenset(
    {"name", "ablation", "sweep", "launcher", "tracking", "table", "report", "overwrite", "price"}
)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The runs of each row that has any, one for each seed, and what else there was."""

    runs: Mapping[str, tuple[Found, ...]]
    notes: tuple[str, ...] = ()

    @property
    def first(self) -> Found | None:
        """Any of the runs, for what all have in common."""
        return next((repeats[0] for repeats in self.runs.values()), None)


def choose(table: PaperTable, found: Sequence[Found], dataset: str, system: str = "") -> Chosen:
    """Return which of the runs over a dataset fill the rows; `system` names one of the family."""
    over = [run for run in found if run.of(dataset) and system in ("", run.system)]
    sets: dict[str, dict[str, list[Found]]] = defaultdict(lambda: defaultdict(list))
    notes = []
    for run in over:
        titles = [row.title for row in table.rows if fits(run, row, table)]
        if titles and run.status != DONE:
            notes.append(f"not used, because it is {run.status}: {run.folder}/")
            continue
        for title in titles:
            sets[_alike(run, table)][title].append(run)
    if not sets:
        return Chosen({}, tuple(notes))
    best = max(sets.values(), key=lambda rows: _worth(rows))
    runs = {row.title: _repeats(best[row.title]) for row in table.rows if row.title in best}
    notes += _several(best, runs) + _mixed(table, runs) + _others(sets, best)
    return Chosen(runs, tuple(notes))


def fits(run: Found, row: Row, table: PaperTable) -> bool:
    """Return whether a run is what a row wants, however it ended."""
    if row.run is None or run.system not in table.wanted(row) or run.ablation != row.run.ablation:
        return False
    same = all(run.at(place) == value for place, value in row.run.settings.items())
    return same and run.shaping <= set(row.run.settings)


def _alike(run: Found, table: PaperTable) -> str:
    """Return what runs of one table share, as text; the stages that it swaps are left out."""
    models = dict(run.manifest.get("models", {}))
    if not table.swapped:
        return json.dumps([run.data, models.get("embedder")], sort_keys=True)
    system = _without(run.at("system"), "system", table.swapped)
    return json.dumps([run.data, models, run.system, system], sort_keys=True)


def _without(value: Any, place: str, places: Sequence[str]) -> Any:
    if not isinstance(value, Mapping):
        return value
    inner = {key: f"{place}.{key}" for key in value}
    return {k: _without(value[k], at, places) for k, at in inner.items() if at not in places}


def _worth(rows: Mapping[str, Sequence[Found]]) -> tuple[bool, int, str]:
    runs = [run for some in rows.values() for run in some]
    return not any(run.part for run in runs), len(rows), max(run.end for run in runs)


def _repeats(runs: Sequence[Found]) -> tuple[Found, ...]:
    """Return the latest run, and of each other seed the latest that is like it in all else."""
    in_time = sorted(runs, key=lambda run: (run.end, str(run.folder)))
    like = [run for run in in_time if _makers(run) == _makers(in_time[-1])]
    latest = {run.seeds: run for run in like}
    return tuple(latest[seeds] for seeds in sorted(latest))


def _makers(run: Found) -> tuple[Any, ...]:
    """Return the stages and models that a run's answers come from."""
    return run.at("system"), run.manifest.get("models")


def _several(rows: Mapping[str, Sequence[Found]], runs: Mapping[str, Sequence[Found]]) -> list[str]:
    return [
        f"{title}: {len(rows[title])} runs fit, the latest is taken: "
        f"{', '.join(f'{run.folder}/' for run in repeats)}"
        for title, repeats in runs.items()
        if len(rows[title]) > len(repeats)
    ]


def _mixed(table: PaperTable, runs: Mapping[str, Sequence[Found]]) -> list[str]:
    """Tell of rows that differ from their base in more than what they are about."""
    said = []
    for row in table.rows:
        name = table.base_of(row.title)
        if row.title in runs and name in runs:
            run, base = runs[row.title][0], runs[name][0]
            other = [each for each in _places(run, base, table) if run.at(each) != base.at(each)]
            if len(other) > row.parts:
                said.append(f"{row.title} differs from {name} in {', '.join(other)}")
    return said


def _places(run: Found, base: Found, table: PaperTable) -> Sequence[str]:
    """Return where two runs may differ: in stages that the table swaps, or in any of a system."""
    stages = {*(run.at("system") or {}), *(base.at("system") or {})}
    return table.swapped or [f"system.{stage}" for stage in sorted(stages)]


def _others(sets: Mapping[str, Any], best: Mapping[str, Sequence[Found]]) -> list[str]:
    """Name what else could have filled the table, apart from what did."""
    others = [rows for rows in sets.values() if rows is not best]
    said = []
    for rows in others:
        runs = {str(run.folder): run for some in rows.values() for run in some}
        names = ", ".join(sorted({run.system for run in runs.values()}))
        said.append(
            f"runs of another set-up, not mixed in ({names}; {len(rows)} of the rows): "
            f"{', '.join(sorted(runs)[:3])}{', …' * (len(runs) > 3)}"
        )
    return said


def command(table: PaperTable, row: Row, chosen: Chosen, dataset: str) -> str:
    """Return the command that would fill a row as its neighbours are filled."""
    wanted = row.run or Wanted()
    systems = table.wanted(row)
    like = chosen.first
    system = like.system if like and like.system in systems else systems[0]
    words = [f"system={system}", f"dataset={dataset}"]
    words += [f"ablation={wanted.ablation}"] * (wanted.ablation != "full")
    set_to = {
        place: value
        for place, value in wanted.settings.items()
        if like is None or like.at(place) != value
    }
    words += [f"{place}={value}" for place, value in set_to.items()]
    words += [wanted.more] * bool(wanted.more)
    if set_to:  # or it would share the folder of the run without them
        told = [f"{place.rpartition('.')[2]}_{value}" for place, value in set_to.items()]
        words.append(f"name={'-'.join([system, dataset, *told])}")
    return shlex.join(["python", "experiments/run.py", *words, *_kept(like, words)])


def _kept(like: Found | None, words: Sequence[str]) -> list[str]:
    """Return what a neighbour's command set beyond these words."""
    if like is None:
        return []
    apart = {word.partition("=")[0] for word in words} | like.shaping
    kept = {key: value for key, value in like.overrides.items() if key not in apart}
    groups = {key: key.partition(".")[0] for key in kept}
    return [f"{key}={value}" for key, value in kept.items() if groups[key] not in _NOT_KEPT]
