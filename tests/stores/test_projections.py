"""Projections: a name tells whether the process that made it is still there."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from clew.stores.projections import Owner, Projection, left_behind, owner


def named(owner: Owner) -> str:
    return str(Projection("space/talk", 3, owner))


def ended() -> int:
    """Return the number of a process that is there no more."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_a_name_is_of_one_graph_one_version_and_one_user() -> None:
    mine, other = owner(), owner()
    names = {
        str(Projection(scope, version, user))
        for scope in ("space/talk", "space/gossip", "räum/😀")
        for version in (3, 4)
        for user in (mine, other)
    }
    assert len(names) == 12
    assert all(name.startswith("clew.") and name.isascii() for name in names)
    assert named(mine) == named(mine)


def test_what_a_process_that_is_there_made_is_not_left_behind() -> None:
    assert not left_behind(named(owner()))
    assert not left_behind(named(replace(owner(), number=99)))


def test_what_a_process_that_ended_made_is_left_behind() -> None:
    assert left_behind(named(replace(owner(), pid=ended())))
    assert left_behind(named(replace(owner(), pid=2**70)))


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="tells no time of beginning")
def test_a_later_process_with_the_same_number_is_another() -> None:
    mine = owner()
    assert left_behind(named(replace(mine, begun=mine.begun + 1)))


def test_nothing_is_known_of_other_machines_and_other_peoples_names() -> None:
    assert not left_behind(named(replace(owner(), host="elsewhere", pid=ended())))
    for name in ("movies", "clew", "clew.a.1.b.c.d.e", "other.a.1.b.1.1.1", "clew.1.2.3.4.5.6.7"):
        assert not left_behind(name)
