"""The loop: remember each conversation, ask its questions, score, and write it all down.

Whatever is on disk is not done again: a run that was killed goes on with the same command.
"""

import fcntl
import gc
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from clew.datasets import Dataset
from clew.errors import (
    LlmMissing,
    LlmRefused,
    LlmSpent,
    LlmUnavailable,
    RunError,
    StoreBusy,
    StoreMissing,
)
from clew.evaluate.building import Building
from clew.evaluate.evidence import evidence_graph
from clew.evaluate.journal import Journal, Record
from clew.evaluate.judged import read_judged, with_judge, with_verdicts
from clew.evaluate.manifest import Manifest, Settings, write_json
from clew.evaluate.metrics import score, zero_scores
from clew.evaluate.summary import Summary, promised_effects, summarise
from clew.memory import Memory
from clew.model import Answer, Conversation, Question
from clew.models.llm import SPENT
from clew.systems.base import MemorySystem
from clew.text import count_tokens
from clew.trace import Trace, recording

STOPS = (LlmRefused, LlmUnavailable, LlmMissing, LlmSpent)  # the next question would fare no better

_log = logging.getLogger(__name__)


def run(
    system: MemorySystem,
    dataset: Dataset,
    new_memory: Callable[[str], Memory],
    folder: Path,
    settings: Settings,
) -> Summary:
    """Evaluate `system`, skipping what the run's folder already holds.

    Raises:
        StoreBusy: another process works on this run.
        RunError: the folder holds a run of other settings, or cannot be written.
        StoreMissing: a memory was built, and holds nothing any more.
        LlmError: a language model cannot be asked at all; the same command goes on.
        KeyboardInterrupt: the process was told to stop; the same command goes on.
    """
    count_tokens("")  # loads its table now, or the first search would be timed with it
    with _opened(folder, settings, dataset) as files, _progress() as tell:
        for conversation in dataset:
            if files.finished(conversation):
                continue
            with closing(new_memory(conversation.id)) as memory:
                tell(f"{conversation.id}: remembering {len(conversation.messages)} messages")
                files.remember(system, conversation, memory)
                with settled():
                    for question in conversation.questions:
                        if question.id not in files.journal:
                            tell(f"{conversation.id}: asking {question.id}")
                            files.journal.append(ask(system, question, memory, settings.budgets))
        summary = files.summarise(system, settings, dataset.name)
        files.outcome = "failed" if summary.exit_code else "done"
    return summary


def ask(
    system: MemorySystem, question: Question, memory: Memory, budgets: tuple[int, ...]
) -> Record:
    """Ask one question and score the answer; an error is its result, not the run's end.

    Only a language model that cannot be asked at all ends it: no question is used up by that.
    """
    record, trace = _unanswered(question), Trace()
    try:
        with recording() as trace:
            answer, seconds = _timed_answer(system, question, memory)
        packed = {budget: system.context(answer.graph, memory, budget) for budget in budgets}
        record = _answered(record, answer, score(question, answer, packed), seconds)
    except STOPS:
        raise
    except Exception as error:
        _log.warning("%s failed", question.id, exc_info=True)
        record = replace(
            record,
            status="failed",
            error=f"{type(error).__name__}: {error}",
            scores=zero_scores(question, budgets),
        )
    counts = dict(sorted(trace.counts.items()))
    return replace(
        record,
        llm={name: counts.pop(f"llm.{name}", 0) for name in SPENT},
        effects={name: n for name, n in counts.items() if not name.startswith("llm.")},
    )


def _timed_answer(
    system: MemorySystem, question: Question, memory: Memory
) -> tuple[Answer, dict[str, float]]:
    """Return the answer, and seconds by stage; `search` is all up to the context."""
    start = time.perf_counter()
    with recording() as searching:
        graph = system.gather(question.query, memory)
        context = system.context(graph, memory)
    found = time.perf_counter()
    with recording() as reading:
        answer = system.reply(question.query, graph, context, memory)
    seconds = {"search": found - start, "answer": time.perf_counter() - found}
    seconds["search_embed"] = searching.seconds.pop("embed", 0.0)
    for stages in (searching.seconds, reading.seconds):
        for name, took in stages.items():
            seconds[name] = seconds.get(name, 0.0) + took
    return replace(answer, graph=graph, context=context), seconds


def _unanswered(question: Question) -> Record:
    asked_at = question.query.asked_at
    return Record(
        question=question.id,
        conversation=question.query.conversation,
        category=question.category,
        query=question.query.text,
        asked_at=asked_at.isoformat() if asked_at else None,
        gold=str(question.gold),
        evidence=question.evidence,
    )


def _answered(
    record: Record, answer: Answer, scores: Mapping[str, float], seconds: Mapping[str, float]
) -> Record:
    return replace(
        record,
        answer=answer.text,
        abstained=answer.abstained,
        retrieved=tuple(node.unit.id for node in answer.graph.nodes),
        messages=answer.context.messages,
        context=answer.context.text,
        context_tokens=answer.context.tokens,
        scores=scores,
        seconds={name: round(took, 7) for name, took in sorted(seconds.items())},
        graph=evidence_graph(answer.graph, answer.context),
    )


@dataclass(slots=True)
class _Files:
    """The open files of a run."""

    folder: Path
    journal: Journal
    building: Building
    outcome: Any = "failed"

    def finished(self, conversation: Conversation) -> bool:
        """Tell whether a conversation is remembered and all its questions are answered."""
        asked = all(question.id in self.journal for question in conversation.questions)
        return asked and conversation.id in self.building

    def remember(self, system: MemorySystem, conversation: Conversation, memory: Memory) -> None:
        """Build a memory, or what is left to build of it.

        Raises:
            StoreMissing: questions were answered from it, and it is empty now.
        """
        asked = sum(question.id in self.journal for question in conversation.questions)
        if asked and conversation.messages and not memory.graph.processed():
            raise StoreMissing(
                f"The memory of {conversation.id} is gone: {asked} questions were answered from "
                f"it, and it is empty. Put its files back into {self.folder}, or build it again "
                f"with overwrite=true."
            )
        self.building.remember(system, conversation, memory)

    def summarise(self, system: MemorySystem, settings: Settings, dataset: str) -> Summary:
        """Write `summary.json`, and say what makes it doubtful."""
        judged = read_judged(self.folder)
        figures = summarise(
            with_verdicts(list(self.journal), judged),
            list(self.building.built.values()),
            self.building.times(),
            promised_effects(system),
        )
        names = {"system": settings.system, "ablation": settings.ablation, "dataset": dataset}
        summary = Summary(self.folder, names | with_judge(figures, judged))
        write_json(self.folder / "summary.json", summary.content)
        for warning in summary.warnings:
            _log.warning("%s: %s", settings.name, warning)
        return summary


@contextmanager
def settled() -> Iterator[None]:
    """Have the garbage collector pass over all that was made up to now: it stays anyway.

    Searches that had it go through a whole memory in their middle were the slowest.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def _opened(folder: Path, settings: Settings, dataset: Dataset) -> Iterator[_Files]:
    """Hold the run's folder alone; whatever happens inside, its manifest tells."""
    with ExitStack() as stack:
        stack.enter_context(alone(folder))
        stack.enter_context(_stoppable())
        manifest = Manifest(folder, settings, dataset)
        try:
            journal = stack.enter_context(closing(Journal(folder / "journal.jsonl")))
            building = stack.enter_context(closing(Building(folder)))
            yield (files := _Files(folder, journal, building))
        except KeyboardInterrupt:
            manifest.finish("stopped")
            raise
        except LlmSpent as error:
            manifest.finish("stopped", str(error))
            raise
        except Exception as error:
            manifest.finish("failed", f"{type(error).__name__}: {error}")
            raise
        manifest.finish(files.outcome)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep other processes out of a run's folder; the lock ends with the process."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise RunError(
            f"{folder} cannot be written ({error.strerror}): set runs= to another folder"
        ) from error
    try:
        _lock(lock, folder)
        yield
    finally:
        os.close(lock)


def _lock(lock: int, folder: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StoreBusy(
            f"Another process works on {folder}: wait for it, or start with another name="
        ) from None


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let SIGTERM stop a run as Ctrl-C does, so that the manifest is right."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """Show people at a terminal where a run is; say nothing into files and pipes."""
    console = Console(file=sys.stderr)
    if not console.is_terminal:
        yield _log.debug
        return
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("starting", total=None)
        yield lambda text: bar.update(task, description=text)
