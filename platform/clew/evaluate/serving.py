"""Serving: requests that come at a fixed rate, whether or not the one before is done.

An open loop (Mandol §5.3): arrivals are scheduled, none is skipped, and a latency counts from
the arrival, so that whatever waits in a queue is slow. One worker serves them in order: a memory
has one writer, and searches beside each other would share one interpreter.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from clew.trace import recording


@dataclass(frozen=True, slots=True)
class Request:
    """A request that was served: seconds since the first arrival; `embed` is part of its work."""

    arrival: float
    start: float
    end: float
    embed: float = 0.0


@dataclass(frozen=True, slots=True)
class Latencies:
    """Milliseconds from arrival to result of `n` requests; percentiles are interpolated."""

    n: int
    mean: float
    p50: float
    p90: float
    p99: float
    max: float

    @classmethod
    def of(cls, requests: Sequence[Request]) -> "Latencies":
        """Sum up at least one request."""
        took = np.array([1000 * (each.end - each.arrival) for each in requests])
        p50, p90, p99 = (float(part) for part in np.percentile(took, (50, 90, 99)))
        return cls(len(took), float(took.mean()), p50, p90, p99, float(took.max()))


@dataclass(frozen=True, slots=True)
class Queue:
    """How far the worker fell behind.

    `delay_mean` and `delay_max` are milliseconds from arrival to start, `growth` is by how many
    of them the delay grew in a second (least squares), `longest` how many requests waited while
    another was served, and `busy` the share of the time in which one was.
    """

    delay_mean: float
    delay_max: float
    growth: float
    longest: int
    busy: float
    grows: bool  # over all requests by more than the time between two

    @classmethod
    def of(cls, requests: Sequence[Request]) -> "Queue":
        """Sum up at least one request."""
        arrivals = np.array([each.arrival for each in requests])
        ends = np.array([each.end for each in requests])
        delays = np.array([each.start for each in requests]) - arrivals
        slope = float(np.polyfit(arrivals, delays, 1)[0]) if len(requests) > 1 else 0.0
        step = arrivals[1] - arrivals[0] if len(requests) > 1 else 0.0
        waiting = np.searchsorted(arrivals, ends, side="right") - np.arange(1, len(ends) + 1)
        worked = sum(each.end - each.start for each in requests)
        return cls(
            delay_mean=1000 * float(delays.mean()),
            delay_max=1000 * float(delays.max()),
            growth=1000 * slope,
            longest=int(waiting.max()),
            busy=float(worked / ends.max()) if ends.max() else 0.0,
            grows=bool(slope * (arrivals[-1] - arrivals[0]) > step),
        )


def timed(
    step: Callable[[], object], clock: Callable[[], float] = time.perf_counter
) -> tuple[float, float]:
    """Return the seconds that a step took, and how many of them went into embedding."""
    start = clock()
    with recording() as trace:
        step()
    return clock() - start, trace.seconds.get("embed", 0.0)


def serve(
    steps: Iterable[Callable[[], object]],
    rate: float,
    clock: Callable[[], float] = time.perf_counter,
    sleep: Callable[[float], object] = time.sleep,
) -> list[Request]:
    """Do a step `rate` times a second, in order, each as soon as it has come and its turn is."""
    begun = clock()
    served = []
    for number, step in enumerate(steps):
        arrival = number / rate
        while (early := begun + arrival - clock()) > 0:
            sleep(early)
        start = clock() - begun
        took, embed = timed(step, clock)
        served.append(Request(arrival, start, start + took, embed))
    return served


def without_embedding(requests: Sequence[Request]) -> list[Request]:
    """Return the same requests as they would have been served, had embedding taken no time.

    Those behind start sooner too, so the queue is gone through again; what a worker that had
    nothing to do was late by, waking up, stays.
    """
    served: list[Request] = []
    before = again = 0.0  # when the worker was free: as it was, and as it would have been
    for each in requests:
        late = each.start - max(each.arrival, before)
        start = max(each.arrival, again) + late
        before, again = each.end, start + (each.end - each.start - each.embed)
        served.append(Request(each.arrival, start, again))
    return served
