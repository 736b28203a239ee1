"""Workload: what is added and what is asked, and what is told of it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from tiny_run import Tiny, animals, conversation, new_memory

from clew.errors import ConfigError
from clew.evaluate.footprint import Footprint
from clew.evaluate.workload import Load, Outcome, work
from clew.memory import Memory
from clew.model import Graph, Message, Query

FAST = Load(rate=2000, requests=5)
TALK = animals("a")  # 12 messages, 6 questions


@dataclass(frozen=True)
class Noting(Tiny):
    """Notes what it is given, burst by burst."""

    given: list[list[str]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def remember(self, messages: Iterable[Message], memory: Memory) -> None:
        burst = list(messages)
        self.given.append([message.id for message in burst])
        super().remember(burst, memory)

    def gather(self, query: Query, memory: Memory) -> Graph:
        self.asked.append(query.text)
        return super().gather(query, memory)


def worked(folder: Path, load: Load = FAST, system: Tiny | None = None) -> Outcome:
    return work(system or Tiny(), TALK, new_memory(folder), load, Footprint())


def test_the_last_messages_come_one_by_one_after_the_others(tmp_path: Path) -> None:
    system = Noting()
    outcome = worked(tmp_path, system=system)
    first, *singles = system.given
    assert first == [f"D1:{n}" for n in range(7)]
    assert singles == [[f"D1:{n}"] for n in range(7, 12)]
    assert outcome.loaded == 7 and outcome.add.latency.n == 5


def test_questions_begin_anew_when_there_are_no_more(tmp_path: Path) -> None:
    system = Noting()
    outcome = worked(tmp_path, Load(rate=2000, requests=8), system)
    texts = [question.query.text for question in TALK.questions]
    assert system.asked == [*texts, *texts[:2]]
    assert outcome.search.latency.n == 8


def test_with_more_requests_than_messages_all_messages_come_one_by_one(tmp_path: Path) -> None:
    outcome = worked(tmp_path, Load(rate=5000, requests=20))
    assert (outcome.loaded, outcome.add.latency.n, outcome.search.latency.n) == (0, 12, 20)


@pytest.mark.parametrize(
    ("load", "n"),
    [(Load(), 300), (Load(rate=5), 150), (Load(rate=0.3, seconds=5), 2), (Load(requests=7), 7)],
)
def test_requests_come_for_so_many_seconds_or_are_so_many(load: Load, n: int) -> None:
    assert load.n == n


@pytest.mark.parametrize(
    "wrong",
    [{"rate": 0}, {"rate": -5}, {"rate": "fast"}, {"seconds": 0}, {"requests": 0},
     {"rate": float("nan")}, {"seconds": float("inf")}],
)  # fmt: skip
def test_a_load_that_is_none_is_refused_by_name(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=f"Load: {next(iter(wrong))}: "):
        Load(**wrong)  # type: ignore[arg-type]


def test_contexts_that_are_the_same_have_the_same_hash(tmp_path: Path) -> None:
    hashes = [worked(tmp_path / name).contexts for name in ("one", "two")]
    other = work(
        Tiny(),
        replace(TALK, messages=TALK.messages[5:]),
        new_memory(tmp_path / "fewer"),
        FAST,
        Footprint(),
    )
    assert hashes[0] == hashes[1] != other.contexts


def test_what_is_told_is_plain_and_has_every_phase(tmp_path: Path) -> None:
    content = worked(tmp_path).content
    assert json.loads(json.dumps(content)) == content
    assert [phase["name"] for phase in content["phases"]] == ["base", "load", "add", "search"]
    assert content["rss"]["peak"] >= content["rss"]["base"] > 0
    assert content["load"] == {"rate": 2000.0, "seconds": 30.0, "requests": 5}
    for of in ("add", "search"):
        told = content[of]
        assert told["latency"]["mean"] >= told["latency_noembed"]["mean"] >= 0
        assert told["queue"].keys() == told["queue_noembed"].keys()


def test_the_memory_is_closed_also_when_a_search_fails(tmp_path: Path) -> None:
    question = TALK.questions[0]
    bad = replace(question, query=replace(question.query, text="Will it explode?"))
    talk = replace(TALK, questions=(bad,))
    opened: list[Memory] = []

    def opening(id: str) -> Memory:
        opened.append(new_memory(tmp_path)(id))
        return opened[-1]

    with pytest.raises(RuntimeError, match="boom"):
        work(Tiny(), talk, opening, FAST, Footprint())
    new_memory(tmp_path)("a").close()  # nobody holds it any more
    assert len(opened) == 1


@pytest.mark.parametrize(
    ("texts", "told"), [([], "x has no messages"), (["hello"], "x has no questions")]
)
def test_a_conversation_with_nothing_to_measure_is_refused(
    texts: list[str], told: str, tmp_path: Path
) -> None:
    talk = conversation("x", texts)
    with pytest.raises(ConfigError, match=rf"dataset: {told}.*dataset.only="):
        work(Tiny(), talk, new_memory(tmp_path), FAST, Footprint())
