"""Notes: the shape of what a model takes down from a window, read leniently, and held to it.

Models write null for nothing, a word for a list of one, and a number for an id. That is
understood; a note without a sentence is not, and the model is told.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

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


class _Lenient(BaseModel):
    """What lacks a field that may be empty has it empty."""

    @model_validator(mode="before")
    @classmethod
    def _completed(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        empty = {n: _EMPTY[n] for n in cls.model_fields if n in _EMPTY and data.get(n) is None}
        return {**data, **empty}


_EMPTY: Mapping[str, Any] = {
    "keywords": [], "persons": [], "entities": [], "attributes": [], "sources": [],
    "place": "", "time": "", "date": "", "single": False,
}  # fmt: skip


class Attribute(_Lenient):
    """What holds of somebody until it changes."""

    subject: Text
    property: Text
    value: Text
    single: bool


def _attributes(value: Any) -> Any:
    """Leave out what is no attribute: it would cost the whole reply."""
    if isinstance(value, Mapping):
        value = [value]
    return [each for each in value if isinstance(each, Mapping)] if value else []


class Note(_Lenient):
    """One fact that a window tells."""

    sentence: Annotated[Text, Field(min_length=1)]
    sources: Texts
    keywords: Texts
    persons: Texts
    entities: Texts
    place: Text
    time: Text
    date: Text
    attributes: Annotated[list[Attribute], BeforeValidator(_attributes)]


class Notes(BaseModel):
    """All that a window tells."""

    units: list[Note]

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
    """Holds notes to the messages of their window; `best` is the reply that cites them most."""

    def __init__(self, window: Sequence[Message]) -> None:
        self._ids = {message.id.casefold(): message.id for message in window}
        self.best: Notes | None = None

    def sources(self, note: Note) -> list[str]:
        """Return the ids of the messages that a note cites, each once, invented ones left out."""
        found = (self._ids.get(told.strip(_BRACKETS).casefold()) for told in note.sources)
        return list(dict.fromkeys(id for id in found if id))

    def invented(self, note: Note) -> list[str]:
        """Return what a note cites that is no message of the window."""
        return [told for told in note.sources if told.strip(_BRACKETS).casefold() not in self._ids]

    def wrong(self, notes: Notes) -> str:
        """Say what is wrong with the citations of a reply, or ""."""
        if self.best is None or self._fit(notes) > self._fit(self.best):
            self.best = notes
        if not notes.units:
            return "units is empty: write a note for every fact that the messages tell"
        strange = sorted({id for note in notes.units for id in self.invented(note)})
        bare = sum(not self.sources(note) for note in notes.units)
        if strange:
            told = ", ".join(strange[:5])
            return f"there is no message {told}: cite only {', '.join(self._ids.values())}"
        return f"{bare} notes have no sources: cite the messages they are from" if bare else ""

    def _fit(self, notes: Notes) -> int:
        return sum(bool(self.sources(note)) for note in notes.units)
