"""Depth: the more complex a question, the more units it is told, from three to twenty."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import ConfigError
from clew.model import Query
from clew.stages.depth import Adaptive, FixedDepth, complexity

GREETING = "Hello there!"
PLAIN = "When did Ulla sail to Sandvik?"
COMPLEX = (
    "Which hobbies that both Ulla and Benno took up after the sawmill closed, and before they "
    "moved to the harbour district, would most likely help them run a small guest house?"
)


def query(text: str) -> Query:
    return Query(text, None, "talk")


def test_complexity_rises_from_a_greeting_to_what_puts_much_together() -> None:
    rated = [complexity(text) for text in ("", GREETING, PLAIN, COMPLEX)]
    assert rated == sorted(rated) and rated[0] == 0.0 and rated[-1] == 1.0


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("Where did Ulla go after the storm passed?", "Where did Ulla go, the storm passed?"),
        ("How many boats does Ulla own?", "Which boat does Ulla own?"),
        ("Did Ulla and Benno both row?", "Did Ulla and Benno row?"),
        ("Who sold Benno the old green boat?", "Who sold Benno the boat?"),
    ],
    ids=["a clause", "a count", "a comparison", "length"],
)
def test_each_sign_of_complexity_counts(more: str, less: str) -> None:
    assert complexity(more) > complexity(less)


@given(st.text(max_size=200))
def test_any_text_is_rated_between_zero_and_one(text: str) -> None:
    assert 0.0 <= complexity(text) <= 1.0


def test_depth_goes_from_the_base_to_twenty() -> None:
    depth = Adaptive()
    assert (depth(query("")).k, depth(query(COMPLEX)).k) == (3, 20)
    assert depth(query(PLAIN)).k == int(3 * (1 + 5.67 * complexity(PLAIN)))
    assert Adaptive(delta=0.0)(query(COMPLEX)).k == 3


def test_simple_questions_want_no_details() -> None:
    bound = complexity(PLAIN)
    assert Adaptive(detail=bound)(query(PLAIN)).detailed
    assert not Adaptive(detail=bound + 0.01)(query(PLAIN)).detailed
    assert not Adaptive()(query(GREETING[:2])).detailed


def test_a_fixed_depth_is_the_same_for_all_and_in_detail() -> None:
    reaches = [FixedDepth(k=7)(query(text)) for text in (GREETING, COMPLEX)]
    assert [(reach.k, reach.detailed) for reach in reaches] == [(7, True), (7, True)]
    with pytest.raises(ConfigError, match="k"):
        FixedDepth(k=0)
