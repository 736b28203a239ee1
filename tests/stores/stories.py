"""What the stores' tests tell: a few messages and units, small enough to judge by eye."""

from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

from clew.model import Evidence, Fact, Message, Unit
from clew.when import TimeSpan

TALK = "talk"
SEOUL = timezone(timedelta(hours=9))
NOON = datetime(2025, 3, 1, 12, tzinfo=SEOUL)


def after(hours: float) -> datetime:
    """Return the instant some hours after noon."""
    return NOON + timedelta(hours=hours)


def message(position: int, text: str = "Hello there", **more: Any) -> Message:
    """Make the message D1:<position>, said <position> hours after noon by Ana."""
    given = {"speaker": "Ana", "said_at": after(position), "session": "1", **more}
    return Message(f"D1:{position}", TALK, position=position, text=text, **given)


def unit(position: int, text: str = "Ana is at the harbour", **more: Any) -> Unit:
    """Make the unit D1:<position>.00 from the message of that position."""
    given = {
        "said_at": after(position),
        "session": "1",
        "speaker": "Ana",
        "evidence": (Evidence(f"D1:{position}", 0, len(text)),),
        **more,
    }
    return Unit(f"D1:{position}.00", TALK, text, position=position, **given)


def abstract(position: int, *members: Unit, **more: Any) -> Unit:
    """Make the abstract unit A:<position> that tells of members, a level above the highest."""
    evidence = tuple(each for member in members for each in member.evidence)
    given = {
        "evidence": evidence,
        "kind": "abstract",
        "level": 1 + max(member.level for member in members),
        **more,
    }
    return replace(unit(position, "Ana was often at the harbour", **given), id=f"A:{position}")


def home(position: int, city: str, **more: Any) -> Unit:
    """Make a unit that says where Ana lives: one place at a time."""
    fact = Fact("ana", "home", city, functional=True, negated=more.pop("negated", False))
    return unit(position, f"Ana lives in {city}", facts=(fact,), **more)


FULL = Unit(
    "D1:7.00",
    TALK,
    "Zoë flew to 東京 with “two” bags 🧳",
    said_at=datetime(2024, 2, 29, 23, 59, 58, 123457, tzinfo=timezone(timedelta(hours=-3.5))),
    session="s/1",
    position=7,
    speaker="Zoë O'Neil",
    evidence=(Evidence("D1:7", 3, 30), Evidence("D1:8", 0, 4)),
    event=TimeSpan(after(-48), after(-24), "day", "the day before yesterday"),
    context="Where were you?\nZoë flew to 東京",
    keywords=frozenset({"flew", "東京"}),
    entities=frozenset({"zoe", "tokyo:place"}),
    place="東京",
    facts=(Fact("zoe", "visited", "東京"), Fact("zoe", "owns", "a cat", True, True)),
    kind="event",
    level=1,
    spaces=frozenset({"旅", "family/2024"}),
)

NASTY = [  # what a query would trip over, if it were put into one
    "'}) DETACH DELETE n //",
    '"}) MATCH (n) DETACH DELETE n RETURN ("',
    "`) DELETE n; MATCH (x:`Unit",
    "$scope",
    "a\u0000b\\u0027\nc\t{}",
    "'; DROP CONSTRAINT clew_unit_id; //",
    "{scope: 'x'}",
    "ñ 東京 🧳 \u202e",
]
