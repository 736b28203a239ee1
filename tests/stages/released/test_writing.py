"""What the released code remembers otherwise than the paper: each difference as a small story."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from clew.memory import Memory
from clew.model import Add, Fact, Merge, Message, Supersede, Unit
from clew.stages.extract import RuleBased
from clew.stages.gate import NearRepeat
from clew.stages.released.extract import RuleBasedByDay
from clew.stages.released.gate import IdenticalToo
from clew.stages.released.write import BatchDedup, NoLinks, RecentOnly
from clew.stages.write import ConflictAware
from clew.trace import recording

MakeUnit = Callable[..., Unit]
MakeMessage = Callable[..., Message]
LINE = "The heron stood by the mill pond again"
NEARLY = "The heron stood by the old mill pond again"


@pytest.mark.parametrize(
    ("text", "hours", "papers", "released"),
    [
        (NEARLY, 0.5, False, False),
        (LINE, 23, True, False),
        (NEARLY, 23, True, True),
        (LINE, 25, True, True),
    ],
)
def test_identical_words_are_dropped_for_a_day(
    memory: Memory, message: MakeMessage, unit: MakeUnit, text: str, hours: float,
    papers: bool, released: bool,
) -> None:  # fmt: skip
    memory.apply(Add(unit(1, f"Alice: {LINE}")))
    said = message(0, text, hours=hours)
    assert NearRepeat(likeness=0.6)(said, memory) == papers
    assert IdenticalToo()(said, memory) == released


def test_what_was_merged_an_hour_ago_is_no_repetition(
    memory: Memory, message: MakeMessage, unit: MakeUnit
) -> None:
    first, again = unit(1, LINE), unit(2, LINE, hours=30)
    memory.apply(Add(first))
    memory.apply(Merge(again, first, 1.0, 1.0))
    said = message(0, NEARLY, hours=30.5)
    assert IdenticalToo()(said, memory)
    assert not NearRepeat(likeness=0.6)(said, memory)


def test_without_a_time_identical_words_alone_are_dropped(
    memory: Memory, message: MakeMessage, unit: MakeUnit
) -> None:
    memory.apply(Add(unit(1, LINE, said_at=None)))
    assert IdenticalToo()(message(2, NEARLY), memory)
    assert not IdenticalToo()(message(3, LINE), memory)
    assert [entry.op for entry in memory.graph.ledger()] == ["ADD", "DROP"]
    assert IdenticalToo()(message(4, "Supper was late tonight"), memory)


def test_a_unit_is_stamped_with_its_day(memory: Memory, message: MakeMessage) -> None:
    window = (message(0, "I sold the boat yesterday"), message(1, "Good for you", speaker="Bob"))
    plain = RuleBased()(window, memory)
    stamped = RuleBasedByDay()(window, memory)
    assert [unit.said_at.hour for unit in plain if unit.said_at] == [14, 14]
    assert {unit.said_at for unit in stamped} == {datetime(2025, 11, 15, tzinfo=UTC)}
    assert [unit.event for unit in stamped] == [unit.event for unit in plain]
    assert stamped.how is not None
    assert stamped.how.figures == {"stamped": 2}


def test_no_link_is_stored_where_the_paper_links(memory: Memory, unit: MakeUnit) -> None:
    memory.apply(Add(unit(1, "Alice meets Bob at the tea house at 2pm")))
    later = unit(2, "Alice meets Bob at the tea house at 3pm", hours=1)
    assert isinstance(ConflictAware()(later, memory), Supersede)
    with recording() as trace:
        assert NoLinks()(later, memory) == Add(later)
    assert trace.counts == {"write.not_linked": 1}
    again = unit(3, "Alice meets Bob at the tea house at 2pm", hours=2)
    assert isinstance(NoLinks()(again, memory), Merge)


def test_another_value_of_a_slot_is_not_linked_either(memory: Memory, unit: MakeUnit) -> None:
    def home(position: int, text: str, place: str) -> Unit:
        return unit(position, text, facts=(Fact("nora", "home", place, functional=True),))

    memory.apply(Add(home(1, "Nora lives in Ghent", "Ghent")))
    moved = home(2, "She has a flat by the harbour of Porto now", "Porto")
    assert isinstance(ConflictAware()(moved, memory), Supersede)
    assert NoLinks()(moved, memory) == Add(moved)


def test_what_was_said_before_the_latest_units_is_out_of_sight(
    memory: Memory, unit: MakeUnit
) -> None:
    memory.apply(Add(unit(1, LINE)))
    for n, text in enumerate(["Supper was late", "The ferry left"], 2):
        memory.apply(Add(unit(n, text, hours=n)))
    again = unit(9, LINE, hours=50)
    assert isinstance(ConflictAware()(again, memory), Merge)
    with recording() as trace:
        assert isinstance(RecentOnly(latest=3)(again, memory), Merge)
        assert RecentOnly(latest=2)(again, memory) == Add(again)
    assert trace.counts["write.out_of_sight"] == 1


def test_all_of_the_latest_units_are_compared_however_many_older_ones_are_nearer(
    memory: Memory, unit: MakeUnit
) -> None:
    for n in range(6):
        memory.apply(Add(unit(n, LINE, hours=n)))
    recent = unit(7, NEARLY, hours=40)
    memory.apply(Add(recent))
    decision = RecentOnly(latest=1)(unit(8, LINE, hours=50), memory)
    assert isinstance(decision, Merge)
    assert decision.known == recent


def test_a_batch_merges_only_what_is_all_but_equal_and_whoever_says_it(
    memory: Memory, unit: MakeUnit
) -> None:
    first = unit(1, LINE)
    memory.apply(Add(first))
    nearly, other = unit(2, NEARLY), unit(3, LINE, hours=90, speaker="Bob")
    assert isinstance(ConflictAware()(nearly, memory), Supersede)
    assert BatchDedup()(nearly, memory) == Add(nearly)
    assert isinstance(ConflictAware()(other, memory), Supersede)
    decision = BatchDedup()(other, memory)
    assert isinstance(decision, Merge)
    assert decision.known == first
