"""Judging, counting and naming: yes or no, which of two, how many, and who."""

from collections.abc import Callable

import pytest

from clew.memory import Memory
from clew.model import Answer, Context, Graph, Message, Query, Scored
from clew.stages.answer import Extractive
from clew.stages.extract import RuleBased

Tell = Callable[..., None]
Ask = Callable[..., Answer]


def test_a_later_denial_makes_it_a_no(tell: Tell, ask: Ask) -> None:
    tell(
        ("2024-01-05T12:00", "Ria", "I am a member of the rowing club."),
        ("2024-06-05T12:00", "Ria", "I am no longer a member of the rowing club."),
    )
    assert ask("Is Ria a member of the rowing club?").text == "No"


def test_what_is_told_is_a_yes(tell: Tell, ask: Ask) -> None:
    tell(("2024-01-05T12:00", "Ria", "I am a member of the rowing club."))
    assert ask("Is Ria a member of the rowing club?").text == "Yes"


def test_a_plan_is_no_event(tell: Tell, ask: Ask) -> None:
    tell(("2024-01-05T12:00", "Ria", "I am planning a week in Bergen."))
    assert ask("Has Ria been to Bergen?").text == "No"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Would Ria enjoy a mushroom walk?", "Likely yes"),
        ("Would Ria buy a motorcycle?", "Likely no"),
    ],
)
def test_a_would_is_judged_by_support(tell: Tell, ask: Ask, question: str, answer: str) -> None:
    tell(("2024-01-05T12:00", "Ria", "I enjoy every mushroom walk in autumn."))
    assert ask(question).text == answer


def test_a_yes_or_no_about_nothing_known_is_withheld(tell: Tell, ask: Ask) -> None:
    tell(("2024-01-05T12:00", "Tijn", "It rained."))
    assert ask("Does Ria own a boat?").abstained


def test_the_choice_goes_with_the_rest_of_the_question(tell: Tell, ask: Ask) -> None:
    tell(
        ("2024-01-05T12:00", "Ria", "My cousin Eva keeps bees."),
        ("2024-01-06T12:00", "Ria", "My dentist Eva sailed to Iceland."),
    )
    assert ask("Which Eva sailed to Iceland: the cousin or the dentist?").text == "dentist"


def test_the_earlier_of_two_is_told_by_date(tell: Tell, ask: Ask) -> None:
    tell(
        ("2024-03-05T12:00", "Ria", "The fence is painted."),
        ("2024-03-01T12:00", "Ria", "The shed is painted."),
    )
    assert ask("Which was painted first, the fence or the shed?").text == "shed"


def test_the_first_of_two_who_did_the_same_is_named(tell: Tell, ask: Ask) -> None:
    tell(
        ("2024-03-05T20:15-05:00", "Ria", "I have just rented the sauna."),
        ("2024-03-06T00:45+00:00", "Tijn", "I have just rented the sauna."),
    )
    assert ask("Who rented the sauna first?").text == "Tijn"


def test_who_did_it_is_the_one_named_before_the_deed(tell: Tell, ask: Ask) -> None:
    tell(("2024-03-05T12:00", "Ria", "My neighbour Joost says he cannot stand garlic."))
    assert ask("Who cannot stand garlic?").text == "Joost"


@pytest.mark.parametrize(
    ("wish", "name"),
    [
        ("Give the full first name.", "Frederik"),
        ("By their real name, please.", "Frederik"),
        ("Give the proper name.", "Frederik"),
        ("", "Freek"),
        ("Take the full time you need.", "Freek"),
    ],
)
def test_a_nickname_is_told_by_the_full_name_if_asked(
    tell: Tell, ask: Ask, wish: str, name: str
) -> None:
    tell(
        ("2024-03-05T12:00", "Ria", "Frederik, everyone calls him Freek, plays the tuba."),
        ("2024-03-06T12:00", "Ria", "Freek lost his umbrella."),
    )
    assert ask(f"Who lost an umbrella? {wish}").text == name


@pytest.mark.parametrize(
    ("told", "question", "n"),
    [
        ("I own forty lamps.", "How many lamps does Ria own?", "40"),
        ("I own twenty lamps.", "How many lamps does Ria own?", "20"),
        ("This was my twelfth marathon.", "How many times did Ria run a marathon?", "12"),
        ("This was my third marathon.", "How many times did Ria run a marathon?", "3"),
    ],
)
def test_a_number_may_be_a_word_or_a_rank(
    tell: Tell, ask: Ask, told: str, question: str, n: str
) -> None:
    tell(("2024-03-05T12:00", "Ria", told))
    assert ask(question).text == n


def test_a_group_answers_who_helped_somebody(tell: Tell, ask: Ask) -> None:
    tell(("2024-03-05T12:00", "Ria", "My sister and neighbours are helping with the harvest."))
    assert ask("Who helps Ria with the harvest?").text == "sister and neighbours"


def test_visits_are_counted_and_not_mentions(tell: Tell, ask: Ask) -> None:
    tell(
        ("2024-03-05T12:00", "Ria", "Toured the salt mine today."),
        ("2024-03-06T12:00", "Ria", "That salt mine was damp."),
        ("2024-03-12T12:00", "Ria", "Today it was the silver mine."),
        ("2024-03-19T12:00", "Ria", "Another mine today."),
    )
    assert ask("How many different mines did Ria tour?").text == "3"


@pytest.mark.parametrize(
    ("told", "answer"),
    [
        (["My visa was refused today.", "Second letter for the visa, refused."], "2"),
        (["My visa was refused three times."], "3"),
        (["My visa was refused twice."], "2"),
    ],
)
def test_times_are_counted(tell: Tell, ask: Ask, told: list[str], answer: str) -> None:
    tell(*((f"2024-0{n + 3}-05T12:00", "Ria", text) for n, text in enumerate(told)))
    assert ask("How many times was Ria's visa refused?").text == answer


def test_turns_without_a_date_are_counted_one_by_one(memory: Memory) -> None:
    turns = [
        Message(f"m{n}", "talk", "1", n, "Ria", "My visa was refused.", None) for n in range(2)
    ]
    units = RuleBased()(tuple(turns), memory)
    graph = Graph(tuple(Scored(unit, 1.0) for unit in units))
    context = Context("", 0, tuple(unit.id for unit in units))
    query = Query("How many times was Ria's visa refused?", None, "talk")
    assert Extractive()(query, graph, context, memory).text == "2"


def test_a_changed_number_is_told_as_it_is_now(tell: Tell, ask: Ask) -> None:
    tell(
        ("2024-03-05T12:00", "Ria", "There are three kayaks in our shed."),
        ("2024-06-05T12:00", "Ria", "There are seven kayaks in our shed."),
    )
    assert ask("How many kayaks are in Ria's shed?").text == "7"


def test_nothing_to_count_is_not_answered(tell: Tell, ask: Ask) -> None:
    tell(("2024-03-05T12:00", "Ria", "The shed is green."))
    assert ask("How many canoes does Ria have?").abstained
    assert ask("How often does Ria paint the shed?").abstained
