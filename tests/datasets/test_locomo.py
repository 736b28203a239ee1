"""LoCoMo: an invented file of its shape with each of its faults, and the real one if here."""

import hashlib
import json
import logging
import os
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from clew.datasets import CATEGORIES, NOT_MENTIONED, Dataset
from clew.datasets.locomo import ADDRESS, OFFICIAL, LoCoMo, find_locomo
from clew.errors import ConfigError, DataError, TimeError
from clew.model import Conversation

ROOT = Path(__file__).parents[2]
TURN = {"speaker": "Mo", "dia_id": "D1:1", "text": "The raft floats."}


def question(answer: object, evidence: list[str], category: int = 4, **more: Any) -> dict[str, Any]:
    asked = {"question": "What floats?", "evidence": evidence, "category": category}
    return asked | ({} if answer is None else {"answer": answer}) | more


def sample(*questions: dict[str, Any], **talk: Any) -> dict[str, Any]:
    conversation = {
        "speaker_a": "Mo",
        "speaker_b": "Ife",
        "session_1_date_time": "1:05 pm on 2 March, 2021",
        "session_1": [
            TURN,
            {"speaker": "Ife", "dia_id": "D1:2", "text": " Let us row. ", "blip_caption": "an oar"},
        ],
        "session_10_date_time": "9:30 am on 1 May, 2021",
        "session_10": [{"speaker": "Mo", "dia_id": "D10:1", "text": "It sank."}],
        "session_2_date_time": "12:15 am on 9 March, 2021",
        "session_2": [{"speaker": "Ife", "dia_id": "D2:1", "text": "We rowed."}],
        "session_11_date_time": "9:30 am on 2 May, 2021",
    }
    return {"sample_id": "conv-7", "qa": list(questions), "conversation": conversation | talk}


def write(folder: Path, content: Any) -> str:
    file = folder / "talk.json"
    file.write_text(json.dumps(content))
    return str(file)


def read(folder: Path, *questions: dict[str, Any], **talk: Any) -> Conversation:
    [conversation] = LoCoMo(write(folder, [sample(*questions, **talk)]))
    return conversation


def test_sessions_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    messages = read(tmp_path).messages
    assert [m.id for m in messages] == ["D1:1", "D1:2", "D2:1", "D10:1"]
    assert [m.position for m in messages] == [0, 1, 2, 3]
    assert [m.session for m in messages] == ["D1", "D1", "D2", "D10"]
    assert messages[2].said_at == datetime(2021, 3, 9, 0, 15, tzinfo=UTC)


def test_a_date_without_a_session_is_counted_and_makes_none(tmp_path: Path) -> None:
    assert read(tmp_path).faults["session date without a session"] == 1


def test_a_caption_is_kept_without_an_image_address_and_text_loses_outer_space(
    tmp_path: Path,
) -> None:
    conversation = read(tmp_path)
    assert (conversation.messages[1].text, conversation.messages[1].caption) == (
        "Let us row.",
        "an oar",
    )
    assert conversation.faults["caption without an image address"] == 1
    assert conversation.faults["space around a text"] == 1


def test_a_question_is_asked_at_the_last_session_under_its_place_in_the_file(
    tmp_path: Path,
) -> None:
    first, second = read(
        tmp_path, question("a", ["D1:1"]), question("b", ["D2:1"], category=2)
    ).questions
    assert (first.id, second.id) == ("conv-7:0", "conv-7:1")
    assert second.category == 2
    assert first.query.asked_at == datetime(2021, 5, 1, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("evidence", "ids", "fault"),
    [
        (["D1:1", "D2:1"], ("D1:1", "D2:1"), None),
        (["D1:2; D2:1"], ("D1:2", "D2:1"), "evidence mended"),
        (["D10:1 D1:1"], ("D10:1", "D1:1"), "evidence mended"),
        (["D:1:2"], ("D1:2",), "evidence mended"),
        (["D01:02"], ("D1:2",), "evidence mended"),
        (["D", "D1:1"], ("D1:1",), "evidence unreadable"),
        (["D10:19", "D1:1"], ("D1:1",), "evidence to no message"),
        (["D1:1", "D1:1"], ("D1:1",), "evidence repeated"),
        (["D10:19"], (), "question without evidence"),
        ([], (), "question without evidence"),
    ],
)
def test_evidence_becomes_existing_ids_each_once_and_the_rest_is_counted(
    tmp_path: Path, evidence: list[str], ids: tuple[str, ...], fault: str | None
) -> None:
    conversation = read(tmp_path, question("raft", evidence))
    assert conversation.questions[0].evidence == ids
    found = {kind for kind in conversation.faults if "evidence" in kind}
    assert fault in found if fault else not found


def test_a_number_for_an_answer_becomes_its_text(tmp_path: Path) -> None:
    conversation = read(tmp_path, question(2019, ["D1:1"]))
    assert conversation.questions[0].gold == "2019"
    assert conversation.faults["answer that is a number"] == 1


def test_spaces_outside_and_doubled_go_from_questions_and_answers(tmp_path: Path) -> None:
    conversation = read(tmp_path, question(" 3  May", ["D1:1"], question="What  floats? "))
    assert conversation.questions[0].gold == "3 May"
    assert conversation.questions[0].query.text == "What floats?"


def test_category_five_expects_a_refusal_and_its_wrong_answer_is_never_handed_out(
    tmp_path: Path,
) -> None:
    conversation = read(
        tmp_path,
        question(None, ["D1:1"], 5, adversarial_answer="a zeppelin"),
        question("No", ["D1:1"], 5, adversarial_answer="a zeppelin"),
    )
    assert [(q.gold, q.unanswerable) for q in conversation.questions] == [(NOT_MENTIONED, True)] * 2
    assert "zeppelin" not in repr(conversation)
    assert conversation.faults["category 5 without answer"] == 1
    assert conversation.faults["category 5 with both answers"] == 1


def test_only_limit_and_questions_pick_without_renumbering(tmp_path: Path) -> None:
    asked = [question("a", []), question("b", [])]
    file = write(tmp_path, [sample(*asked) | {"sample_id": name} for name in ("x", "y", "z")])
    assert [c.id for c in LoCoMo(file, limit=2)] == ["x", "y"]
    [picked] = LoCoMo(file, only=("z",), questions=1)
    assert [q.id for q in picked.questions] == ["z:0"]
    with pytest.raises(DataError, match=r"'w'.*dataset.only can name: x, y, z"):
        list(LoCoMo(file, only=("w",)))


def test_settings_out_of_range_are_refused_by_name() -> None:
    with pytest.raises(ConfigError, match=r"LoCoMo: limit: .*greater than or equal to 1"):
        LoCoMo("talk.json", limit=0)


def test_another_file_of_the_shape_is_read_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    dataset: Dataset = LoCoMo(write(tmp_path, [sample()]))
    with caplog.at_level(logging.WARNING):
        list(dataset)
    assert OFFICIAL in caplog.text
    digest = hashlib.sha256((tmp_path / "talk.json").read_bytes()).hexdigest()
    assert (dataset.name, dataset.version, dataset.sha256) == ("locomo", "other", digest)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('[{"sample_id": "x", ', r"truncated\?\) at column 21"),
        ('[\n{"a": 1},\n', r"truncated\?\) at line 3, column 1"),
        ("raft,oar\n1,2", "is not JSON .* at line 1, column 1"),
        ("", "truncated"),
        ('{"a": 1}', "should be a list, is dict"),
        ("[3]", r"\[0\]: should be an object, is int 3"),
        ('[{"id": "x"}]', r"\[0\]: has no 'sample_id' \(its keys: id\)"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_file_of_another_shape_is_an_error_naming_file_and_place(
    tmp_path: Path, content: str, said: str
) -> None:
    file = tmp_path / "talk.json"
    file.write_text(content)
    with pytest.raises(DataError, match=rf"talk\.json.*{said}"):
        list(LoCoMo(str(file)))


def test_bytes_that_are_no_text_are_an_error_naming_the_byte(tmp_path: Path) -> None:
    file = tmp_path / "talk.json"
    file.write_bytes(b'["\xff"]')
    with pytest.raises(DataError, match="not UTF-8 at byte 2"):
        list(LoCoMo(str(file)))


@pytest.mark.parametrize(
    ("talk", "said"),
    [
        ({"session_1": "none"}, r"\[0\]\.conversation\.session_1: should be a list"),
        ({"session_1": [{"dia_id": "D1:1", "text": "x"}]}, r"session_1\[0\]: has no 'speaker'"),
        ({"session_1": [TURN | {"text": 3}]}, r"session_1\[0\]\.text: should be a text, is int"),
        ({"session_1": [TURN, TURN]}, r"session_1\[1\]\.dia_id: 'D1:1' is there twice"),
        ({"session_12": []}, "has no 'session_12_date_time'"),
    ],
)
def test_a_wrong_field_is_an_error_naming_its_place(
    tmp_path: Path, talk: dict[str, Any], said: str
) -> None:
    with pytest.raises(DataError, match=said):
        read(tmp_path, **talk)


def test_a_date_that_cannot_be_read_is_an_error_naming_its_place(tmp_path: Path) -> None:
    with pytest.raises(TimeError, match=r"conversation\.session_1_date_time: .*soon"):
        read(tmp_path, session_1_date_time="soon")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (question(None, ["D1:1"]), r"qa\[0\]: has no 'answer'"),
        (question("x", [], category=6), r"qa\[0\]\.category: 6 is none of"),
        (question(["x"], []), r"qa\[0\]\.answer: should be a text, is list"),
        (question("x", []) | {"evidence": 3}, r"qa\[0\]\.evidence: should be a list"),
    ],
)
def test_a_wrong_question_is_an_error_naming_its_place(
    tmp_path: Path, asked: dict[str, Any], said: str
) -> None:
    with pytest.raises(DataError, match=said):
        read(tmp_path, asked)


def test_two_conversations_of_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"\[1\]\.sample_id: 'conv-7' is there twice"):
        list(LoCoMo(write(tmp_path, [sample(), sample()])))


def test_the_file_is_found_by_path_then_environment_then_usual_places(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    for name in ("given.json", "env.json", "data/locomo10.json"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    shared = tmp_path / "shared/data/locomo10.json"
    shared.parent.mkdir(parents=True)
    shared.touch()
    environment = {"CLEW_LOCOMO": "env.json"}
    assert find_locomo("given.json", environment, root) == root / "given.json"
    assert find_locomo("", environment, root) == root / "env.json"
    assert find_locomo("", {}, root) == root / "data/locomo10.json"
    (root / "data/locomo10.json").unlink()
    assert find_locomo("", {}, root).resolve() == shared


def test_a_missing_file_is_one_message_with_address_hash_and_settings(tmp_path: Path) -> None:
    with pytest.raises(DataError) as error:
        find_locomo("", {}, tmp_path / "repository")
    for part in (ADDRESS, OFFICIAL, "dataset.path", "CLEW_LOCOMO", "data/locomo10.json"):
        assert part in str(error.value)


@pytest.mark.parametrize(("given", "setting"), [("no.json", "dataset.path"), ("", "CLEW_LOCOMO")])
def test_a_named_file_that_is_missing_is_never_replaced_by_another(
    tmp_path: Path, given: str, setting: str
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/locomo10.json").touch()
    with pytest.raises(DataError, match=f"{setting} is 'no.json'"):
        find_locomo(given, {"CLEW_LOCOMO": "no.json"}, tmp_path)


@pytest.fixture(scope="module")
def official() -> list[Conversation]:
    try:
        dataset = LoCoMo(str(find_locomo("", os.environ, ROOT)))
    except DataError as error:
        pytest.skip(str(error))
    if dataset.version != "locomo10":
        pytest.skip("the file here is not the official one")
    return list(dataset)


def test_the_official_file_has_its_known_counts(official: list[Conversation]) -> None:
    messages = [m for c in official for m in c.messages]
    assert len(official) == 10
    assert len({(m.conversation, m.session) for m in messages}) == 272
    assert len(messages) == 5882
    assert sum(bool(m.caption) for m in messages) == 1226
    questions = Counter(q.category for c in official for q in c.questions)
    assert questions == {1: 282, 2: 321, 3: 96, 4: 841, 5: 446}
    assert {CATEGORIES[number] for number in questions} == set(CATEGORIES.values())


def test_the_official_file_has_1536_answerable_questions_with_evidence(
    official: list[Conversation],
) -> None:
    asked = [q for c in official for q in c.questions if not q.unanswerable]
    assert (len(asked), sum(bool(q.evidence) for q in asked)) == (1540, 1536)


def test_the_official_faults_are_counted(official: list[Conversation]) -> None:
    total: Counter[str] = Counter()
    for conversation in official:
        total.update(conversation.faults)
    assert total == {
        "answer that is a number": 6,
        "caption without an image address": 316,
        "category 5 with both answers": 2,
        "category 5 without answer": 444,
        "evidence mended": 6,
        "evidence repeated": 1,
        "evidence to no message": 2,
        "evidence unreadable": 1,
        "question without evidence": 4,
        "session date without a session": 16,
        "space around a text": 209,
        "space around or doubled in a question or answer": 6,
    }
