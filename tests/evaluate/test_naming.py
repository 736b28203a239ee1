"""Naming: jobs of one command that differ in anything have folders of their own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import ConfigError
from clew.evaluate.naming import part_name, run_name, tells

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


@pytest.mark.parametrize(
    ("key", "value"),
    [("llm.base_url", "http://ann:hunter2@host:8000/v1"), ("+llm.api_key", "hunter2")],
)
def test_secrets_and_logins_are_in_no_name_and_neither_is_their_hash(key: str, value: str) -> None:
    name, other = (run_name(None, LABEL, {key: value.replace("hunter2", s)}) for s in ("a", "b"))
    assert name == other
    assert "hunter2" not in run_name(None, LABEL, {key: value})


def test_budgets_of_tokens_are_no_secrets_in_names() -> None:
    names = {part_name("t", {"system.pack.tokens": n}) for n in ("250", "500", "250+500")}
    assert len(names) == 3


def test_a_job_of_a_named_sweep_is_called_after_all_that_it_varies() -> None:
    assert part_name("mine", {"system": "bm25", "seed": "1"}) == "mine-seed_1-system_bm25"


@pytest.mark.parametrize("name", ["../x", "a/b", "-x"])
def test_a_name_that_is_no_folders_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="is no folder's name"):
        run_name(name, LABEL)


def test_only_what_may_change_results_belongs_into_names() -> None:
    keys = ["embedder", "system.gate.likeness", "tracking.uri", "runs", "stage/gate@system.gate"]
    assert [key for key in keys if tells(key)] == [keys[0], keys[1], keys[4]]
