"""Recordings: replies in a SQLite file, by the hash of the request that they answer.

A request is what a reply depends on: the model and how it is drawn from, what it is told, and
the shape and length of what is wanted; not where the model runs. Several processes may share
a file, look into it with any SQLite tool, and take all of it along as lines of JSON.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from clew.errors import DataError, StoreError
from clew.models.llm import Ask, Finish, Reply, Usage

CREATE = """
CREATE TABLE IF NOT EXISTS reply (
  key TEXT PRIMARY KEY,
  model TEXT NOT NULL,
  prompt TEXT NOT NULL,
  request TEXT NOT NULL,
  reply TEXT NOT NULL,
  finish TEXT NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  seconds REAL NOT NULL,
  made TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
) WITHOUT ROWID
"""
FIELDS = "key, prompt, request, reply, finish, prompt_tokens, completion_tokens"
SELECT = f"SELECT {FIELDS} FROM reply WHERE key = ?"
EVERY = f"SELECT {FIELDS} FROM reply ORDER BY key"
INSERT = "INSERT OR IGNORE INTO reply VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP)"
FINISHES: tuple[Finish, ...] = ("stop", "length", "filter")


@dataclass(frozen=True, slots=True)
class Recorded:
    """A request with the reply to it, and the tokens it took."""

    prompt: str
    request: Mapping[str, Any]
    reply: str
    finish: Finish = "stop"
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def key(self) -> str:
        """The hash of the request."""
        return hashlib.sha256(canonical(self.request).encode()).hexdigest()

    def again(self) -> Reply:
        """Return the reply as one that was known already."""
        tokens = self.prompt_tokens + self.completion_tokens
        return Reply(self.reply, Usage(cached=1, cached_tokens=tokens), self.finish)

    def line(self) -> str:
        """Return it as a line of JSON, the same for the same reply."""
        return canonical(
            {
                "prompt": self.prompt,
                "request": self.request,
                "reply": self.reply,
                "finish": self.finish,
                "prompt_tokens": self.prompt_tokens,
                "completion_tokens": self.completion_tokens,
            }
        )


def request_of(ask: Ask, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return all that a reply depends on, as plain values."""
    return {
        **{
            name: float(v) if name == "temperature" and v is not None else v
            for name, v in settings.items()
        },
        "system": ask.system,
        "user": ask.user,
        "turns": [[turn.role, turn.text] for turn in ask.turns],
        "shape": None if ask.shape is None else ask.shape.model_json_schema(),
        "max_tokens": ask.max_tokens,
        "sample": ask.sample,
    }


def canonical(value: Mapping[str, Any]) -> str:
    """Return a value as JSON that is the same for the same value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


class Recordings:
    """A file of replies at `path`; `setting` is what names it, for errors.

    Raises:
        StoreError: the file cannot be opened, read or written.
    """

    def __init__(self, path: str | Path, setting: str = "llm.cache") -> None:
        self.path, self._setting = Path(path), setting
        self._lock = Lock()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=60, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise self._trouble(error) from error
        try:
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.execute(CREATE)
        except sqlite3.Error as error:
            self._db.close()
            raise self._trouble(error) from error

    def find(self, key: str) -> Recorded | None:
        """Return the reply to a request, or None."""
        try:
            with self._lock:
                row = self._db.execute(SELECT, [key]).fetchone()
        except sqlite3.Error as error:
            raise self._trouble(error) from error
        return None if row is None else _recorded(row)

    def keep(self, recorded: Recorded, seconds: float = 0.0) -> bool:
        """Keep a reply, unless there is one already; return whether it was new."""
        row = (
            recorded.key,
            str(recorded.request.get("model")),
            recorded.prompt,
            canonical(recorded.request),
            recorded.reply,
            recorded.finish,
            recorded.prompt_tokens,
            recorded.completion_tokens,
            seconds,
        )
        try:
            with self._lock, self._db:
                return self._db.execute(INSERT, row).rowcount > 0
        except sqlite3.Error as error:
            raise self._trouble(error) from error

    def every(self) -> Iterator[Recorded]:
        """Yield all replies, in the order of their keys."""
        try:
            with self._lock:
                rows = self._db.execute(EVERY).fetchall()
        except sqlite3.Error as error:
            raise self._trouble(error) from error
        return map(_recorded, rows)

    def close(self) -> None:
        """Let go of the file; closing twice is closing once."""
        with self._lock:
            self._db.close()

    def _trouble(self, error: Exception) -> StoreError:
        return StoreError(
            f"The recorded replies in {self.path} cannot be used ({error}): free some space, or "
            f"set {self._setting} to a file that can be written."
        )


def _recorded(row: tuple[Any, ...]) -> Recorded:
    _, prompt, request, reply, finish, *tokens = row
    return Recorded(prompt, json.loads(request), reply, finish, *tokens)


def write_lines(recordings: Recordings, path: Path, prompts: frozenset[str] = frozenset()) -> int:
    """Write replies to a file of JSON lines, all or those to these prompts; return how many."""
    lines = [r.line() for r in recordings.every() if not prompts or r.prompt in prompts]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return len(lines)


def take_lines(recordings: Recordings, path: Path) -> tuple[int, int]:
    """Keep the replies of a file of JSON lines; return how many were new, and how many there."""
    new = [recordings.keep(recorded) for recorded in read_lines(path)]
    return sum(new), len(new)


def read_lines(path: Path) -> Iterable[Recorded]:
    """Yield the replies of a file of JSON lines.

    Raises:
        DataError: a line is no reply, or the file cannot be read.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read ({error})") from None
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield _checked(json.loads(line))
            except (ValueError, TypeError) as error:
                raise DataError(f"{path}, line {number}: is no recorded reply ({error})") from None


def _checked(data: Any) -> Recorded:
    recorded = Recorded(**data)
    texts = (recorded.prompt, recorded.reply)
    tokens = (recorded.prompt_tokens, recorded.completion_tokens)
    if not isinstance(recorded.request, dict) or recorded.finish not in FINISHES:
        raise ValueError("its request is no object, or its finish is not known")
    if not all(isinstance(t, str) for t in texts) or not all(type(n) is int for n in tokens):
        raise ValueError("its texts or its counts are something else")
    return recorded
