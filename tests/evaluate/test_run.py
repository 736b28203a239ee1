"""The run: a journal that holds everything, and trouble that is told and counted."""

import dataclasses
import json
import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tiny_run import ALL, Gate, Talks, Tiny, animals, conversation, new_memory, question, start

from clew.errors import RunError, StoreMismatch
from clew.evaluate.journal import Record, read_lines, read_records
from clew.evaluate.manifest import read_manifest
from clew.evaluate.run import run
from clew.evaluate.summary import promised_effects, summarise
from clew.memory import Memory
from clew.model import Answer, Context, Graph, Message, Query
from clew.models.words import WordCounts
from clew.stores.edge import EdgeVectors
from clew.stores.sqlite import SqliteGraph
from clew.systems.base import answer
from clew.trace import span


def records(folder: Path) -> dict[str, Record]:
    return {record.question: record for record in read_records(folder / "journal.jsonl")}


def timeless(folder: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the journal and summary of a run without their times."""
    rows = [dict(row) | {"seconds": 0} for row in read_lines(folder / "journal.jsonl")]
    summary = json.loads((folder / "summary.json").read_text())
    return rows, {k: v for k, v in summary.items() if k != "latency_ms"}


def test_a_run_writes_its_files_and_counts_every_question(tmp_path: Path) -> None:
    summary = start(tmp_path / "run")
    assert summary.exit_code == 0
    assert (summary.content["n"], summary.content["failed"], summary.content["lost"]) == (12, 0, 0)
    assert json.loads((tmp_path / "run" / "summary.json").read_text()) == summary.content
    assert read_manifest(tmp_path / "run")["status"] == "done"
    assert set(summary.content["by_category"]) == {"1", "2", "3", "4", "5"}
    names = ("system", "ablation", "dataset")
    assert [summary.content[name] for name in names] == ["tiny", "full", "talks"]


def test_a_record_holds_what_was_asked_found_and_said(tmp_path: Path) -> None:
    start(tmp_path)
    record = records(tmp_path)["a:0"]
    assert record.answer == "the otter came by at 0 o'clock"
    assert record.retrieved[0] == "D1:0.00"
    assert len(record.retrieved) == 4
    assert record.messages == record.evidence == ("D1:0",)
    assert record.context == "Ana: the otter came by at 0 o'clock"
    assert record.context_tokens == 12
    assert (record.category, record.conversation, record.gold) == (2, "a", "0 o'clock")
    assert record.asked_at == "2024-05-15T12:00:00+00:00"
    assert record.effects == {"tiny.found": 4}
    spent = {"calls": 1, "prompt_tokens": 50, "completion_tokens": 5}
    assert record.llm == spent | {"cached": 0, "cached_tokens": 0}
    assert 0 < record.seconds["search_embed"] < record.seconds["search"]
    assert record.scores["evidence_recall"] == record.scores["evidence_recall_500"] == 1.0


def test_recall_is_over_questions_with_evidence_and_n_says_so(tmp_path: Path) -> None:
    micro = start(tmp_path).content["micro"]
    assert (micro["n"], micro["n_evidence"]) == (10, 8)
    assert micro["evidence_recall_500"] == pytest.approx((1 + 0.5 + 1 + 0.5) / 4)
    assert "evidence_recall" not in start(tmp_path).content["by_category"]["3"]


def test_adversarial_questions_are_told_apart_by_abstention(tmp_path: Path) -> None:
    content = start(tmp_path).content
    assert content["by_category"]["5"]["f1_locomo"] == 1.0
    assert content["by_category"]["5"]["abstained"] == 2
    assert content["micro"]["n"] == content["n"] - 2
    rest = [content["by_category"][c]["f1_locomo"] for c in "1234"]
    assert content["macro"]["f1_locomo"] == pytest.approx(sum(rest) / 4, abs=1e-6)
    assert content["macro"]["f1_locomo"] != content["micro"]["f1_locomo"]


def test_budgets_decide_at_which_sizes_evidence_is_counted(tmp_path: Path) -> None:
    content = start(tmp_path, budgets=(13, 500)).content
    assert "evidence_recall_250" not in content["micro"]
    assert content["micro"]["evidence_recall_13"] <= content["micro"]["evidence_recall_500"]


def test_a_finished_run_started_again_asks_nothing_and_says_the_same(tmp_path: Path) -> None:
    start(tmp_path, Tiny(log=tmp_path / "log"))
    before, said = (tmp_path / "journal.jsonl").read_bytes(), timeless(tmp_path)
    built = (tmp_path / "log").read_text()
    start(tmp_path, Tiny(log=tmp_path / "log"))
    assert (tmp_path / "journal.jsonl").read_bytes() == before
    assert timeless(tmp_path) == said
    assert (tmp_path / "log").read_text() == built


def test_a_question_that_fails_is_journaled_counted_as_zero_and_the_run_fails(
    tmp_path: Path,
) -> None:
    asked = [
        question("t:0", "Please explode", "otter", 4, ("D1:0",)),
        question("t:1", "Where is the otter?", "the otter is here", 4, ("D1:0",)),
    ]
    summary = start(tmp_path, data=Talks((conversation("t", ["the otter is here"], asked),)))
    failed, right = records(tmp_path).values()
    assert (failed.status, failed.error) == ("failed", "RuntimeError: boom")
    assert set(failed.scores.values()) == {0.0}
    assert right.status == "ok"
    assert summary.exit_code == 1
    micro = summary.content["micro"]
    assert (summary.content["failed"], micro["n"], micro["n_evidence"]) == (1, 2, 2)
    assert micro["f1_locomo"] == micro["evidence_recall_500"] == 0.5
    assert micro["context_tokens"] == right.context_tokens
    assert read_manifest(tmp_path)["status"] == "failed"
    assert "1 of 2 questions failed" in summary.warnings[0]


def test_a_packing_that_fails_only_at_a_budget_fails_the_question(tmp_path: Path) -> None:
    class Narrow(Tiny):
        def context(self, graph: Graph, memory: Memory, budget: int | None = None) -> Context:
            if budget == 1000:
                raise RunError("too wide")
            return super().context(graph, memory, budget)

    summary = start(tmp_path, Narrow())
    assert summary.content["failed"] == 12
    record = records(tmp_path)["a:0"]
    assert record.error == "RunError: too wide"
    assert record.answer == ""
    assert record.llm["calls"] == 1  # what was spent stays counted
    assert "search_p50" not in summary.content["latency_ms"]


def test_messages_in_no_memory_are_lost_and_the_run_fails(tmp_path: Path) -> None:
    talk = conversation("t", ["one", "they spill", "two", "three", "all garble", "four", "five"])
    summary = start(tmp_path, data=Talks((talk,)))
    assert summary.content["lost"] == 1 + 3  # one never taken up, three in a failed window
    assert summary.exit_code == 1
    assert "4 messages are in no memory" in summary.warnings[0]
    assert read_manifest(tmp_path)["status"] == "failed"
    failed = [r for r in read_lines(tmp_path / "ledger.jsonl") if r.get("outcome") == "failed"]
    assert [row["reason"] for row in failed] == ["the reply was no JSON"]


def test_a_stage_that_is_on_and_has_no_effect_is_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        start(tmp_path)
    assert "these effects did not occur in this run: gate (dropped)" in caplog.text
    assert json.loads((tmp_path / "summary.json").read_text())["effects"]["gate.dropped"] == 0


def test_effects_that_did_not_occur_are_one_line_by_stage_and_without_those_that_did() -> None:
    class Pick:
        effects = ("pick.tried", "pick.put_off", "pick.taken")

    @dataclasses.dataclass(frozen=True)
    class Whole:
        sieve: Pick = dataclasses.field(default_factory=Pick)
        gate: Gate = dataclasses.field(default_factory=Gate)
        plain: int = 0

    def warned(**happened: int) -> list[str]:
        effects = {name.replace("_", ".", 1): n for name, n in happened.items()}
        record = Record(
            "t:0", "t", 4, "Who?", None, "otter", seconds={"search": 0.1}, effects=effects
        )
        warnings: list[str] = summarise([record], [], [], promised_effects(Whole()))["warnings"]
        return warnings

    assert warned(pick_tried=2) == [
        "these effects did not occur in this run: sieve (put off, taken), gate (dropped)"
    ]
    assert warned(pick_tried=1, pick_put_off=1, pick_taken=1, gate_dropped=1) == []


def test_effects_are_counted_from_the_ledger_and_the_questions(tmp_path: Path) -> None:
    texts = ["Ana: hum", "hum", "so it goes", "so it goes again", "so it goes again"]
    asked = [question("t:0", "hum?", "hum"), question("t:1", "goes?", "so it goes")]
    talk = conversation("t", [*texts, "x"], asked)
    effects = start(tmp_path, data=Talks((talk,))).content["effects"]
    found = sum(r.effects["tiny.found"] for r in records(tmp_path).values())
    assert effects["tiny.found"] == found > 0
    rows = read_lines(tmp_path / "ledger.jsonl")
    for name, op in {"write.merged": "MERGE", "gate.dropped": "DROP", "write.added": "ADD"}.items():
        assert effects[name] == sum(row.get("op") == op for row in rows)


def test_retrieving_every_unit_is_told_as_no_retrieval(tmp_path: Path) -> None:
    asked = [question("t:0", "the otter?", "here")]
    summary = start(tmp_path, data=Talks((conversation("t", ["the otter is here"], asked),)))
    assert summary.content["no_retrieval"] == 1
    assert any("every unit was retrieved for 1 of 1" in w for w in summary.warnings)
    assert start(tmp_path / "b").content["no_retrieval"] == 0


def test_means_over_no_question_are_left_out(tmp_path: Path) -> None:
    asked = [question("t:0", "Zebra?", "Not mentioned in the conversation", 5)]
    content = start(tmp_path, data=Talks((conversation("t", ["hello"], asked),))).content
    assert content["micro"] == {"n": 0, "n_evidence": 0, "abstained": 0}
    assert content["macro"] == {"n": 0}
    assert content["intervals"] == {"micro": {}, "macro": {}}


def test_a_dataset_without_anything_is_a_run_without_anything(tmp_path: Path) -> None:
    summary = start(tmp_path, data=Talks(()))
    assert summary.content["n"] == 0
    assert summary.content["latency_ms"] == {}
    assert summary.exit_code == 0


def test_latencies_have_twins_without_embedding(tmp_path: Path) -> None:
    latency = start(tmp_path).content["latency_ms"]
    figures = [
        f"{step}_{figure}" for step in ("add", "search") for figure in ("p50", "p95", "mean")
    ]
    assert set(latency) == {*figures, *(f"{name}_noembed" for name in figures)}
    assert all(latency[f"{name}_noembed"] <= latency[name] for name in figures)
    assert all(value >= 0 for value in latency.values())


def test_build_and_query_tokens_are_counted_apart(tmp_path: Path) -> None:
    tokens = start(tmp_path).content["tokens"]
    known = {"cached": 0, "cached_tokens": 0}
    build = {"calls": 9, "prompt_tokens": 900, "completion_tokens": 180}
    assert tokens["build"] == build | known
    assert tokens["build_per_conversation"]["prompt_tokens"] == 225
    assert tokens["query"]["prompt_tokens"] == 600
    query = {"calls": 1, "prompt_tokens": 50, "completion_tokens": 5}
    assert tokens["query_per_question"] == query | known


def test_an_error_while_remembering_stops_the_run_and_it_can_go_on(tmp_path: Path) -> None:
    class Broken(Tiny):
        def remember(self, messages: Any, memory: Memory) -> None:
            if memory.conversation == "b":
                raise OSError("no route")
            super().remember(messages, memory)

    with pytest.raises(OSError, match="no route"):
        start(tmp_path, Broken())
    manifest = read_manifest(tmp_path)
    assert (manifest["status"], manifest["error"]) == ("failed", "OSError: no route")
    assert len(records(tmp_path)) == 6
    start(tmp_path)
    start(tmp_path / "undisturbed")
    assert timeless(tmp_path) == timeless(tmp_path / "undisturbed")
    assert read_manifest(tmp_path)["error"] == ""


def test_an_interrupted_run_says_stopped_and_goes_on(tmp_path: Path) -> None:
    class Interrupted(Tiny):
        def reply(self, query: Query, graph: Graph, context: Context, memory: Memory) -> Answer:
            if "heron" in query.text:
                raise KeyboardInterrupt
            return super().reply(query, graph, context, memory)

    with pytest.raises(KeyboardInterrupt):
        start(tmp_path, Interrupted())
    assert read_manifest(tmp_path)["status"] == "stopped"
    assert list(records(tmp_path)) == ["a:0", "a:1", "a:2"]
    start(tmp_path)
    start(tmp_path / "undisturbed")
    assert timeless(tmp_path) == timeless(tmp_path / "undisturbed")


def test_a_run_of_other_settings_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    start(tmp_path)
    before = {p.name: p.read_bytes() for p in tmp_path.glob("*.json*")}
    with pytest.raises(RunError, match="other settings"):
        start(tmp_path, config={"k": 6})
    assert {p.name: p.read_bytes() for p in tmp_path.glob("*.json*")} == before


def test_a_memory_of_another_embedder_stops_the_run_before_it_writes(tmp_path: Path) -> None:
    start(tmp_path, data=Talks((animals("a"),)))

    def other(id: str) -> Memory:
        graph = SqliteGraph(tmp_path, id)
        return Memory(graph, EdgeVectors(tmp_path / "v", id, 32), WordCounts(32), None)  # type: ignore[arg-type]

    (tmp_path / "journal.jsonl").unlink()
    from tiny_run import settings

    with pytest.raises(StoreMismatch, match="embedder"):
        run(Tiny(), Talks((animals("a"),)), other, tmp_path, settings())
    assert read_manifest(tmp_path)["status"] == "failed"


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match=r"cannot be written .*runs="):
        start(tmp_path / "file" / "run")


def test_numbers_are_finite_and_rounded(tmp_path: Path) -> None:
    start(tmp_path)
    text = (tmp_path / "summary.json").read_text()
    assert "NaN" not in text
    assert "Infinity" not in text
    for record in records(tmp_path).values():
        assert all(value == round(value, 6) for value in record.scores.values())


def test_the_answer_of_a_system_is_gather_then_pack_then_reply(tmp_path: Path) -> None:
    memory = new_memory(tmp_path)("a")
    talk = animals("a")
    Tiny().remember(talk.messages, memory)
    said = answer(Tiny(), talk.questions[0].query, memory)
    assert said.text == "the otter came by at 0 o'clock"
    assert said.context.messages == ("D1:0",)
    memory.close()


def test_systems_are_shown_a_query_and_nothing_of_the_gold(tmp_path: Path) -> None:
    shown: list[object] = []

    class Nosy(Tiny):
        def gather(self, query: Query, memory: Memory) -> Graph:
            shown.append(query)
            return super().gather(query, memory)

        def remember(self, messages: Any, memory: Memory) -> None:
            kept = list(messages)
            shown.extend(kept)
            super().remember(kept, memory)

    start(tmp_path, Nosy())
    assert {type(one) for one in shown} == {Query, Message}
    assert [f.name for f in dataclasses.fields(Query)] == ["text", "asked_at", "conversation"]
    assert len(ALL.conversations) == 4


def test_seconds_are_told_by_stage(tmp_path: Path) -> None:
    class Staged(Tiny):
        def gather(self, query: Query, memory: Memory) -> Graph:
            with span("Recall"):
                return super().gather(query, memory)

        def reply(self, query: Query, graph: Graph, context: Context, memory: Memory) -> Answer:
            with span("Read"):
                return super().reply(query, graph, context, memory)

    start(tmp_path, Staged())
    seconds = records(tmp_path)["a:0"].seconds
    assert set(seconds) == {"Recall", "Read", "answer", "search", "search_embed"}
    assert seconds["Recall"] <= seconds["search"]
    assert seconds["Read"] <= seconds["answer"]


def test_people_at_a_terminal_see_where_a_run_is_and_files_do_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    start(tmp_path / "1")
    assert capsys.readouterr() == ("", "")
    monkeypatch.setenv("FORCE_COLOR", "1")
    start(tmp_path / "2")
    out, err = capsys.readouterr()
    assert out == ""
    assert "asking" in err or "remembering" in err


def test_a_run_in_a_thread_works_though_it_cannot_take_signals(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(start, tmp_path).result().exit_code == 0
