"""The summary: what a run comes to, computed from its files alone.

All but `latency_ms` is the same however often the run was killed and started again.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from clew.evaluate import stats
from clew.evaluate.building import Built
from clew.evaluate.journal import Record
from clew.evaluate.stats import ANSWERABLE, Table
from clew.models.llm import SPENT
from clew.stage import stages_of


@dataclass(frozen=True, slots=True)
class Summary:
    """The content of `summary.json`, the folder it lies in, and what to be warned of."""

    folder: Path
    content: Mapping[str, Any]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences about what makes the run doubtful."""
        return tuple(self.content["warnings"])

    @property
    def exit_code(self) -> int:
        """Return 1 when a question failed or a message was lost, else 0."""
        return int(bool(self.content["failed"] or self.content["lost"]))


def summarise(
    records: Sequence[Record],
    built: Sequence[Built],
    bursts: Sequence[Mapping[str, Any]],
    promised: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """Return every figure of a run; `promised` names effects its stages should have, by role."""
    rows = [record for record in records if record.category in ANSWERABLE]
    failed = sum(record.status == "failed" for record in records)
    lost = sum(part.lost for part in built)
    effects = _effects(records, built, chain.from_iterable(promised.values()))
    everything = _everything(records, built)
    doubts = _without_effect(promised, effects) + _by_rule(built)
    return {
        "n": len(records),
        "failed": failed,
        "lost": lost,
        "micro": _group(rows),
        "macro": _macro(rows),
        "by_category": {
            str(c): _group([r for r in records if r.category == c])
            for c in sorted({r.category for r in records})
        },
        "intervals": _intervals(rows),
        "latency_ms": _latency(records, bursts),
        "tokens": _tokens(records, built, bursts),
        "effects": effects,
        "no_retrieval": everything,
        "warnings": _warnings(failed, lost, everything, len(records)) + doubts,
    }


def promised_effects(system: object) -> dict[str, tuple[str, ...]]:
    """Return by role the effects that the stages of a system name in their class's `effects`."""
    parts = stages_of(system) if is_dataclass(system) else {}
    named = {role: tuple(getattr(type(part), "effects", ())) for role, part in parts.items()}
    return {role: effects for role, effects in named.items() if effects}


def _columns(records: Sequence[Record]) -> list[str]:
    return sorted({name for record in records for name in record.scores})


def _group(records: Sequence[Record]) -> dict[str, Any]:
    """Return n and the means of a group of questions."""
    names = _columns(records)
    figures: dict[str, Any] = {
        "n": len(records),
        "n_evidence": sum("evidence_recall" in record.scores for record in records),
        "abstained": sum(record.abstained for record in records),
    }
    return figures | _named(names, stats.means(stats.table(records, names))) | _context(records)


def _context(records: Sequence[Record]) -> dict[str, float]:
    tokens = [record.context_tokens for record in records if record.status == "ok"]
    return {"context_tokens": _rounded(float(np.mean(tokens)))} if tokens else {}


def _macro(records: Sequence[Record]) -> dict[str, Any]:
    """Return the plain means of the categories' means, and how many categories there are."""
    groups = [_group([r for r in records if r.category == c]) for c in ANSWERABLE]
    groups = [group for group in groups if group["n"]]
    names = [*_columns(records), "context_tokens"]
    found: dict[str, Any] = {"n": len(groups)}
    for name in names:
        if values := [group[name] for group in groups if name in group]:
            found[name] = _rounded(sum(values) / len(values))
    return found


def _intervals(records: Sequence[Record]) -> dict[str, dict[str, list[float]]]:
    """Return the 95 % intervals of the micro and macro means by metric."""
    if not records:
        return {"micro": {}, "macro": {}}
    names = _columns(records)
    values = stats.table(records, names)
    groups = np.array([record.category for record in records], dtype=np.int64)
    bounds = {
        "micro": stats.intervals(values),
        "macro": stats.macro_intervals(values, groups),
    }
    return {which: _pairs(names, both) for which, both in bounds.items()}


def _pairs(names: Sequence[str], bounds: Table) -> dict[str, list[float]]:
    low, high = _named(names, bounds[0]), _named(names, bounds[1])
    return {name: [low[name], high[name]] for name in low}


def _named(names: Sequence[str], values: Table) -> dict[str, float]:
    """Return values by name, leaving out what has none."""
    pairs = zip(names, map(float, values), strict=True)
    return {name: _rounded(value) for name, value in pairs if math.isfinite(value)}


def _rounded(value: float) -> float:
    return round(value, 6)


def _latency(records: Sequence[Record], bursts: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Return milliseconds per message added and per search, with and without embedding."""
    n = [burst["messages"] for burst in bursts]
    add = [1000 * burst["seconds"] for burst in bursts]
    bare = [1000 * (burst["seconds"] - burst["embed"]) for burst in bursts]
    asked = [record.seconds for record in records if record.status == "ok"]
    search = [1000 * s["search"] for s in asked]
    quick = [1000 * (s["search"] - s.get("search_embed", 0.0)) for s in asked]
    return (
        _spread("add", _per_message(add, n))
        | _spread("add", _per_message(bare, n), "_noembed")
        | _spread("search", np.array(search))
        | _spread("search", np.array(quick), "_noembed")
    )


def _per_message(milliseconds: Sequence[float], n: Sequence[int]) -> Table:
    """Share each burst among its messages; work after the last pull goes to the burst before."""
    shares: list[list[float]] = []
    for took, messages in zip(milliseconds, n, strict=True):
        if not messages and not took:
            continue  # only what was paid for is noted
        if messages or not shares:
            shares.append([took, max(messages, 1)])
        else:
            shares[-1][0] += took
    return np.repeat([took / k for took, k in shares], [int(k) for _, k in shares])


def _spread(name: str, values: Table, suffix: str = "") -> dict[str, float]:
    if not len(values):
        return {}
    figures = {
        "p50": np.percentile(values, 50),
        "p95": np.percentile(values, 95),
        "mean": np.mean(values),
    }
    return {f"{name}_{k}{suffix}": round(float(v), 4) for k, v in figures.items()}


def _tokens(
    records: Sequence[Record], built: Sequence[Built], bursts: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return what the LLM took to build and to answer: in all, and by conversation or question."""
    build, query = Counter[str](), Counter[str]()
    for burst in bursts:
        build.update(burst.get("llm", {}))
    for record in records:
        query.update(record.llm)
    return {
        "build": _spent(build),
        "build_per_conversation": _share(build, len(built)),
        "query": _spent(query),
        "query_per_question": _share(query, len(records)),
    }


def _spent(counts: Counter[str]) -> dict[str, int]:
    """Return calls and tokens, and what went wrong where anything did."""
    return dict.fromkeys(SPENT, 0) | {name: n for name, n in sorted(counts.items()) if n}


def _share(counts: Counter[str], n: int) -> dict[str, float]:
    return {name: _rounded(counts[name] / n) for name in SPENT} if n else {}


def _effects(
    records: Sequence[Record], built: Sequence[Built], promised: Iterable[str]
) -> dict[str, int]:
    """Return how often each stage changed anything, from the ledger and the journal."""
    found = Counter(dict.fromkeys(promised, 0))
    for part in built:  # "accepted" is no effect
        kinds = {kind: n for kind, n in part.outcomes.items() if kind != "accepted"}
        found.update({f"windows.{kind}": n for kind, n in kinds.items()})
    for effects in [*(part.effects for part in built), *(record.effects for record in records)]:
        for name, n in effects.items():
            found[name] += n
    return dict(sorted(found.items()))


def _everything(records: Sequence[Record], built: Sequence[Built]) -> int:
    """Count questions for which every unit was retrieved: no retrieval was measured."""
    units = {part.conversation: part.units for part in built}
    return sum(0 < units.get(r.conversation, 0) <= len(r.retrieved) for r in records)


def _by_rule(built: Sequence[Built]) -> list[str]:
    n = sum(part.outcomes.get("fell_back", 0) for part in built)
    of = sum(sum(part.outcomes.values()) for part in built)
    return [f"rules read {n} of {of} windows that the model could not; see ledger.jsonl"] * bool(n)


def _without_effect(promised: Mapping[str, Sequence[str]], effects: Mapping[str, int]) -> list[str]:
    """Name the stages that are on and did not once do something that they are there for."""
    missed = {role: [e for e in names if not effects[e]] for role, names in promised.items()}
    told = [
        f"{role} ({', '.join(name.partition('.')[2].replace('_', ' ') for name in names)})"
        for role, names in missed.items()
        if names
    ]
    return [f"these effects did not occur in this run: {', '.join(told)}"] * bool(told)


def _warnings(failed: int, lost: int, everything: int, n: int) -> list[str]:
    said = []
    if failed:
        said.append(f"{failed} of {n} questions failed and count as 0; see journal.jsonl")
    if lost:
        said.append(f"{lost} messages are in no memory; see ledger.jsonl")
    if everything:
        said.append(f"no retrieval: every unit was retrieved for {everything} of {n} questions")
    return said
