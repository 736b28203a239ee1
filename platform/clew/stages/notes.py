"""Notes: the shape of what a model takes down from a window, read leniently, and held to it.

Models write null for nothing, a word for a list of one, and a number for an id. That is
understood; a note without a sentence is not, and the model is told.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Protocol, TypeVar

from pydantic import BaseModel, BeforeValidator, Field, model_validator

from clew.model import Message

_NOTHING = frozenset({"null", "none", "n/a", "unknown", "-"})
_APART = re.compile(r"\s*[,;]\s*")
_BRACKETS = " \t\"'[](){}.,;"


def _text(value: Any) -> Any:
    if isinstance(value, list):
        value = ", ".join(str(part) for part in value if isinstance(part, str | int | float))
    if value is None or (isinstance(value, str) and value.strip().casefold() in _NOTHING):
        return ""
    return str(value) if isinstance(value, int | float) else value


def _texts(value: Any) -> Any:
    if isinstance(value, str):
        value = _APART.split(value)
    if value is None:
        return []
    if isinstance(value, list):
        plain = [_text(part) for part in value if not isinstance(part, dict | list)]
        return [part for part in plain if part]
    return value


Text = Annotated[str, BeforeValidator(_text)]
Texts = Annotated[list[str], BeforeValidator(_texts)]


class Lenient(BaseModel):
    """What lacks a field that may be left `blank` has it so."""

    blank: ClassVar[Mapping[str, Any]] = {}

    @model_validator(mode="before")
    @classmethod
    def _completed(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        return {**data, **{n: value for n, value in cls.blank.items() if data.get(n) is None}}


class Cited(Protocol):
    """What a model took down, with the ids of the messages that it gives for it."""

    @property
    def sources(self) -> Sequence[str]:
        """The ids of the messages."""
        ...


class Timed(Protocol):
    """What a model took down, with the words that say when it was, and a date, or ""."""

    @property
    def time(self) -> str: ...

    @property
    def date(self) -> str: ...


Item = TypeVar("Item", bound=Cited)


class Taken(BaseModel):
    """All that a model took down from a window; `empty` tells it that this was nothing."""

    empty: ClassVar[str]

    def items(self) -> Sequence[Any]:
        """Return what is `Cited`, in the order in which it was taken down."""
        raise NotImplementedError


class Attribute(Lenient):
    """What holds of somebody until it changes."""

    blank: ClassVar[Mapping[str, Any]] = {"single": False}

    subject: Text
    property: Text
    value: Text
    single: bool


def objects(value: Any) -> Any:
    """Leave out of a list what is no object, and what is no list: it would cost the whole reply."""
    if isinstance(value, Mapping):
        value = [value]
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


class Statement(Lenient):
    """A sentence that can be understood alone, where it is from, and what it is about."""

    blank: ClassVar[Mapping[str, Any]] = {
        "sources": [], "keywords": [], "persons": [], "entities": [],
        "place": "", "time": "", "date": "",
    }  # fmt: skip

    sentence: Annotated[Text, Field(min_length=1)]
    sources: Texts
    keywords: Texts
    persons: Texts
    entities: Texts
    place: Text
    time: Text
    date: Text


class Note(Statement):
    """One fact that a window tells."""

    blank: ClassVar[Mapping[str, Any]] = {**Statement.blank, "attributes": []}

    attributes: Annotated[list[Attribute], BeforeValidator(objects)]


class Notes(Taken):
    """All that a window tells."""

    empty: ClassVar = "units is empty: write a note for every fact that the messages tell"

    units: list[Note]

    def items(self) -> Sequence[Note]:
        """Return the notes."""
        return self.units

    @model_validator(mode="before")
    @classmethod
    def _named(cls, data: Any) -> Any:
        """Take a bare list, or the only list, for the notes, whatever it is called."""
        if isinstance(data, list):
            return {"units": data}
        if isinstance(data, Mapping) and "units" not in data:
            lists = [value for value in data.values() if _is_notes(value)]
            return {"units": lists[0]} if len(lists) == 1 else data
        return data


def _is_notes(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, Mapping) for each in value)


class Citations:
    """Holds what is cited to the messages of a window; `best` is the reply that does so most.

    With `silent` a reply may hold nothing.
    """

    def __init__(self, window: Sequence[Message], silent: bool = False) -> None:
        self._ids = {message.id.casefold(): message.id for message in window}
        self._silent = silent
        self.best: Taken | None = None

    def sources(self, item: Cited) -> list[str]:
        """Return the ids of the messages that an item cites, each once, invented ones left out."""
        found = (self._ids.get(told.strip(_BRACKETS).casefold()) for told in item.sources)
        return list(dict.fromkeys(id for id in found if id))

    def invented(self, item: Cited) -> list[str]:
        """Return what an item cites that is no message of the window."""
        return [told for told in item.sources if told.strip(_BRACKETS).casefold() not in self._ids]

    def wrong(self, taken: Taken) -> str:
        """Say what is wrong with the citations of a reply, or ""."""
        if self.best is None or self._fit(taken) > self._fit(self.best):
            self.best = taken
        items = taken.items()
        if not items:
            return "" if self._silent else taken.empty
        strange = sorted({id for item in items for id in self.invented(item)})
        bare = sum(not self.sources(item) for item in items)
        if strange:
            told = ", ".join(strange[:5])
            return f"there is no message {told}: cite only {', '.join(self._ids.values())}"
        cite = "cite the messages that each is from"
        return f"{bare} of {len(items)} have no sources: {cite}" if bare else ""

    def _fit(self, taken: Taken) -> int:
        return sum(bool(self.sources(item)) for item in taken.items())
