"""How a memory is built, timed message by message, and what the ledger says of it.

`add.jsonl` holds a line per burst of work: seconds, and how many messages they were for.
`ledger.jsonl` holds every conversation's decisions once it is remembered, closed by a
line with its counts; without that line the conversation is remembered again, which
costs only what is not yet in its memory.
"""

import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from clew.errors import LlmError, LlmSpent, StoreMissing
from clew.evaluate.journal import Lines, read_lines
from clew.evaluate.shapes import Burst, shaped
from clew.memory import Memory
from clew.model import Conversation, Message
from clew.stores.graph import Entry
from clew.systems.base import MemorySystem
from clew.trace import Trace, recording

LOOKAHEAD = 20e-6  # seconds between pulls below which a system only reads on, and does no work

_EFFECTS = {  # by what the ledger calls the decision
    "ADD": "write.added",
    "MERGE": "write.merged",
    "SUPERSEDE": "write.linked",
    "ABSTRACT": "abstract.made",
    "ARCHIVE": "abstract.archived",
    "RELATE": "write.related",
    "DROP": "gate.dropped",
    "INGEST": "windows.ingested",
}


@dataclass(slots=True)
class Watch:
    """Times the work on a stream of messages from one pull to the next.

    A system may pull many messages before it works on them; what it then takes is shared
    evenly among all it had pulled.
    """

    conversation: str
    trace: Trace
    out: Lines
    _pulled: int = field(default=0, init=False)
    _since: float = field(default=0.0, init=False)
    _seen: Counter[str] = field(default_factory=Counter, init=False)
    _embedded: float = field(default=0.0, init=False)

    def over(self, messages: Iterable[Message]) -> Iterator[Message]:
        """Pass the messages on, noting what happens until the next is asked for."""
        for message in messages:
            self._pulled += 1
            self._since = time.perf_counter()
            yield message
            self._worked()
        self._since = time.perf_counter()

    def finish(self) -> None:
        """Note the work after the last message."""
        if self._since:
            self._worked()

    def stop(self) -> None:
        """Note what was paid for, where the work came to nothing."""
        if self._spent():
            self._note(0, 0.0)

    def _worked(self) -> None:
        took = time.perf_counter() - self._since
        if took >= LOOKAHEAD:
            self._note(self._pulled, took)

    def _note(self, messages: int, took: float) -> None:
        embedded = self.trace.seconds.get("embed", 0.0)
        row = {
            "conversation": self.conversation,
            "messages": messages,
            "seconds": round(took, 7),
            "embed": round(min(embedded - self._embedded, took), 7),
        }
        if spent := self._spent():
            row["llm"] = {k.removeprefix("llm."): v for k, v in sorted(spent.items())}
        self.out.append([row], sync=False)
        self._pulled, self._embedded = 0, embedded
        self._seen.update(spent)

    def _spent(self) -> Counter[str]:
        """Return what a language model took since the last note."""
        counts = {k: v for k, v in self.trace.counts.items() if k.startswith("llm.")}
        return Counter(counts) - self._seen


@dataclass(frozen=True, slots=True)
class Built:
    """What the memory of a conversation came to: the closing line of its part of the ledger.

    `lost` are messages in no memory: their window failed, or they were never taken up.
    """

    conversation: str
    messages: int
    units: int
    lost: int
    outcomes: Mapping[str, int]
    effects: Mapping[str, int]


class Building:
    """The two files about building, of a run folder."""

    def __init__(self, folder: Path) -> None:
        self._times = Lines(folder / "add.jsonl")
        self._ledger = Lines(folder / "ledger.jsonl")
        whole = max((i for i, row in enumerate(self._ledger.rows, 1) if "closed" in row), default=0)
        self._ledger.keep(whole)
        self.built = _closed(self._ledger.path, self._ledger.rows)
        self._ledger.rows.clear()
        self.times()  # what cannot be read is told now, not after hours of work

    def __contains__(self, conversation: str) -> bool:
        return conversation in self.built

    def remember(self, system: MemorySystem, conversation: Conversation, memory: Memory) -> None:
        """Feed the system what is not yet in the memory, then write down the ledger.

        Raises:
            StoreMissing: the memory was built, and is empty now.
        """
        known, built = memory.graph.processed(), self.built.get(conversation.id)
        check_kept(built, known)
        rest = [message for message in conversation.messages if message.id not in known]
        if built and len(rest) <= built.lost:
            return
        with recording() as trace:
            watch = Watch(conversation.id, trace, self._times)
            try:
                system.remember(watch.over(rest), memory)
            except LlmError as error:
                if isinstance(error, LlmSpent):
                    memory.settle()  # what is on its way is paid for: let the cache have it
                watch.stop()
                raise
            memory.settle()
            watch.finish()
        if not built:
            self._close_part(conversation, memory)

    def times(self) -> list[Burst]:
        """Return every burst of work, also those of earlier starts of the run."""
        return read_bursts(self._times.path.parent)

    def close(self) -> None:
        """Let go of both files."""
        self._times.close()
        self._ledger.close()

    def _close_part(self, conversation: Conversation, memory: Memory) -> None:
        rows = [_row(conversation.id, entry) for entry in memory.graph.ledger()]
        built = _counted(conversation, memory, rows)
        self._ledger.append([*rows, {"closed": True, **asdict(built)}])
        self.built[conversation.id] = built


def read_bursts(folder: Path) -> list[Burst]:
    """Return what `add.jsonl` of a run holds, leaving it as it is."""
    path = folder / "add.jsonl"
    return [shaped(Burst, row, path, line) for line, row in enumerate(read_lines(path), 1)]


def read_built(folder: Path) -> dict[str, Built]:
    """Return by conversation what the memories of a run came to, leaving its files as they are."""
    path = folder / "ledger.jsonl"
    return _closed(path, read_lines(path)) if path.is_file() else {}


def check_kept(built: Built | None, known: Collection[str]) -> None:
    """Make sure that a memory that was built still holds messages (`known`).

    Raises:
        StoreMissing: it is empty; whatever it would be asked, it would know nothing.
    """
    if built and built.messages > built.lost and not known:
        raise StoreMissing(
            f"The memory of {built.conversation} is gone: the ledger tells of {built.messages} "
            f"messages in it, and it holds none. Put its files back, or build it again with "
            f"overwrite=true."
        )


def _row(conversation: str, entry: Entry) -> dict[str, Any]:
    row = {"conversation": conversation, **asdict(entry)}
    if entry.op == "INGEST":
        row["outcome"], _, row["reason"] = (part.strip() for part in entry.reason.partition(":"))
    return row


def _counted(conversation: Conversation, memory: Memory, rows: list[dict[str, Any]]) -> Built:
    known = memory.graph.processed()
    ops = Counter(_EFFECTS[row["op"]] for row in rows if row["op"] in _EFFECTS)
    for row in rows:
        if row["op"] == "INGEST":  # what had to be mended of the window
            mended = {name: int(n) for name, n in row["scores"].items() if name != "units"}
            ops.update({k if "." in k else f"extract.{k}": n for k, n in mended.items()})
    return Built(
        conversation=conversation.id,
        messages=len(conversation.messages),
        units=sum(1 for _ in memory.graph.units()),
        lost=sum(message.id not in known for message in conversation.messages),
        outcomes=dict(Counter(row["outcome"] for row in rows if row["op"] == "INGEST")),
        effects=dict(ops),
    )


def _closed(path: Path, rows: Sequence[Mapping[str, Any]]) -> dict[str, Built]:
    found = [shaped(Built, row, path, n) for n, row in enumerate(rows, 1) if row.get("closed")]
    return {built.conversation: built for built in found}
