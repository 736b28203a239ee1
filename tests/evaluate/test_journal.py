"""Journal: what is on disk counts, what was cut off did not happen."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import RunError
from clew.evaluate.journal import Journal, Lines, Record, dump, read_records


def record(question: str, **more: object) -> Record:
    return Record(question, "t", 4, "Who?", None, "otter", **more)  # type: ignore[arg-type]


FULL = record(
    "t:0",
    answer="an ötter\u2028 or a\nbeetle\r",
    retrieved=("u1", "u2"),
    messages=("m1",),
    evidence=("m1",),
    scores={"f1_locomo": 0.5},
    seconds={"search": 0.1},
    llm={"calls": 1},
    effects={"gate": 0},
)


def filled(path: Path, *records: Record) -> bytes:
    journal = Journal(path)
    for one in records:
        journal.append(one)
    journal.close()
    return path.read_bytes()


def test_a_record_comes_back_as_it_was(tmp_path: Path) -> None:
    filled(tmp_path / "j", FULL)
    assert read_records(tmp_path / "j") == [FULL]
    assert list(Journal(tmp_path / "j")) == [FULL]


def test_a_record_is_on_disk_before_the_journal_is_closed(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    journal.append(FULL)
    assert "t:0" in journal
    assert "t:1" not in journal
    assert len(journal) == 1
    assert read_records(tmp_path / "j") == [FULL]
    journal.close()


@given(cut=st.integers(min_value=1))
def test_a_torn_last_line_is_dropped_and_overwritten(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    path = tmp_path_factory.mktemp("torn") / "j"
    whole = filled(path, record("t:0"), record("t:1"))
    last = len(whole) - whole.rstrip(b"\n").rfind(b"\n") - 1
    path.write_bytes(whole[: len(whole) - 1 - cut % last])
    assert [r.question for r in read_records(path)] == ["t:0"]
    assert filled(path, record("t:1")) == whole


def test_a_last_line_of_rubbish_is_dropped_too(tmp_path: Path) -> None:
    whole = filled(tmp_path / "j", FULL)
    (tmp_path / "j").write_bytes(whole + b"\0" * 40 + b"\n")
    assert filled(tmp_path / "j") == whole


@pytest.mark.parametrize("bad", ["{oops", "[]", '{"question": "t:7"}'])
def test_damage_before_the_end_is_an_error_that_names_the_line(tmp_path: Path, bad: str) -> None:
    whole = filled(tmp_path / "j", FULL)
    (tmp_path / "j").write_bytes(whole + bad.encode() + b"\n" + dump({"question": "x"}).encode())
    with pytest.raises(RunError, match=r"line 2: .*name="):
        Journal(tmp_path / "j")


def test_a_question_asked_twice_is_an_error(tmp_path: Path) -> None:
    filled(tmp_path / "j", FULL, FULL)
    with pytest.raises(RunError, match="line 2: asks t:0 a second time"):
        read_records(tmp_path / "j")


def test_fields_of_a_later_version_are_read_past(tmp_path: Path) -> None:
    row = json.loads(filled(tmp_path / "j", FULL)) | {"judge_model": "none"}
    (tmp_path / "j").write_text(dump(row) + "\n")
    assert read_records(tmp_path / "j") == [FULL]


def test_no_journal_is_an_error_that_names_the_place(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"nowhere/j is not there"):
        read_records(tmp_path / "nowhere" / "j")


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"cannot be written .*runs="):
        Journal(tmp_path)


def test_a_full_disk_is_an_error_that_says_how_to_go_on(tmp_path: Path) -> None:
    lines = Lines(tmp_path / "l")
    lines.close()
    lines._file = os.open("/dev/full", os.O_WRONLY)
    with pytest.raises(RunError, match=r"No space left.*goes on where it stopped"):
        lines.append([{"a": 1}])
    lines.close()


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_are_none_are_never_written(value: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        dump({"x": value})


def test_lines_can_be_cut_after_a_row(tmp_path: Path) -> None:
    lines = Lines(tmp_path / "l")
    lines.append([{"n": 1}, {"n": 2}, {"n": 3}])
    lines.close()
    lines = Lines(tmp_path / "l")
    lines.keep(2)
    lines.append([{"n": 4}])
    lines.close()
    lines.close()
    assert [row["n"] for row in Lines(tmp_path / "l").rows] == [1, 2, 4]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"scores": 5}, "scores: input should be a valid .*, is 5"),
        ({"scores": {"f1_locomo": "much"}}, r"scores\.f1_locomo: .*, is 'much'"),
        ({"retrieved": "u1"}, "retrieved: input should be a valid tuple, is 'u1'"),
        ({"category": None}, "category: .*, is None"),
        ({"status": "odd"}, "status: .*'ok' or 'failed', is 'odd'"),
    ],
)
def test_a_line_that_is_no_record_is_told_by_line_and_field(
    tmp_path: Path, change: dict[str, object], what: str
) -> None:
    row = json.loads(filled(tmp_path / "j", FULL))
    with (tmp_path / "j").open("a") as file:
        file.write(dump(row | {"question": "t:1"} | change) + "\n")
    with pytest.raises(RunError, match=f"j, line 2: {what}.*delete .* or start with another name="):
        read_records(tmp_path / "j")
