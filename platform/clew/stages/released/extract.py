"""Extract, as released: a unit is stamped with a day, not with an instant (D6).

Rules for hours then speak of days: "within six hours" means on the same day, and a gap for a
bridge lasts one day to six.
"""

from dataclasses import replace
from datetime import datetime, time

from clew.memory import Memory
from clew.model import Message
from clew.stage import stage
from clew.stages.extract import RuleBased, Told
from clew.stages.extract_llm import LlmExtract
from clew.trace import count


@stage
class RuleBasedByDay(RuleBased):
    """Units by rule, each stamped with the day on which it was said."""

    def __call__(self, window: tuple[Message, ...], memory: Memory) -> Told:
        """Return the units of a window."""
        return _by_day(RuleBased.__call__(self, window, memory))


@stage
class LlmByDay(LlmExtract):
    """Notes of a language model, each stamped with the day on which it was said."""

    def __call__(self, window: tuple[Message, ...], memory: Memory) -> Told:
        """Return the units of a window, and how they were come by."""
        return _by_day(LlmExtract.__call__(self, window, memory))


def _by_day(told: Told) -> Told:
    stamped = [replace(unit, said_at=_midnight(unit.said_at)) for unit in told]
    count("extract.stamped", sum(a != b for a, b in zip(told, stamped, strict=True)))
    return Told(stamped, told.how)


def _midnight(at: datetime | None) -> datetime | None:
    return at and datetime.combine(at, time(), at.tzinfo)
