"""Local: a server of our own is started by the first ask, and ends however we end."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest
from pydantic import BaseModel

from clew.errors import ConfigError, LlmCut, LlmUnavailable
from clew.models import local
from clew.models.llm import Ask
from clew.models.local import Local, _packaged
from clew.models.structured import structured

ASK = Ask("greet", "Be kind.", "Odo: hello")
SERVES = """
import sys
from clew.models.scripted import Server
print("loading", flush=True)
print('{"url": "%s"}' % Server().base_url, flush=True)
sys.stdin.read()
"""


class Stand(Local):
    """Starts another program in the place of llama.cpp's server."""

    program = SERVES

    def check(self) -> None:
        assert self._path

    @property
    def command(self) -> list[str]:
        return [sys.executable, "-c", self.program, *super().command[-1:]]


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(b"GGUF" + bytes(100))
    return str(path)


@pytest.fixture
def llm(model: str) -> Iterator[Stand]:
    with closing(Stand(model, cache=None, patience=20.0, timeout=20.0)) as llm:
        yield llm


def pid_of(llm: Local) -> int:
    return int(llm._asking._model._server._process.pid)  # type: ignore[attr-defined]


def gone(pid: int) -> bool:
    for _ in range(200):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


def test_the_server_starts_with_the_first_ask_and_stops_with_the_model(llm: Stand) -> None:
    assert llm(ASK).text == "Not mentioned"
    pid = pid_of(llm)
    assert Path(f"/proc/{pid}").exists()
    llm.close()
    assert gone(pid)
    with pytest.raises(LlmUnavailable, match="closed"):
        llm(ASK)


def test_what_is_known_needs_no_server(model: str, tmp_path: Path) -> None:
    class Never(Stand):
        program = "raise SystemExit(1)"

    cache = str(tmp_path / "llm.db")
    with closing(Stand(model, cache=cache)) as first:
        text = first(ASK).text
    with closing(Never(model, cache=cache)) as again:
        assert again(ASK).text == text


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_the_server_ends_however_its_parent_ends(model: str, number: int) -> None:
    code = f"""
import sys, time
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_local import ASK, Stand, pid_of
llm = Stand({model!r}, cache=None)
llm(ASK)
print(pid_of(llm), flush=True)
time.sleep(60)
"""
    parent = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert parent.stdout
    pid = int(parent.stdout.readline())
    assert Path(f"/proc/{pid}").exists()
    parent.send_signal(number)
    parent.wait(10)
    parent.stdout.close()
    assert gone(pid)


def test_a_server_that_dies_is_told_with_its_last_words(llm: Stand) -> None:
    llm(ASK)
    os.kill(pid := pid_of(llm), signal.SIGKILL)
    assert gone(pid)
    with pytest.raises(LlmUnavailable, match=r"server of tiny@.* has ended: exit code -9"):
        llm(Ask("greet", "", "Ann: hello"))


def test_a_model_that_cannot_be_served_names_the_setting(model: str) -> None:
    class Broken(Stand):
        program = "import sys; sys.stderr.write('ok\\nerror: no tensors\\nbye\\n')"

    with (
        closing(Broken(model, cache=None)) as llm,
        pytest.raises(ConfigError, match=r"llm\.model_path: .*error: no tensors"),
    ):
        llm(ASK)


def test_a_server_that_says_nothing_more_and_does_not_end_is_killed(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Mute(Stand):
        program = "import os, time; os.close(1); time.sleep(60)"

    monkeypatch.setattr(local, "GRACE", 0.1)
    with (
        closing(Mute(model, cache=None)) as llm,
        pytest.raises(ConfigError, match=r"llm\.model_path: .*cannot be served"),
    ):
        llm(ASK)


LOUD = """
import os

class Params(dict):
    def __getattr__(self, name):
        return self.setdefault(name, Params())
    __setattr__ = dict.__setitem__

CommonParams = Params

class Server:
    listening_address = "http://127.0.0.1:9"
    def __init__(self, params):
        os.write(1, b'{"url": "not this"}' * 20_000)
"""


def test_what_llama_cpp_prints_is_apart_from_what_its_parent_is_told(tmp_path: Path) -> None:
    (tmp_path / "xllamacpp.py").write_text(LOUD)
    told = {"path": "m.gguf", "slots": 1, "context": 8, "threads": 1}
    process = subprocess.Popen(
        [sys.executable, "-m", "clew.models.local_server", json.dumps(told)],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with process:
        assert process.stdin and process.stdout
        assert process.stdout.readline() == b'{"url": "http://127.0.0.1:9/v1"}\n'
        process.stdin.close()
        assert process.stdout.read() == b""


def test_a_model_that_takes_too_long_names_the_setting(model: str) -> None:
    class Slow(Stand):
        program = "import sys; sys.stdin.read()"

    with (
        closing(Slow(model, cache=None, start=0.3)) as llm,
        pytest.raises(ConfigError, match=r"llm\.start: .* 0\.3 s"),
    ):
        llm(ASK)


def test_the_name_follows_the_file(model: str) -> None:
    before = Local(model).name
    assert before.startswith("tiny@")
    Path(model).write_bytes(b"GGUF" + bytes(99) + b"1")
    assert Local(model).name != before


def test_a_model_that_is_not_there_names_the_setting(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"llm\.model_path: .*none.gguf is not there"):
        Local(str(tmp_path / "none.gguf")).check()


def test_the_server_is_told_what_is_set(model: str) -> None:
    told = json.loads(Local(model, threads=3, context=512, concurrency=2).command[-1])
    assert told == {"path": model, "threads": 3, "slots": 2, "context": 512}


@pytest.mark.skipif(find_spec("xllamacpp") is not None, reason="it is installed")
def test_without_llama_cpp_the_remedy_is_told(model: str) -> None:
    with pytest.raises(ConfigError, match="local-llm"):
        Local(model).check()


class Tools(BaseModel):
    tools: list[str]


@pytest.mark.slow
@pytest.mark.local_llm
def test_a_real_model_answers_in_the_shape_that_is_asked_for() -> None:
    assert _packaged().suffix == ".gguf"
    with closing(Local(cache=None, context=1024)) as llm:
        assert llm(Ask("greet", "Be kind.", "Say hello.", max_tokens=8)).usage.prompt_tokens > 5
        try:
            value, how = structured(llm, Ask("shed", "", "Name a tool.", Tools, max_tokens=48), 0)
            assert (type(value), how) == (Tools, "clean")
        except LlmCut:
            pass  # it is free to go on and on, within the shape
