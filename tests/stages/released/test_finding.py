"""What the released code finds otherwise than the paper: each difference as a small story."""

from collections.abc import Callable
from typing import Any

import pytest

from clew.memory import Memory
from clew.model import Add, Graph, Message, Query, Scored, Unit
from clew.stages.expand import Bridges
from clew.stages.recall import Hybrid
from clew.stages.released.expand import ChainBridges
from clew.stages.released.recall import LikeSearch, sought
from clew.trace import recording

MakeUnit = Callable[..., Unit]
Only = Callable[..., Any]
Told = Callable[..., list[Unit]]


def ask(text: str) -> Query:
    return Query(text, None, "talk")


def kinds(graph: Graph) -> set[tuple[str, str, str]]:
    return {(e.source[3:4], e.target[3:4], e.kind) for e in graph.edges}


def terminals(*units: Unit) -> list[Scored]:
    return [Scored(unit, 1.0 - n / 10) for n, unit in enumerate(units)]


def bridges(graph: Graph) -> list[int]:
    return [s.unit.position for s in graph.nodes if s.role == "bridge"]


def test_like_sees_only_what_was_stored_first(memory: Memory, told: Told) -> None:
    told(
        *[(f"We had soup number {n} for supper", n * 30, set()) for n in range(6)],
        ("Never again soup from that theodolite", 400, set()),
    )
    query = ask("soup theodolite")
    dense = {"k_sem": 1, "k_lex": 5, "text": 0.0, "context": 0.0, "lexical": 1.0, "reach": 0}
    ranked = Hybrid(**dense)(query, memory)
    assert ranked[0].unit.text.endswith("theodolite")
    with recording() as trace:
        found = LikeSearch(**dense, rows=5)(query, memory)
    assert [s.unit.position for s in found if s.lexical] == [1, 2, 3, 4, 5]  # ties: as stored
    assert trace.counts["recall.like_full"] == 1
    assert LikeSearch(**dense, rows=7)(query, memory)[0].unit.text.endswith("theodolite")


def test_like_finds_words_within_words(memory: Memory, told: Told) -> None:
    told(("A rainbow stood over the bay", 0, set()), ("Nothing else happened", 50, set()))
    lexical = [s.lexical for s in Hybrid(reach=0)(ask("Who has a bow?"), memory)]
    assert lexical == [0.0, 0.0]
    found = LikeSearch(reach=0)(ask("Who has a bow?"), memory)
    assert [s.lexical for s in sorted(found, key=lambda s: s.unit.position)] == [1.0, 0.0]


def test_five_words_are_looked_for_and_what_somebody_owns_in_variants() -> None:
    assert sought("What did Nora's kids paint at the fair?") == [
        "nora's", "kids", "paint", "fair", "kid", "kidses", "kidss"
    ]  # fmt: skip
    assert sought("How is it?") == []


def test_a_question_without_a_word_is_looked_for_by_meaning_alone(
    memory: Memory, told: Told
) -> None:
    told(("Soup", 0, set()))
    assert [s.lexical for s in LikeSearch()(ask("how is it"), memory)] == [0.0]
    assert LikeSearch()(ask(""), memory) == ()


def test_with_all_switches_off_bridges_are_the_papers(
    memory: Memory, told: Told, only: Only
) -> None:
    a, b, _ = told(
        ("harbour", 0, {"harbour"}), ("crane", 100, {"crane"}), ("the harbour crane", 50, set())
    )
    papers = Bridges()(terminals(a, b), memory)
    assert bridges(papers) == [3]
    assert only(ChainBridges)(terminals(a, b), memory) == papers


def test_a_chain_joins_only_what_follows_on_each_other(
    memory: Memory, told: Told, only: Only
) -> None:
    a, b, c = told(("A", 0, {"piano"}), ("B", 40, {"hall"}), ("C", 90, {"piano", "hall"}))
    links = {("1", "3", "SHARED_ENTITY"), ("2", "3", "SHARED_ENTITY")}
    assert kinds(Bridges()(terminals(a, b, c), memory)) == links
    with recording() as trace:
        chain = only(ChainBridges, "chain")(terminals(a, b, c), memory)
    assert kinds(chain) == {("2", "3", "SHARED_ENTITY")}
    assert trace.counts["expand.base_edges"] == 1


def test_keywords_and_speakers_join_as_entities_do(
    memory: Memory, unit: MakeUnit, only: Only
) -> None:
    memory.ingest([Message("D1:0", "talk", "1", 0, "Alice", "Hello", None)], [])
    spoke = frozenset({"alice"})
    a, b = unit(1, "a red boat"), unit(2, "the boat sank", hours=48, entities=spoke)
    c = unit(3, "more rain", hours=99, entities=spoke)
    assert kinds(Bridges()(terminals(a, b, c), memory)) == set()
    joined = kinds(only(ChainBridges, "by_keywords")(terminals(a, b, c), memory))
    assert joined == {("1", "2", "SHARED_ENTITY"), ("2", "3", "SHARED_ENTITY")}


def test_neighbours_in_time_are_bridged_though_a_third_holds_them_together(
    memory: Memory, told: Told, only: Only
) -> None:
    a, b, c, _ = told(
        ("harbour", 0, {"harbour"}),
        ("crane", 100, {"crane"}),
        ("both", 300, {"harbour", "crane"}),
        ("the harbour crane", 50, set()),
    )
    assert bridges(Bridges()(terminals(a, b, c), memory)) == []
    assert bridges(only(ChainBridges, "neighbours")(terminals(a, b, c), memory)) == [4]


def test_between_two_parts_only_neighbours_in_time_are_tried(
    memory: Memory, told: Told, only: Only
) -> None:
    a, b, c, _ = told(
        ("harbour", 0, {"harbour"}),
        ("crane", 100, {"crane"}),
        ("harbour", 1, {"harbour"}),
        ("the harbour crane", 0.5, set()),
    )
    assert bridges(only(ChainBridges, "neighbours")(terminals(a, b, c), memory)) == []


def test_a_terminal_may_be_a_bridge(memory: Memory, told: Told, only: Only) -> None:
    a, b, middle = told(
        ("harbour", 0, {"harbour"}), ("crane", 100, {"crane"}), ("the harbour crane", 50, set())
    )
    assert bridges(Bridges()(terminals(a, b, middle), memory)) == []
    graph = only(ChainBridges, "recalled")(terminals(a, b, middle), memory)
    assert bridges(graph) == [3]
    assert len(graph.nodes) == 3
    assert {("1", "3", "BRIDGE"), ("3", "2", "BRIDGE")} <= kinds(graph)


@pytest.mark.parametrize(("hours", "found"), [(-24, [3]), (-25, []), (124, [3]), (125, [])])
def test_a_bridge_may_lie_up_to_a_day_outside_of_its_ends(
    memory: Memory, told: Told, only: Only, hours: float, found: list[int]
) -> None:
    a, b, _ = told(
        ("harbour", 0, {"harbour"}), ("crane", 100, {"crane"}), ("the harbour crane", hours, set())
    )
    assert bridges(Bridges()(terminals(a, b), memory)) == []
    assert bridges(only(ChainBridges, "loose")(terminals(a, b), memory)) == found


def test_a_bridge_may_have_no_date(memory: Memory, told: Told, unit: MakeUnit, only: Only) -> None:
    a, b = told(("harbour", 0, {"harbour"}), ("crane", 100, {"crane"}))
    memory.apply(Add(unit(3, "the harbour crane", said_at=None)))
    assert bridges(Bridges()(terminals(a, b), memory)) == []
    assert bridges(only(ChainBridges, "loose")(terminals(a, b), memory)) == [3]


def test_three_short_queries_take_turns(memory: Memory, told: Told, only: Only) -> None:
    a, b, _, inside = told(
        ("zinc of Nora Abelson", 0, {"nora"}),
        ("tea", 100, {"tea"}),
        ("nora tea", 300, set()),
        ("abelson", 50, set()),
    )
    reduced = only(ChainBridges, "reduced", candidates=1)
    assert Bridges().queries((a, b)) == ["abelson nora tea zinc"]
    assert reduced.queries((a, b)) == ["nora tea", "nora tea abelson nora tea zinc", "Abelson"]
    assert bridges(Bridges(candidates=1)(terminals(a, b), memory)) == []
    assert bridges(reduced(terminals(a, b), memory)) == [inside.position]
