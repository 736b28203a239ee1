"""Noted: the shape of what a model makes of a chunk, for each kind of abstract memory (Mandol §4).

Events name each other by labels, which hold within one reply; every item names the messages
that bear it out.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, get_args

from pydantic import BeforeValidator, WithJsonSchema

from clew.model import EntityType
from clew.stages.layers.attitudes import Attitude, liking, meant, plain
from clew.stages.notes import Attribute, Lenient, Statement, Taken, Text, Texts, objects


def _kind(value: Any) -> Any:
    """Take a kind of entity that there is not for an unknown one."""
    told = str(value).strip().casefold()
    return told if told in get_args(EntityType) else "unknown"


class Event(Statement):
    """Something that happened or is to happen: `after` and `because` of those with these labels."""

    blank: ClassVar[Mapping[str, Any]] = {
        **Statement.blank, "label": "", "after": [], "because": []
    }  # fmt: skip

    label: Text
    after: Texts
    because: Texts


class Trait(Attribute):
    """What holds of a person, a place or a thing, and since when."""

    blank: ClassVar[Mapping[str, Any]] = {
        **Attribute.blank, "kind": "", "time": "", "date": "", "sources": []
    }  # fmt: skip

    kind: Annotated[EntityType, BeforeValidator(_kind)]
    time: Text
    date: Text
    sources: Texts


class Taste(Lenient):
    """What somebody likes, does not like, or feels about something."""

    blank: ClassVar[Mapping[str, Any]] = {"attitude": "", "feeling": "", "sources": []}

    person: Text
    attitude: Annotated[Text, WithJsonSchema({"enum": [*get_args(Attitude)], "type": "string"})]
    what: Text
    feeling: Text
    sources: Texts

    @property
    def meant(self) -> tuple[Attitude, str]:
        """The attitude, in whatever words it was told, and a feeling, which any others are."""
        told, feeling = plain(self.attitude), self.feeling.strip(" .")
        attitude, liked = meant(told), liking(plain(feeling))
        if attitude is None:
            return "feels", ", ".join(filter(None, (told, feeling)))
        if liked and attitude in (liked, "feels"):
            return liked, ""
        return attitude, feeling


@dataclass(frozen=True, slots=True)
class Linked:
    """An event with those that it followed and came of.

    `lost` counts the labels that it names and that no event has, or more than one.
    """

    event: Event
    after: tuple[Event, ...]
    because: tuple[Event, ...]
    lost: int

    @property
    def sources(self) -> Sequence[str]:
        """The ids of the messages that tell the event."""
        return self.event.sources


class Layered(Lenient, Taken):
    """All that a chunk tells, by kind of abstract memory."""

    empty: ClassVar = (
        "events, facts and tastes are all empty: write down what happened, what holds of whom, and "
        "what is liked or felt"
    )
    blank: ClassVar[Mapping[str, Any]] = {"events": [], "facts": [], "tastes": []}

    events: Annotated[list[Event], BeforeValidator(objects)]
    facts: Annotated[list[Trait], BeforeValidator(objects)]
    tastes: Annotated[list[Taste], BeforeValidator(objects)]

    def items(self) -> Sequence[Linked | Trait | Taste]:
        """Return events with those that they name, then facts, then tastes."""
        told = Counter(event.label.casefold() for event in self.events)
        once = (event for event in self.events if told[event.label.casefold()] == 1)
        labels = {event.label.casefold(): event for event in once}
        return [*(_linked(event, labels) for event in self.events), *self.facts, *self.tastes]


def _linked(event: Event, labels: dict[str, Event]) -> Linked:
    after, because = (
        tuple(labels[told.casefold()] for told in named if told.casefold() in labels)
        for named in (event.after, event.because)
    )
    lost = len(event.after) + len(event.because) - len(after) - len(because)
    return Linked(event, after, because, lost)
