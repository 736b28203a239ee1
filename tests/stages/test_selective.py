"""Selective: mere courtesy is not kept, and whatever tells something is."""

from collections.abc import Callable

import pytest

from clew.memory import Memory
from clew.model import Message
from clew.stages.extract import Told
from clew.stages.selective import Selective

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


def test_what_answers_a_question_is_kept_whatever_its_words(
    memory: Memory, message: MakeMessage
) -> None:
    told = extracted(memory, message, "Did you sell the canoe?", "Yes, sure!", "Nice!", "Thanks!")
    assert [unit.text for unit in told] == ["Alice: Did you sell the canoe?", "Bo: Yes, sure!"]


def test_a_picture_tells_something(memory: Memory, message: MakeMessage) -> None:
    from dataclasses import replace

    shown = replace(message(0, "Wow!"), caption="a red kiln")
    assert len(Selective()((shown,), memory)) == 1
