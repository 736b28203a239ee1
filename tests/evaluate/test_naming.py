"""Naming: jobs of one command that differ in anything have folders of their own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import ConfigError
from clew.evaluate.naming import run_name

LABEL = "ariadne-full-jsonl"


def test_a_run_is_called_after_its_label_or_as_it_was_told_to_be() -> None:
    assert run_name(None, LABEL, {}) == LABEL
    assert run_name("", LABEL, {"system": "ariadne"}) == LABEL
    assert run_name("mine", LABEL, {}) == "mine"


def test_what_jobs_vary_beside_their_label_is_in_their_names() -> None:
    varied = {"seed": "1", "system": "bm25", "stage/gate@system.gate": "keep_all"}
    assert run_name(None, LABEL, varied) == f"{LABEL}-seed_1-system.gate_keep_all"


def test_values_that_no_file_name_can_hold_are_kept_apart_by_their_hash() -> None:
    one, other = (run_name(None, LABEL, {"dataset.path": p}) for p in ("a/b.jsonl", "a_b.jsonl"))
    assert other == f"{LABEL}-dataset.path_a_b.jsonl"
    assert one.startswith(f"{other}_")
    assert "/" not in one


@given(st.lists(st.text(max_size=300), min_size=2, max_size=2, unique=True))
def test_two_values_never_share_a_name(values: list[str]) -> None:
    one, other = (run_name(None, LABEL, {"dataset.path": value}) for value in values)
    assert one != other
    assert max(len(one), len(other)) <= 150
    assert run_name(one, LABEL, {}) == one  # it may be given as well


def test_one_name_for_several_jobs_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"name: x would .* vary dataset\.path, seed; leave"):
        run_name("x", LABEL, {"seed": "1", "dataset.path": "p"})
    assert run_name("x", LABEL, {"name": "x"}) == "x"
    assert run_name("x", LABEL, {"runs": "there", "seed": "1"}) == "x"
