"""JSON Lines: people's own conversations, one a line."""

import json
import logging
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from clew.datasets import NOT_MENTIONED
from clew.datasets.jsonl import JsonLines
from clew.errors import ConfigError, DataError, TimeError
from clew.model import Conversation


def turn(text: str = "Hello.", at: str | None = "2024-05-01T10:00:00+00:00", **more: Any) -> Any:
    return {"speaker": "Ana", "timestamp": at, "text": text} | more


def write(folder: Path, *records: Any) -> str:
    file = folder / "own.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(file)


def read(folder: Path, *turns: Any, **record: Any) -> Conversation:
    [conversation] = JsonLines(write(folder, {"conversation": list(turns)} | record))
    return conversation


def test_turns_keep_the_order_of_the_file_even_backward_in_time(tmp_path: Path) -> None:
    conversation = read(
        tmp_path,
        turn("late", "2024-05-02T10:00:00+00:00"),
        turn("early", "2024-05-01T10:00:00+00:00"),
    )
    assert [(m.text, m.position, m.id) for m in conversation.messages] == [
        ("late", 0, "D1:1"),
        ("early", 1, "D2:1"),
    ]
    assert conversation.faults == {"timestamp earlier than the one before": 1}


def test_a_new_day_of_the_speakers_own_calendar_is_a_new_session(tmp_path: Path) -> None:
    stamps = (
        "2024-05-01T23:50:00+09:00",
        "2024-05-02T00:10:00+09:00",  # midnight has passed in this zone, not in UTC
        "2024-05-01T15:20:00+00:00",  # another zone, the same evening
        None,
    )
    messages = read(tmp_path, *(turn(at=stamp) for stamp in stamps)).messages
    assert [m.id for m in messages] == ["D1:1", "D2:1", "D2:2", "D2:3"]
    assert [m.session for m in messages] == ["D1", "D2", "D2", "D2"]


def test_a_stamp_without_an_offset_is_utc_counted_and_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    naive = [turn(at="2024-05-01T10:00:00"), turn(at="2024-05-01 10:05:00")]
    file = write(tmp_path, {"conversation": naive}, {"conversation": naive})
    with caplog.at_level(logging.WARNING):
        first, _ = JsonLines(file)
    assert first.messages[0].said_at == datetime.fromisoformat("2024-05-01T10:00:00Z")
    assert first.faults == {"timestamp without an offset": 2}
    assert caplog.text.count("read as UTC") == 1


def test_the_zone_of_a_stamp_is_kept(tmp_path: Path) -> None:
    [message] = read(tmp_path, turn(at="2024-06-01T07:30:00+09:00")).messages
    assert message.said_at is not None and message.said_at.isoformat().endswith("07:30:00+09:00")


@pytest.mark.parametrize("at", [None, ""])
def test_a_turn_without_a_time_is_kept_and_counted(tmp_path: Path, at: str | None) -> None:
    conversation = read(tmp_path, turn(at=at), {"speaker": "Ben", "text": "No time at all."})
    assert [m.said_at for m in conversation.messages] == [None, None]
    assert conversation.faults["turn without a timestamp"] == 2


@pytest.mark.parametrize("text", ["", "   \n", "\U0001f389\U0001f389", "x" * 100_000])
def test_odd_texts_are_messages_too(tmp_path: Path, text: str) -> None:
    conversation = read(tmp_path, turn(text), turn("And then?"))
    assert [m.text for m in conversation.messages] == [text.strip(), "And then?"]
    assert conversation.faults.get("empty text", 0) == (not text.strip())


def test_an_image_at_the_start_becomes_the_caption(tmp_path: Path) -> None:
    shown, told = read(
        tmp_path, turn("[image: a green door] Ours!"), turn("See [image: x] there")
    ).messages
    assert (shown.caption, shown.text) == ("a green door", "Ours!")
    assert (told.caption, told.text) == ("", "See [image: x] there")


def test_texts_are_composed_and_free_of_control_characters(tmp_path: Path) -> None:
    [message] = read(tmp_path, turn("Jose\u0301\u0000 built it.")).messages
    assert message.text == "Jos\u00e9 built it."


def test_one_question_stands_in_the_line_itself(tmp_path: Path) -> None:
    conversation = read(
        tmp_path,
        turn("I sold the kayak."),
        turn("Good.", "2024-05-01T10:09:00+00:00"),
        id="boat",
        question="What was sold?",
        expected="the kayak",
        evidence=[0],
    )
    [question] = conversation.questions
    assert (question.id, question.gold, question.category) == ("boat:0", "the kayak", 4)
    assert question.evidence == ("D1:1",)
    assert question.query.asked_at == conversation.messages[1].said_at


def test_several_questions_stand_in_a_list_with_their_own_settings(tmp_path: Path) -> None:
    turns = [turn("One.", id="a"), turn("Two.", id="b")]
    questions = [
        {"question": "When?", "expected": 3, "evidence": ["b", 0, 0], "category": 2},
        {"question": "Where?", "expected": "here", "question_time": "2024-06-01T08:00:00+00:00"},
    ]
    first, second = read(tmp_path, *turns, id="two", questions=questions).questions
    assert (first.gold, first.category, first.evidence) == ("3", 2, ("b", "a"))
    assert second.query.asked_at == datetime.fromisoformat("2024-06-01T08:00:00+00:00")


@pytest.mark.parametrize(
    ("expected", "category", "gold"),
    [
        (None, 5, NOT_MENTIONED),
        ("Not mentioned: it was Lin", 5, "Not mentioned: it was Lin"),
        ("no", 4, "no"),
    ],
)
def test_a_question_that_expects_a_refusal_is_unanswerable(
    tmp_path: Path, expected: str | None, category: int, gold: str
) -> None:
    [question] = read(tmp_path, turn(), question="Why?", expected=expected, evidence=[]).questions
    assert (question.category, question.unanswerable) == (category, category == 5)
    assert (question.gold, question.evidence) == (gold, ())


@pytest.mark.parametrize("inside", [True, False])
def test_an_expected_that_is_left_out_is_one_of_null(tmp_path: Path, inside: bool) -> None:
    asked: Any = {"question": "Why?", "evidence": [0]}
    null = asked | {"expected": None}
    first, second = ({"questions": [q]} if inside else q for q in (asked, null))
    without, with_null = (read(tmp_path, turn(), id="talk", **record) for record in (first, second))
    assert without == with_null
    assert without.questions[0].unanswerable and without.questions[0].gold == NOT_MENTIONED


def test_a_question_before_any_message_is_fine(tmp_path: Path) -> None:
    conversation = read(tmp_path, question="Anything?", expected=None)
    assert conversation.messages == ()
    assert conversation.questions[0].query.asked_at is None


def test_a_conversation_without_questions_is_fine(tmp_path: Path) -> None:
    assert read(tmp_path, turn()).questions == ()


def test_a_line_without_an_id_is_named_by_file_and_line(tmp_path: Path) -> None:
    file = write(tmp_path, {"conversation": []}, {"conversation": []})
    assert [c.id for c in JsonLines(file)] == ["own-1", "own-2"]


def test_blank_lines_and_a_byte_order_mark_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    file.write_bytes(b'\xef\xbb\xbf{"conversation": []}\r\n\r\n{"conversation": []}')
    assert [c.id for c in JsonLines(str(file))] == ["own-1", "own-3"]


def test_only_limit_and_questions_pick(tmp_path: Path) -> None:
    asked = [{"question": str(n), "expected": "x"} for n in range(3)]
    records = [{"id": name, "conversation": [], "questions": asked} for name in "abc"]
    file = write(tmp_path, *records)
    assert [c.id for c in JsonLines(file, limit=2)] == ["a", "b"]
    [picked] = JsonLines(file, only=("b",), questions=2)
    assert [q.id for q in picked.questions] == ["b:0", "b:1"]
    with pytest.raises(DataError, match=r"no conversation \['z'\]; change dataset.only"):
        list(JsonLines(file, only=("z",)))


def test_name_version_and_hash_come_from_the_file(tmp_path: Path) -> None:
    dataset = JsonLines(write(tmp_path, {"conversation": []}))
    assert dataset.name == "own"
    assert dataset.sha256.startswith(dataset.version) and len(dataset.sha256) == 64
    before = dataset.sha256
    write(tmp_path, {"conversation": [turn()]})
    assert dataset.sha256 != before


def test_a_missing_file_and_a_missing_path_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no\.jsonl: cannot be read .*dataset\.path"):
        list(JsonLines(str(tmp_path / "no.jsonl")))
    with pytest.raises(ConfigError, match="path"):
        JsonLines()  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"conversation": [', r"line 2: ends in the middle \(truncated\?\) at column"),
        ("speaker;text", "line 2: is not JSON"),
        ('{"conversation": [], "id": ' + "9" * 5000 + "}", "line 2: is not JSON that can be read"),
        (r'{"conversation": [], "id": "\ud800"}', r"line 2\.id: .* holds half a character"),
        ("[]", "line 2: should be an object, is list"),
        ('{"turns": []}', "line 2: has no 'conversation'"),
        ('{"conversation": {}}', r"line 2\.conversation: should be a list"),
        ('{"conversation": [], "id": 3}', r"line 2\.id: should be a text, is int 3"),
        ('{"conversation": ["hi"]}', r"line 2\.conversation\[0\]: should be an object"),
        ('{"id": "own-1", "conversation": []}', r"line 2\.id: 'own-1' is there twice"),
        ('{"conversation": [], "questions": [{}]}', r"line 2\.questions\[0\]: has no 'question'"),
        (
            '{"conversation": [], "question": "?", "expected": true}',
            r"line 2\.expected: should be a text, is bool True",
        ),
        (
            '{"conversation": [], "question": "?", "expected": "x", "category": 9}',
            r"line 2\.category: 9 is none of",
        ),
        (
            '{"conversation": [], "question": "?", "expected": "x", "evidence": [0]}',
            r"line 2\.evidence\[0\]: 0 is no turn of 0",
        ),
    ],
)
def test_a_wrong_line_is_an_error_naming_file_line_and_field(
    tmp_path: Path, line: str, said: str
) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text('{"conversation": []}\n' + line)
    with pytest.raises(DataError, match=rf"own\.jsonl, {said}"):
        list(JsonLines(str(file)))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (turn(at=1714557600), r"conversation\[0\]\.timestamp: should be a text, is int"),
        (turn(speaker=""), r"conversation\[0\]\.speaker: is empty"),
        (turn(text=None), r"conversation\[0\]\.text: should be a text, is NoneType"),
    ],
)
def test_a_wrong_turn_is_an_error_naming_the_field(tmp_path: Path, wrong: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read(tmp_path, wrong)


def test_a_malformed_stamp_is_an_error_naming_the_field(tmp_path: Path) -> None:
    with pytest.raises(TimeError, match=r"line 1\.conversation\[0\]\.timestamp: .*31st-ish"):
        read(tmp_path, turn(at="the 31st-ish"))


def test_half_a_character_in_an_id_is_refused_and_in_a_text_cleaned(tmp_path: Path) -> None:
    [message] = read(tmp_path, turn("a \ud800 b")).messages
    assert message.text.encode()
    with pytest.raises(DataError, match=r"conversation\[0\]\.id: .* holds half a character"):
        read(tmp_path, turn(id="\ud800"))


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_a_file_without_a_conversation_is_an_error(tmp_path: Path, content: str) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text(content)
    with pytest.raises(DataError, match=r"own\.jsonl: holds no conversation"):
        list(JsonLines(str(file)))


TWO = ({"conversation": [], "id": "a"}, {"conversation": [], "id": "b"})


@pytest.mark.parametrize(
    ("content", "command"),
    [
        (json.dumps(TWO[0], indent=2), r"jq -c \."),
        ("\n".join(json.dumps(one, indent=1) for one in TWO), r"jq -c \."),
        (json.dumps(TWO[0], indent=2)[:-20], r"jq -c \."),
        (json.dumps(TWO, indent=2), r"jq -c '\.\[\]'"),
        (json.dumps(TWO), r"jq -c '\.\[\]'"),
    ],
    ids=["object", "objects", "cut off", "list", "list on a line"],
)
def test_json_that_is_spread_over_lines_is_told_how_to_become_lines(
    tmp_path: Path, content: str, command: str
) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text(content)
    with pytest.raises(DataError, match=rf"line 1: write one .* per line.* {command} .*own\.jsonl"):
        list(JsonLines(str(file)))


@pytest.mark.parametrize("named", ["{}", "false", "0", '""', "true"])
def test_evidence_that_is_no_list_is_refused(tmp_path: Path, named: str) -> None:
    file = tmp_path / "own.jsonl"
    line = f'"question": "Why?", "expected": "x", "evidence": {named}'
    file.write_text('{"conversation": [], ' + line + "}")
    with pytest.raises(DataError, match=r"own\.jsonl, line 1\.evidence: should be a list"):
        list(JsonLines(str(file)))


def test_evidence_may_be_left_out_or_null(tmp_path: Path) -> None:
    for more in ({}, {"evidence": None}, {"evidence": []}):
        [question] = read(tmp_path, turn(), question="Why?", expected="x", **more).questions
        assert question.evidence == ()


def test_a_device_is_no_file_to_read_from() -> None:
    with pytest.raises(DataError, match=r"/dev/full: is a device or a pipe; set dataset\.path"):
        list(JsonLines("/dev/full"))


def test_two_turns_of_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"conversation\[1\]\.id: 'a' is there twice"):
        read(tmp_path, turn(id="a"), turn(id="a"))
