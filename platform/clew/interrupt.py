"""Interrupt: Ctrl-C ends a command in one line, from its first moment on.

Importing what a command needs takes seconds, in which Python would answer Ctrl-C with a
traceback through whatever it was importing. Nothing is open then, so the process may just end.
"""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130
TOLD = b"clew: interrupted before anything was begun\n"


@contextmanager
def ends_at_once() -> Iterator[None]:
    """End the process with one line when Ctrl-C comes while something is imported."""
    before = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or before is not signal.default_int_handler:  # ignored, or somebody else's
        yield
        return
    signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end(number: int, frame: FrameType | None) -> None:
    os.write(2, TOLD)
    os._exit(INTERRUPTED)
