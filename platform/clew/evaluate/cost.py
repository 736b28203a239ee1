"""Cost: what a run takes of a language model, split by ingest, query and judge.

Before a run, its own pipeline is gone through with a model whose replies cost nothing: prompts
are those of the run, word for word, but for what earlier replies would have put into them.
Afterwards the run's files tell.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.errors import RunError
from clew.evaluate.building import read_bursts
from clew.evaluate.journal import read_records
from clew.evaluate.judge import Judge
from clew.evaluate.judged import read_judged
from clew.evaluate.run import ask
from clew.evaluate.stats import ANSWERABLE
from clew.memory import Memory
from clew.model import Conversation
from clew.models.llm import SPENT, Llm, Usage
from clew.systems.base import MemorySystem
from clew.trace import recording

Costs = Mapping[str, Usage]  # by part of a run: ingest, query, judge


@dataclass(frozen=True, slots=True)
class Size:
    """How much each part of a run has to do: messages, questions, and those that are judged."""

    ingest: int
    query: int
    judge: int

    @classmethod
    def of(cls, conversations: Iterable[Conversation]) -> "Size":
        """Return how much these conversations are."""
        talks = list(conversations)
        questions = [question for talk in talks for question in talk.questions]
        judged = sum(question.category in ANSWERABLE for question in questions)
        return cls(sum(len(talk.messages) for talk in talks), len(questions), judged)


def usage_of(counts: Mapping[str, int], prefix: str = "") -> Usage:
    """Return counts by name as what replies took."""
    return Usage(**{name: counts.get(f"{prefix}{name}", 0) for name in SPENT})


def total(usages: Iterable[Usage]) -> Usage:
    """Return what several took together."""
    return sum(usages, Usage())


def paid(folder: Path) -> Costs:
    """Return what the files of a run say that it took; nothing where there are none."""
    bursts = read_bursts(folder) if (folder / "add.jsonl").is_file() else []
    journal = folder / "journal.jsonl"
    records = read_records(journal) if journal.is_file() else []
    return {
        "ingest": total(usage_of(burst.get("llm", {})) for burst in bursts),
        "query": total(usage_of(record.llm) for record in records),
        "judge": total(usage_of(judged.llm) for judged in read_judged(folder)),
    }


def rehearsed(
    system: MemorySystem, conversation: Conversation, memory: Memory, llm: Llm, judge: Judge | None
) -> Costs:
    """Return what a conversation takes of a model, having remembered and asked it all.

    Raises:
        RunError: a question failed, so nobody knows what it would have taken.
    """
    with recording() as trace:
        system.remember(conversation.messages, memory)
        memory.settle()
    records = [ask(system, question, memory, ()) for question in conversation.questions]
    for record in records:
        if record.status == "failed":
            raise RunError(f"{record.question} cannot be tried out here: {record.error}")
    wanted = [record for record in records if judge and record.category in ANSWERABLE]
    return {
        "ingest": usage_of(trace.counts, "llm."),
        "query": total(usage_of(record.llm) for record in records),
        "judge": total(usage_of(judge(record, llm).llm) for record in wanted if judge),
    }


def sampled(conversations: Sequence[Conversation], most: int) -> Sequence[Conversation]:
    """Return at most so many conversations, from all over the data."""
    step = max(1, -(-len(conversations) // most))
    return conversations[::step]


def scaled(costs: Iterable[Costs], seen: Size, whole: Size) -> Costs:
    """Return what all takes, if it is like the part that was seen."""
    parts = list(costs)
    found = {}
    for part in ("ingest", "query", "judge"):
        share = getattr(whole, part) / max(1, getattr(seen, part))
        counts = total(each[part] for each in parts)
        found[part] = Usage(**{name: round(getattr(counts, name) * share) for name in SPENT})
    return found
