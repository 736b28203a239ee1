"""The child of `llm=local`: llama.cpp's server, for as long as the process that started it.

It is told its settings as its argument, says where it listens in one line of JSON, and ends
when its standard input does, which it does however its parent ends.
"""

import json
import os
import sys
from collections.abc import Mapping
from threading import Thread
from typing import Any, TextIO


def main(settings: Mapping[str, Any]) -> None:
    """Serve a model until standard input ends."""
    over = Thread(target=_end_with_parent)
    over.start()
    told = _apart()
    from xllamacpp import CommonParams, Server

    params = CommonParams()
    params.model.path = params.model_alias = settings["path"]
    params.hostnames, params.port, params.offline = ["127.0.0.1"], 0, True
    params.n_parallel = settings["slots"]
    params.n_ctx = settings["context"] * settings["slots"]
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings["threads"]
    params.ui = params.endpoint_slots = False
    server = Server(params)
    told.write(json.dumps({"url": f"{server.listening_address}/v1"}) + "\n")
    told.flush()
    over.join()


def _apart() -> TextIO:
    """Return standard output, and send to standard error what libraries print by themselves."""
    told = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return told


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
