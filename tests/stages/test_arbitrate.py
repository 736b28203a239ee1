"""Arbitrate: states that exclude each other, and what is told twice."""

from datetime import UTC, datetime, timedelta

import pytest
from layered import MakeUnit, of, scored

from clew.model import Edge, Evidence, Fact, Graph, Query, Scored
from clew.stages.arbitrate import ByScore, KeepConflicts, as_of
from clew.trace import recording

T = datetime(2025, 11, 15, 14, tzinfo=UTC)  # when the fixture's first unit is said
NOW = T + timedelta(days=60)
LIVES = "Where does Ana live?"


def ask(text: str = LIVES) -> Query:
    return Query(text, NOW, "talk")


def home(place: str) -> dict[str, object]:
    return {"facts": (Fact("ana", "home", place, functional=True),)}


def dropped(graph: Graph) -> list[tuple[int, str]]:
    return [(each.node.unit.position, each.reason) for each in graph.dropped]


def test_of_two_homes_the_fresher_is_kept(unit: MakeUnit) -> None:
    old, new = unit(1, "Porto", 0, **home("Porto")), unit(2, "Lisbon", 24 * 50, **home("Lisbon"))
    with recording() as trace:
        graph = ByScore()(ask(), Graph(scored((old, 0.6), (new, 0.6))))
    assert [s.unit for s in graph.nodes] == [new]
    assert dropped(graph) == [(1, "STALE")]
    assert graph.dropped[0].kept == new.id
    assert trace.counts["arbitrate.stale"] == 1


def test_a_later_state_that_fits_far_worse_loses_and_is_not_called_stale(unit: MakeUnit) -> None:
    old, new = unit(1, "Porto", 0, **home("Porto")), unit(2, "Lisbon", 24 * 50, **home("Lisbon"))
    graph = ByScore()(ask(), Graph(scored((old, 1.0), (new, 0.1))))
    assert dropped(graph) == [(2, "LOW_SCORE")]


@pytest.mark.parametrize(
    "question",
    ["When did Ana live in Porto?", "Where did Ana live before?", "Which homes has Ana ever had?"],
)
def test_a_question_about_the_past_keeps_all_states(unit: MakeUnit, question: str) -> None:
    old, new = unit(1, "Porto", 0, **home("Porto")), unit(2, "Lisbon", 24 * 50, **home("Lisbon"))
    graph = ByScore()(ask(question), Graph(scored((old, 0.6), (new, 0.6))))
    assert len(graph.nodes) == 2


def test_another_subject_or_property_or_the_same_value_is_no_conflict(unit: MakeUnit) -> None:
    units = [
        unit(1, "a", **home("Porto")),
        unit(2, "b", **home("porto")),
        unit(3, "c", facts=(Fact("bo", "home", "Oslo", functional=True),)),
        unit(4, "d", facts=(Fact("ana", "works at", "mill", functional=True),)),
        unit(5, "e", facts=(Fact("ana", "likes", "tea"),)),
        unit(6, "f", facts=(Fact("ana", "likes", "jam"),)),
    ]
    graph = ByScore()(ask(), Graph(scored(*((each, 0.5) for each in units))))
    assert graph.dropped == ()


def test_a_stored_change_of_state_is_a_conflict_too(unit: MakeUnit) -> None:
    old = unit(1, "black coffee", 0, facts=(Fact("ana", "likes", "black coffee"),))
    new = unit(2, "no coffee", 900, facts=(Fact("ana", "likes", "coffee", negated=True),))
    nodes = scored((old, 0.5), (new, 0.5))
    apart = ByScore()(ask("Does Ana like coffee?"), Graph(nodes))
    assert apart.dropped == ()
    edge = Edge(old.id, new.id, "SUPERSEDES")
    joined = ByScore()(ask("Does Ana like coffee?"), Graph(nodes, (edge,)))
    assert dropped(joined) == [(1, "STALE")]


def test_an_abstract_of_what_is_kept_is_told_once(unit: MakeUnit) -> None:
    basic = unit(1, "Tobias opened a workshop")
    event = unit(2, "Tobias opened", evidence=basic.evidence, **of("episodic"))
    with recording() as trace:
        graph = ByScore()(ask(), Graph(scored((event, 0.5), (basic, 0.5))))
    assert [s.unit for s in graph.nodes] == [basic]
    assert dropped(graph) == [(2, "REDUNDANT")]
    assert trace.counts["arbitrate.redundant"] == 1
    better = ByScore()(ask(), Graph(scored((event, 0.9), (basic, 0.5))))
    assert [s.unit for s in better.nodes] == [event]


def test_an_abstract_that_tells_mostly_more_stays(unit: MakeUnit) -> None:
    basic = unit(1, "Tobias opened a workshop")
    sources = tuple(Evidence(f"D1:{n}") for n in (1, 2, 3))
    entity = unit(9, "Tobias", evidence=sources, **of("semantic"))
    nodes = scored((basic, 0.5), (entity, 0.5))
    assert ByScore(told=0.5)(ask(), Graph(nodes)).dropped == ()
    assert dropped(ByScore(told=0.3)(ask(), Graph(nodes))) == [(9, "REDUNDANT")]


def test_two_parts_of_one_message_are_no_repetition(unit: MakeUnit) -> None:
    parts = [unit(n, "part", evidence=(Evidence("D1:1"),)) for n in (1, 2)]
    assert ByScore()(ask(), Graph(scored(*((p, 0.5) for p in parts)))).dropped == ()


def test_arbitration_weighs_relevance_freshness_and_source(unit: MakeUnit) -> None:
    stage = ByScore()
    basic = Scored(unit(1, "x", said_at=NOW), 0.8)
    assert stage.worth(basic, NOW) == pytest.approx(0.5 * 0.8 + 0.2 + 0.3)
    for source, worth in [("episodic", 0.8), ("semantic", 0.6), ("emotional", 0.7)]:
        other = Scored(unit(1, "x", said_at=NOW, **of(source)), 0.8)
        assert stage.worth(other, NOW) == pytest.approx(0.5 * 0.8 + 0.2 + 0.3 * worth)


def test_freshness_fades_is_lower_after_the_time_and_fixed_without_one(unit: MakeUnit) -> None:
    stage, month = ByScore(), timedelta(hours=720)
    assert stage.fresh(unit(1, "x", said_at=NOW - month), NOW) == pytest.approx(0.36788, abs=1e-5)
    assert stage.fresh(unit(1, "x", said_at=NOW + month), NOW) == pytest.approx(
        0.2 * 0.36788, abs=1e-5
    )
    assert stage.fresh(unit(1, "x", said_at=None), NOW) == 0.5
    assert stage.fresh(unit(1, "x"), None) == 1.0
    assert ByScore(decay=timedelta(0)).fresh(unit(1, "x"), NOW) == 0.0


def test_a_question_is_about_the_time_it_names_else_when_it_is_asked(unit: MakeUnit) -> None:
    graph = Graph(scored((unit(1, "x", 5), 0.5), (unit(2, "x", 9), 0.5)))
    assert as_of(ask(), graph) == NOW
    named = as_of(ask("Where did Ana live in May 2025?"), graph)
    assert named is not None and (named.year, named.month, named.day) == (2025, 6, 1)
    assert as_of(Query(LIVES, None, "talk"), graph) == T + timedelta(hours=9)
    assert as_of(Query(LIVES, None, "talk"), Graph()) is None


def test_without_arbitration_everything_stays(unit: MakeUnit) -> None:
    old, new = unit(1, "Porto", 0, **home("Porto")), unit(2, "Lisbon", 900, **home("Lisbon"))
    graph = Graph(scored((old, 0.6), (new, 0.6)))
    assert KeepConflicts()(ask(), graph) is graph
