"""The journal: one JSON line per question, on disk before the next question is asked.

A process may be killed at any byte. A last line that was cut off never happened: it is
taken away when the file is opened again, and the question is asked again.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from clew.errors import RunError
from clew.evaluate.evidence import EvidenceGraph
from clew.evaluate.shapes import misshapen, shaped


@dataclass(frozen=True, slots=True)
class Record:
    """What happened to one question; `evidence` holds gold message ids.

    `retrieved` are unit ids in rank order, `messages` what the context is built from.
    `graph` is what it was answered from; journals from before it was kept have none.
    `effects` counts what the stages did for it. A failed question has an `error`.
    """

    question: str
    conversation: str
    category: int
    query: str
    asked_at: str | None
    gold: str
    answer: str = ""
    abstained: bool = False
    retrieved: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    context: str = ""
    context_tokens: int = 0
    evidence: tuple[str, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    llm: Mapping[str, int] = field(default_factory=dict)
    effects: Mapping[str, int] = field(default_factory=dict)
    status: Literal["ok", "failed"] = "ok"
    error: str = ""
    graph: EvidenceGraph | None = None


class Lines:
    """A file of JSON lines that only grows; a torn last line is cut off when it is opened.

    Raises:
        RunError: the file cannot be read or written, or a line within it is no JSON.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise _unwritable(path, error) from error
        whole, self.rows = _read(path)
        os.ftruncate(self._file, whole)
        os.lseek(self._file, whole, os.SEEK_SET)

    def append(self, rows: Iterable[Mapping[str, Any]], sync: bool = True) -> None:
        """Write rows in one piece and, with `sync`, wait until they are on disk."""
        block = memoryview("".join(f"{dump(row)}\n" for row in rows).encode())
        try:
            while block:
                block = block[os.write(self._file, block) :]
            if sync:
                os.fdatasync(self._file)
        except OSError as error:
            raise _unwritable(self.path, error) from error

    def keep(self, n: int) -> None:
        """Cut the file after its first n rows."""
        self.rows = self.rows[:n]
        size = sum(len(line) for line in self.path.read_bytes().splitlines(keepends=True)[:n])
        os.ftruncate(self._file, size)
        os.lseek(self._file, size, os.SEEK_SET)

    def close(self) -> None:
        """Let go of the file; closing twice is closing once."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class Journal:
    """The records of a run by question id, in the order they were asked."""

    def __init__(self, path: Path) -> None:
        self._lines = Lines(path)
        self._records = _by_question(path, self._lines.rows)

    def __contains__(self, question: str) -> bool:
        return question in self._records

    def __iter__(self) -> Iterator[Record]:
        return iter(list(self._records.values()))

    def __len__(self) -> int:
        return len(self._records)

    def append(self, record: Record) -> None:
        """Put a record on disk."""
        self._lines.append([asdict(record)])
        self._records[record.question] = record

    def close(self) -> None:
        """Let go of the file."""
        self._lines.close()


def read_records(path: Path) -> list[Record]:
    """Return the whole records of a journal, leaving the file as it is.

    Raises:
        RunError: there is no journal, or it is damaged before its last line.
    """
    if not path.is_file():
        raise RunError(f"{path} is not there: name a run, one of the folders below runs/")
    return list(_by_question(path, read_lines(path)).values())


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the whole lines of such a file, leaving it as it is."""
    return _read(path)[1]


def dump(row: Mapping[str, Any]) -> str:
    """Return one line of JSON: sorted, in its own letters, and never NaN or infinite."""
    return json.dumps(row, ensure_ascii=False, sort_keys=True, allow_nan=False)


def _read(path: Path) -> tuple[int, list[dict[str, Any]]]:
    """Return the length of the whole lines in bytes, and their content."""
    rows: list[dict[str, Any]] = []
    whole = 0
    lines = path.read_bytes().splitlines(keepends=True)
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line) if line.endswith(b"\n") else None
        except ValueError:
            row = None
        if not isinstance(row, dict):
            if number == len(lines):
                break
            raise misshapen(path, number, "is no JSON object")
        rows.append(row)
        whole += len(line)
    return whole, rows


def _by_question(path: Path, rows: list[dict[str, Any]]) -> dict[str, Record]:
    records: dict[str, Record] = {}
    for number, row in enumerate(rows, start=1):
        record = shaped(Record, row, path, number)
        if record.question in records:
            raise misshapen(path, number, f"asks {record.question} a second time")
        records[record.question] = record
    return records


def _unwritable(path: Path, error: OSError) -> RunError:
    return RunError(
        f"{path} cannot be written ({error.strerror}): make room or change runs=, "
        f"then start the same command again; it goes on where it stopped"
    )
