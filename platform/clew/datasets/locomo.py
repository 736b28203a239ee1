"""LoCoMo: ten long conversations of two friends, read as they are, faults and all.

The file is never changed. What had to be mended or left out is counted in
`Conversation.faults`, by kind. Stamps of sessions have no zone and are read as UTC.
"""

import hashlib
import logging
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from clew.datasets import CATEGORIES, NOT_MENTIONED, select
from clew.datasets.fields import expect, field, parse, read_bytes
from clew.errors import DataError, TimeError
from clew.model import Conversation, Message, Query, Question
from clew.stage import Count, checked
from clew.text import clean
from clew.when import parse_instant

OFFICIAL = "79fa87e90f04081343b8c8debecb80a9a6842b76a7aa537dc9fdf651ea698ff4"
ADDRESS = "https://github.com/snap-research/locomo"
PLACES = ("data/locomo10.json", "../shared/data/locomo10.json")

_SESSION = re.compile(r"session_(\d+)")
_DATE = re.compile(r"session_(\d+)_date_time")
_ID = re.compile(r"D:?(\d+):(\d+)")
_log = logging.getLogger(__name__)


def find_locomo(given: str, environment: Mapping[str, str], root: Path) -> Path:
    """Return the file: the given path, else CLEW_LOCOMO, else where it usually lies.

    Raises:
        DataError: it is at none of these; the text tells where to get it.
    """
    settings = {"dataset.path": given, "CLEW_LOCOMO": environment.get("CLEW_LOCOMO", "")}
    for setting, named in settings.items():
        if named:
            path = root / Path(named).expanduser()
            if not path.is_file():
                raise DataError(f"{setting} is {named!r}, but {path} is no file. {_remedy()}")
            return path
    for place in PLACES:
        if (root / place).is_file():
            return root / place
    raise DataError(f"LoCoMo is not here: looked for {' and '.join(PLACES)}. {_remedy()}")


def _remedy() -> str:
    return (
        f"Get data/locomo10.json from {ADDRESS} (sha256 {OFFICIAL}) and name it with "
        "dataset.path=FILE or CLEW_LOCOMO=FILE, or put it into data/"
    )


@checked
class LoCoMo:
    """The conversations of one locomo10.json; `only` and `limit` pick some of them.

    `questions` keeps the first so many of each conversation. An empty `path` looks in
    the usual places below the working directory.
    """

    path: str = ""
    only: tuple[str, ...] = ()
    limit: Count | None = None
    questions: Count | None = None

    @property
    def name(self) -> str:
        """The name in manifests and tables."""
        return "locomo"

    @property
    def version(self) -> str:
        """`locomo10` for the official bytes, `other` for any other file of the shape."""
        return "locomo10" if self.sha256 == OFFICIAL else "other"

    @property
    def sha256(self) -> str:
        """The hash of the file's bytes."""
        return hashlib.sha256(read_bytes(self.file)).hexdigest()

    @property
    def file(self) -> Path:
        """Where the file lies."""
        return find_locomo(self.path, {}, Path())

    def check(self) -> None:
        """Read all that is picked, so that a mistake in it is told at once."""
        for _ in self._read(self.file, read_bytes(self.file)):
            pass

    def __iter__(self) -> Iterator[Conversation]:
        file = self.file
        raw = read_bytes(file)
        digest = hashlib.sha256(raw).hexdigest()
        if digest != OFFICIAL:
            _log.warning("%s has sha256 %s, the official file %s", file, digest, OFFICIAL)
        yield from self._read(file, raw)

    def _read(self, file: Path, raw: bytes) -> Iterator[Conversation]:
        samples = {}
        for index, sample in enumerate(expect(parse(raw, str(file)), list, str(file))):
            place = f"{file}[{index}]"
            name = field(expect(sample, dict, place), "sample_id", str, place)
            if name in samples:
                raise DataError(f"{place}.sample_id: {name!r} is there twice")
            samples[name] = (sample, place)
        picked = select(samples, self.only, self.limit, str(file))
        for name, (sample, place) in samples.items():
            if name in picked:
                yield _conversation(name, sample, place, self.questions)


def _conversation(
    name: str, sample: dict[str, Any], place: str, questions: int | None
) -> Conversation:
    faults: Counter[str] = Counter()
    talk = field(sample, "conversation", dict, place)
    messages = tuple(_messages(name, talk, f"{place}.conversation", faults))
    reader = _Questions(
        name, {m.id for m in messages}, messages[-1].said_at if messages else None, faults
    )
    asked = [
        reader.read(index, expect(entry, dict, f"{place}.qa[{index}]"), f"{place}.qa[{index}]")
        for index, entry in enumerate(field(sample, "qa", list, place)[:questions])
    ]
    return Conversation(name, messages, tuple(asked), dict(sorted((+faults).items())))


def _messages(
    name: str, talk: dict[str, Any], place: str, faults: Counter[str]
) -> Iterator[Message]:
    sessions = _numbers(_SESSION, talk)
    faults["session date without a session"] += len(_numbers(_DATE, talk) - sessions)
    position, seen = 0, set[str]()
    for number in sorted(sessions):
        key = f"session_{number}"
        said_at = _instant(field(talk, f"{key}_date_time", str, place), f"{place}.{key}_date_time")
        for index, turn in enumerate(field(talk, key, list, place)):
            where = f"{place}.{key}[{index}]"
            message = _message(expect(turn, dict, where), where, faults)
            if message["id"] in seen:
                raise DataError(f"{where}.dia_id: {message['id']!r} is there twice")
            seen.add(message["id"])
            yield Message(
                **message,
                conversation=name,
                session=f"D{number}",
                position=position,
                said_at=said_at,
            )
            position += 1


def _numbers(pattern: re.Pattern[str], talk: dict[str, Any]) -> set[int]:
    return {int(found[1]) for key in talk if (found := pattern.fullmatch(key))}


def _instant(text: str, place: str) -> datetime:
    try:
        return parse_instant(text)
    except TimeError as error:
        raise TimeError(f"{place}: {error}") from None


def _message(turn: dict[str, Any], place: str, faults: Counter[str]) -> dict[str, str]:
    """Return id, speaker, text and caption, which counts without its image's address too."""
    text = field(turn, "text", str, place)
    caption = turn.get("blip_caption") or ""
    faults["space around a text"] += text != text.strip()
    faults["caption without an image address"] += bool(caption) and "img_url" not in turn
    return {
        "id": field(turn, "dia_id", str, place).strip(),
        "speaker": clean(field(turn, "speaker", str, place)),
        "text": clean(text),
        "caption": clean(expect(caption, str, f"{place}.blip_caption")),
    }


@dataclass(frozen=True, slots=True)
class _Questions:
    """Reads the questions of one conversation, knowing which message ids exist."""

    conversation: str
    known: set[str]
    asked_at: datetime | None
    faults: Counter[str]

    def read(self, index: int, entry: dict[str, Any], place: str) -> Question:
        category = field(entry, "category", int, place)
        if category not in CATEGORIES:
            raise DataError(f"{place}.category: {category} is none of {sorted(CATEGORIES)}")
        unanswerable = CATEGORIES[category] == "adversarial"
        text = self._line(field(entry, "question", str, place))
        return Question(
            id=f"{self.conversation}:{index}",
            query=Query(text, self.asked_at, self.conversation),
            gold=self._adversarial(entry) if unanswerable else self._gold(entry, place),
            category=category,
            evidence=self._evidence(entry.get("evidence", []), f"{place}.evidence"),
            unanswerable=unanswerable,
        )

    def _adversarial(self, entry: dict[str, Any]) -> str:
        """Return the refusal; what the file holds is the wrong answer, or none, or both."""
        both = "answer" in entry and "adversarial_answer" in entry
        self.faults["category 5 without answer"] += "answer" not in entry
        self.faults["category 5 with both answers"] += both
        return NOT_MENTIONED

    def _gold(self, entry: dict[str, Any], place: str) -> str:
        if isinstance(answer := entry.get("answer"), int | float):
            self.faults["answer that is a number"] += 1
            return str(answer)
        return self._line(field(entry, "answer", str, place))

    def _line(self, text: str) -> str:
        """Return the text with single spaces, none outside."""
        line = " ".join(clean(text).split())
        self.faults["space around or doubled in a question or answer"] += line != text
        return line

    def _evidence(self, entries: Any, place: str) -> tuple[str, ...]:
        """Return existing message ids, each once, in the order given."""
        ids: dict[str, None] = {}
        for entry in [entries] if isinstance(entries, str) else expect(entries, list, place):
            found = [f"D{int(s)}:{int(n)}" for s, n in _ID.findall(str(entry))]
            self.faults["evidence unreadable"] += not found
            self.faults["evidence mended"] += bool(found) and found != [entry]
            for name in found:
                self.faults["evidence to no message"] += name not in self.known
                self.faults["evidence repeated"] += name in ids
                if name in self.known:
                    ids[name] = None
        self.faults["question without evidence"] += not ids
        return tuple(ids)
