"""Footprint: what a process takes is seen, by phase."""

import mmap
from threading import Event

from clew.evaluate.footprint import MB, Footprint


def test_memory_that_a_phase_takes_and_gives_back_is_seen_in_its_peak() -> None:
    footprint = Footprint(every=60)
    with footprint.watching():
        with footprint.phase("before"):
            pass
        with footprint.phase("within"):
            block = mmap.mmap(-1, 60 * MB)  # of its own, not out of what was freed before
            block.write(b"x" * MB * 60)
            with footprint.phase("full"):
                block.close()
    before, full, within = (
        next(phase for phase in footprint.phases if phase.name == name)
        for name in ("before", "full", "within")
    )
    assert within.peak >= before.rss + 50
    assert full.peak >= full.rss and footprint.peak >= within.peak
    assert before.start <= before.end <= within.start <= full.start <= full.end <= within.end


def test_it_looks_from_time_to_time_and_stops_when_it_is_over() -> None:
    footprint, enough = Footprint(every=0.001), Event()
    with footprint.watching():
        while len(footprint.looks) < 3:
            enough.wait(0.001)
    seen = len(footprint.looks)
    enough.wait(0.01)
    assert len(footprint.looks) == seen
    assert [look.seconds for look in footprint.looks] == sorted(
        look.seconds for look in footprint.looks
    )


def test_the_processor_is_told_as_a_share_of_one_core() -> None:
    footprint = Footprint(every=60)
    with footprint.phase("work"):
        sum(n * n for n in range(200_000))
    with footprint.phase("rest"):
        Event().wait(0.02)
    work, rest = footprint.phases
    assert work.cpu > rest.cpu >= 0
    assert Footprint().peak == 0
