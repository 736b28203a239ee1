"""Asking: replies in order, no more at once than allowed, and usage counted where it is read."""

import time
from threading import Event, Lock

import pytest

from clew.errors import LlmUnavailable, LlmUnusable
from clew.models.asking import Asking
from clew.models.llm import Ask, Reply, Usage
from clew.trace import recording


class Working:
    """Answers after `release`, if there is one, and knows how many were at work at once."""

    name = "working"

    def __init__(self, release: Event | None = None) -> None:
        self.release, self.lock = release, Lock()
        self.now = self.most = 0
        self.asked: list[str] = []
        self.closed = 0

    def __call__(self, ask: Ask) -> Reply:
        with self.lock:
            self.asked.append(ask.user)
            self.now += 1
            self.most = max(self.most, self.now)
        if self.release:
            self.release.wait(5)
        else:
            time.sleep(0.002 * (int(ask.user) % 3) if ask.user.isdigit() else 0)
        with self.lock:
            self.now -= 1
        if ask.user == "bad":
            error = LlmUnusable("no good")
            error.retries = 3
            raise error
        return Reply(ask.user, Usage(1, 10, 2, retries=1))

    def close(self) -> None:
        self.closed += 1


def asks(*users: str) -> list[Ask]:
    return [Ask("p", "", user) for user in users]


@pytest.mark.parametrize("concurrency", [1, 4, 16])
def test_replies_come_in_order_and_no_more_are_at_work_than_allowed(concurrency: int) -> None:
    llm = Asking(model := Working(), concurrency)
    users = [str(n) for n in range(40)]
    with recording() as trace:
        assert [reply.text for reply in llm.many(asks(*users))] == users
    llm.close()
    assert 1 <= model.most <= concurrency
    assert (model.most > 1) == (concurrency > 1)
    assert trace.counts == {
        "llm.calls": 40,
        "llm.prompt_tokens": 400,
        "llm.completion_tokens": 80,
        "llm.retries": 40,
    }


def test_asks_are_sent_in_the_order_they_were_begun() -> None:
    llm = Asking(model := Working(), 1)
    llm.many(asks(*"53142"))
    llm.close()
    assert model.asked == list("53142")


def test_a_reply_is_counted_once_and_by_who_reads_it() -> None:
    llm = Asking(Working(), 2)
    with recording() as first:
        pending = [llm.begin(ask) for ask in asks("1", "2")]
    with recording() as second:
        pending[0].result()
        pending[0].result()
    llm.close()
    assert first.counts["llm.calls"] == 0
    assert second.counts["llm.calls"] == 1
    assert "llm" in second.seconds


def test_what_nobody_reads_is_counted_as_spent() -> None:
    llm = Asking(Working(), 1)
    llm.begin(asks("1")[0])
    llm(asks("2")[0])
    llm.close()
    assert llm.spent == Usage(2, 20, 4, retries=2)


def test_an_error_reaches_who_reads_and_what_was_begun_after_it_is_not_sent() -> None:
    class Busy(Working):
        def __call__(self, ask: Ask) -> Reply:
            if ask.user != "bad":
                told.wait(30)
            return super().__call__(ask)

    told = Event()
    llm = Asking(model := Busy(), 1)
    with recording() as trace, pytest.raises(LlmUnusable, match="no good"):
        llm.many(asks("bad", *"12345"))
    told.set()
    llm.close()
    assert model.asked in (["bad"], ["bad", "1"])  # which was under way
    assert trace.counts["llm.failed"] == 1
    assert trace.counts["llm.retries"] == 3


def test_what_was_given_up_is_not_sent() -> None:
    release = Event()
    llm = Asking(model := Working(release), 1)
    first, second, third = (llm.begin(ask) for ask in asks("1", "2", "3"))
    while not model.now:
        time.sleep(0.001)
    second.cancel()
    release.set()
    assert (first.result().text, third.result().text) == ("1", "3")
    with pytest.raises(LlmUnavailable, match="given up"):
        second.result()
    llm.close()
    assert model.asked == ["1", "3"]


def test_closing_gives_up_what_waits_and_waits_for_nothing() -> None:
    release = Event()
    llm = Asking(model := Working(release), 1)
    stuck, waiting = (llm.begin(ask) for ask in asks("1", "2"))
    while not model.now:
        time.sleep(0.001)
    begun = time.monotonic()
    llm.close()
    llm.close()
    assert time.monotonic() - begun < 30
    assert model.closed == 1
    with pytest.raises(LlmUnavailable):
        waiting.result()
    release.set()
    assert stuck.result().text == "1"


def test_a_fault_of_our_own_is_no_reply_and_stops_no_thread() -> None:
    class Broken(Working):
        def __call__(self, ask: Ask) -> Reply:
            if ask.user == "x":
                raise KeyError("x")
            return super().__call__(ask)

    llm = Asking(Broken(), 1)
    with pytest.raises(KeyError):
        llm(asks("x")[0])
    assert llm(asks("1")[0]).text == "1"
    llm.close()
