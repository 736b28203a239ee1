"""A small run with a language model: by the command line, or here, and what it left."""

import json
import os
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from clew.build import build
from clew.composing import composed
from clew.evaluate.journal import read_lines
from clew.evaluate.manifest import Settings
from clew.evaluate.run import run

ROOT = Path(__file__).resolve().parents[1]
SMALL = (
    "dataset=tiny dataset.conversations=1 dataset.questions=4 embedder=words tracking=none "
    "table=false budgets=[500] system.windows.size=5 name=run"
).split()


def command(runs: Path, *words: str) -> list[str]:
    script = str(ROOT / "experiments" / "run.py")
    return [sys.executable, script, "system=ariadne_llm", *SMALL, f"runs={runs}", *words]


def ran(runs: Path, *words: str, **environment: str) -> tuple[int, str]:
    done = subprocess.run(
        command(runs, *words),
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=380,
    )
    return done.returncode, done.stderr


def ran_here(runs: Path, *words: str) -> int:
    """Run as the command line does, without the seconds that a process takes to start."""
    plain = composed(["system=ariadne_llm", *SMALL, f"runs={runs}", *words])
    folder = runs / "run"
    parts = build(plain, folder)
    settings = Settings("run", "ariadne_llm", config=plain, models=parts.models, budgets=(500,))
    with closing(parts.llm):
        return run(parts.system, parts.dataset, parts.new_memory, folder, settings).exit_code


def left(runs: Path, usage: bool = False) -> dict[str, Any]:
    """Return what a run left, without its times, and without what it cost but for `usage`."""
    folder = runs / "run"
    summary = json.loads((folder / "summary.json").read_text())
    del summary["latency_ms"]
    journal = [row | {"seconds": 0} for row in read_lines(folder / "journal.jsonl")]
    if not usage:
        del summary["tokens"]
        journal = [row | {"llm": 0} for row in journal]
    return {"summary": summary, "journal": journal, "ledger": read_lines(folder / "ledger.jsonl")}


def spent(runs: Path) -> Counter[str]:
    tokens = json.loads((runs / "run" / "summary.json").read_text())["tokens"]
    return Counter(tokens["build"]) + Counter(tokens["query"])


def status(runs: Path) -> tuple[str, str]:
    manifest = json.loads((runs / "run" / "manifest.json").read_text())
    return manifest["status"], manifest["error"]
