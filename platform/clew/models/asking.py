"""Asking: a model becomes an Llm, with a few threads of its own and its usage counted.

Threads are daemons: a server that hangs holds up neither Ctrl-C nor the end of a run.
"""

from collections.abc import Iterable
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread

from clew.errors import LlmError, LlmUnavailable
from clew.models.llm import FAILED, RETRIES, SPAN, Ask, Model, Pending, Reply, Usage
from clew.trace import count, span

Job = tuple[Ask, "Future[Reply]"]


class Asking:
    """An Llm over a `Model`: at most `concurrency` asks are with the model at a time."""

    def __init__(self, model: Model, concurrency: int = 1) -> None:
        self._model, self.concurrency = model, concurrency
        self._waiting: SimpleQueue[Job | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._idle = 0
        self._lock = Lock()
        self._spent = Usage()
        self._closed = False

    @property
    def name(self) -> str:
        """The name of the model that is asked."""
        return self._model.name

    @property
    def spent(self) -> Usage:
        """The usage of all replies up to now, also of those that nobody collected."""
        return self._spent

    def __call__(self, ask: Ask) -> Reply:
        """Ask, and wait for the reply."""
        return self.begin(ask).result()

    def many(self, asks: Iterable[Ask]) -> list[Reply]:
        """Ask all of these, several at once; after an error the rest is not sent."""
        begun = [self.begin(ask) for ask in asks]
        try:
            return [pending.result() for pending in begun]
        except BaseException:
            for pending in begun:
                pending.cancel()
            raise

    def begin(self, ask: Ask) -> Pending:
        """Ask, and return at once."""
        future: Future[Reply] = Future()
        with self._lock:
            if self._closed:
                raise LlmUnavailable(f"{self.name} was closed: open the run again.")
            self._waiting.put((ask, future))
            if len(self._threads) < self.concurrency and self._waiting.qsize() > self._idle:
                self._threads.append(Thread(target=self._work, daemon=True, name="llm"))
                self._threads[-1].start()
        return Begun(future)

    def check(self) -> None:
        """Find nothing wrong: a model that needs a key or a file says so in a class of its own."""

    def close(self) -> None:
        """Give up what is on its way; closing twice is closing once."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        with suppress(Empty):
            while job := self._waiting.get_nowait():
                job[1].cancel()
        for _ in self._threads:
            self._waiting.put(None)
        self._model.close()

    def _work(self) -> None:
        while True:
            with self._lock:
                self._idle += 1
            job = self._waiting.get()
            with self._lock:
                self._idle -= 1
            if job is None:
                return
            self._answer(*job)

    def _answer(self, ask: Ask, future: "Future[Reply]") -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            reply = self._model(ask)
        except BaseException as error:
            self._add(Usage(retries=getattr(error, "retries", 0)))
            future.set_exception(error)
        else:
            self._add(reply.usage)
            future.set_result(reply)

    def _add(self, usage: Usage) -> None:
        with self._lock:
            self._spent += usage


class Begun:
    """A reply that a thread is getting."""

    def __init__(self, future: "Future[Reply]") -> None:
        self._future = future
        self._counted = False

    def result(self) -> Reply:
        """Wait for the reply, and count its usage the first time."""
        first, self._counted = not self._counted, True
        try:
            with span(SPAN):
                reply = self._future.result()
        except CancelledError:
            raise LlmUnavailable("An ask was given up before it was answered.") from None
        except LlmError as error:
            if first:
                count(RETRIES, error.retries)
                count(FAILED)
            raise
        if first:
            reply.usage.note()
        return reply

    def cancel(self) -> None:
        """Give it up; what has not been sent yet never is."""
        self._future.cancel()
