"""Selective: mere courtesy is not kept, and whatever tells something is."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from clew.memory import Memory
from clew.model import Add, Message
from clew.stages.extract import Told
from clew.stages.selective import Selective
from clew.stages.windows import ByCount

MakeMessage = Callable[..., Message]


def extracted(memory: Memory, message: MakeMessage, *said: str) -> Told:
    """Return what is told by Alice and Bo, in turn, who have spoken before."""
    memory.graph.put_messages([message(0, "Hi.", "Alice"), message(1, "Hi.", "Bo")])
    window = [message(n, text, ("Alice", "Bo")[n % 2]) for n, text in enumerate(said, 2)]
    return Selective()(tuple(window), memory)


@pytest.mark.parametrize(
    "text",
    ["Thanks, Bo!", "Wow, that sounds great.", "Glad to hear that, Alice", "Of course!", "+"],
)
def test_mere_courtesy_is_not_kept_and_the_ledger_counts_it(
    memory: Memory, message: MakeMessage, text: str
) -> None:
    told = extracted(memory, message, text)
    assert list(told) == []
    assert told.how is not None
    assert (told.how.outcome, told.how.figures) == ("accepted", {"silent": 1})


@pytest.mark.parametrize(
    "text", ["Thanks, Imke!", "Great, at 19:30.", "I am glad about the kiln.", "Which kiln?"]
)
def test_whatever_has_a_word_of_its_own_is_kept(
    memory: Memory, message: MakeMessage, text: str
) -> None:
    told = extracted(memory, message, text)
    assert [unit.text for unit in told] == [f"Alice: {text}"]
    assert told.how is not None and told.how.figures == {}


@pytest.mark.parametrize("end", ["?!", "? :)", '?"', "？", "? ..."])
def test_a_question_is_one_whatever_comes_after_its_mark(
    memory: Memory, message: MakeMessage, end: str
) -> None:
    told = extracted(memory, message, f"Did you sell the canoe{end}", "Yes, sure!")
    assert len(told) == 2


def test_what_answers_a_question_is_kept_whatever_its_words(
    memory: Memory, message: MakeMessage
) -> None:
    told = extracted(memory, message, "Did you sell the canoe?", "Yes, sure!", "Nice!", "Thanks!")
    assert [unit.text for unit in told] == ["Alice: Did you sell the canoe?", "Bo: Yes, sure!"]


def test_a_picture_tells_something(memory: Memory, message: MakeMessage) -> None:
    shown = replace(message(0, "Wow!"), caption="a red kiln")
    assert len(Selective()((shown,), memory)) == 1


@pytest.mark.parametrize("size", [1, 2, 3, 9])
def test_an_answer_is_one_wherever_windows_are_cut(
    memory: Memory, message: MakeMessage, size: int
) -> None:
    said = ("Did you sell the canoe?", "Sure!", "Great!", "Is the kiln hot?", "Absolutely.")
    told = list[str]()
    for window in ByCount(size=size)(message(n, text) for n, text in enumerate(said)):
        units = Selective()(window, memory)
        memory.ingest(window, (Add(unit) for unit in units), units.how)
        told += [unit.text for unit in units]
    assert told == [f"Alice: {said[n]}" for n in (0, 1, 3, 4)]


@pytest.mark.parametrize("size", [1, 2])
def test_what_opens_a_session_answers_nothing(
    memory: Memory, message: MakeMessage, size: int
) -> None:
    said = (message(0, "Which kiln?"), replace(message(1, "Hello!"), session="2"))
    for window in ByCount(size=size)(said):
        units = Selective()(window, memory)
        memory.ingest(window, (Add(unit) for unit in units), units.how)
    assert [unit.text for unit in memory.graph.units()] == ["Alice: Which kiln?"]
