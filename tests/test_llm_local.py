"""A run with a real small model of this machine: notes and answers over HTTP, nothing lost."""

import json
import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for llm_run

from llm_run import left, ran, ran_here, status

CONTEXT = 2345  # tokens, by which its server is known among the processes
SETTINGS = (
    "dataset=generated dataset.limit=1 dataset.sessions=1 dataset.turns=4 dataset.questions=1 "
    f"system.windows.size=4 llm=local llm.threads=1 llm.context={CONTEXT} llm.format=schema "
    "system.extract.reply=420 system.extract.retries=0 system.extract.splits=0 "
    "system.synthesise.reply=96 system.synthesise.retries=0 system.synthesise.by_rule=true"
).split()


def servers() -> list[str]:
    """Return the processes that serve our model."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().decode(errors="replace")
        except OSError:
            continue  # it has ended
        if "local_server" in words and f'"context": {CONTEXT}' in words:
            found.append(words)
    return found


@pytest.mark.slow
@pytest.mark.local_llm
@pytest.mark.timeout(400)
def test_a_real_model_takes_notes_and_answers_and_no_message_is_lost(tmp_path: Path) -> None:
    cache = f"llm.cache={tmp_path}/replies.db"
    code, told = ran(tmp_path, *SETTINGS, cache)
    assert (code, status(tmp_path)) == (0, ("done", "")), told
    assert servers() == []
    made = left(tmp_path)
    *rows, closed = made["ledger"]
    windows = [row for row in rows if row["op"] == "INGEST"]
    taken = Counter(id for row in windows for id in row["targets"])
    dropped = Counter(row["targets"][0] for row in rows if row["op"] == "DROP")
    assert set((taken + dropped).values()) == {1}
    assert (taken + dropped).total() == closed["messages"] == 4
    assert closed["lost"] == 0 and sum(closed["outcomes"].values()) == len(windows) == 1
    tokens = json.loads((tmp_path / "run" / "summary.json").read_text())["tokens"]
    assert tokens["build"]["calls"] >= 1 and tokens["query"]["calls"] >= 1
    again = tmp_path / "again"
    assert ran_here(again, *SETTINGS, cache) == 0
    assert left(again) == made
    tokens = json.loads((again / "run" / "summary.json").read_text())["tokens"]
    assert tokens["build"]["calls"] == tokens["query"]["calls"] == 0
