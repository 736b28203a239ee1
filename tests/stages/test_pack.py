"""Pack: facts in order of time, paths by labels, never more tokens than allowed."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from clew.memory import Memory
from clew.model import Abstract, Add, Edge, Evidence, Graph, Merge, Path, Scored, Unit
from clew.stages.pack import InTime, Mmr
from clew.text import count_tokens
from clew.trace import recording

Told = Callable[..., list[Unit]]
MakeUnit = Callable[..., Unit]


def ranked(units: list[Unit], **more: object) -> Graph:
    return Graph(tuple(Scored(u, 1.0 - n / 100) for n, u in enumerate(units)), **more)  # type: ignore[arg-type]


def test_facts_are_told_in_order_of_time_under_one_date_line_each_day(
    memory: Memory, told: Told
) -> None:
    units = told(("Third", 30, set()), ("First", 0, set()), ("Second", 1, set()))
    context = InTime()(ranked(units), memory)
    assert context.text == "[15 November 2025]\nFirst\nSecond\n[16 November 2025]\nThird"
    assert context.units == (units[1].id, units[2].id, units[0].id)
    assert context.messages == ("D1:2", "D1:3", "D1:1")
    assert context.tokens == count_tokens(context.text)


def test_only_facts_on_a_path_carry_a_label(memory: Memory, told: Told) -> None:
    units = told(("One", 0, set()), ("Two", 48, set()), ("Three", 96, set()))
    path = Path((units[0].id, units[2].id), ("SHARED_ENTITY",), 1.0)
    graph = ranked(units, edges=(Edge(*path.units, "SHARED_ENTITY"),), paths=(path,))
    lines = InTime()(graph, memory).text.splitlines()
    assert lines[1::2] == ["F1 One", "Two", "F2 Three"]
    assert lines[-1] == "Paths: F1 -> F2"


def test_a_path_over_a_unit_that_did_not_fit_is_not_told(memory: Memory, told: Told) -> None:
    units = told(("One", 0, set()), ("word " * 60, 48, set()))
    path = Path((units[0].id, units[1].id), ("SHARED_ENTITY",), 1.0)
    context = InTime(paths=0.5)(ranked(units, paths=(path,)), memory, budget=60)
    assert context.units == (units[0].id,)
    assert "Paths" not in context.text


def test_what_paths_leave_of_their_share_goes_to_further_units(memory: Memory, told: Told) -> None:
    units = told(*[(f"Heron {n} stood in the reeds", 24 * n, set()) for n in range(12)])
    path = Path((units[0].id, units[2].id), ("SHARED_ENTITY",), 1.0)
    graph = ranked(units, paths=(path,))
    for budget in (120, 150, 190):
        half, plain = (InTime(paths=p)(graph, memory, budget) for p in (0.5, 0.0))
        assert half.tokens <= budget
        assert half.text.endswith("Paths: F1 -> F2")
        assert half.text.count("F1 Heron 0") == half.text.count("F2 Heron 2") == 1
        assert set(half.units) <= set(plain.units)  # of those that paths left no room for
        assert len(half.units) >= len(plain.units) - 1


def test_a_path_that_is_not_told_costs_no_unit(memory: Memory, told: Told) -> None:
    units = told(*[(f"Heron {n} stood in the reeds", 24 * n, set()) for n in range(12)])
    path = Path((units[0].id, units[11].id), ("SHARED_ENTITY",), 1.0)
    for budget in (45, 60, 90):
        told_of = InTime(paths=0.5)(ranked(units, paths=(path,)), memory, budget)
        assert told_of == InTime()(ranked(units), memory, budget)


@pytest.mark.parametrize("budget", [0, 1, 7, 20, 45, 90, 1000])
def test_the_budget_is_never_exceeded(memory: Memory, told: Told, budget: int) -> None:
    units = told(*[(f"Heron {n} — 鷺 🎉 stood", n * 13, set()) for n in range(12)])
    context = InTime()(ranked(units), memory, budget)
    assert context.tokens == count_tokens(context.text) <= budget
    assert (budget == 1000) == (len(context.units) == 12)


def test_a_long_unit_that_does_not_fit_is_passed_over(memory: Memory, told: Told) -> None:
    units = told(("word " * 100, 0, set()), ("Short", 1, set()))
    assert InTime()(ranked(units), memory, budget=30).units == (units[1].id,)


def test_a_units_messages_include_those_merged_into_it(
    memory: Memory, told: Told, unit: MakeUnit
) -> None:
    (first,) = told(("The key is under the pot", 0, set()))
    memory.apply(Merge(unit(9, "The key is under the pot", 5), first, 1.0, 1.0))
    assert InTime()(ranked([first]), memory).messages == ("D1:1", "D1:9")


def test_undated_facts_come_last_and_say_so(memory: Memory, told: Told, unit: MakeUnit) -> None:
    (dated,) = told(("Dated", 0, set()))
    undated = unit(5, "Undated", said_at=None)
    memory.apply(Add(undated))
    text = InTime()(ranked([undated, dated]), memory).text
    assert text.splitlines() == ["[15 November 2025]", "Dated", "[no date]", "Undated"]


def test_no_evidence_is_an_empty_context(memory: Memory) -> None:
    context = InTime()(Graph(), memory)
    assert (context.text, context.tokens, context.messages) == ("", 0, ())


def test_an_abstract_is_evidence_of_what_it_quotes_alone(memory: Memory, told: Told) -> None:
    first, second = told(("Ana rows at dawn", 0, set()), ("Ana rows again", 24, set()))
    heard = (Evidence("D1:1", 0, 16), Evidence("D1:2"))
    short = replace(first, id="A:1", level=1, evidence=heard)
    memory.apply(Abstract(short, (first, second)))
    assert InTime()(ranked([short]), memory).messages == ("D1:1",)
    assert InTime()(ranked([second]), memory).messages == ("D1:2",)


# --- by marginal relevance


def offered(*pairs: tuple[Unit, float], balance: float = 0.6) -> list[int]:
    """Return positions in the order of taking, as if all were taken."""
    taken = list[Scored]()
    nodes = [Scored(unit, score) for unit, score in pairs]
    for node in Mmr(balance=balance).offered(nodes, taken):
        taken.append(node)
    return [node.unit.position for node in taken]


def test_what_adds_something_comes_before_what_repeats(unit: MakeUnit) -> None:
    booked = unit(1, "Beijing trip booked", entities=frozenset({"beijing", "ana"}), speaker="Ana")
    again = unit(2, "Beijing trip confirmed", entities=frozenset({"beijing", "ana"}), speaker="Ana")
    delayed = unit(3, "flight delayed", entities=frozenset({"ana"}), speaker="Ana")
    assert offered((booked, 0.9), (again, 0.85), (delayed, 0.6)) == [1, 3, 2]
    assert offered((booked, 0.9), (again, 0.85), (delayed, 0.6), balance=1.0) == [1, 2, 3]


def test_redundancy_is_of_entities_messages_and_source_but_not_of_speakers(unit: MakeUnit) -> None:
    first = unit(1, "a", entities=frozenset({"alice", "lisbon"}))
    same_message = unit(2, "b", evidence=first.evidence, entities=frozenset({"alice"}))
    other_source = unit(3, "c", spaces=frozenset({"semantic"}))
    plain = unit(4, "d", entities=frozenset({"alice"}))
    order = offered((first, 0.9), (same_message, 0.5), (plain, 0.5), (other_source, 0.5))
    assert order == [1, 3, 4, 2]  # 0 in common, a source, a source and the message


def test_entities_count_by_their_share(unit: MakeUnit) -> None:
    first = unit(1, "a", entities=frozenset({"oslo", "tobias"}))
    both = unit(2, "b", entities=frozenset({"oslo", "tobias"}))
    one = unit(3, "c", entities=frozenset({"oslo", "graz", "wien"}))
    assert offered((first, 0.9), (both, 0.5), (one, 0.5)) == [1, 3, 2]


def test_what_does_not_fit_makes_nothing_redundant(
    memory: Memory, told: Told, unit: MakeUnit
) -> None:
    long, short, other = told(
        ("word " * 80, 0, {"oslo"}), ("Oslo again", 1, {"oslo"}), ("Graz", 2, {"graz"})
    )
    graph = Graph((Scored(long, 0.9), Scored(short, 0.5), Scored(other, 0.45)))
    with recording() as trace:
        assert Mmr()(graph, memory, budget=20).units == (short.id, other.id)
    assert trace.counts["pack.put_off"] == 0


def test_the_marginal_way_keeps_the_budget_and_counts_what_it_put_off(
    memory: Memory, unit: MakeUnit
) -> None:
    units = [
        unit(n, f"Heron {n} stood", n, entities=frozenset({"pond" if n < 6 else "sea"}))
        for n in range(12)
    ]
    for each in units:
        memory.apply(Add(each))
    with recording() as trace:
        context = Mmr()(ranked(units), memory, 40)
    assert context.tokens == count_tokens(context.text) <= 40
    assert {"D1:0", "D1:6"} <= set(context.messages)
    assert trace.counts["pack.put_off"] > 0
    assert Mmr()(ranked(units), memory, 1000).units == tuple(each.id for each in units)
    assert Mmr()(Graph(), memory).text == ""
