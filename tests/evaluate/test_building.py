"""Building: whose time is it, and what the ledger's closing lines say."""

import json
import shutil
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from tiny_run import ALL, Tiny, animals, conversation, new_memory, start

from clew.errors import LlmUnavailable, RunError, StoreMissing
from clew.evaluate.building import Building, Watch
from clew.evaluate.journal import Lines, read_lines
from clew.memory import Memory
from clew.model import Message
from clew.trace import Trace, count, recording, span

TALK = conversation("t", [f"word {n}" for n in range(7)])


def watched(tmp_path: Path, work: Any) -> list[dict[str, Any]]:
    lines = Lines(tmp_path / "add.jsonl")
    with recording() as trace:
        watch = Watch("t", trace, lines)
        work(watch.over(TALK.messages))
        watch.finish()
    return read_lines(lines.path)


def test_work_on_a_batch_is_shared_by_all_messages_that_were_pulled_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clew.evaluate.building.LOOKAHEAD", 0.02)  # a busy machine is slow too

    def work(messages: Iterator[Message]) -> None:
        while list(islice(messages, 3)):
            time.sleep(0.03)

    rows = watched(tmp_path, work)
    assert [row["messages"] for row in rows] == [3, 3, 1]
    assert all(row["seconds"] >= 0.03 for row in rows)


def test_work_on_each_message_is_its_own_and_that_after_the_last_is_kept(tmp_path: Path) -> None:
    def work(messages: Iterator[Message]) -> None:
        for _ in messages:
            time.sleep(0.001)
        time.sleep(0.004)

    rows = watched(tmp_path, work)
    assert [row["messages"] for row in rows] == [1] * 7 + [0]
    assert rows[-1]["seconds"] >= 0.004


def test_embedding_and_llm_use_are_told_of_the_burst_they_happened_in(tmp_path: Path) -> None:
    def work(messages: Iterator[Message]) -> None:
        for n, _ in enumerate(messages):
            with span("embed"):
                time.sleep(0.1 if n == 1 else 0)
            if n == 2:
                count("llm.calls")
                count("llm.prompt_tokens", 100)
            time.sleep(0.001)

    rows = watched(tmp_path, work)
    assert [row["embed"] >= 0.1 for row in rows[:3]] == [False, True, False]
    assert [row.get("llm") for row in rows[:4]] == [
        None, None, {"calls": 1, "prompt_tokens": 100}, None,
    ]  # fmt: skip
    assert all(row["embed"] <= row["seconds"] for row in rows)


def test_what_a_model_took_before_it_stopped_the_run_is_kept(tmp_path: Path) -> None:
    class Stopped(Tiny):
        def remember(self, messages: Any, memory: Memory) -> None:
            for _ in messages:
                count("llm.calls", 2)
                raise LlmUnavailable("gone")

    with pytest.raises(LlmUnavailable):
        start(tmp_path, Stopped())
    (row,) = read_lines(tmp_path / "add.jsonl")
    assert (row["messages"], row["seconds"], row["llm"]) == (0, 0, {"calls": 2})
    start(tmp_path)
    assert "add_p50" in json.loads((tmp_path / "summary.json").read_text())["latency_ms"]


def test_messages_that_come_slowly_are_not_the_systems_time(tmp_path: Path) -> None:
    def slow() -> Iterator[Message]:
        for message in TALK.messages:
            time.sleep(0.1)
            yield message

    lines = Lines(tmp_path / "add.jsonl")
    watch = Watch("t", Trace(), lines)
    list(watch.over(slow()))
    watch.finish()
    assert sum(row["seconds"] for row in read_lines(lines.path)) < 0.35  # of 0.7


def test_the_closing_line_counts_what_was_decided(tmp_path: Path) -> None:
    start(tmp_path)
    built = Building(tmp_path).built
    assert list(built) == ["a", "silent", "empty", "b"]
    assert built["a"].messages == 12
    assert built["a"].lost == 0
    assert built["a"].outcomes == {"accepted": 4}
    assert built["a"].effects == {"windows.ingested": 4, "write.added": 10, "write.merged": 2}
    assert built["a"].units == 10
    assert built["empty"].messages == built["empty"].units == 0


def test_every_decision_is_a_line(tmp_path: Path) -> None:
    start(tmp_path)
    rows = [row for row in read_lines(tmp_path / "ledger.jsonl") if row["conversation"] == "a"]
    assert [row["op"] for row in rows[:4]] == ["ADD", "ADD", "ADD", "INGEST"]
    assert rows[3]["outcome"] == "accepted"
    assert rows[3]["targets"] == ["D1:0", "D1:1", "D1:2"]
    assert rows[-1]["closed"] is True


def test_a_part_of_the_ledger_that_was_cut_off_is_written_again(tmp_path: Path) -> None:
    start(tmp_path)
    whole = (tmp_path / "ledger.jsonl").read_bytes()
    for cut in (1, 150, 900):
        (tmp_path / "ledger.jsonl").write_bytes(whole[:-cut])
        assert "b" not in Building(tmp_path)
        start(tmp_path)
        assert (tmp_path / "ledger.jsonl").read_bytes() == whole


def forgetful(folder: Path, *names: str) -> None:
    """Lose the last answer and some of the run's files."""
    journal = (folder / "journal.jsonl").read_bytes()
    (folder / "journal.jsonl").write_bytes(journal[: journal.rfind(b"\n", 0, -1) + 1])
    for name in names:
        for path in folder.glob(f"{name}*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def test_a_graph_that_was_deleted_is_told_and_no_question_is_asked(tmp_path: Path) -> None:
    start(tmp_path)
    forgetful(tmp_path, "memory.db")
    for _ in range(2):
        with pytest.raises(StoreMissing, match=r"b is gone: its graph is empty, and 10 vectors"):
            start(tmp_path)
    assert len(read_lines(tmp_path / "journal.jsonl")) == 11


def test_a_memory_that_was_deleted_is_told_and_no_question_is_asked(tmp_path: Path) -> None:
    start(tmp_path)
    forgetful(tmp_path, "memory.db", "vectors")
    for _ in range(2):
        with pytest.raises(StoreMissing, match=r"b is gone: 5 questions.*overwrite=true"):
            start(tmp_path)
    (tmp_path / "journal.jsonl").unlink()
    with pytest.raises(StoreMissing, match=r"a is gone: the ledger tells of 12.*overwrite=true"):
        start(tmp_path)
    assert read_lines(tmp_path / "journal.jsonl") == []


def test_vectors_that_were_deleted_are_made_again(tmp_path: Path) -> None:
    start(tmp_path)
    journal = [row | {"seconds": 0} for row in read_lines(tmp_path / "journal.jsonl")]
    forgetful(tmp_path, "vectors")
    start(tmp_path)
    assert [row | {"seconds": 0} for row in read_lines(tmp_path / "journal.jsonl")] == journal


def test_what_is_remembered_is_not_fed_again(tmp_path: Path) -> None:
    class Once(Tiny):
        fed: list[str]

        def remember(self, messages: Any, memory: Any) -> None:
            for message in messages:
                self.fed.append(message.id)
                raise InterruptedError

    building, talk = Building(tmp_path), animals("a")
    memory = new_memory(tmp_path)("a")
    building.remember(Tiny(), talk, memory)
    Once.fed = []
    building.remember(Once(), talk, memory)
    assert Once.fed == []
    memory.close()
    building.close()
    assert len(ALL.conversations) == 4


@pytest.mark.parametrize(
    ("file", "line", "what"),
    [
        ("ledger.jsonl", '{"closed": true}', "conversation: field required"),
        ("ledger.jsonl", '{"closed": true, "conversation": 3}', "conversation: .*, is 3"),
        ("add.jsonl", '{"x": 1}', "conversation: field required"),
        (
            "add.jsonl",
            '{"conversation": "a", "messages": -1, "seconds": 1, "embed": 0}',
            "messages: input should be greater than or equal to 0, is -1",
        ),
    ],
)
def test_a_line_of_another_shape_stops_a_run_before_it_works(
    tmp_path: Path, file: str, line: str, what: str
) -> None:
    start(tmp_path)
    rest = (tmp_path / file).read_text()
    (tmp_path / file).write_text(f"{line}\n{rest}")
    with pytest.raises(RunError, match=f"{file}, line 1: {what}.*another name="):
        Building(tmp_path)
