"""Answer: a few turns are told, one question is asked, a short answer comes out."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from clew.memory import Memory
from clew.model import Answer, Context, Graph, Query
from clew.stages.answer import UNKNOWN, Extractive

Tell = Callable[..., None]
Ask = Callable[..., Answer]
APRIL = "2024-04-10T12:00"


def test_a_known_answer_is_passed_on(memory: Memory) -> None:
    context, query = Context("", 0), Query("Who?", None, "talk")
    answer = Extractive()(query, Graph(known="Olga"), context, memory)
    assert (answer.text, answer.abstained) == ("Olga", False)


def test_without_evidence_it_abstains(ask: Ask) -> None:
    answer = ask("Who sold the barn?")
    assert (answer.text, answer.abstained) == (UNKNOWN, True)


@pytest.mark.parametrize("question", ["", "?", "Why?"])
def test_a_question_without_content_is_not_answered(tell: Tell, ask: Ask, question: str) -> None:
    tell((APRIL, "Olga", "I bought a loom at the fair."))
    assert ask(question).abstained


def test_only_what_the_context_tells_is_read(tell: Tell, ask: Ask, memory: Memory) -> None:
    tell((APRIL, "Olga", "I bought a loom at the fair."))
    query = Query("What did Olga buy?", None, "talk")
    full = ask(query.text).graph
    assert Extractive()(query, full, Context("", 0), memory).abstained


@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        (
            "I bought a copper kettle at the fair.",
            "What did Olga buy at the fair?",
            "copper kettle",
        ),
        ("We ate at the Golden Anchor.", "Where did Olga eat?", "Golden Anchor"),
        ("The raft race starts at lock four.", "Where does the raft race start?", "lock four"),
        (
            "I quit because the commute was too long.",
            "Why did Olga quit?",
            "the commute was too long",
        ),
        ("I went to Ghent to see the altar.", "Why did Olga go to Ghent?", "to see the altar"),
        (
            'My choir sings "Northern Lights" in June.',
            "What does Olga's choir sing?",
            "Northern Lights",
        ),
        ("I have known Piet for six years.", "How long has Olga known Piet?", "six years"),
        ("We swim twice a week.", "How often does Olga swim?", "twice a week"),
        ("We have four goats.", "How many goats does Olga have?", "4"),
    ],
)
def test_the_answer_is_the_shortest_span_of_its_kind(
    tell: Tell, ask: Ask, told: str, question: str, answer: str
) -> None:
    tell((APRIL, "Olga", told), (APRIL, "Bram", "That sounds lovely."))
    assert ask(question).text == answer


def test_a_list_gathers_different_things_from_several_turns(tell: Tell, ask: Ask) -> None:
    tell(
        ("2024-04-10T12:00", "Olga", "I carved a wooden owl."),
        ("2024-05-10T12:00", "Olga", "I carved a salad spoon."),
        ("2024-06-10T12:00", "Olga", "I carved a salad spoon again."),
    )
    assert sorted(ask("What things has Olga carved?").text.split(", ")) == [
        "salad spoon",
        "wooden owl",
    ]


def test_what_only_somebody_else_told_is_not_answered(tell: Tell, ask: Ask) -> None:
    tell(
        (APRIL, "Olga", "I am restoring an old lighthouse for my parents."),
        (APRIL, "Bram", "How brave of you!"),
    )
    assert ask("Why is Bram restoring an old lighthouse?").abstained
    assert not ask("What is Olga restoring?").abstained


def test_what_is_said_to_a_person_counts_as_theirs(tell: Tell, ask: Ask) -> None:
    tell(
        (APRIL, "Olga", "Thanks!"),
        (APRIL, "Bram", "Your pancake stall won the market prize."),
    )
    assert not ask("What did Olga's pancake stall win?").abstained
    assert ask("What did Bram's pancake stall win?").abstained


def test_another_relative_is_a_near_miss(tell: Tell, ask: Ask) -> None:
    tell((APRIL, "Olga", "My uncle mends organs in Leiden."))
    assert ask("What does Olga's cousin mend?").abstained
    assert not ask("What does Olga's uncle mend?").abstained


def test_a_name_nobody_mentioned_is_not_answered(tell: Tell, ask: Ask) -> None:
    tell((APRIL, "Olga", "I took the night train to Vienna to hear an opera."))
    assert ask("Why did Olga take the train to Lisbon?").abstained
    assert ask("Why did Olga take the train to Vienna?").text == "to hear an opera"


def test_a_reply_is_found_by_the_question_before_it(tell: Tell, ask: Ask) -> None:
    tell(
        ("2024-04-10T12:00", "Bram", "Which topping do you put on your waffles?"),
        ("2024-04-10T12:01", "Olga", "Stewed rhubarb."),
        ("2024-04-11T12:00", "Olga", "The canal froze over."),
    )
    assert ask("Which topping does Olga put on waffles?").text == "Stewed rhubarb"


def test_yesterday_in_a_question_is_the_day_before_asking(tell: Tell, ask: Ask) -> None:
    tell(
        ("2024-04-10T20:00", "Olga", "Went to the bakery today."),
        ("2024-04-11T20:00", "Olga", "Went to the tannery today."),
    )
    morning = datetime(2024, 4, 12, 8, tzinfo=UTC)
    assert ask("Where did Olga go yesterday?", morning).text == "tannery"
    assert ask("Where did Olga go on 10 April 2024?", morning).text == "bakery"


def test_two_hops_follow_what_somebody_is_to_the_person(tell: Tell, ask: Ask) -> None:
    tell(
        ("2024-04-10T12:00", "Olga", "My fencing teacher is called Henrike."),
        ("2024-05-10T12:00", "Olga", "Henrike is moving her school to Gouda."),
        ("2024-05-11T12:00", "Bram", "I was in Delft and saw a school fair."),
    )
    assert ask("In which city will Olga's fencing teacher have her school?").text == "Gouda"


def test_a_person_is_told_from_a_town_of_the_same_name(tell: Tell, ask: Ask) -> None:
    tell(
        ("2024-04-10T12:00", "Olga", "My friend Chester binds rare books."),
        ("2024-05-10T12:00", "Olga", "I am driving to Chester in June to see the walls."),
    )
    assert ask("What does Chester do?").text == "binds rare books"
    assert "books" not in ask("When is Olga driving to Chester?").text


def test_a_caption_answers_where_the_words_only_point(tell: Tell, ask: Ask) -> None:
    tell((APRIL, "Olga", "Look! [image: a striped canoe on a beach]"))
    assert "canoe" in ask("What did Olga get?").text
