"""Runs as they lie in a folder, with answers made up here: for tables made of many of them."""

import json
import random
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from clew.evaluate.journal import Lines, Record
from clew.report.paper.found import discover
from clew.report.paper.known import TABLES
from clew.report.paper.made import Made, make

ABLATIONS = ("full", "no_gating", "no_coarsening", "no_bridges", "no_topology")

CATEGORIES = (1, 1, 2, 2, 3, 4, 4, 4, 5)  # of a conversation's questions
SHA = "ab" * 32


def table_3(runs: Path, *sweeps: str, dataset: str = "locomo", system: str = "") -> Made:
    """Return Table 3 from the runs of a folder, or of sweeps there."""
    return make(TABLES["ariadne_3"], discover(runs, sweeps), dataset, system)


def made_run(
    runs: Path, name: str, system: str = "ariadne", *, shift: float = 0.0, **more: Any
) -> Path:
    """Write a run whose scores are `shift` above what chance gives every question.

    `more`: ablation, dataset, only, status, end, words (of its command), k_sem, k_lex, model,
    conversations, seed, gate, llm, path.
    """
    folder = runs / name
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text(json.dumps(_manifest(name, system, more)))
    journal = Lines(folder / "journal.jsonl")
    rows = records(shift, more.get("conversations", ("a", "b")))
    journal.append(map(asdict, rows), sync=False)
    journal.close()
    bursts = Lines(folder / "add.jsonl")
    for conversation in more.get("conversations", ("a", "b")):
        line = {"conversation": conversation, "messages": 8, "seconds": 1.5, "embed": 0.5}
        bursts.append([line, line], sync=False)
    bursts.close()
    return folder


def records(shift: float, conversations: Sequence[str]) -> list[Record]:
    """Return a journal's records; the same question has the same luck in every run."""
    found = []
    for conversation in conversations:
        for n, category in enumerate(CATEGORIES):
            luck = random.Random(f"{conversation}{n}").random() / 2
            score = round(luck + shift, 6)
            found.append(
                Record(
                    f"{conversation}:{n}", conversation, category, f"What of {n}?", None, "it",
                    answer="it" if score >= 0.5 else "that", context=f"[{name_of(shift)}] lines",
                    context_tokens=100 + n, scores={
                        "f1_set": score, "bleu1": score / 2, "f1_locomo": score,
                        "evidence_recall_500": 1.0 - score,
                    }, seconds={"search": 0.25, "search_embed": 0.125},
                )
            )  # fmt: skip
    return found


def name_of(shift: float) -> str:
    """Return what the context of a run with this shift says."""
    return f"shift {shift}"


def _manifest(name: str, system: str, more: Mapping[str, Any]) -> dict[str, Any]:
    dataset = more.get("dataset", "locomo")
    ablation = more.get("ablation", "full")
    words = [f"system={system}", f"dataset={dataset}", *more.get("words", ())]
    recall = {"k_sem": more.get("k_sem", 20), "k_lex": more.get("k_lex", 5)}
    stages = {"gate": {"likeness": more.get("gate", 0.7)}, "write": {}, "expand": {}, "mine": {}}
    swapped = {"no_gating": "gate", "no_coarsening": "write", "no_bridges": "expand"}
    if ablation in swapped:
        stages[swapped[ablation]] = {"_target_": "plain"}
    only = list(more.get("only", ()))
    data = {"only": only} | ({"path": more["path"]} if "path" in more else {})
    models = {"embedder": more.get("model", "words-256")}
    models |= {"llm": more["llm"]} if "llm" in more else {}
    return {
        "name": name, "system": system, "ablation": ablation, "config_hash": name,
        "config": {"system": stages | {"recall": recall}, "dataset": data},
        "commit": more.get("commit", "c0ffee" * 7), "dirty": False,
        "seeds": {"seed": more.get("seed", 0)},
        "dataset": {"name": dataset, "version": "1", "sha256": SHA},
        "models": models,
        "host": {"cpus": 2, "system": "Linux"}, "status": more.get("status", "done"),
        "end": more.get("end", "2026-11-30T12:00:00+00:00"),
        "command": shlex.join(["python", "experiments/run.py", *words, f"name={name}"]),
    }  # fmt: skip


def made_sweep(runs: Path, name: str, jobs: Sequence[Path]) -> None:
    """Write a sweep's account of its jobs."""
    folder = runs / f"{name}-locomo"
    folder.mkdir()
    told = [{"varied": {}, "folder": str(job), "status": "done"} for job in jobs]
    account = {"sweep": name, "dataset": "locomo", "jobs": told}
    (folder / "sweep.json").write_text(json.dumps(account))
