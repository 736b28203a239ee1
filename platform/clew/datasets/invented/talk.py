"""A notation for the talk around statements."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Talk:
    """Ways to lead up to a statement, to take it up, and to ask for it and say it shortly."""

    leads: tuple[str, ...] = ()
    replies: tuple[tuple[str, str], ...] = ()  # a reaction, and what the teller adds
    short: tuple[tuple[str, str], ...] = ()  # a question, and an answer that needs it


def read(text: str) -> dict[str, Talk]:
    """Return the talk of each topic: `? lead`, `> reaction / addition`, `= question / answer`."""
    return {topic: _talk(lines) for topic, lines in _topics(text).items()}


def _topics(text: str) -> dict[str, list[tuple[str, str]]]:
    topics: dict[str, list[tuple[str, str]]] = defaultdict(list)
    topic = ""
    for line in filter(None, map(str.strip, text.splitlines())):
        if line[0] in "?>=":
            topics[topic].append((line[0], line[1:].strip()))
        else:
            topic = line
    return topics


def _talk(lines: Iterable[tuple[str, str]]) -> Talk:
    by_sign: dict[str, list[str]] = defaultdict(list)
    for sign, line in lines:
        by_sign[sign].append(line)
    return Talk(tuple(by_sign["?"]), _pairs(by_sign[">"]), _pairs(by_sign["="]))


def _pairs(lines: Iterable[str]) -> tuple[tuple[str, str], ...]:
    halves = (line.partition(" / ") for line in lines)
    return tuple((one, other) for one, _, other in halves)
