"""Windows: every message is in exactly one window, in its order."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import ConfigError
from clew.model import Message
from clew.stages.windows import ByCount


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
