"""A job's process: it runs a script, and ends when whoever started it has ended.

    python -m clew.sweeps.child experiments/run.py system=bm25

Its standard input is a pipe that nothing is written into. The system closes it when the other
process ends, however it ends, and then this one and all that it started are told to stop.
"""

import faulthandler
import os
import runpy
import signal
import sys
import threading
import time

GRACE = 20  # seconds to write down what was done


def main() -> None:
    """Run the script that the command line names, as Python would."""
    faulthandler.enable()  # a crash in a library leaves a traceback too
    threading.Thread(target=end_with_starter, daemon=True).start()
    del sys.argv[0]
    runpy.run_path(sys.argv[0], run_name="__main__")


def end_with_starter() -> None:
    """Wait until the process at the other end of standard input is gone, and end as well."""
    while os.read(0, 1):
        pass
    group = os.getpgrp()
    os.killpg(group, signal.SIGTERM)
    time.sleep(GRACE)
    os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main()
