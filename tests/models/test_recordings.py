"""Recordings: a reply is kept once, shared by processes and runs, and taken along as lines."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from pydantic import BaseModel

from clew.errors import ConfigError, DataError, LlmMissing, LlmUnavailable, StoreError
from clew.models.asking import Asking
from clew.models.cache import Cached, cached
from clew.models.llm import Ask, Reply, Turn, Usage
from clew.models.recordings import Recordings, read_lines, request_of, take_lines, write_lines
from clew.models.replay import Replay

ASK = Ask("greet", "Be kind.", "Say hello.")


class Tools(BaseModel):
    tools: list[str]


class Echo:
    """Answers with its user's words and how often it was asked."""

    def __init__(self, model: str = "echo", temperature: float | None = 0) -> None:
        self.name, self.asked, self.closed = model, 0, False
        self.settings: Mapping[str, Any] = {"model": model, "temperature": temperature, "seed": 1}

    def __call__(self, ask: Ask) -> Reply:
        self.asked += 1
        return Reply(f"{ask.user} {self.asked}", Usage(1, 30, 4), "length")

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs" / "llm.db"


@pytest.fixture
def filled(path: Path) -> Iterator[Recordings]:
    """Return recordings of two replies."""
    with closing(Recordings(path)) as recordings:
        model = Cached(Echo(), recordings)
        model(ASK)
        model(replace(ASK, user="Grüße, 한국"))
        yield recordings


def test_what_was_answered_once_is_never_asked_again(path: Path) -> None:
    first = Echo()
    with closing(cached(first, str(path))) as model:
        assert model(ASK) == Reply("Say hello. 1", Usage(1, 30, 4), "length")
        again = model(ASK)
    assert first.closed
    assert again == Reply("Say hello. 1", Usage(cached=1, cached_tokens=34), "length")
    assert again.cached
    later = Echo()
    with closing(cached(later, str(path))) as model:
        assert model(ASK) == again
    assert (first.asked, later.asked) == (1, 0)


def test_with_no_path_nothing_is_kept() -> None:
    model = cached(Echo(), None)
    assert [model(ASK).text, model(ASK).text] == ["Say hello. 1", "Say hello. 2"]


@pytest.mark.parametrize(
    "other",
    [
        replace(ASK, system="Be brief."),
        replace(ASK, user="Say goodbye."),
        replace(ASK, shape=Tools),
        replace(ASK, max_tokens=9),
        replace(ASK, sample=1),
        replace(ASK, turns=(Turn("user", "Go on."),)),
    ],
)
def test_whatever_a_reply_depends_on_makes_another_request(path: Path, other: Ask) -> None:
    with closing(cached(echo := Echo(), str(path))) as model:
        model(ASK)
        model(other)
    assert echo.asked == 2


def test_the_name_of_a_prompt_and_how_a_number_is_written_make_no_other_request(
    path: Path,
) -> None:
    with closing(cached(Echo(temperature=0), str(path))) as model:
        model(ASK)
    with closing(cached(echo := Echo(temperature=0.0), str(path))) as model:
        model(replace(ASK, prompt="welcome"))
    assert echo.asked == 0


@pytest.mark.parametrize("other", [Echo("another"), Echo(temperature=0.7), Echo(temperature=None)])
def test_another_model_or_temperature_has_replies_of_its_own(path: Path, other: Echo) -> None:
    with closing(cached(Echo(), str(path))) as model:
        model(ASK)
    with closing(cached(other, str(path))) as model:
        model(ASK)
    assert other.asked == 1


def test_an_error_is_not_kept(path: Path) -> None:
    class Failing(Echo):
        def __call__(self, ask: Ask) -> Reply:
            if self.asked == 0:
                self.asked += 1
                raise LlmUnavailable("gone")
            return super().__call__(ask)

    with closing(cached(Failing(), str(path))) as model:
        with pytest.raises(LlmUnavailable):
            model(ASK)
        assert model(ASK).text == "Say hello. 2"


def test_two_threads_that_ask_the_same_at_once_make_one_call(path: Path) -> None:
    class Slow(Echo):
        def __call__(self, ask: Ask) -> Reply:
            met.wait(5)  # the other one is under way too, and has to wait
            return super().__call__(ask)

    met = Barrier(2)
    with closing(Asking(cached(echo := Slow(), str(path)), 4)) as llm:
        pending = [llm.begin(ASK) for _ in range(4)]
        met.wait(5)
        replies = [each.result() for each in pending]
    assert echo.asked == 1
    assert sorted(reply.cached for reply in replies) == [False, True, True, True]
    assert {reply.text for reply in replies} == {"Say hello. 1"}
    assert llm.spent == Usage(1, 30, 4, cached=3, cached_tokens=102)


def test_processes_share_a_file_and_none_loses_a_reply(path: Path) -> None:
    code = """
import sys
from clew.models.cache import cached
from clew.models.llm import Ask, Reply, Usage
class Model:
    name, settings = "m", {"model": "m"}
    def __call__(self, ask):
        return Reply(sys.argv[2], Usage(1, 1, 1))
    def close(self): pass
model = cached(Model(), sys.argv[1])
for n in range(100):
    model(Ask("p", "", f"{n}"))
    model(Ask("p", "", f"{sys.argv[2]} {n}"))
model.close()
"""
    command = [sys.executable, "-c", code, str(path)]
    started = [subprocess.Popen([*command, name]) for name in "abcd"]
    assert [process.wait(90) for process in started] == [0, 0, 0, 0]
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM reply").fetchone() == (500,)


def test_threads_lose_no_reply(path: Path) -> None:
    with closing(cached(Echo(), str(path))) as model:
        asks = [[replace(ASK, user=f"{t} {n}") for n in range(50)] for t in range(10)]
        threads = [Thread(target=lambda part=part: [model(a) for a in part]) for part in asks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    with closing(Recordings(path)) as recordings:
        assert len(list(recordings.every())) == 500


def test_the_file_can_be_looked_into(filled: Recordings, path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute(
            "SELECT model, prompt, reply, prompt_tokens, request ->> '$.user' FROM reply ORDER BY 5"
        ).fetchall()
    assert rows == [
        ("echo", "greet", "Grüße, 한국 2", 30, "Grüße, 한국"),
        ("echo", "greet", "Say hello. 1", 30, "Say hello."),
    ]


def test_lines_are_legible_and_the_same_for_the_same_replies(
    filled: Recordings, tmp_path: Path
) -> None:
    lines = tmp_path / "out" / "run.jsonl"
    assert write_lines(filled, lines) == 2
    assert "Grüße, 한국" in lines.read_text("utf-8")
    with closing(Recordings(tmp_path / "other.db")) as other:
        assert take_lines(other, lines) == (2, 2)
        assert take_lines(other, lines) == (0, 2)
        write_lines(other, tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == lines.read_bytes()


@pytest.mark.parametrize(
    "line",
    ["{", "[]", "5", '{"prompt": "p"}', '{"prompt": 1, "request": {}, "reply": ""}',
     '{"prompt": "p", "request": {}, "reply": "", "finish": "no"}',
     '{"prompt": "p", "request": {}, "reply": "", "prompt_tokens": "5"}'],
)  # fmt: skip
def test_a_line_that_is_no_reply_is_told_with_its_number(tmp_path: Path, line: str) -> None:
    file = tmp_path / "run.jsonl"
    file.write_text(f'{{"prompt": "p", "request": {{}}, "reply": ""}}\n{line}\n')
    with pytest.raises(DataError, match="line 2: is no recorded reply"):
        list(read_lines(file))


def test_a_recording_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        list(read_lines(tmp_path / "none.jsonl"))


def test_a_run_is_replayed_from_lines_and_from_a_cache(
    filled: Recordings, path: Path, tmp_path: Path
) -> None:
    write_lines(filled, lines := tmp_path / "run.jsonl")
    for source in (lines, path):
        with closing(Replay(str(source))) as llm:
            llm.check()
            assert llm.name == "echo"
            assert llm(ASK) == Reply("Say hello. 1", Usage(cached=1, cached_tokens=34), "length")


def test_a_request_that_was_not_recorded_is_told(filled: Recordings, path: Path) -> None:
    with closing(Replay(str(path))) as llm:
        with pytest.raises(LlmMissing, match=r"echo to greet .*Wave.*nothing like it.*llm\.path"):
            llm(replace(ASK, user="Wave."))
        with pytest.raises(LlmMissing, match="another max_tokens and system"):
            llm(replace(ASK, max_tokens=3, system=""))
    with closing(Replay(str(path), model="other")) as llm, pytest.raises(LlmMissing, match="model"):
        llm(ASK)


def test_a_recording_of_two_models_asks_which(filled: Recordings, path: Path) -> None:
    Cached(Echo("second"), filled)(ASK)
    with pytest.raises(ConfigError, match=r"llm\.model: .*model=echo.*model=second"):
        Replay(str(path)).check()
    with closing(Replay(str(path), model="second", seed=1)) as llm:
        assert llm(ASK).text == "Say hello. 1"


def test_a_recording_that_is_not_there_names_the_setting(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"llm\.path"):
        Replay(str(tmp_path / "none")).check()


def test_a_file_that_is_no_database_or_cannot_be_made_names_the_setting(tmp_path: Path) -> None:
    (tmp_path / "diary").write_text("Dear diary, " * 100)
    for path in (tmp_path / "diary", tmp_path / "diary" / "llm.db"):
        with pytest.raises(StoreError, match=r"llm\.cache"):
            Recordings(path)


def test_a_full_or_damaged_file_names_the_setting(filled: Recordings) -> None:
    filled._db.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreError, match=r"llm\.cache"):
        Cached(Echo(), filled)(replace(ASK, user="new"))
    filled._db.execute("PRAGMA query_only = OFF")
    filled._db.execute("DROP TABLE reply")
    for ask in (lambda: filled.find("x"), lambda: list(filled.every())):
        with pytest.raises(StoreError, match=r"llm\.cache"):
            ask()


def test_a_request_holds_letters_and_the_whole_shape() -> None:
    request = request_of(replace(ASK, user="한국", shape=Tools), {"model": "m", "temperature": 0})
    assert "한국" in json.dumps(request, ensure_ascii=False)
    assert request["shape"]["properties"].keys() == {"tools"}
