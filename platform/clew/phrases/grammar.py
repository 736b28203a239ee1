"""The form of a rule: a pattern, and what its words mean on the day they were said.

A rule returns None where its words are no time after all ("may" as a verb) or where a
date could be read in two ways: nothing is guessed. Where a pattern has a group `core`,
only that much is the phrase; the words around it are there to recognise it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import NamedTuple

from clew.phrases.days import WEEKDAYS, Days

Found = Days | time | datetime | None
Match = re.Match[str]


@dataclass(frozen=True, slots=True)
class Said:
    """What a phrase is read against: when it was said, and the text and place it stands in."""

    at: datetime | None
    text: str = ""
    place: tuple[int, int] = (0, 0)

    @property
    def today(self) -> date:
        """The speaker's own calendar day; without one a relative phrase cannot be read."""
        if self.at is None:
            raise ValueError("a relative phrase needs the moment it was said")
        return self.at.date()

    @property
    def ahead(self) -> bool | None:
        """True in a plan, False of what has happened, None where nothing tells."""
        return looks_ahead(self.text, *self.place)


class Rule(NamedTuple):
    """A pattern, and the reading of what it matches."""

    pattern: re.Pattern[str]
    read: Callable[[Match, Said], Found]


_UNITS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
_NUMBERS = {word: n for n, word in enumerate(_UNITS.split(), 1)} | {
    **{"a": 1, "an": 1, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19},
    **{"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "hundred": 100},
}
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_PARTS = {
    "N": r"(?:\d{1,4}|a couple(?: of)?|couple of|a few|several|few|"
    + "|".join(sorted(_NUMBERS, key=len, reverse=True))
    + ")",
    "UNIT": "(?:day|night|weekend|week|fortnight|month|year|decade)",
    "WD": f"(?:(?:{'|'.join(WEEKDAYS)})|(?-i:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)(?!\\w)\\.?)",
    "WEEKDAY": f"(?:{'|'.join(WEEKDAYS)})",
    "MONTH": f"(?:{_MONTHS})",
    "MON": f"(?:(?:{_MONTHS})|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?!\\w)\\.?)",
    "SEASON": "(?:spring|summer|autumn|fall|winter)",
    "D": r"(?:(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?!\d))",
    "Y": r"(?:1[6-9]\d\d|20\d\d)",
    "TO": r"(?:\s?[-\u2013\u2014]\s?| (?:to|until|till|through) )",
    "OFDAY": r"(?:morning|afternoon|evening|night|noon)",
    "FEAST": r"(?P<h>christmas|halloween|valentine|boxing|new year)(?:'?s)?(?: (?P<eve>eve)| day)?",
    "REL": r"(?:this past|this coming|last|past|this|next|coming)",
    "PARTOF": r"(?:early|mid|late|(?:the )?(?:beginning|start|middle|end) of)",
}


def rule(rules: list[Rule], *patterns: str) -> Callable[[Callable[[Match, Said], Found]], None]:
    """Add a reading to `rules` under its patterns, in which {NAME} stands for a part above."""

    def register(read: Callable[[Match, Said], Found]) -> None:
        for pattern in patterns:
            full = re.sub(r"\{([A-Z]+)\}", lambda part: _PARTS[part[1]], pattern)
            spaced = full.replace(" ", r"\s{1,3}") + r"(?!\w)"
            rules.append(Rule(re.compile(spaced, re.IGNORECASE), read))

    return register


def combined(rules: Sequence[Rule], before: str) -> re.Pattern[str]:
    """Return one pattern for lower-cased text: where a rule may fit, the first one winning.

    Its groups are `r<n>`. Without IGNORECASE the engine skips most rules by their first
    letter; the rule itself then looks at the text as it was written.
    """
    parts = (
        f"(?P<r{n}>{re.sub(r'[(][?](P<[a-z0-9]+>|-i:)', '(?:', one.pattern.pattern).lower()})"
        for n, one in enumerate(rules)
    )
    return re.compile(before + "(?:" + "|".join(parts) + ")")


def lowered(text: str) -> str:
    """Return a text in lower case without moving any character."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(small if len(small := char.lower()) == 1 else char for char in text)


def counted(text: str, unit: str = "") -> tuple[int, int]:
    """Return the least and the most that a count says: "a few" is two to four."""
    words = text.lower().split()
    if words[-1] == "few":
        return 2, 4
    if "couple" in words:
        return (2, 3) if unit in ("day", "night") else (2, 2)
    if words[0] == "several":
        return 3, 7
    number = int(words[0]) if words[0].isdigit() else _NUMBERS[words[0]]
    return number, number


_AHEAD = re.compile(
    r"""\b(?:will|won't|shall|going\ to|gonna|should|might|need\ to|ha(?:ve|s)\ to|wants?\ to|let's
    |plan(?:s|ning)?|upcoming|looking\ forward|can't\ wait|hop(?:e|es|ing)\ to|see\ you|about\ to
    |coming\ up|starts|leaves|ready\ for|tomorrow|(?:am|are|is)\ (?:\w+\ )?\w+ing)\b
    |'ll\b|'(?:m|re|s)\ (?:\w+\ )?\w+ing\b""",
    re.VERBOSE,
)
_BEHIND = re.compile(
    r"""\b(?:was|were|did|had|ago|went|got|came|met|saw|took|made|bought|told|said|found|began|ran
    |won|lost|left|kept|felt|gave|held|spent|ate|wrote|read|sent|sold|built|drove|flew|have\ been
    |has\ been)\b|[a-z]{2}ed\b|'ve\b""",
    re.VERBOSE,
)
_IS = re.compile(r"(?:\b(?:is|are)|'s)(?: \w+)? (?:(?:in|on|at|for|by|from) )?(?:the )?\Z")
_CLAUSE = re.compile(r"[.!?;:,\n\u2014]| (?:and|but|so|because) ")
_LEAD = re.compile(r"\W*(?:(?:and|but|so|on|in|by|from|since|until|at)\W+)*")
_REACH = 120  # characters of a clause that are looked at on each side


def looks_ahead(text: str, start: int, end: int) -> bool | None:
    """Tell whether the clause around a phrase is a plan, something past, or neither."""
    near = lowered(text[max(0, start - _REACH) : end + _REACH]).replace("\u2019", "'")
    start, end = min(start, _REACH), min(start, _REACH) + end - start
    cuts = [0, *(stop.end() for stop in _CLAUSE.finditer(near, 0, start))]
    while len(cuts) > 1 and not near[cuts[-1] : start].strip():
        cuts.pop()
    after = _CLAUSE.search(near, end)
    if after and not near[end : after.start()].strip() and _LEAD.fullmatch(near, cuts[-1], start):
        after = _CLAUSE.search(near, after.end())  # "On Friday, we will": its verb comes next
    clause = near[cuts[-1] : after.start() if after else None]
    if _AHEAD.search(clause) or _IS.search(near[:start]):
        return True
    return False if _BEHIND.search(clause) else None
