"""Windows: every message is in exactly one window, in its order."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import ConfigError
from clew.model import Message
from clew.stages.windows import ByCount, Chunks, SlidingTokens, SlidingTurns


def test_full_windows_come_first_and_the_rest_last(message: Callable[..., Message]) -> None:
    stream = [message(n, "Hello") for n in range(5)]
    assert [len(window) for window in ByCount(size=2)(stream)] == [2, 2, 1]


def test_an_empty_stream_has_no_window() -> None:
    assert list(ByCount()([])) == []


@given(st.integers(0, 70), st.integers(1, 30))
def test_nothing_is_lost_or_moved(n: int, size: int) -> None:
    stream = [Message(str(k), "talk", "1", k, "Alice", "Hello", None) for k in range(n)]
    windows = list(ByCount(size=size)(stream))
    assert [m for window in windows for m in window] == stream
    assert all(0 < len(window) <= size for window in windows)


def test_a_window_of_nothing_is_refused() -> None:
    with pytest.raises(ConfigError, match="size"):
        ByCount(size=0)


def test_a_chunk_ends_with_its_session(message: Callable[..., Message]) -> None:
    stream = [replace(message(n, "Hello"), session="1" if n < 3 else "2") for n in range(6)]
    chunks = list(Chunks(size=2)(stream))
    assert [[m.position for m in chunk] for chunk in chunks] == [[0, 1], [2], [3, 4], [5]]
    assert list(Chunks()([])) == []


def test_a_chunk_is_handed_on_as_soon_as_it_is_full(message: Callable[..., Message]) -> None:
    pulled = list[int]()

    def stream() -> Iterator[Message]:
        for n in range(4):
            pulled.append(n)
            yield message(n, "Hello")

    next(iter(Chunks(size=2)(stream())))
    assert pulled == [0, 1]


# --- windows that slide


@given(st.integers(0, 40), st.integers(1, 12), st.integers(1, 12), st.integers(0, 9))
def test_every_message_is_new_in_one_window_and_seen_again_in_the_next(
    n: int, size: int, stride: int, first: int
) -> None:
    talk = [Message(str(k), "talk", "1", k, "Alice", "Hello", None) for k in range(first + n)]
    windows = list(SlidingTurns(size=size, stride=stride)(talk[first:], talk[:first]))
    assert [m for window in windows for m in window.new] == talk[first:]
    at = first
    for window in windows:
        room = max(0, size - stride)
        assert list(window.before) == talk[max(0, at - room) : at]
        at += len(window.new)


def test_a_window_of_tokens_is_half_what_was_seen_before(message: Callable[..., Message]) -> None:
    stream = [message(n, "one two three four five six") for n in range(9)]  # 8 tokens each
    windows = list(SlidingTokens(size=48, overlap=0.5)(stream))
    assert [(len(w.before), len(w.new)) for w in windows] == [(0, 3), (3, 3), (3, 3)]
    apart = list(SlidingTokens(size=48, overlap=0.0)(stream))
    assert [(len(w.before), len(w.new)) for w in apart] == [(0, 6), (0, 3)]


def test_what_was_heard_before_is_seen_and_is_not_new(message: Callable[..., Message]) -> None:
    talk = [message(n, "one two three four five six") for n in range(6)]
    (window,) = SlidingTokens(size=48)(talk[4:], talk[:4])
    assert window.new == tuple(talk[4:]) and window.before == tuple(talk[1:4])


def test_a_message_longer_than_a_window_is_one_of_its_own(message: Callable[..., Message]) -> None:
    talk = [message(1, "word " * 80), message(2, "Yes")]
    windows = list(SlidingTokens(size=48)(talk))
    assert [window.new for window in windows] == [(talk[0],), (talk[1],)]
    assert windows[1].before == ()
