"""Script: replies made by rule, so that a run without a model takes the same ways as one with.

What is wanted is read off the schema: a list of objects is an extraction, a verdict without an
answer is a judgement, and anything else an answer, a search or a summary. Fields are filled by
what their names say.
The same request has the same reply, always.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from clew.text import names, stems
from clew.when import find

UNKNOWN = "Not mentioned"
MOST = 12  # words in an answer
SOME_DAY = datetime(2031, 3, 4, tzinfo=UTC)  # for finding words of time, whatever they refer to

_LINE = re.compile(
    r"^\W*(?P<id>[\w:./#-]*\d[\w:./#-]*?)[\])|:,]*\s+(?:\|\s*)?(?:.*?[\])|,\d]\s*\|?\s*)??"
    r"(?P<speaker>[^\W\d][^:|\d,()\[\]]{0,40}?)\s*[:|]\s*(?P<text>\S.*)$"
)
_QUESTION = re.compile(r"(?im)^\W*(?:question|query)\W*[:|]\W*(?P<text>\S.*)$")
_GOLD = re.compile(r"(?im)^\W*(?:gold|reference|correct|expected|true)[\w ]*[:|]\s*(?P<text>\S.*)$")
_GIVEN = re.compile(
    r"(?im)^\W*(?:given|generated|predicted|candidate|model|system|the |answer)[\w' ]*[:|]"
    r"\s*(?P<text>\S.*)$"
)
_TRUE = frozenset({"correct", "right", "true", "yes", "1"})
_TRUTHS = frozenset({"correct", "label", "verdict", "right", "score", "is_correct", "judgement"})
_SAYS = frozenset({"text", "fact", "statement", "content", "memory", "restatement", "sentence"})
_SAYS |= {"lossless_restatement", "note"}
_FROM = frozenset({"messages", "sources", "source", "evidence", "ids", "message_ids", "message"})
_FROM |= {"source_ids", "source_messages", "turns", "cites", "said_in", "from"}
_PEOPLE = frozenset({"entities", "persons", "people", "names", "about"})
_ANSWERS = frozenset({"answer", "reply", "short_answer", "response"})
_SEARCHES = frozenset({"semantic_query", "search_query", "rewritten_query"})
_ABSTAINS = frozenset({"abstain", "abstained", "abstains", "unknown", "not_mentioned"})


@dataclass(frozen=True, slots=True)
class Said:
    """A message that a request shows."""

    id: str
    speaker: str
    text: str


def script(user: str, schema: Mapping[str, Any] | None) -> str:
    """Return the reply to what a user says; in JSON that fits the schema, if there is one."""
    if schema is None:
        return answer(user)[0]
    fields = _Fields(schema)
    properties: Mapping[str, Any] = schema.get("properties", {})
    lists = [name for name, each in properties.items() if fields.items(each).get("properties")]
    if lists:
        values = fields.fill(schema, lambda name, _: None)
        item = fields.items(properties[lists[0]])
        values[lists[0]] = [fields.fill(item, _extracts(said)) for said in messages(user)]
    elif _TRUTHS & properties.keys() and not _ANSWERS & properties.keys():
        values = fields.fill(schema, _judges(user))
    else:
        values = fields.fill(schema, _answers(user))
    return json.dumps(values, ensure_ascii=False)


def messages(user: str) -> list[Said]:
    """Return the messages that a text shows: an id, the speaker and what was said, line by line."""
    found = []
    for line in user.splitlines():
        if line.lstrip().startswith("{"):
            found += _said_in_json(line)
        elif match := _LINE.match(line):
            found.append(Said(match["id"], match["speaker"].strip(), match["text"].strip()))
    return found


def answer(user: str) -> tuple[str, list[str]]:
    """Return a few words of the line that shares most with the question, and what it cites."""
    asked = _question(user)
    wanted, best, shared = set(stems(asked)), "", 0.0
    for line in user.splitlines():
        has = set(stems(line))
        if asked not in line and has and len(wanted & has) / len(has) ** 0.25 > shared:
            best, shared = line, len(wanted & has) / len(has) ** 0.25
    said = messages(best)
    words = (said[0].text if said else best.partition(": ")[2] or best).strip().split()
    return " ".join(words[:MOST]) or UNKNOWN, [each.id for each in said]


def judge(user: str) -> bool:
    """Say whether half the words of the given answer and of the gold one are the same."""
    gold, given = (set(stems(_last(kind, user))) for kind in (_GOLD, _GIVEN))
    return bool(gold) and 2 * len(gold & given) >= len(gold | given)


Filled = Callable[[str, Mapping[str, Any]], Any]


@dataclass(frozen=True, slots=True)
class _Fields:
    """A schema, and values for what it asks for."""

    schema: Mapping[str, Any]

    def resolved(self, each: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a part of the schema itself, where it is named or may also be null."""
        if "$ref" in each:
            return self.resolved(self.schema["$defs"][each["$ref"].rpartition("/")[2]])
        options = [self.resolved(option) for option in each.get("anyOf", each.get("allOf", ()))]
        kept = [option for option in options if option.get("type") != "null"]
        return kept[0] if kept else each

    def items(self, each: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what the elements of a list are, or nothing."""
        return self.resolved(self.resolved(each).get("items", {}))

    def fill(self, part: Mapping[str, Any], filled: Filled) -> dict[str, Any]:
        """Return an object whose fields are `filled`, and where they are not, empty."""
        values = {}
        for name, each in part.get("properties", {}).items():
            plain = self.resolved(each)
            value = filled(name, plain)
            values[name] = self.empty(each) if value is None else _typed(value, plain)
        return values

    def empty(self, each: Mapping[str, Any]) -> Any:
        """Return the least value that fits."""
        if any(option.get("type") == "null" for option in each.get("anyOf", ())):
            return None
        plain = self.resolved(each)
        if "default" in each:
            return each["default"]
        if choices := plain.get("enum") or ([plain["const"]] if "const" in plain else []):
            return choices[0]
        match plain.get("type"):
            case "object":
                return self.fill(plain, lambda name, _: None)
            case "array":
                return []
            case "integer" | "number":
                return plain.get("minimum", 0)
            case "boolean":
                return False
        return ""


def _typed(value: Any, plain: Mapping[str, Any]) -> Any:
    """Return a value as a list or by itself, as the schema has it."""
    if plain.get("type") == "array":
        return value if isinstance(value, list) else [value]
    if isinstance(value, list):
        return value[0] if value else ""
    return str(value) if plain.get("type") == "string" and not isinstance(value, str) else value


def _extracts(said: Said) -> Filled:
    def filled(name: str, plain: Mapping[str, Any]) -> Any:
        if name in _SAYS:
            return f"{said.speaker}: {said.text}"
        if name in _FROM:
            return [said.id]
        if name == "speaker":
            return said.speaker
        if name == "time":
            spans = find(said.text, SOME_DAY)
            return said.text[slice(*spans[0][0])] if spans else ""
        if name == "keywords":
            return sorted(set(stems(said.text)))[:5]
        if name in _PEOPLE:
            return list(dict.fromkeys([said.speaker, *names(said.text)]))
        return None

    return filled


def _answers(user: str) -> Filled:
    text, cited = answer(user)

    def filled(name: str, plain: Mapping[str, Any]) -> Any:
        if name in _ANSWERS:
            return text
        if name in _FROM:
            return cited
        if name in _SEARCHES:
            return _question(user)
        if name in _SAYS:
            return text
        if name in _ABSTAINS and plain.get("type") == "boolean":
            return text == UNKNOWN
        return None

    return filled


def _judges(user: str) -> Filled:
    right = judge(user)

    def filled(name: str, plain: Mapping[str, Any]) -> Any:
        if name not in _TRUTHS:
            return None
        if choices := plain.get("enum"):
            fit: Sequence[Any] = [c for c in choices if (str(c).casefold() in _TRUE) == right]
            return (fit or choices)[0]
        if plain.get("type") == "string":
            return "CORRECT" if right else "WRONG"
        return right if plain.get("type") == "boolean" else int(right)

    return filled


def _said_in_json(line: str) -> list[Said]:
    try:
        data = json.loads(line.strip().rstrip(","))
    except ValueError:
        return []
    if not isinstance(data, dict) or not {"id", "speaker", "text"} <= data.keys():
        return []
    return [Said(str(data["id"]), str(data["speaker"]), str(data["text"]))]


def _question(user: str) -> str:
    """Return what is asked: the line that says so, or the last one with a question mark."""
    asked = [line.strip() for line in user.splitlines() if line.rstrip().endswith("?")]
    return _last(_QUESTION, user) or (asked[-1] if asked else user.strip().splitlines()[-1])


def _last(pattern: re.Pattern[str], text: str) -> str:
    found = [match["text"] for match in pattern.finditer(text)]
    return found[-1] if found else ""
