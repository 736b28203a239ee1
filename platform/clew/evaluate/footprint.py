"""Footprint: how much memory and processor this process takes, while something goes on in it.

Of servers that a store or a model asks, nothing is seen.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Lock, Thread

import psutil

MB = 1_000_000  # bytes
EVERY = 0.05  # seconds between two looks; a look takes some 20 µs


@dataclass(frozen=True, slots=True)
class Look:
    """The resident memory (RSS) in MB, so many seconds after the first look."""

    seconds: float
    rss: float


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of the workload: when it was, its RSS in MB, and its share of one processor."""

    name: str
    start: float
    end: float
    rss: float  # at its end
    peak: float
    cpu: float  # seconds of processor time in a second; above 1 with several threads


class Footprint:
    """Looks at the process from time to time, and at the beginning and end of every phase."""

    def __init__(self, every: float = EVERY) -> None:
        self._process, self._every = psutil.Process(), every
        self._begun, self._over, self._turn = time.perf_counter(), Event(), Lock()
        self.looks: list[Look] = []
        self.phases: list[Phase] = []

    @contextmanager
    def watching(self) -> Iterator["Footprint"]:
        """Look on while this is open."""
        self._over.clear()
        thread = Thread(target=self._watch, name="footprint", daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._over.set()
            thread.join()

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Note a part of the workload."""
        first, work = self._look(), time.process_time()
        yield
        work, last = time.process_time() - work, self._look()
        inside = [x.rss for x in self.looks if first.seconds <= x.seconds <= last.seconds]
        span = last.seconds - first.seconds
        busy = work / span if span else 0.0
        self.phases.append(Phase(name, first.seconds, last.seconds, last.rss, max(inside), busy))

    @property
    def peak(self) -> float:
        """The most that was seen, in MB; 0 before the first look."""
        return max((look.rss for look in self.looks), default=0.0)

    def _watch(self) -> None:
        while not self._over.wait(self._every):
            self._look()

    def _look(self) -> Look:
        with self._turn:
            rss = self._process.memory_info().rss / MB
            self.looks.append(Look(time.perf_counter() - self._begun, rss))
            return self.looks[-1]
