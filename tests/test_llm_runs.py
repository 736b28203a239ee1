"""Whole runs with a language model, by the command line: built, killed, run again, and faulty."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for llm_run
sys.path.insert(0, str(Path(__file__).parent / "models"))  # for fault_server

from fault_server import FaultServer, Wire, completion, sends
from llm_run import command, left, ran, ran_here, spent, status

from clew.errors import LlmSpent, LlmUnavailable
from clew.evaluate.cost import paid, total
from clew.evaluate.journal import read_lines
from clew.models.scripted import completion as by_rule

KILLS = int(os.environ.get("CLEW_KILLS", "3"))  # CLEW_KILLS=10 takes half a minute and more


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    runs = tmp_path_factory.mktemp("undisturbed")
    assert ran(runs, "llm=scripted", f"llm.cache={runs}/replies.db")[0] == 0
    return runs


def test_a_run_says_which_model_and_prompts_it_was_made_with(undisturbed: Path) -> None:
    manifest = json.loads((undisturbed / "run" / "manifest.json").read_text())
    assert manifest["models"] == {"embedder": "words-256", "llm": "scripted"}
    assert list(manifest["prompts"]) == ["ariadne_answer", "ariadne_extract"]
    assert left(undisturbed)["ledger"][-1]["lost"] == 0
    rows = read_lines(undisturbed / "run" / "add.jsonl")
    assert sum(row.get("llm", {}).get("calls", 0) for row in rows) == 8
    assert all(row["llm"]["calls"] <= 1 for row in left(undisturbed, usage=True)["journal"])


def test_the_same_again_from_the_cache_makes_no_call_and_the_same_memory_and_answers(
    undisturbed: Path, tmp_path: Path
) -> None:
    assert ran_here(tmp_path, "llm=scripted", f"llm.cache={undisturbed}/replies.db") == 0
    assert left(tmp_path) == left(undisturbed)
    assert spent(undisturbed)["calls"] > 8
    assert spent(tmp_path)["calls"] == spent(tmp_path)["prompt_tokens"] == 0
    assert spent(tmp_path)["cached"] == spent(undisturbed)["calls"]
    rows = [left(runs, usage=True)["journal"] for runs in (undisturbed, tmp_path)]
    for before, now in zip(*([row["llm"] for row in journal] for journal in rows), strict=True):
        assert before.keys() == now.keys()
        assert now["cached"] == before["calls"]
        assert now["cached_tokens"] == before["prompt_tokens"] + before["completion_tokens"]


def test_the_same_command_again_asks_and_changes_nothing(undisturbed: Path) -> None:
    before = {f.name: f.read_bytes() for f in (undisturbed / "run").glob("*.jsonl")}
    whole = left(undisturbed, usage=True)
    assert ran(undisturbed, "llm=scripted", f"llm.cache={undisturbed}/replies.db")[0] == 0
    assert {f.name: f.read_bytes() for f in (undisturbed / "run").glob("*.jsonl")} == before
    assert left(undisturbed, usage=True) == whole


@pytest.mark.parametrize("concurrency", [1, 16])
def test_how_many_asks_are_out_at_once_changes_nothing(
    undisturbed: Path, tmp_path: Path, concurrency: int
) -> None:
    more = ("llm.http=true", f"llm.concurrency={concurrency}")
    assert ran_here(tmp_path, "llm=scripted", *more) == 0
    assert left(tmp_path) == left(undisturbed)


class Model:
    """A server that answers by rule, or as a fault has it, and counts what it is asked."""

    def __init__(self, fault: Any = None, pause: float = 0.0) -> None:
        self.fault, self.pause = fault, pause
        self.asked: Counter[str] = Counter()
        self.server = FaultServer([self])

    def __call__(self, wire: Wire, body: Any) -> None:
        self.asked[body["messages"][1]["content"]] += 1
        time.sleep(self.pause)
        answer = by_rule(body)
        text = answer["choices"][0]["message"]["content"]
        extracting = '"units"' in text
        if self.fault and extracting:
            self.fault(text, body)(wire, body)
        else:
            sends(200, answer)(wire, body)

    @property
    def words(self) -> list[str]:
        url = self.server.base_url
        return ["llm=openai", f"llm.base_url={url}", "llm.api_key_env=null", "llm.patience=2"]


@pytest.fixture
def models() -> Iterator[Any]:
    made: list[Model] = []

    def make(*args: Any, **more: Any) -> Model:
        made.append(Model(*args, **more))
        return made[-1]

    yield make
    for model in made:
        model.server.close()


def said(change: Any) -> Any:
    """Return a fault that changes the text of a good reply."""
    return lambda text, body: sends(200, completion(change(text)))


def invented(text: str) -> str:
    data = json.loads(text)
    for note in data["units"]:
        note["sources"] = ["D99:99"]
    return json.dumps(data)


FAULTS = {
    "invented ids": (said(invented), "fell_back"),
    "some ids invented": (said(lambda t: t.replace('"D1:2"', '"D1:2", "D9:77"')), "repaired"),
    "empty list": (said(lambda t: '{"units": []}'), "fell_back"),
    "nothing": (said(lambda t: ""), "fell_back"),
    "half JSON": (said(lambda t: t[: len(t) // 2]), None),
    "prose around it": (said(lambda t: f"Gladly!\n```json\n{t}\n```\nThat is all."), "accepted"),
    "wrong types": (said(lambda t: '{"units": {"sentence": 5}}'), "fell_back"),
    "cut off": (lambda t, body: sends(200, completion(t[:80], "length")), "fell_back"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_no_message_is_lost_to_a_reply_that_will_not_do(
    models: Any, tmp_path: Path, name: str
) -> None:
    fault, outcome = FAULTS[name]
    model = models(fault)
    more = [*model.words, f"llm.cache={tmp_path}/replies.db", "system.extract.retries=1"]
    assert ran_here(tmp_path, *more) == 0
    *rows, closed = left(tmp_path)["ledger"]
    assert closed["lost"] == 0
    windows = [row for row in rows if row["op"] == "INGEST"]
    dropped = [row["targets"][0] for row in rows if row["op"] == "DROP"]
    taken = [id for row in windows for id in row["targets"]]
    assert len(taken) + len(dropped) == len(set(taken + dropped)) == closed["messages"] == 40
    assert sum(closed["outcomes"].values()) == len(windows)
    if outcome:
        assert outcome in closed["outcomes"]
    summary = left(tmp_path)["summary"]
    assert summary["effects"].get("windows.fell_back", 0) == closed["outcomes"].get("fell_back", 0)
    assert any("rules read" in each for each in summary["warnings"]) == (
        "fell_back" in closed["outcomes"]
    )


def test_a_run_that_is_killed_asks_again_only_what_was_under_way(
    models: Any, tmp_path: Path, undisturbed: Path
) -> None:
    model, moments = models(pause=0.1), random.Random(7)
    more = [*model.words, f"llm.cache={tmp_path}/replies.db", "llm.concurrency=2"]
    kills = 0
    for _ in range(KILLS):
        n = model.asked.total() + moments.randint(0, 3)
        process = subprocess.Popen(command(tmp_path, *more), stderr=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while model.asked.total() < n and process.poll() is None:
            assert time.monotonic() < until
            time.sleep(0.005)
        time.sleep(moments.uniform(0, 0.2))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kills += process.returncode == -signal.SIGKILL
    assert kills >= min(KILLS, 6)
    assert ran(tmp_path, *more)[0] == 0
    assert left(tmp_path)["ledger"] == left(undisturbed)["ledger"]
    assert left(tmp_path)["journal"] == left(undisturbed)["journal"]
    again = model.asked.total() - len(model.asked)
    assert again <= 2 * kills  # what was with the server when its asker was killed


def test_a_server_that_cannot_answer_stops_a_run_that_then_goes_on(
    models: Any, tmp_path: Path, undisturbed: Path
) -> None:
    model = models(lambda text, body: sends(503, {"error": {"message": "busy"}}))
    more = [*model.words, "llm.cache=null"]
    with pytest.raises(LlmUnavailable, match=r"is not able to answer|did not answer in"):
        ran_here(tmp_path, *more)
    assert status(tmp_path)[0] == "failed"
    assert not (tmp_path / "run" / "journal.jsonl").read_text()
    model.fault = None
    assert ran_here(tmp_path, *more) == 0
    assert left(tmp_path)["ledger"] == left(undisturbed)["ledger"]


def test_a_budget_stops_a_run_that_a_larger_one_lets_go_on_asking_nothing_twice(
    models: Any, tmp_path: Path, undisturbed: Path
) -> None:
    model = models(pause=0.01)
    more = [*model.words, f"llm.cache={tmp_path}/replies.db", "llm.concurrency=4"]
    for tokens in (9_000, 13_000, 13_000):
        before = model.asked.total()
        with pytest.raises(LlmSpent, match=r"raise llm\.budget\.tokens"):
            ran_here(tmp_path, *more, f"llm.budget.tokens={tokens}")
        assert status(tmp_path)[0] == "stopped"
        assert "another ask may take" in status(tmp_path)[1]
        taken = total(paid(tmp_path / "run").values()).tokens
        assert taken <= tokens
    assert 0 < before == model.asked.total()  # the same budget again buys nothing more
    assert ran_here(tmp_path, *more, "llm.budget.tokens=1000000", "price=own") == 0
    assert status(tmp_path) == ("done", "")
    assert model.asked.total() == len(model.asked)
    for part in ("journal", "ledger"):
        assert left(tmp_path)[part] == left(undisturbed)[part]
    assert total(paid(tmp_path / "run").values()).calls == model.asked.total()


def test_a_budget_that_is_used_up_ends_the_command_with_code_2(tmp_path: Path) -> None:
    money = ("price=gpt_4o_mini", "llm.budget.money=0.003")
    code, told = ran(tmp_path, "llm=scripted", *money)
    assert (code, status(tmp_path)[0]) == (2, "stopped")
    assert "USD, " in told and "raise llm.budget.money; the same command goes on" in told
    assert not (tmp_path / "run" / "summary.json").exists()


def test_a_key_is_nowhere_in_what_a_run_leaves(models: Any, tmp_path: Path) -> None:
    model, key = models(), "sk-4711-not-to-be-seen"
    more = [word for word in model.words if "api_key" not in word]
    code, told = ran(tmp_path, *more, f"llm.cache={tmp_path}/replies.db", OPENAI_API_KEY=key)
    assert code == 0
    assert any(key in header for each in model.server.headers for header in each.values())
    held = [
        path for path in tmp_path.rglob("*") if path.is_file() and key.encode() in path.read_bytes()
    ]
    assert (held, key in told) == ([], False)


def test_a_question_of_category_5_is_scored_by_abstaining_and_its_trap_is_never_shown(
    models: Any, tmp_path: Path
) -> None:
    model = models()
    assert ran_here(tmp_path, *model.words, "llm.cache=null", "dataset.questions=8") == 0
    traps = [row for row in left(tmp_path)["journal"] if row["category"] == 5]
    assert traps
    shown = [ask for ask in model.asked if ask.startswith("Question:")]
    for row in traps:
        (ask,) = [each for each in shown if row["query"] in each]
        assert row["gold"] not in ask
        assert row["scores"]["f1_locomo"] == float(row["abstained"])
