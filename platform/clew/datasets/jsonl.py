"""People's own conversations: JSON Lines, one conversation with its questions a line.

    {"id": "trip", "conversation": [
        {"speaker": "Ana", "timestamp": "2024-05-15T12:00:00+02:00", "text": "Hello!"}],
     "questions": [{"question": "Who said hello?", "expected": "Ana", "evidence": [0]}]}

A line with one question may hold `question`, `expected`, `evidence`, `question_time` and
`category` itself. Turns stay in the order of the file. A turn starts a new session when
the turn before it was on another day of this speaker's calendar. A stamp without an
offset is read as UTC. `evidence` names turns by place (from 0) or by their `id`. A
question expecting null, "Not mentioned ..." or nothing at all (`expected` left out) is
unanswerable and of category 5; any other is of category 4 unless it says which. Fields of
other names are left alone.
"""

import hashlib
import json
import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from clew.datasets import CATEGORIES, NOT_MENTIONED
from clew.datasets.fields import expect, identifier, parse, read_bytes
from clew.datasets.fields import field as must
from clew.errors import DataError, TimeError
from clew.model import Conversation, Message, Query, Question
from clew.stage import Count, checked
from clew.text import clean
from clew.when import parse_instant

NO_OFFSET = "timestamp without an offset"

_IMAGE = re.compile(r"\s*\[image:([^\]]*)\](.*)", re.DOTALL | re.IGNORECASE)
_ELSEWHERE = timezone(timedelta(hours=1))
_log = logging.getLogger(__name__)


@checked
class JsonLines:
    """The conversations of one file; `only` and `limit` pick some of them.

    `questions` keeps the first so many of each conversation.
    """

    path: str
    only: tuple[str, ...] = ()
    limit: Count | None = None
    questions: Count | None = None

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return Path(self.path).stem

    @property
    def version(self) -> str:
        """A file of one's own has no edition but its content."""
        return self.sha256[:12]

    @property
    def sha256(self) -> str:
        """The hash of the file's bytes."""
        return hashlib.sha256(read_bytes(Path(self.path))).hexdigest()

    def check(self) -> None:
        """Read all that is picked, so that a mistake in it is told at once."""
        for _ in self._read():
            pass

    def __iter__(self) -> Iterator[Conversation]:
        told = False
        for place, conversation in self._read():
            if not told and (told := NO_OFFSET in conversation.faults):
                _log.warning("%s: times without an offset are read as UTC", place)
            yield conversation

    def _read(self) -> Iterator[tuple[str, Conversation]]:
        """Yield each conversation that is picked, and its place in the file."""
        seen: set[str] = set()
        handed_out = 0
        for place, number, record in self._records():
            name = identifier({"id": f"{self.name}-{number}"} | record, "id", place)
            if name in seen:
                raise DataError(f"{place}.id: {name!r} is there twice")
            seen.add(name)
            if self.only and name not in self.only:
                continue
            yield place, _Reader(name, place).read(record, self.questions)
            if (handed_out := handed_out + 1) == self.limit:
                return
        if not seen:
            raise DataError(f"{self.path}: holds no conversation; write one a line")
        if missing := sorted(set(self.only) - seen):
            raise DataError(f"{self.path}: no conversation {missing}; change dataset.only")

    def _records(self) -> Iterator[tuple[str, int, dict[str, Any]]]:
        """Yield place, line number and content of each line that holds anything."""
        lines = read_bytes(Path(self.path)).removeprefix(b"\xef\xbb\xbf").split(b"\n")
        for number, line in enumerate(lines, start=1):
            if line.strip():
                place = f"{self.path}, line {number}"
                yield place, number, self._record(line, place, lines[number - 1 :])

    def _record(self, line: bytes, place: str, rest: Sequence[bytes]) -> dict[str, Any]:
        try:
            return expect(parse(line, place), dict, place)
        except DataError:
            if how := _unspread(rest):
                raise DataError(
                    f"{place}: write one conversation per line, each on one line of its own, as "
                    f"{how} {self.path} prints them"
                ) from None
            raise


def _unspread(lines: Sequence[bytes]) -> str:
    """Return what brings JSON that is spread over lines into one each; "" where none is."""
    text = b"\n".join(lines).decode(errors="replace").lstrip()
    try:
        value, end = json.JSONDecoder().raw_decode(text)
        spread = bool(value) if isinstance(value, list) else "\n" in text[:end]
    except (ValueError, RecursionError):
        spread = text.partition("\n")[0].strip() in ("{", "[", "[{")
    return ("jq -c '.[]'" if text.startswith("[") else "jq -c .") if spread else ""


@dataclass(slots=True)
class _Reader:
    """Reads one line, counting what it had to mend."""

    conversation: str
    place: str
    faults: Counter[str] = field(default_factory=Counter)

    def read(self, record: dict[str, Any], most: int | None) -> Conversation:
        messages = self._messages(must(record, "conversation", list, self.place))
        if "questions" in record:
            entries = [
                (f"{self.place}.questions[{index}]", entry)
                for index, entry in enumerate(must(record, "questions", list, self.place))
            ]
        else:
            entries = [(self.place, record)] if "question" in record else []
        questions = tuple(
            self._question(index, expect(entry, dict, place), messages, place)
            for index, (place, entry) in enumerate(entries[:most])
        )
        return Conversation(
            self.conversation, messages, questions, dict(sorted((+self.faults).items()))
        )

    def _messages(self, turns: list[Any]) -> tuple[Message, ...]:
        made: list[Message] = []
        ids: set[str] = set()
        before: datetime | None = None
        session, number = 1, 0
        for position, turn in enumerate(turns):
            place = f"{self.place}.conversation[{position}]"
            said_at = self._said_at(expect(turn, dict, place), place)
            if before and said_at:
                self.faults["timestamp earlier than the one before"] += said_at < before
                if before.astimezone(said_at.tzinfo).date() != said_at.date():
                    session, number = session + 1, 0
            before = said_at or before
            number += 1
            name = identifier({"id": f"D{session}:{number}"} | turn, "id", place)
            if name in ids:
                raise DataError(f"{place}.id: {name!r} is there twice; ids must differ")
            ids.add(name)
            made.append(self._message(name, f"D{session}", position, said_at, turn))
        return tuple(made)

    def _message(
        self, name: str, session: str, position: int, said_at: datetime | None, turn: dict[str, Any]
    ) -> Message:
        place = f"{self.place}.conversation[{position}]"
        speaker = clean(must(turn, "speaker", str, place))
        if not speaker:
            raise DataError(f"{place}.speaker: is empty; every turn needs a speaker's name")
        text, caption = must(turn, "text", str, place), ""
        if image := _IMAGE.fullmatch(text):
            caption, text = image.groups()
        self.faults["empty text"] += not (clean(text) or clean(caption))
        return Message(
            name,
            self.conversation,
            session,
            position,
            speaker,
            clean(text),
            said_at,
            clean(caption),
        )

    def _said_at(self, turn: dict[str, Any], place: str) -> datetime | None:
        said_at = self._instant(turn.get("timestamp"), f"{place}.timestamp")
        self.faults["turn without a timestamp"] += said_at is None
        return said_at

    def _instant(self, stamp: Any, place: str) -> datetime | None:
        """Read a stamp, as UTC when it has no offset; nothing is no time."""
        if stamp is None or stamp == "":
            return None
        text = expect(stamp, str, place)
        try:
            instant = parse_instant(text)
            self.faults[NO_OFFSET] += instant != parse_instant(text, _ELSEWHERE)
        except TimeError as error:
            raise TimeError(f"{place}: {error}") from None
        return instant

    def _question(
        self, index: int, entry: dict[str, Any], messages: tuple[Message, ...], place: str
    ) -> Question:
        asked_at = self._instant(entry.get("question_time"), f"{place}.question_time")
        last = max((m.said_at for m in messages if m.said_at), default=None)
        text = clean(must(entry, "question", str, place))
        gold = self._gold(entry, place)
        refusal = gold.casefold().startswith("not mentioned")
        category = must({"category": 5 if refusal else 4} | entry, "category", int, place)
        if category not in CATEGORIES:
            raise DataError(f"{place}.category: {category} is none of {sorted(CATEGORIES)}")
        return Question(
            id=f"{self.conversation}:{index}",
            query=Query(text, asked_at or last, self.conversation),
            gold=gold,
            category=category,
            evidence=_evidence(entry.get("evidence"), messages, f"{place}.evidence"),
            unanswerable=category == 5,
        )

    def _gold(self, entry: dict[str, Any], place: str) -> str:
        answer = entry.get("expected")
        if isinstance(answer, int | float) and not isinstance(answer, bool):
            return str(answer)
        return NOT_MENTIONED if answer is None else clean(expect(answer, str, f"{place}.expected"))


def _evidence(named: Any, messages: tuple[Message, ...], place: str) -> tuple[str, ...]:
    """Return the message ids of turns named by place or id, each once; null names none."""
    by_name: dict[int | str, str] = {m.position: m.id for m in messages}
    by_name |= {m.id: m.id for m in messages}
    ids: dict[str, None] = {}
    for index, name in enumerate([] if named is None else expect(named, list, place)):
        if type(name) not in (int, str) or name not in by_name:
            raise DataError(f"{place}[{index}]: {name!r} is no turn of {len(messages)}")
        ids[by_name[name]] = None
    return tuple(ids)
