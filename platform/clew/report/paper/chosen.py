"""Chosen: which run fills which row of a table, and what was passed over.

A run fills a row when its system, ablation and settings are the row's, and nothing else of its
system was set otherwise. Runs beside each other have to be alike in all that the table does not
vary: of several such sets, the one over the whole dataset that fills most rows is taken.
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
_NOT_KEPT = {"name", "ablation", "sweep", "launcher", "tracking", "table", "overwrite", "price"}


@dataclass(frozen=True, slots=True)
class Chosen:
    """The run of each row that has one, and sentences on what else there was."""

    runs: Mapping[str, Found]
    notes: tuple[str, ...] = ()

    @property
    def first(self) -> Found | None:
        """Any of the runs, for what all have in common."""
        return next(iter(self.runs.values()), None)


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
    runs = {row.title: max(best[row.title], key=_latest) for row in table.rows if row.title in best}
    notes += _several(best, runs) + _others(sets, best)
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
    parts = [run.data, models, run.system, system, run.manifest.get("seeds", {})]
    return json.dumps(parts, sort_keys=True)


def _without(value: Any, place: str, places: Sequence[str]) -> Any:
    if not isinstance(value, Mapping):
        return value
    inner = {key: f"{place}.{key}" for key in value}
    return {k: _without(value[k], at, places) for k, at in inner.items() if at not in places}


def _worth(rows: Mapping[str, Sequence[Found]]) -> tuple[bool, int, str]:
    runs = [run for some in rows.values() for run in some]
    return not any(run.part for run in runs), len(rows), max(run.end for run in runs)


def _latest(run: Found) -> tuple[str, str]:
    return run.end, str(run.folder)


def _several(rows: Mapping[str, Sequence[Found]], runs: Mapping[str, Found]) -> list[str]:
    return [
        f"{title}: {len(rows[title])} runs fit, the latest is taken: {run.folder}/"
        for title, run in runs.items()
        if len(rows[title]) > 1
    ]


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
