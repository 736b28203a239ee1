"""No rule, prompt or word list of ours holds text of LoCoMo: held against the data, where it is."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.datasets.locomo import find_locomo
from clew.errors import DataError

ROOT = Path(__file__).resolve().parents[1]
LONG = 8  # words in a row that are nobody's by chance


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+(?:'[a-z]+)?", text.lower().replace("\u2019", "'"))


def runs(text: str) -> Iterator[tuple[str, ...]]:
    found = words(text)
    return (tuple(found[n : n + LONG]) for n in range(len(found) - LONG + 1))


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def literals() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "platform" / "clew").rglob("*")):
        place = str(path.relative_to(ROOT))
        if path.suffix == ".md":
            yield place, path.read_text("utf-8")
        elif path.suffix == ".py":
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield f"{place}:{node.lineno}", node.value


def leaks(data: Any, ours: Iterator[tuple[str, str]]) -> list[str]:
    theirs = {run for text in texts(data) for run in runs(text)}
    return [
        f"{place}: {' '.join(run)}" for place, text in ours for run in runs(text) if run in theirs
    ]


def test_eight_words_in_a_row_are_found() -> None:
    data = [{"qa": [{"question": "Which lamp did Odo give to the old harbour master?"}]}]
    assert leaks(data, iter([("rules.py:1", "(?:lamp did Odo give to the old harbour)")]))
    assert not leaks(
        data, iter([("rules.py:1", "which lamp did he give to the old harbour master")])
    )


def test_no_text_of_locomo_stands_in_the_code() -> None:
    try:
        path = find_locomo("", {}, ROOT)
    except DataError:
        pytest.skip("LoCoMo is not on this machine")
    assert leaks(json.loads(Path(path).read_text("utf-8")), literals()) == []
