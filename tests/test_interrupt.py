"""Interrupt: Ctrl-C at any moment ends a command in one line."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from clew.interrupt import TOLD, ends_at_once

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT / "platform")}
WAIT = "import signal, time; from clew.interrupt import ends_at_once\n"


def interrupted(words: list[str], sign: str) -> tuple[int, bytes]:
    """Start a process, send it Ctrl-C when it has said this, and return how it ended."""
    process = subprocess.Popen(
        [sys.executable, *words], stderr=subprocess.PIPE, cwd=ROOT, env=ENVIRONMENT
    )
    assert process.stderr is not None
    for line in process.stderr:
        if sign.encode() in line:
            process.send_signal(signal.SIGINT)
            break
    _, said = process.communicate(timeout=60)
    return process.returncode, said


@pytest.mark.parametrize(
    ("words", "sign"),
    [(["experiments/run.py", "dataset=tiny"], "omegaconf"), (["-m", "clew", "doctor"], "click")],
    ids=["run", "clew"],
)
def test_in_the_middle_of_imports_nothing_but_a_line_is_said(words: list[str], sign: str) -> None:
    code, said = interrupted(["-X", "importtime", *words], sign)
    assert code == 130
    assert said.splitlines()[-1] == TOLD.strip()
    assert b"Traceback" not in said


def test_once_everything_is_imported_it_is_an_exception_again() -> None:
    script = WAIT + (
        "with ends_at_once(): pass\n"
        "import sys\n"
        "try: print('now', file=sys.stderr, flush=True); time.sleep(30)\n"
        "except KeyboardInterrupt: sys.exit(7)"
    )
    assert interrupted(["-c", script], "now") == (7, b"")


def test_a_signal_that_somebody_else_handles_or_ignores_stays_theirs() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with ends_at_once():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
