"""Replay: replies from a recording and from nowhere else, so that a run needs no model."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Any

from clew.errors import ConfigError, LlmMissing
from clew.models.llm import Ask, Reply
from clew.models.opening import Opened
from clew.models.recordings import Recorded, Recordings, read_lines, request_of
from clew.stage import Count, checked

DRAWN = ("model", "temperature", "seed")


@checked
class Replay(Opened):
    """Answers from `path`, a file of JSON lines or a cache; says which request is not in it.

    With `model` null, the recording holds one model, temperature and seed, which are taken.
    """

    path: str
    model: str | None = None
    temperature: float | None = 0.0
    seed: int | None = 0
    concurrency: Count = 1

    @property
    def name(self) -> str:
        """The recorded model's name."""
        return str(self._settings["model"])

    def check(self) -> None:
        """Tell whether there is nothing to replay."""
        assert self._settings

    def open(self) -> "Recording":
        """Return the recording, read."""
        return Recording(self._recorded, self._settings, self.path)

    @cached_property
    def _recorded(self) -> Mapping[str, Recorded]:
        if not Path(self.path).is_file():
            raise ConfigError(
                f"llm.path: {self.path} is not there: set it to a recording, as "
                f'"clew llm export" writes, or to a cache of replies'
            )
        return {recorded.key: recorded for recorded in _read(Path(self.path))}

    @cached_property
    def _settings(self) -> Mapping[str, Any]:
        if self.model is not None:
            return {"model": self.model, "temperature": self.temperature, "seed": self.seed}
        found = {tuple(r.request.get(name) for name in DRAWN) for r in self._recorded.values()}
        if len(found) != 1:
            each = sorted(
                ", ".join(f"{n}={v}" for n, v in zip(DRAWN, f, strict=True)) for f in found
            )
            raise ConfigError(
                f"llm.model: {self.path} holds {'; '.join(each) or 'no replies'}: set llm.model=, "
                f"llm.temperature= and llm.seed= to one that it holds"
            )
        return dict(zip(DRAWN, found.pop(), strict=True))


class Recording:
    """A model that knows what was recorded."""

    def __init__(
        self, recorded: Mapping[str, Recorded], settings: Mapping[str, Any], path: str
    ) -> None:
        self._recorded, self._settings, self._path = recorded, settings, path

    @property
    def name(self) -> str:
        """The recorded model's name."""
        return str(self._settings["model"])

    def __call__(self, ask: Ask) -> Reply:
        """Return the recorded reply."""
        key = Recorded(ask.prompt, request_of(ask, self._settings), "").key
        if key in self._recorded:
            return self._recorded[key].again()
        raise LlmMissing(
            f"{self._path} has no reply of {self.name} to {ask.prompt} ({key[:12]}; "
            f"{_begin(ask.user)!r}, {self._nearest(ask)}): record the run with the same settings, "
            f"or set llm.path= to its recording"
        )

    def close(self) -> None:
        """Hold nothing open."""

    def _nearest(self, ask: Ask) -> str:
        """Say what differs from what was recorded for the same words."""
        request = request_of(ask, self._settings)
        for known in self._recorded.values():
            if known.request.get("user") == ask.user and known.prompt == ask.prompt:
                differs = [k for k, v in sorted(request.items()) if known.request.get(k) != v]
                return f"recorded with another {' and '.join(differs)}"
        return "nothing like it is recorded"


def _read(path: Path) -> Iterator[Recorded]:
    with path.open("rb") as file:
        database = file.read(6) == b"SQLite"
    if not database:
        yield from read_lines(path)
        return
    with closing(Recordings(path, "llm.path")) as recordings:
        yield from recordings.every()


def _begin(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:57]}..."
