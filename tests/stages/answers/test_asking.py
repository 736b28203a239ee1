"""Asking: what a question wants, read from its words alone."""

import pytest

from clew.stages.answers.asking import read, root, roots


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When did Ann sail?", "when"),
        ("On which date did Ann sail?", "when"),
        ("Where did Ann sail?", "where"),
        ("In which city does Ann live?", "where"),
        ("Who sailed?", "who"),
        ("With whom did Ann sail?", "who"),
        ("How many owls does Ann have?", "count"),
        ("How many days did it take?", "days"),
        ("How long has Ann sailed?", "long"),
        ("How did Ann learn to sail?", "how"),
        ("Why does Ann sail?", "why"),
        ("Did Ann sail?", "yesno"),
        ("Which came first, the boat or the sail?", "choice"),
        ("What does Ann sail?", "what"),
        ("\u4ed6\u4ec0\u4e48\u65f6\u5019\u53bb\u7684\uff1f", "when"),
        ("\ub204\uad6c\uc640 \uac14\ub098\uc694?", "who"),
        ("\u3069\u3053\u3078\u884c\u304d\u307e\u3057\u305f\u304b?", "where"),
        ("Ann's boat", "what"),
        ("?", "what"),
    ],
)
def test_the_kind_of_answer(question: str, kind: str) -> None:
    assert read(question).kind == kind


def test_what_comes_after_the_question_narrows_it() -> None:
    asked = read("When does the ferry leave? Give only the latest time.")
    assert (asked.text, asked.only) == ("When does the ferry leave", "Give only the latest time.")
    assert asked.clock
    assert not read("When does the ferry leave?").clock


def test_the_parts_of_a_question() -> None:
    asked = read("According to Bo, which kinds of sea birds did Ann's brother feed first?")
    assert asked.head == "sea birds"
    assert asked.verb == "feed"
    assert asked.several
    assert asked.first
    assert asked.names == ("Ann",)
    assert {"sea", "bird", "brother", "feed"} <= asked.roots


def test_two_choices() -> None:
    assert read("Did Ann prefer rowing or sailing?").choices == ("rowing", "sailing")
    assert read("What is for Ann or for Bo, if so?").choices is None


@pytest.mark.parametrize(
    ("question", "several"),
    [
        ("What birds did Ann see?", True),
        ("What are the names of Ann's owls?", True),
        ("What has Ann painted?", True),
        ("What bus did Ann take?", False),
        ("What has Ann's dress code become?", True),
        ("What bird has Ann painted?", False),
        ("What did Ann see?", False),
    ],
)
def test_a_plural_asks_for_a_list(question: str, several: bool) -> None:
    assert read(question).several == several


def test_a_verb_is_one_in_all_its_forms() -> None:
    assert root("bought") == root("buying") == "buy"
    assert root("the") == ""
    assert roots("She went and took children") == {"go", "take", "child"}


def test_a_question_without_a_helper_has_no_verb() -> None:
    assert read("Who, Ann?").verb == ""
