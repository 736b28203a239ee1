"""Tastes: what a model says that people like and feel, in whatever words."""

from typing import Any

import pytest
from agglomerated import GOOD, TALK, Open, taste, texts


def test_a_taste_taken_back_and_another_feeling_end_the_old_ones(talk: Open) -> None:
    given_up = [
        taste("Ulla", "dislikes", "Green tea", "D1:4"),
        taste("Ulla", "likes", "plum jam", "D1:4"),
        taste("Benno", "feels", "his glazes", "D1:4", feeling="ashamed"),
        taste("Benno", "feels", "his kiln", "D1:4", feeling="sorry"),
    ]
    told = talk(GOOD, {"tastes": given_up})
    told.tell(*TALK)
    told.tell(("Ulla", "No green tea for me. His glazes? He is ashamed, sorry, jam."), days=9)
    assert told.said("SUPERSEDES") == {
        ("Ulla likes green tea (15 November 2025)",
         "Ulla does not like Green tea (24 November 2025)"),
        ("Benno feels proud about his glazes (15 November 2025)",
         "Benno feels ashamed about his glazes (24 November 2025)"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "bad",
    [
        taste("she", "likes", "tea", "D1:3"),
        taste("Ulla", "likes", "", "D1:3"),
        taste("Ulla", "feels", "tea", "D1:3"),
        taste("Ulla", "", "tea", "D1:3"),
        taste("Ulla", "feeling", "tea", "D1:3"),
    ],
)
def test_a_taste_of_nobody_or_of_nothing_is_refused_and_counted(talk: Open, bad: Any) -> None:
    told = talk({**GOOD, "tastes": [bad, *GOOD["tastes"]]})
    assert len(texts(told.tell(*TALK), "emotional")) == 2
    assert told.read == ("accepted", {"abstract.tastes": 1})


@pytest.mark.parametrize(
    ("attitude", "feeling", "said"),
    [
        ("loves", "", ["likes ferries"]),
        ("Enjoys.", "", ["likes ferries"]),
        ("is_fond_of", "", ["likes ferries"]),
        ("likes", "loves", ["likes ferries"]),
        ("likes", "proud", ["likes ferries", "feels proud about ferries"]),
        ("hates", "", ["does not like ferries"]),
        ("doesn't like", "", ["does not like ferries"]),
        ("no longer enjoys", "", ["does not like ferries"]),
        ("cannot stand", "", ["does not like ferries"]),
        ("feels", "love", ["likes ferries"]),
        ("positive", "", ["likes ferries"]),
        ("feels", "positive", ["feels positive about ferries"]),
        ("really doesn't much like", "", ["does not like ferries"]),
        ("feel", "anxious", ["feels anxious about ferries"]),
        # what is neither is kept as it was said
        ("likes", "hates", ["likes ferries", "hates ferries"]),
        ("likes but fears", "", ["feels likes but fears about ferries"]),
        ("does not hate", "", ["does not hate ferries"]),
        ("loves and hates", "", ["loves and hates ferries"]),
        ("used to like", "", ["used to like ferries"]),
        ("would love", "", ["would love ferries"]),
        ("fears", "", ["fears ferries"]),
        ("worries about", "", ["worries about ferries"]),
        ("is allergic to", "", ["is allergic to ferries"]),
        ("nervous", "", ["feels nervous about ferries"]),
        ("proud", "moved", ["feels proud, moved about ferries"]),
    ],
)
def test_another_word_is_understood_or_kept(
    talk: Open, attitude: str, feeling: str, said: list[str]
) -> None:
    told = talk({"tastes": [taste("Ulla", attitude, "ferries", "D1:0", feeling=feeling)]})
    made = told.tell(("Ulla", "Ferries, you know."))
    assert texts(made) == [f"Ulla {each} (15 November 2025)" for each in said]
    assert told.read == ("accepted", {})


def test_a_change_of_heart_is_one_in_whatever_words_it_is_told(talk: Open) -> None:
    told = talk(
        {"tastes": [taste("Ulla", "adores", "tea", "D1:0")]},
        {"tastes": [taste("Ulla", "gave up liking it, hates", "tea", "D1:1")]},
        {"tastes": [taste("Ulla", "hates", "tea", "D1:2")]},
    )
    for day in range(3):
        told.tell(("Ulla", "Tea, you know."), days=day)
    (change,) = told.said("SUPERSEDES")
    assert change == (
        "Ulla likes tea (15 November 2025)",
        "Ulla does not like tea (17 November 2025)",
    )


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_tastes_change_in_the_order_of_time_whatever_that_of_the_reply(
    talk: Open, order: tuple[int, ...]
) -> None:
    tastes = [
        taste("Ulla", attitude, "tea", f"D1:{n}")
        for n, attitude in enumerate(("likes", "dislikes", "likes"))
    ]
    told = talk({"tastes": [tastes[n] for n in order]})
    made = told.tell(*[("Ulla", "Tea, you know.")] * 3, apart=24)
    views = told.memory.graph.views([unit.id for unit in made])
    assert [(unit.id, views[unit.id].status) for unit in made] == [
        ("D1:0.00.noted0", "superseded"),
        ("D1:1.00.noted0", "superseded"),
        ("D1:2.00.noted0", "active"),
    ]
