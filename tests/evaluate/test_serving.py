"""Serving: an open loop, its queue, and what it would be without embedding."""

import time
from collections.abc import Callable
from itertools import pairwise

import pytest

from clew.evaluate.serving import (
    Latencies,
    Queue,
    Request,
    serve,
    timed,
    without_embedding,
)
from clew.trace import span


class Clock:
    """Time that goes on when somebody works or sleeps, and not otherwise."""

    def __init__(self) -> None:
        self.now, self.slept = 100.0, list[float]()

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def work(self, seconds: float) -> Callable[[], None]:
        def step() -> None:
            self.now += seconds

        return step


def served(rate: float, *seconds: float) -> list[Request]:
    clock = Clock()
    return serve([clock.work(each) for each in seconds], rate, clock, clock.sleep)


def of(*requests: tuple[float, float, float, float]) -> list[Request]:
    return [Request(*each) for each in requests]


def test_requests_come_at_their_times_however_quickly_they_are_served() -> None:
    requests = served(4, 0.125, 0.0625, 0.125)
    assert requests == of((0, 0, 0.125, 0), (0.25, 0.25, 0.3125, 0), (0.5, 0.5, 0.625, 0))
    assert not Queue.of(requests).grows


def test_a_request_that_has_to_wait_is_slow_and_none_is_skipped() -> None:
    requests = served(4, 0.75, 0.125, 0.125, 0.125)
    assert [each.start for each in requests] == [0, 0.75, 0.875, 1.0]
    assert [each.end - each.arrival for each in requests] == [0.75, 0.625, 0.5, 0.375]


def test_latency_is_told_in_ms_from_the_arrival() -> None:
    latency = Latencies.of(served(4, 0.75, 0.125, 0.125, 0.125))
    assert (latency.n, latency.mean, latency.max) == (4, 562.5, 750)
    assert latency.p50 <= latency.p90 <= latency.p99 <= latency.max


def test_a_percentile_of_one_request_is_that_request() -> None:
    latency = Latencies.of(served(1, 0.5))
    assert {latency.mean, latency.p50, latency.p90, latency.p99, latency.max} == {500}


def test_a_queue_that_grows_is_told_with_by_how_much() -> None:
    queue = Queue.of(served(10, *[0.15] * 20))  # half as slow again as they come
    assert queue.growth == pytest.approx(500)  # ms a second
    assert queue.grows
    assert queue.delay_max == pytest.approx(19 * 50)
    assert queue.longest == 7 and queue.busy == pytest.approx(1)


def test_one_slow_request_makes_others_wait_and_no_queue_that_grows() -> None:
    queue = Queue.of(served(10, *[0.01] * 10, 0.45, *[0.01] * 89))
    assert queue.longest == 4 and queue.delay_max == pytest.approx(350)
    assert not queue.grows
    assert queue.busy == pytest.approx((0.99 + 0.45) / 9.91)


def test_one_request_alone_waits_for_nobody() -> None:
    assert Queue.of(served(1, 0.5)) == Queue(0, 0, 0, 0, 1, False)


def test_without_embedding_a_request_behind_starts_sooner() -> None:
    requests = of((0, 0, 3, 2), (1, 3, 5, 1), (2, 5, 6, 0.5))
    assert without_embedding(requests) == of((0, 0, 1, 0), (1, 1, 2, 0), (2, 2, 2.5, 0))


def test_what_the_worker_was_late_by_waking_up_stays() -> None:
    requests = of((0, 0.25, 1, 0.5), (2, 2.25, 3, 0))
    assert without_embedding(requests) == of((0, 0.25, 0.5, 0), (2, 2.25, 3, 0))


def test_what_never_embedded_is_the_same_without_it() -> None:
    requests = served(4, 0.75, 0.125, 0.5, 0.125)
    bare = without_embedding(requests)
    assert [each.end for each in bare] == pytest.approx([each.end for each in requests])


def test_embedding_is_timed_as_a_part_of_the_step() -> None:
    def step() -> None:
        with span("embed"):
            time.sleep(0.002)

    took, embed = timed(step)
    assert took >= embed >= 0.002
    assert serve([step], 1)[0].embed >= 0.002


def test_real_requests_are_served_in_order_and_never_early() -> None:
    order: list[int] = []
    requests = serve([lambda n=n: order.append(n) for n in range(5)], 1000)
    assert order == [0, 1, 2, 3, 4]
    assert [each.arrival for each in requests] == [0, 0.001, 0.002, 0.003, 0.004]
    assert all(each.start >= each.arrival for each in requests)
    assert all(later.start >= one.end for one, later in pairwise(requests))
