"""Plan: a slot that is asked for is looked up; whatever is not exactly one is left alone."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from clew.memory import Memory
from clew.model import Add, Entity, Fact, Query, Unit
from clew.stages.plan import GraphLookup, NoFastPath
from clew.trace import recording

MakeUnit = Callable[..., Unit]
Know = Callable[..., None]
NOW = datetime(2025, 12, 1, tzinfo=UTC)


@pytest.fixture
def know(memory: Memory, unit: MakeUnit) -> Know:
    """Store units, each with one fact about Alice, a hundred hours apart."""

    def store(*facts: Fact) -> None:
        memory.graph.put_entities([Entity("alice", "Alice", "person")])
        for n, fact in enumerate(facts):
            memory.apply(Add(unit(n, f"Told {n}: {fact.value}", hours=100 * n, facts=(fact,))))

    return store


def known(memory: Memory, question: str, most: int = 12) -> str:
    graph = GraphLookup(most=most)(Query(question, NOW, "talk"), memory)
    return graph.known if graph else ""


def test_an_attribute_is_what_it_is_now_or_was_then(memory: Memory, know: Know) -> None:
    know(Fact("alice", "home", "Lund", True), Fact("alice", "home", "Oulu", True))
    assert known(memory, "Where does Alice live now? Give only the city.") == "Oulu"
    assert known(memory, "In which city did Alice live on 16 November 2025?") == "Lund"
    assert known(memory, "Where did Alice live in 1999?") == ""


def test_the_graph_holds_just_the_facts_that_answer(memory: Memory, know: Know) -> None:
    know(Fact("alice", "home", "Lund", True), Fact("alice", "likes", "figs"))
    with recording() as trace:
        graph = GraphLookup()(Query("Where does Alice live?", NOW, "talk"), memory)
    assert graph is not None
    assert [(node.unit.id, node.role) for node in graph.nodes] == [("D1:0.00", "fact")]
    assert trace.counts["plan.looked_up"] == 1


def test_a_list_gathers_and_drops_what_was_denied(memory: Memory, know: Know) -> None:
    know(
        Fact("alice", "speaks", "Danish"),
        Fact("alice", "speaks", "Frisian"),
        Fact("alice", "speaks", "Danish", negated=True),
        Fact("alice", "speaks", "Finnish"),
    )
    assert known(memory, "Which languages does Alice speak?") == "Frisian, Finnish"
    assert known(memory, "Which languages does Alice speak?", most=1) == ""


def test_a_count_is_the_latest(memory: Memory, know: Know) -> None:
    know(Fact("alice", "number of owl", "2", True), Fact("alice", "number of owl", "5", True))
    assert known(memory, "How many owls does Alice have?") == "5"


def test_what_is_hers_is_told_by_its_name(memory: Memory, know: Know) -> None:
    know(Fact("alice", "raft", "blue catamaran"), Fact("alice", "works as", "glazier", True))
    assert known(memory, "What is Alice's raft?") == "blue catamaran"
    assert known(memory, "What is Alice's job?") == "glazier"


def test_a_person_known_by_a_phrase_has_slots_too(memory: Memory, know: Know) -> None:
    know(Fact("alice's sister", "works at", "port", True))
    memory.graph.put_entities([Entity("alice's sister", "Alice's sister", "person")])
    assert known(memory, "Where does Alice's sister work?") == "port"


@pytest.mark.parametrize(
    "question",
    [
        "Where does Bo live?",
        "Where does Alice live and work?",
        "How many cats does Alice have?",
        "Why does Alice live in Lund?",
    ],
)
def test_anything_else_goes_the_usual_way(memory: Memory, know: Know, question: str) -> None:
    know(Fact("alice", "home", "Lund", True), Fact("alice", "number of owl", "2", True))
    assert known(memory, question) == ""


def test_a_name_of_two_people_is_left_alone(memory: Memory, know: Know) -> None:
    know(Fact("nora", "home", "Lund", True))
    memory.graph.put_entities([Entity("nora", "Nora"), Entity("nora:boss", "Nora")])
    assert known(memory, "Where does Nora live?") == ""


def test_without_a_fast_path_nothing_is_looked_up(memory: Memory, know: Know) -> None:
    know(Fact("alice", "home", "Lund", True))
    assert NoFastPath()(Query("Where does Alice live?", NOW, "talk"), memory) is None
