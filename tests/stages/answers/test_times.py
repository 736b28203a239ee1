"""Times: told as they were said, or by the calendar where a question wants that."""

from collections.abc import Callable

import pytest

from clew.model import Answer

Tell = Callable[..., None]
Ask = Callable[..., Answer]
WEDNESDAY = "2024-05-15T12:00"


@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        ("I sold the van yesterday.", "When did Ann sell the van?", "14 May 2024"),
        ("I sold the van.", "When did Ann sell the van?", "15 May 2024"),
        (
            "I sold the van last Friday.",
            "When did Ann sell the van?",
            "The Friday before 15 May 2024",
        ),
        ("I sold the van last Friday.", "On which date did Ann sell the van?", "10 May 2024"),
        ("I sold the van last week.", "When did Ann sell the van?", "The week before 15 May 2024"),
        (
            "I sold the van last week.",
            "In which week did Ann sell the van? Give a date range.",
            "6-12 May 2024",
        ),
        (
            "I sold the van two weeks ago.",
            "When did Ann sell the van?",
            "two weeks before 15 May 2024",
        ),
        ("I sold the van two days ago.", "When did Ann sell the van?", "13 May 2024"),
        ("I sold the van last month.", "When did Ann sell the van?", "April 2024"),
        ("I sold the van this week.", "When did Ann sell the van?", "The week of 15 May 2024"),
        (
            "I will sell the van next week.",
            "When will Ann sell the van?",
            "The week after 15 May 2024",
        ),
        ("I sold the van a few years ago.", "When did Ann sell the van?", "a few years ago"),
        ("The ferry leaves at 7:45.", "What time does the ferry leave?", "07:45"),
        ("The gallery opens on 3 June at 10:30.", "When does the gallery open?", "3 June 2024"),
    ],
)
def test_a_time_is_told(tell: Tell, ask: Ask, told: str, question: str, answer: str) -> None:
    tell((WEDNESDAY, "Ann", told))
    assert ask(question).text == answer


def test_of_two_clock_times_the_latest_word_counts(tell: Tell, ask: Ask) -> None:
    tell(
        ("2024-05-15T08:00", "Ann", "My bus to the coast leaves at 17:20."),
        ("2024-05-15T15:00", "Ann", "They moved it, my bus to the coast leaves at 17:55."),
    )
    assert ask("When does the bus leave? Give only the latest time.").text == "17:55"


def test_a_month_in_the_question_limits_the_answer(tell: Tell, ask: Ask) -> None:
    tell(
        ("2024-03-05T12:00", "Ann", "We went sailing yesterday."),
        ("2024-06-05T12:00", "Ann", "We went sailing two days ago."),
    )
    assert ask("When did Ann go sailing in March 2024?").text == "4 March 2024"
    assert ask("When did Ann go sailing in June 2024?").text == "3 June 2024"


@pytest.mark.parametrize(
    ("speaker", "said", "answer"),
    [
        ("Ann", "I checked, Ben is right about the auction.", "9 August 2024"),
        ("Ann", "Ben got it right, the auction is as he says.", "9 August 2024"),
        ("Ann", "About the auction, you were absolutely right.", "9 August 2024"),
        ("Ann", "I was mistaken about the auction.", "9 August 2024"),
        ("Ben", "Ann's right about the auction.", "2 August 2024"),
        ("Ben", "I had it wrong with the auction.", "2 August 2024"),
        ("Ben", "I am right about the auction.", "9 August 2024"),
        ("Ben", "The auction? You were right there when they said it.", "2 August 2024"),
    ],
)
def test_a_dispute_is_settled_by_who_is_said_to_be_right_or_yields(
    tell: Tell, ask: Ask, speaker: str, said: str, answer: str
) -> None:
    tell(
        ("2024-05-15T12:00", "Ann", "The auction is on 2 August."),
        ("2024-05-15T12:01", "Ben", "My flyer says the auction is on 9 August."),
        ("2024-05-16T12:00", speaker, said),
    )
    assert ask("On which date is the auction?").text == answer


@pytest.mark.parametrize("word", ["latest", "newest", "most recent", "current", "final"])
def test_of_two_dates_the_last_told_counts_when_that_is_asked_for(
    tell: Tell, ask: Ask, word: str
) -> None:
    tell(
        ("2024-05-15T08:00", "Ann", "The fair is on 2 August."),
        ("2024-05-20T08:00", "Ann", "Now the fair is on 9 August."),
    )
    assert ask(f"When is the fair? Give the {word} date.").text == "9 August 2024"


def test_days_are_counted_between_the_turns_on_the_topic(tell: Tell, ask: Ask) -> None:
    tell(
        ("2023-02-24T12:00", "Ann", "Ordered the passport today."),
        ("2023-03-06T12:00", "Ann", "The passport arrived today!"),
        ("2023-03-09T12:00", "Ben", "I had soup."),
    )
    assert ask("How many days did the passport take?").text == "10"


def test_a_stated_length_goes_before_counting(tell: Tell, ask: Ask) -> None:
    tell((WEDNESDAY, "Ann", "The passport took 12 days to come."))
    assert ask("How many days did the passport take?").text == "12 days"


def test_one_date_is_no_length_of_time(tell: Tell, ask: Ask) -> None:
    tell((WEDNESDAY, "Ann", "Ordered the passport today."))
    assert ask("How many days did the passport take?").abstained
