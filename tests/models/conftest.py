"""Servers that fail, and models that ask them."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for fault_server, beside the tests

from fault_server import FaultServer

from clew.models.openai import OpenAi

Make = Callable[..., OpenAi]


@pytest.fixture
def server() -> Iterator[FaultServer]:
    """Return a server that answers as a test tells it."""
    server = FaultServer()
    yield server
    server.close()


@pytest.fixture
def openai_at(server: FaultServer) -> Iterator[Make]:
    """Return what makes models that ask the server, which are closed in the end."""
    made: list[OpenAi] = []

    def make(**settings: Any) -> OpenAi:
        calm = {"timeout": 30, "patience": 60, "cache": None, "concurrency": 4}
        made.append(OpenAi(**{"model": "m", "base_url": server.base_url, **calm, **settings}))
        return made[-1]

    yield make
    for each in made:
        each.close()
