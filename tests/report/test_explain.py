"""Explain: every hit with its scores, edges, path and validity, and the gold that is missing."""

import dataclasses
import io
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from rich.console import Console
from tiny_run import START, Tiny, conversation, new_memory, question

from clew.evaluate.journal import Record
from clew.evaluate.run import ask
from clew.memory import Memory
from clew.model import (
    Abstract,
    Add,
    Archive,
    Drop,
    Dropped,
    Edge,
    Evidence,
    Graph,
    Merge,
    Message,
    Query,
    Scored,
    Supersede,
    Unit,
)
from clew.model import Path as Chain
from clew.report.explain import Explanation, explain, fates, show

TEXTS = (
    "meet Bob at 2",
    "meet Bob at 3",
    "meet Bob at 3!",
    "as I said",
    "a parrot",
    "lost words",
    "",
)
ASKED = question("t:0", "When is Bob met?", "3", 2, tuple(f"D1:{n}" for n in (1, 2, 3, 4, 5, 6)))


def unit(n: int) -> Unit:
    return Unit(
        f"D1:{n}.00", "t", TEXTS[n], START + timedelta(hours=n), "D1", n, "Ana",
        (Evidence(f"D1:{n}", 0, len(TEXTS[n])),),
    )  # fmt: skip


class Bob(Tiny):
    """Knows one story: a meeting moved from 2 to 3, said twice, and repeated."""

    def remember(self, messages: Iterable[Message], memory: Memory) -> None:
        m = list(messages)
        memory.ingest([m[0]], [Add(unit(0))])
        memory.ingest([m[1]], [Supersede(unit(1), unit(0), 0.99, 0.2, ends=True)])
        memory.ingest([m[2]], [Merge(unit(2), unit(0), 0.98, 1.0)])
        memory.apply(Drop(m[3], unit(1).id, 0.9))
        memory.ingest([m[4]], [Add(unit(4))])
        memory.ingest([m[6]], [])

    def gather(self, query: Query, memory: Memory) -> Graph:
        first, second = memory.units(["D1:0.00", "D1:1.00"])
        nodes = (
            Scored(second, 0.9, dense=0.81, lexical=0.72, entity=0.5),
            Scored(first, 0.4, dense=0.31, lexical=0.22, role="bridge"),
        )
        edge = Edge(first.id, second.id, "SUPERSEDES", 0.25)
        path = Chain((first.id, second.id), ("SUPERSEDES",), 1.5)
        return Graph(nodes, (edge,), (path,), known="at [3]")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    memory = new_memory(tmp_path)("t")
    Bob().remember(conversation("t", TEXTS).messages, memory)
    yield memory
    memory.close()


@pytest.fixture
def record(memory: Memory) -> Record:
    return ask(Bob(), ASKED, memory, (500,))


def printed(explanation: Explanation) -> str:
    out = io.StringIO()
    show(explanation, Console(file=out, width=220))
    return out.getvalue()


def test_each_hit_has_scores_role_edges_path_validity_and_gold(
    memory: Memory, record: Record
) -> None:
    best, bridge = explain(Bob(), memory, record).rows
    assert (best.node.dense, best.node.lexical, best.node.entity) == (0.81, 0.72, 0.5)
    assert (best.node.role, bridge.node.role) == ("terminal", "bridge")
    assert best.edges == bridge.edges
    assert (best.paths, bridge.paths) == ((1,), (1,))
    assert best.gold == ("D1:1",)
    assert bridge.gold == ("D1:2",)  # by what was merged into it
    assert (best.view.status, bridge.view.status) == ("active", "superseded")
    assert bridge.view.valid_to == START + timedelta(hours=1)
    assert best.packed


def test_gold_that_no_hit_holds_is_told_with_what_became_of_it(
    memory: Memory, record: Record
) -> None:
    assert explain(Bob(), memory, record).missing == {
        "D1:3": "dropped by the gate as a repeat of D1:1.00",
        "D1:4": "not retrieved: unit D1:4.00",
        "D1:5": "in no memory: the message was never taken up",
        "D1:6": "no unit was made from it",
    }


def test_gold_that_is_told_of_in_short_is_named_by_the_unit_that_says_it(memory: Memory) -> None:
    parrot = unit(4)
    birds = dataclasses.replace(parrot, id="D1:4.00+1", text="birds", level=1)
    memory.revise([Abstract(birds, (parrot,)), Archive(parrot, birds)])
    assert fates(["D1:4"], memory.graph) == {"D1:4": f"not retrieved: unit {parrot.id}"}


def test_gold_that_was_merged_into_what_was_not_retrieved_says_so(
    memory: Memory, record: Record
) -> None:
    class Blind(Bob):
        def gather(self, query: Query, memory: Memory) -> Graph:
            return Graph()

    missing = explain(Blind(), memory, record).missing
    assert missing["D1:2"] == "not retrieved: merged into D1:0.00"
    assert missing["D1:1"] == "not retrieved: unit D1:1.00"


def test_everything_is_printed(memory: Memory, record: Record) -> None:
    text = printed(explain(Bob(), memory, record))
    for words in (
        "When is Bob met?", "asked at", "2024-05-15T12:00:00+00:00", "3 (category 2)",
        "at [3]", "f1_locomo", "#1*", "#2*", "D1:1.00", "terminal", "bridge",
        "0.900", "0.810", "0.720", "0.500", "0.310", "0.220",
        "from 2024-05-15 13:00", "2024-05-15 12:00 to 2024-05-15 13:00, superseded",
        "SUPERSEDES", "0.250", "#2 -SUPERSEDES-> #1", "1.500",
        "dropped by the gate as a repeat of D1:1.00", "meet Bob at 2",
    ):  # fmt: skip
        assert words in text, words


def test_what_did_not_fit_the_context_is_marked(memory: Memory, record: Record) -> None:
    long = "meet Bob " * 30
    memory.ingest([], [Add(dataclasses.replace(unit(5), text=long))])

    class Wordy(Bob):
        def gather(self, query: Query, memory: Memory) -> Graph:
            return Graph(tuple(Scored(u, 0.1) for u in memory.units(["D1:1.00", "D1:5.00"])))

    explanation = explain(Wordy(), memory, record)
    assert [row.packed for row in explanation.rows] == [True, False]
    assert "#2*-" in printed(explanation)


def test_what_was_found_and_left_out_is_told_with_the_reason(
    memory: Memory, record: Record
) -> None:
    class Strict(Bob):
        def gather(self, query: Query, memory: Memory) -> Graph:
            first, second, parrot = memory.units(["D1:0.00", "D1:1.00", "D1:4.00"])
            stale = Dropped(Scored(first, 0.4), "STALE", second.id)
            low = Dropped(Scored(parrot, 0.125), "LOW_SCORE")
            return Graph((Scored(second, 0.9),), dropped=(stale, low))

    explanation = explain(Strict(), memory, record)
    assert explanation.missing["D1:4"] == "left out as LOW_SCORE: unit D1:4.00"
    text = printed(explanation)
    for words in ("Found and left out again", "STALE", "#1", "LOW_SCORE", "0.125", "a parrot"):
        assert words in text, words


def test_a_failed_question_without_evidence_or_date_is_explained_too(memory: Memory) -> None:
    record = Record("t:9", "t", 4, "Who?", None, "x", status="failed", error="RuntimeError: boom")

    class Empty(Bob):
        def gather(self, query: Query, memory: Memory) -> Graph:
            assert query == Query("Who?", None, "t")
            return Graph()

    explanation = explain(Empty(), memory, record)
    assert explanation.missing == {}
    text = printed(explanation)
    assert "RuntimeError: boom" in text
    assert "unknown" in text
    assert "Edges" not in text
    assert "Reasoning paths" not in text


def test_the_same_question_is_asked_as_in_the_run(memory: Memory, record: Record) -> None:
    asked: list[Query] = []

    class Listening(Bob):
        def gather(self, query: Query, memory: Memory) -> Graph:
            asked.append(query)
            return super().gather(query, memory)

    explain(Listening(), memory, record)
    assert asked == [ASKED.query]
