"""The child of `llm=local`: llama.cpp's server, for as long as the process that started it.

It is told its settings as its argument, says where it listens in one line of JSON, and ends
when its standard input does, which it does however its parent ends.
"""

import json
import os
import sys
from collections.abc import Mapping
from threading import Thread
from typing import Any


def main(settings: Mapping[str, Any]) -> None:
    """Serve a model until standard input ends."""
    over = Thread(target=_end_with_parent)
    over.start()
    from xllamacpp import CommonParams, Server

    params = CommonParams()
    params.model.path = params.model_alias = settings["path"]
    params.hostnames, params.port, params.offline = ["127.0.0.1"], 0, True
    params.n_parallel = settings["slots"]
    params.n_ctx = settings["context"] * settings["slots"]
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings["threads"]
    params.ui = params.endpoint_slots = False
    server = Server(params)
    print(json.dumps({"url": f"{server.listening_address}/v1"}), flush=True)
    over.join()


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
