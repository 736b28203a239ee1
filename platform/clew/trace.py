"""What happens inside a call: seconds per step, and how often each step changed anything.

`recording()` opens a trace; whatever runs inside adds to it, with no argument passed
along. Outside a recording, spans and counts cost next to nothing and go nowhere.
"""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

_current: ContextVar["Trace | None"] = ContextVar("trace", default=None)


@dataclass(slots=True)
class Trace:
    """Seconds per step, with nested steps counted in both, and effects by name."""

    seconds: dict[str, float] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)


@contextmanager
def recording() -> Iterator[Trace]:
    """Collect what happens inside; recordings nest, and an outer one sees it all too."""
    trace, outer = Trace(), _current.get()
    token = _current.set(trace)
    try:
        yield trace
    finally:
        _current.reset(token)
        if outer is not None:
            outer.counts.update(trace.counts)
            for name, seconds in trace.seconds.items():
                outer.seconds[name] = outer.seconds.get(name, 0.0) + seconds


@contextmanager
def span(name: str) -> Iterator[None]:
    """Add the time spent inside to step `name`."""
    trace = _current.get()
    if trace is None:
        yield
        return
    start = time.perf_counter()
    try:
        yield
    finally:
        trace.seconds[name] = trace.seconds.get(name, 0.0) + time.perf_counter() - start


def count(name: str, n: int = 1) -> None:
    """Note that an effect called `name` happened `n` times."""
    trace = _current.get()
    if trace is not None:
        trace.counts[name] += n
