"""Abstract: what is alike and near in time comes to one unit, and in turn to higher ones."""

from collections.abc import Callable

import numpy as np
import pytest

from clew.errors import ConfigError
from clew.memory import Memory
from clew.model import Add, Unit
from clew.stages.abstract import Clusters, KeepApart
from clew.stages.summarise import Medoid
from clew.stores.vectors import Where

Told = Callable[..., list[Unit]]
COFFEE = "Ulla drank coffee at the mill"
DAY = 24.0


def run(clusters: Clusters, units: list[Unit], memory: Memory) -> list[Unit]:
    """Consolidate, and return the abstract units there are now."""
    memory.revise(clusters(units, Medoid(), memory))
    return [unit for unit in memory.graph.units() if unit.level]


def active(memory: Memory) -> set[str]:
    return {id for id, stamp in memory.graph.stamps().items() if not stamp.archived}


def test_affinity_is_likeness_and_nearness_by_their_weight(memory: Memory, told: Told) -> None:
    one, two = told((COFFEE, 0, set()), (COFFEE, 5 * DAY, set()))
    alike, near = Clusters(gamma=1.0), Clusters(gamma=0.0, decay=0.1)
    assert alike.affinity([one, two], memory)[0, 1] == pytest.approx(1.0)
    assert near.affinity([one, two], memory)[0, 1] == pytest.approx(np.exp(-0.5))
    half = Clusters(gamma=0.5, decay=0.1).affinity([one, two], memory)[0, 1]
    assert half == pytest.approx((1 + np.exp(-0.5)) / 2)


def test_what_has_no_time_is_near_to_nothing(memory: Memory, unit: Callable[..., Unit]) -> None:
    pair = [unit(1, COFFEE, said_at=None), unit(2, COFFEE)]
    for each in pair:
        memory.apply(Add(each))
    assert Clusters(gamma=0.0).affinity(pair, memory)[0, 1] == 0.0


def test_alike_units_are_archived_under_one_and_others_stay(memory: Memory, told: Told) -> None:
    *cups, boat = told(
        *[(f"{COFFEE} again", n, set()) for n in range(3)], ("A ferry sank", 3, set())
    )
    (made,) = run(Clusters(density=(0.9,)), [*cups, boat], memory)
    assert active(memory) == {made.id, boat.id}
    assert {e.target for e in memory.graph.edges([made.id], ["ABSTRACTS"])} == {u.id for u in cups}
    ops = [entry.op for entry in memory.graph.ledger()][-4:]
    assert ops == ["ABSTRACT", "ARCHIVE", "ARCHIVE", "ARCHIVE"]


def test_fewer_than_enough_are_no_cluster(memory: Memory, told: Told) -> None:
    cups = told((COFFEE, 0, set()), (COFFEE, 1, set()))
    assert run(Clusters(density=(0.9,), fewest=3), cups, memory) == []
    assert len(run(Clusters(density=(0.9,), fewest=2), cups, memory)) == 1
    assert run(Clusters(), [], memory) != []  # what is there stays


def test_under_the_threshold_units_stay_apart(memory: Memory, told: Told) -> None:
    cups = told(*[(COFFEE, 90 * DAY * n, set()) for n in range(3)])
    assert run(Clusters(density=(0.6,)), cups, memory) == []  # alike, and months apart
    assert len(run(Clusters(density=(0.5,)), cups, memory)) == 1


def test_the_next_level_is_of_the_abstracts_of_several_sessions(memory: Memory, told: Told) -> None:
    levels = Clusters(density=(0.9, 0.3), fewest=2)
    units = told(*[(COFFEE, 240 * DAY * n + m, set()) for n in range(3) for m in range(2)])
    for n in range(3):
        made = run(levels, units[2 * n : 2 * n + 2], memory)
        if n == 0:
            assert [unit.level for unit in made] == [1]
    highest = [unit for unit in made if unit.level == 2]
    assert highest and {e.message for e in highest[0].evidence} >= {"D1:1", "D1:4"}
    assert highest[0].spaces == {"level 2"}
    hits = memory.similar(COFFEE, 9, Where(spaces=frozenset({"level 1"})))
    assert len(hits) == 1  # the third, as two have been told of by the second level


def test_consolidating_again_changes_nothing(memory: Memory, told: Told) -> None:
    stories = [(f"{COFFEE} again", n, set()) for n in range(4)]
    units = told(*stories, ("A ferry sank", 3, set()))
    first = run(Clusters(), units, memory)
    lines = memory.graph.lines()
    assert first and run(Clusters(), units, memory) == first
    assert memory.graph.lines() == lines


def test_the_plain_twin_puts_nothing_together(memory: Memory, told: Told) -> None:
    cups = told(*[(COFFEE, n, set()) for n in range(4)])
    memory.revise(KeepApart()(cups, Medoid(), memory))
    assert len(list(memory.graph.units())) == 4


def test_numbers_out_of_range_are_refused() -> None:
    for wrong in ({"density": (1.2,)}, {"fewest": 1}, {"decay": -1.0}):
        with pytest.raises(ConfigError):
            Clusters(**wrong)  # type: ignore[arg-type]
