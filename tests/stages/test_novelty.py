"""Novelty: windows that tell nothing new are dropped whole, by words, names and meaning."""

from collections.abc import Callable

import pytest

from clew.memory import Memory
from clew.model import Add, Message, Unit
from clew.stages.novelty import KeepWindows, Novelty
from clew.stages.windows import Sight

MakeUnit = Callable[..., Unit]
MakeMessage = Callable[..., Message]
LINE = "The heron stood by the mill pond"


@pytest.fixture
def window(memory: Memory, message: MakeMessage, unit: MakeUnit) -> Callable[..., Sight]:
    """Make a window after a known line, which is stored."""

    def make(*texts: str) -> Sight:
        memory.apply(Add(unit(1, LINE)))
        new = tuple(message(n, text) for n, text in enumerate(texts, 2))
        return Sight((message(1, LINE),), new)

    return make


def test_what_was_just_said_again_is_dropped_whole_and_noted(
    memory: Memory, window: Callable[..., Sight]
) -> None:
    again = window(LINE, "By the mill pond the heron stood")
    assert Novelty().score(again, memory) == pytest.approx(0.0, abs=1e-6)
    assert not Novelty()(again, memory)
    drops = [entry.targets for entry in memory.graph.ledger() if entry.op == "DROP"]
    assert drops == [("D1:2", "D1:1.00"), ("D1:3", "D1:1.00")]
    assert memory.graph.processed() == {"D1:2", "D1:3"}
    assert memory.speakers == {"alice"}


def test_both_terms_count_by_their_weight_and_the_first_for_one_at_most(
    memory: Memory, window: Callable[..., Sight]
) -> None:
    news = window("Zinnias bloomed overnight in Bruges")  # four unknown words, nothing shared
    assert Novelty(alpha=1.0).score(news, memory) == 1.0
    assert Novelty(alpha=0.0).score(news, memory) == pytest.approx(1.0, abs=0.01)
    half = window(LINE, "The heron stood by the new mill pond", LINE, LINE)
    words_alone = Novelty(alpha=1.0).score(half, memory)
    assert words_alone == 0.25  # "new" in four messages
    meaning = Novelty(alpha=0.0).score(half, memory)
    assert Novelty(alpha=0.5).score(half, memory) == pytest.approx((words_alone + meaning) / 2)


def test_the_threshold_decides(memory: Memory, window: Callable[..., Sight]) -> None:
    half = window(LINE, "The heron stood by the new mill pond", LINE, LINE)
    score = Novelty().score(half, memory)
    assert Novelty(least=score - 0.01)(half, memory)
    assert not Novelty(least=score + 0.01)(half, memory)


def test_of_names_alone_a_new_thing_is_none(memory: Memory, window: Callable[..., Sight]) -> None:
    thing, person = window("The heron stood by a zinnia"), window("The heron stood by Zoltan")
    names = Novelty(alpha=1.0, things=False)
    assert (names.score(thing, memory), names.score(person, memory)) == (0.0, 1.0)
    assert Novelty(alpha=1.0).score(thing, memory) == 1.0


def test_the_first_window_and_one_without_anything_stored_are_kept(
    memory: Memory, message: MakeMessage
) -> None:
    first, second = (message(n, LINE) for n in (1, 2))
    assert Novelty(least=1.0)(Sight((), (first,)), memory)
    assert Novelty(least=1.0)(Sight((first,), (second,)), memory)
    assert memory.graph.ledger() == []


def test_a_window_without_words_is_no_error(memory: Memory, window: Callable[..., Sight]) -> None:
    assert Novelty()(window("", " "), memory)  # nothing is near to it: it is no repeat
    assert KeepWindows()(window(LINE), memory)
