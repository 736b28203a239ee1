"""Prompts: their parts and hashes, and that nothing in them is taken from LoCoMo."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.datasets.locomo import find_locomo
from clew.errors import DataError
from clew.prompts import FOLDER, load

ROOT = Path(__file__).resolve().parents[1]
NAMES = sorted(path.stem for path in FOLDER.glob("*.md"))
RUN = 4  # words in a row that a text may not share with the data, however common they are
FORMS = {"likely yes", "likely no", "not mentioned"}  # how the paper has such answers begin
MIDDLE = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+(?: [A-Z][a-z]+)*")  # a name, within a sentence
DAYS = frozenset(
    """January February March April May June July August September October November December
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday""".split()
)


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+(?:'[a-z]+)?", text.lower().replace("\u2019", "'"))


def runs(text: str) -> set[tuple[str, ...]]:
    found = words(text)
    return {tuple(found[n : n + RUN]) for n in range(len(found) - RUN + 1)}


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def names(text: str) -> set[str]:
    found = {part for name in MIDDLE.findall(text) for part in (name, *name.split())}
    return {name for name in found if name not in DAYS}


def answers(data: Any) -> set[str]:
    """Return the gold answers of two words and more."""
    found = {str(qa.get(k, "")) for talk in data for qa in talk["qa"] for k in qa if "answer" in k}
    return {" ".join(words(each)) for each in found if len(words(each)) > 1}


class Data:
    """What a text may not hold."""

    def __init__(self, data: Any) -> None:
        theirs = list(texts(data))
        self.runs = {run for text in theirs for run in runs(text)}
        self.names = {name for text in theirs for name in names(text)}
        self.answers = answers(data) - FORMS
        self.longest = max(theirs, key=len)


def leaks(prompt: str, data: Data) -> list[str]:
    """Return what a prompt shares with the data: a run of words, a whole answer, or a name."""
    plain = f" {' '.join(words(prompt))} "
    return [
        *sorted(" ".join(run) for run in runs(prompt) & data.runs),
        *sorted(each for each in data.answers if f" {each} " in plain),
        *sorted(names(prompt) & data.names),
    ]


@pytest.fixture(scope="module")
def locomo() -> Data:
    try:
        path = find_locomo("", {}, ROOT)
    except DataError:
        pytest.skip("LoCoMo is not on this machine")
    return Data(json.loads(Path(path).read_text("utf-8")))


@pytest.mark.parametrize("name", NAMES)
def test_no_prompt_shares_four_words_an_answer_or_a_name_with_locomo(
    name: str, locomo: Data
) -> None:
    assert leaks((FOLDER / f"{name}.md").read_text("utf-8"), locomo) == []


@pytest.mark.parametrize(
    ("prompt", "leak"),
    [
        ("Do not ask whether Odo lit the old lamp.", "odo lit the old"),
        ("Write a copper kettle where it is one.", "copper kettle"),
        ("As in: there came Odo with it.", "Odo"),
    ],
)
def test_a_leak_would_be_found(prompt: str, leak: str) -> None:
    talk = {"turn": "and then Odo lit the old lamp", "qa": [{"answer": "Copper kettle"}]}
    assert leak in leaks(prompt, Data([talk]))


def test_a_leak_is_found_in_the_data_themselves(locomo: Data) -> None:
    assert leaks(f"Keep it as in: {locomo.longest}", locomo)


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_has_parts_and_a_hash_of_all_of_it(name: str) -> None:
    prompt = load(name)
    assert prompt["system"]
    assert all(part and not part.startswith("#") for part in prompt.parts.values())
    assert len(prompt.hash) == 64
    assert len({load(each).hash for each in NAMES}) == len(NAMES)


def test_the_example_of_the_extractor_is_json_of_the_asked_form() -> None:
    from clew.stages.notes import Notes

    text = load("ariadne_extract")["system"]
    shown = text[text.index('{"units"') : text.rindex("Answer with")]
    assert len(Notes.model_validate_json(shown).units) == 3
