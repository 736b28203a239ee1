"""Latency of adding and searching, per conversation and as a memory grows.

    python experiments/bench.py
    python experiments/bench.py --sizes 1000 3000 --systems ariadne bm25
    python experiments/bench.py --store neo4j --sizes

Writes runs/bench/: latency.csv (conversations of about 550 turns, by system and store),
growth.csv and growth.png (one memory on SQLite, from a thousand messages on; none without
sizes). Embedding is left out of every time. Neo4j is measured where NEO4J_URI is set.
Exit codes: 0 all is well, 2 a setting is wrong or a server is away.
"""

import argparse
import logging
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from clew.build import Parts, build
from clew.cli import complain
from clew.composing import composed
from clew.datasets.generated import Generated
from clew.errors import ClewError
from clew.evaluate.manifest import Settings
from clew.evaluate.run import run
from clew.evaluate.serving import timed
from clew.evaluate.workload import searched
from clew.memory import Memory
from clew.model import Add, Conversation, Message
from clew.report.rows import grid_of, write_rows
from clew.stages.extract import RuleBased
from clew.systems.base import MemorySystem
from clew.text import count_tokens

ROOT = Path(__file__).resolve().parents[1]
WRONG = 2
SYSTEMS = ("ariadne", "ariadne+steiner", "hybrid", "dense", "bm25", "full_context")
GRAPHS = ("ariadne", "ariadne+steiner")  # of them, those measured on every store
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
TURNS = 20  # of a session, in the growing memory
TALK = 22  # of a session, in the conversations
MEASURED = 400  # messages added by the system itself before each measurement


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds of one system on one store: adding a message, and one search.

    `projections` were made of the stored graph, on average for a conversation.
    """

    system: str
    store: str
    questions: int
    add_p50: float
    add_mean: float
    search_p50: float
    search_p95: float
    projections: float


@dataclass(frozen=True, slots=True)
class Growth:
    """Milliseconds of one system at one size of its memory."""

    messages: int
    add_p50: float
    add_mean: float
    search_p50: float
    search_p95: float


def main(words: Sequence[str] | None = None) -> int:
    """Measure, print both tables, and write the files."""
    asked = _parser().parse_args(words)
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.ERROR)
    os.chdir(ROOT)
    shutil.rmtree(asked.folder, ignore_errors=True)
    console = Console()
    data = Generated(seed=1, conversations=2, sessions=asked.sessions, turns=TALK, questions=60)
    try:
        latencies = [
            asdict(latency(name, store, asked.embedder, data, asked.folder))
            for store in asked.store
            for name in asked.systems
            if store == asked.store[0] or name in GRAPHS
        ]
        grid_of(f"Conversations of {TALK * asked.sessions} turns, ms", latencies).print(console)
        write_rows(asked.folder / "latency.csv", latencies)
        sizes = growth(asked.sizes, asked.folder) if asked.sizes else []
    except ClewError as error:
        complain(error)
        return WRONG
    if sizes:
        rows = list(map(asdict, sizes))
        grid_of("One memory as it grows (ariadne), ms", rows).print(console)
        write_rows(asked.folder / "growth.csv", rows)
        _draw(asked.folder / "growth.png", sizes)
    console.print(f"Files: {asked.folder}")
    return 0


def _parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS))
    stores = ["sqlite", *(["neo4j"] if os.environ.get("NEO4J_URI") else [])]
    parser.add_argument("--store", nargs="+", default=stores, help="choices of conf/store")
    parser.add_argument("--sizes", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--sessions", type=int, default=25, help=f"of {TALK} turns each")
    parser.add_argument("--embedder", default="words", help="of the first table")
    parser.add_argument("--folder", type=Path, default=Path("runs/bench"))
    return parser


def _parts(folder: Path, *choices: str) -> Parts:
    return build(composed(["tracking=none", *choices]), folder)


# --- conversations


def latency(name: str, store: str, embedder: str, data: Generated, folder: Path) -> Latency:
    """Run a system over conversations, as an experiment does, and read its summary."""
    here = folder / f"{name}-{store}"
    system, _, ablation = name.partition("+")
    parts = _parts(
        here, f"system={system}", f"ablation={ablation or 'full'}", *_on(store, embedder)
    )
    settings = Settings(name=name, system=name, models={"embedder": parts.embedder.name})
    opened: list[Memory] = []

    def new_memory(conversation: str) -> Memory:
        opened.append(parts.new_memory(conversation))
        return opened[-1]

    try:
        summary = run(parts.system, data, new_memory, here, settings).content
    finally:
        for space in parts.spaces:
            space.clear()
    took: Mapping[str, float] = summary["latency_ms"]
    keys = ("add_p50", "add_mean", "search_p50", "search_p95")
    made = [getattr(memory.algorithms, "projections", 0) for memory in opened]
    figures = (*(took[f"{key}_noembed"] for key in keys), float(np.mean(made)))
    return Latency(name, store, summary["n"], *figures)


def _on(store: str, embedder: str) -> list[str]:
    """Return the choices for a store; what lies on a server has a space of this process."""
    space = [] if store == "sqlite" else [f"store.graph.space=bench-{os.getpid()}"]
    return [f"store={store}", f"embedder={embedder}", *space]


# --- growth


def growth(sizes: Sequence[int], folder: Path) -> list[Growth]:
    """Fill one memory step by step, and measure at each size."""
    parts = _parts(folder / "growth", "system=ariadne", "embedder=words", "embedder.dimension=384")
    data = Generated(conversations=1, sessions=-(-max(sizes) // TURNS), turns=TURNS, questions=60)
    count_tokens("")  # loads its table, which is no search's time
    (conversation,) = data
    with closing(parts.new_memory(conversation.id)) as memory:
        return list(_grown(parts.system, conversation, memory, sorted(sizes)))


def _grown(
    system: MemorySystem, conversation: Conversation, memory: Memory, sizes: Sequence[int]
) -> Iterator[Growth]:
    start = 0
    for size in sizes:
        last = max(start, size - MEASURED)
        _fill(conversation.messages[start:last], memory)
        adds = _adds(system, conversation.messages[last:size], memory)
        searches = _searches(system, conversation, memory)
        start = size
        yield Growth(size, _p(50, adds), float(np.mean(adds)), _p(50, searches), _p(95, searches))


def _fill(messages: Sequence[Message], memory: Memory) -> None:
    """Store messages as the system would, but compare them with nothing."""
    extract = RuleBased()
    for at in range(0, len(messages), TURNS):
        window = tuple(messages[at : at + TURNS])
        memory.ingest(window, (Add(unit) for unit in extract(window, memory)))


def _adds(system: MemorySystem, messages: Sequence[Message], memory: Memory) -> list[float]:
    """Return the milliseconds per message of each session the system takes in."""
    times = []
    for at in range(0, len(messages), TURNS):
        session = messages[at : at + TURNS]
        times.append(_ms(lambda part=session: system.remember(part, memory)) / len(session))
    return times


def _searches(system: MemorySystem, conversation: Conversation, memory: Memory) -> list[float]:
    """Return the milliseconds of finding and packing the evidence of each question."""
    return [
        _ms(lambda query=question.query: searched(system, query, memory))
        for question in conversation.questions
    ]


def _ms(step: Any) -> float:
    took, embed = timed(step)
    return 1000 * (took - embed)


def _p(percent: float, values: Sequence[float]) -> float:
    return float(np.percentile(values, percent))


# --- files


def _draw(path: Path, rows: Sequence[Growth]) -> None:
    """Draw both curves over the size of the memory."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4))
    sizes = [row.messages for row in rows]
    axes.plot(sizes, [row.search_p50 for row in rows], "o-", label="one search, p50")
    axes.plot(sizes, [row.search_p95 for row in rows], "o:", label="one search, p95")
    axes.plot(sizes, [row.add_p50 for row in rows], "s-", label="one message added, p50")
    axes.set(xscale="log", xlabel="messages in the memory", ylabel="ms without embedding")
    axes.set_ylim(bottom=0)
    axes.legend()
    figure.savefig(path, dpi=150, bbox_inches="tight")


if __name__ == "__main__":
    sys.exit(main())
