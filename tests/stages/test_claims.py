"""Claims: a sentence, and the facts it claims."""

import pytest

from clew.model import Fact
from clew.stages.claims import claims, is_plan, items


def subject(phrase: str) -> str:
    """Know the speaker as "me", sisters and Ruth; nobody else."""
    known = {"I": "me", "We": "me", "we": "me", "My sister": "sister", "Ruth": "ruth"}
    return known.get(phrase, "")


def told(sentence: str) -> list[tuple[str, str, str]]:
    return [(f.subject, f.property, f.value) for f in claims(sentence, subject)]


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("I live in Nova Gorica, by the river.", Fact("me", "home", "Nova Gorica", True)),
        ("We have just moved to Oulu last week.", Fact("me", "home", "Oulu", True)),
        ("My sister works at the town mill.", Fact("sister", "works at", "town mill", True)),
        ("Ruth works as a glazier now.", Fact("ruth", "works as", "glazier", True)),
        ("I did not get the mill job.", Fact("me", "job", "mill", negated=True)),
        ("I am a bell ringer.", Fact("me", "is", "bell ringer")),
        ("I am no longer a bell ringer.", Fact("me", "is", "bell ringer", negated=True)),
        ("We keep three owls in the barn.", Fact("me", "number of owl", "3", True)),
        ("I have 12 kayaks.", Fact("me", "number of kayak", "12", True)),
        ("My raft is a blue catamaran.", Fact("me", "raft", "blue catamaran")),
        ("My chess coach is called Ines.", Fact("me", "chess coach", "Ines", True)),
        ("My locker code is 4411.", Fact("me", "locker code", "4411", True)),
        ("The ferry home leaves at 18:10.", Fact("me", "ferry home leaves", "18:10", True)),
        ("I don't like fennel anymore.", Fact("me", "likes", "fennel", negated=True)),
        ("I can't stand fennel.", Fact("me", "likes", "fennel", negated=True)),
        ("Ruth says she hates fennel.", Fact("ruth", "likes", "fennel", negated=True)),
    ],
)
def test_a_sentence_claims_a_fact(sentence: str, fact: Fact) -> None:
    assert list(claims(sentence, subject)) == [fact]


@pytest.mark.parametrize(
    ("sentence", "values"),
    [
        ("I speak Frisian, Dutch and some Danish at home.", ["Frisian", "Dutch", "some Danish"]),
        ("I can hold a conversation in Frisian now.", ["Frisian"]),
        ("Ruth plays the oboe and the lute.", ["oboe", "lute"]),
        ("I enjoy rowing, he sleeps all day.", ["rowing"]),
    ],
)
def test_a_list_is_several_facts(sentence: str, values: list[str]) -> None:
    assert [fact.value for fact in claims(sentence, subject)] == values


@pytest.mark.parametrize(
    "sentence",
    [
        "Do I live in Oulu?",
        "I will move to Oulu.",
        "I might work at the mill.",
        "Piet lives in Oulu.",
        "Rivers like these are long.",
        "I love how you sing.",
        "I like " + "very " * 13 + "long lists.",
    ],
)
def test_questions_plans_strangers_and_exclamations_claim_nothing(sentence: str) -> None:
    assert told(sentence) == []


def test_a_plan_is_told_from_a_report() -> None:
    assert is_plan("We'll visit Oulu.")
    assert is_plan("I am planning a trip.")
    assert not is_plan("We visited Oulu.")


def test_items_lose_articles_and_empty_parts() -> None:
    assert items("the oboe, and a lute, ") == ["oboe", "lute"]
