"""Latency: Table 5 of the Mandol paper (arXiv 2606.29778), and measurements of ours below it.

Published and ours are of other machines and models; each is to be read by itself. Ours come
from experiments/latency.py, which says in a folder's latency.json what was measured and how.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from clew.errors import RunError
from clew.report.paper.found import ARTIFACTS, Found
from clew.report.paper.made import Line, Made, published_lines
from clew.report.paper.measured import Value
from clew.report.paper.setup import Aspects, setup_rows
from clew.report.paper.shape import Column, PaperTable, Row, Setup, Wanted

NAME = "latency.json"
BASELINES = ("MemU", "EverMemOS", "Mem0", "Zep", "MemOS", "Mandol")
SETUP = {
    "embedder": "Qwen3-Embedding-0.6B, and bge-reranker-v2-m3 as reranker (§5.4)",
    "protocol": "Search: from a query's arrival to the retrieved context, without the answer; "
    "Add: representation, index and graph updates of a new item (§5.3)",
    "rate": "10 requests a second; on the laptop 5 for Search and 10 for Add",
    "requests": "not named in the paper",
    "workers": "not named in the paper",
    "data": "LoCoMo (which conversations is not named)",
    "code": "not named in the paper",
    "machine": "server: 20 Xeon Platinum 8458P vCPUs, 120 GB, one H800; laptop: Core Ultra 9 "
    "275HX, 96 GB, RTX 5090 Laptop (§5.1)",
}


def _columns() -> Iterator[Column]:
    for of in ("Search", "Add"):
        for figure in ("P99", "P90", "mean"):
            place, printed = f"{of}.latency.{figure}".lower(), f"{of}_latency_{figure}"
            yield Column(f"{of} {figure}", "", place, printed, "milliseconds")
    for of in ("Search", "Add"):
        place = f"{of.lower()}.latency_noembed.mean"
        yield Column(f"{of} mean without embedding", "", place, "", "milliseconds")


TABLE_5 = PaperTable(
    "mandol_5",
    "Mandol, Table 5: latency of Search and Add, in ms",
    columns=tuple(_columns()),
    rows=(
        *(
            Row(f"{name}, server", {"system": name, "configuration": "Server"})
            for name in BASELINES
        ),
        Row("Mandol, laptop", {"system": "Mandol", "configuration": "Local"}),
    ),
    setup=Setup(SETUP),
    published="mandol_5",
    notes=(
        "NOT COMPARABLE in ms: another machine, embedder and language; the paper's systems use a "
        "GPU and a reranker, and ours may do without either. Read each part by itself.",
        "The paper's EverMemOS was measured by Mandol's authors, in one retrieval pass.",
        "A latency counts from the scheduled arrival, so waiting in the queue is part of it. "
        "Without embedding: the same arrivals, gone through with work less its embedding.",
    ),
)


def measurements(runs: Path, dataset: str) -> list[Found]:
    """Return the finished measurements over a dataset below a folder, by folder.

    Raises:
        RunError: a file is none that experiments/latency.py writes.
    """
    paths = sorted(path for pattern in ("*", "*/*") for path in runs.glob(f"{pattern}/{NAME}"))
    found = [Found(path.parent, _read(path)) for path in paths if ARTIFACTS not in path.parts]
    return [each for each in found if each.status == "done" and each.of(dataset)]


def _read(path: Path) -> Mapping[str, Any]:
    try:
        told: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
        if "status" in told and "stores" in told:
            return told
    except (OSError, ValueError, TypeError):
        pass
    raise RunError(f"{path}: is no measurement; make it again with overwrite=true, or delete it")


def beside(found: Sequence[Found], dataset: str) -> Made:
    """Return the paper's table with measurements of ours over a dataset below it."""
    names = [titled(each) for each in found]
    runs = {
        f"{name} ({each.folder.name})" if names.count(name) > 1 else name: (each,)
        for name, each in zip(names, found, strict=True)
    }
    rows = (Row(title, run=Wanted((each.system,))) for title, (each,) in runs.items())
    table = replace(TABLE_5, rows=(*TABLE_5.rows, *rows))
    ours = [
        Line("ours", title, {c: _value(each, c) for c in table.columns}, (each.folder,))
        for title, (each,) in runs.items()
    ]
    warning = f"NOT COMPARABLE: the published numbers are of LoCoMo, ours of {dataset}"
    notes = (*[warning] * (dataset != "locomo"), *table.notes)
    facts = tuple(setup_rows(table, runs, ASPECTS))
    return Made(table, dataset, (*published_lines(table), *ours), facts, (), notes)


def titled(found: Found) -> str:
    """Return what a measurement is called in a table: system, stores and rate."""
    stores = found.manifest["stores"]
    ablation = f", {found.ablation}" if found.ablation != "full" else ""
    return f"{found.system}{ablation}, {' + '.join(stores.values())}, {_rate(found)}"


def _value(found: Found, column: Column) -> Value:
    of, kind, figure = column.ours.split(".")
    latency = found.manifest["latency"][of][kind]
    return Value(float(latency[figure]), int(latency["n"]))


def _rate(found: Found) -> str:
    return f"{found.manifest['latency']['load']['rate']:g} a second"


def _requests(found: Found) -> str:
    figures = found.manifest["latency"]
    n = {of: figures[of]["latency"]["n"] for of in ("search", "add")}
    return (
        f"{n['search']} Search, {n['add']} Add, to {figures['conversation']}, of which "
        f"{figures['loaded']} messages were remembered before"
    )


def _protocol(found: Found) -> str:
    return (
        "Search: from arrival to the packed context, without the answer; Add: one message, "
        "remembered by itself, with embedding, both stores and the ledger"
    )


def _workers(found: Found) -> str:
    return "one, in order of arrival"


ASPECTS: Aspects = {
    "protocol": _protocol, "rate": _rate, "requests": _requests, "workers": _workers,
}  # fmt: skip
