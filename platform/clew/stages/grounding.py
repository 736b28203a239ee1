"""Grounding: a model's note becomes a unit, with nothing in it that its messages do not bear.

The model says what was told; who and what is meant, and when it was, is worked out here:
names go to known entities in the order of the windows, and a time counts only if one of the
note's own messages names it.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from clew.model import EntityType, Evidence, Fact, Message, Unit
from clew.stages.notes import Attribute, Note, Statement, Timed
from clew.stages.resolve import Referents
from clew.text import fold, keywords, stems
from clew.when import TimeSpan, find, resolve, say

FUNCTIONAL = frozenset({"home", "works at", "works as", "age"})  # hold one value, whatever is said
_NOBODY = frozenset("i me my you your he him she her it they them we us user speaker".split())
_LONGEST = 6  # words in a name
_NUMBER = re.compile(r"(?:number|count) of (?:the |his |her |their )?(?P<thing>.+)")


@dataclass(slots=True)
class Grounding:
    """The messages of a window and those they speak of; `refused` counts what they do not bear."""

    window: Sequence[Message]
    referents: Referents
    refused: Counter[str] = field(default_factory=Counter)
    _parts: Counter[str] = field(default_factory=Counter)

    def unit(self, note: Statement, sources: Sequence[str]) -> Unit:
        """Return the unit that a note of these messages makes; it was told by the last of them."""
        cited = [message for message in self.window if message.id in sources]
        last = cited[-1]
        named = self._named(note, cited)
        event = self.event(note, sources)
        part = self._parts[last.id]
        self._parts[last.id] += 1
        return Unit(
            id=f"{last.id}.{part:02d}",
            conversation=last.conversation,
            text=_dated(note.sentence.strip(), event),
            said_at=last.said_at,
            session=last.session,
            position=last.position,
            speaker=last.speaker,
            evidence=self.quoted(sources),
            event=event,
            context="\n".join([note.sentence.strip(), *map(line, cited)]),
            keywords=keywords(" ".join([note.sentence, *note.keywords])),
            entities=frozenset({self.referents.speaker(last.speaker), *named.values()}),
            place=note.place.strip(),
            facts=self.facts(note.attributes, named) if isinstance(note, Note) else (),
        )

    def quoted(self, sources: Sequence[str]) -> tuple[Evidence, ...]:
        """Return all words of these messages, in the order in which they were said."""
        return tuple(Evidence(m.id, 0, len(m.text)) for m in self.window if m.id in sources)

    def referent(self, name: str, kind: EntityType, sources: Sequence[str]) -> str:
        """Return the id of whom or what a name stands for in these messages; "" if it is none."""
        cited = [message for message in self.window if message.id in sources]
        return self._identified([name], kind, self._spoken(cited)).get(fold(name.strip()), "")

    def _named(self, note: Statement, cited: Sequence[Message]) -> dict[str, str]:
        """Return entity ids by folded name: as the messages speak of them, else as bare names."""
        spoken = self._spoken(cited)
        found = self._identified(note.persons, "person", spoken)
        found |= self._identified(note.entities, "unknown", spoken)
        return found | self._identified([note.place], "place", spoken)

    def _spoken(self, cited: Sequence[Message]) -> dict[str, str]:
        spoken: dict[str, str] = {}
        for message in cited:
            read = self.referents.read(message.text, message.speaker)
            spoken |= {fold(name): id for name, id in read.items()}
        return spoken

    def _identified(
        self, names: Sequence[str], kind: EntityType, spoken: Mapping[str, str]
    ) -> dict[str, str]:
        found = {}
        for name in map(str.strip, names):
            if _is_name(name):
                known = spoken.get(fold(name))
                found[fold(name)] = known or self.referents.called(name, kind)
        return found

    def event(self, note: Timed, sources: Sequence[str]) -> TimeSpan:
        """Return when it took place, if a cited message says so; the model's date only chooses."""
        cited = [message for message in self.window if message.id in sources]
        told = [
            span
            for message in cited
            if message.said_at is not None
            for _, span in find(message.text, message.said_at)
        ]
        for phrase in filter(None, (note.time.strip(), note.date.strip())):
            for message in reversed(cited):
                span = resolve(phrase, message.said_at)
                if span.start is not None and fold(phrase) in fold(message.text):
                    return span
            meant = resolve(phrase, cited[-1].said_at)
            if fits := [span for span in told if _overlap(span, meant)]:
                return fits[-1]
        if note.time.strip() or note.date.strip():
            self.refused["times"] += 1
        return TimeSpan()

    def facts(self, attributes: Sequence[Attribute], named: Mapping[str, str]) -> tuple[Fact, ...]:
        """Return attributes as facts of known entities; `named` are entity ids by folded name."""
        facts = []
        for each in attributes:
            name, value = each.subject.strip(), each.value.strip(" .")
            property = _property(each.property)
            if not (value and property and _is_name(name)):
                self.refused["attributes"] += 1
                continue
            subject = named.get(fold(name)) or self.referents.called(name)
            single = each.single or property in FUNCTIONAL or property.startswith("number of ")
            facts.append(Fact(subject, property, value, single))
        return tuple(dict.fromkeys(facts))


def line(message: Message) -> str:
    """Return a message as it was said, on one line."""
    image = f" [image: {message.caption}]" if message.caption else ""
    return f"{message.speaker}: {' '.join((message.text + image).split())}"


def _is_name(name: str) -> bool:
    """Tell whether something may be called so: it has a letter, is short, and no pronoun."""
    letters = any(letter.isalpha() for letter in name)
    return letters and len(name.split()) <= _LONGEST and fold(name) not in _NOBODY


def _overlap(one: TimeSpan, other: TimeSpan) -> bool:
    if one.start is None or one.end is None or other.start is None or other.end is None:
        return False
    return one.start < other.end and other.start < one.end


def _property(told: str) -> str:
    """Return a property as rules name it: counted things by their stem."""
    plain = " ".join(fold(told).replace("_", " ").split())
    if counted := _NUMBER.fullmatch(plain):
        thing = counted["thing"]
        return f"number of {(stems(thing) or [thing])[-1]}"
    return plain


def _dated(sentence: str, event: TimeSpan) -> str:
    """Say beside time words what time they mean, if they do not say it themselves."""
    at, told = fold(sentence).find(fold(event.phrase)), say(event)
    if not event.phrase or event.start is None or told in sentence or fold(told) in sentence:
        return sentence
    if at < 0 or len(fold(sentence)) != len(sentence):
        return f"{sentence} ({told})"
    end = at + len(event.phrase)
    return f"{sentence[:end]} ({told}){sentence[end:]}"
