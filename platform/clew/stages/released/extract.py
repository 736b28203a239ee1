"""Extract, as released: a unit is stamped with a day, not with an instant (D6).

Rules for hours then speak of days: "within six hours" means on the same day, and a gap for a
bridge lasts one day to six.
"""

from dataclasses import replace
from datetime import datetime, time
from typing import ClassVar

from clew.memory import Memory
from clew.model import Ingest, Message
from clew.stage import stage
from clew.stages.extract import RuleBased, Told
from clew.stages.extract_llm import LlmExtract


@stage
class RuleBasedByDay(RuleBased):
    """Units by rule, each stamped with the day on which it was said."""

    effects: ClassVar = ("extract.stamped",)

    def __call__(self, window: tuple[Message, ...], memory: Memory) -> Told:
        """Return the units of a window."""
        return _by_day(RuleBased.__call__(self, window, memory), window)


@stage
class LlmByDay(LlmExtract):
    """Notes of a language model, each stamped with the day on which it was said."""

    effects: ClassVar = ("extract.stamped",)

    def __call__(self, window: tuple[Message, ...], memory: Memory) -> Told:
        """Return the units of a window, and how they were come by."""
        return _by_day(LlmExtract.__call__(self, window, memory), window)


def _by_day(told: Told, window: tuple[Message, ...]) -> Told:
    """Return the units with days for instants; the ledger has how many that changed."""
    units = [replace(unit, said_at=_midnight(unit.said_at)) for unit in told]
    how = told.how or Ingest(window, len(units))
    changed = sum(before != after for before, after in zip(told, units, strict=True))
    return Told(units, replace(how, figures={**how.figures, "stamped": changed}))


def _midnight(at: datetime | None) -> datetime | None:
    return at and datetime.combine(at, time(), at.tzinfo)
