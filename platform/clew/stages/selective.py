"""Selective: which messages tell anything at all? (SimpleMem v3 §2.1, Eq. 1)

The third version has no gate with a threshold: its extractor returns nothing for what is mere
courtesy. The rule-based twin looks for a word that is no courtesy. What answers a question is
kept in any case, as "sure" may settle something.
"""

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from clew.memory import Memory
from clew.model import Ingest, Message
from clew.stage import stage
from clew.stages.extract import RuleBased, Told
from clew.text import stems

_COURTESIES = frozenset(
    stems(
        """thank thanks welcome hi hello hey hiya bye goodbye cheers congrats congratulations wow
        whoa yay aw aww haha hahaha lol oh ooh ah hmm okay ok alright yeah yep yup sure absolutely
        definitely totally exactly indeed agree agreed true right nice cool great awesome amazing
        lovely wonderful fantastic brilliant incredible superb sweet beautiful perfect good glad
        happy pleased hear heard sound sounds love luck please sorry care morning afternoon evening
        night talk chat later soon course appreciate anytime worry problem pleasure everyone all"""
    )
)
_ASKS = re.compile(r"[?？؟][^\w]*$")  # whatever ends it: "?!", "? :)", a quotation mark


@stage
class Selective(RuleBased):
    """Units by rule of the messages of a window that tell anything; maybe none."""

    effects: ClassVar = ("extract.silent",)

    def __call__(self, window: tuple[Message, ...], memory: Memory) -> Told:
        """Return the units of a window; the ledger counts the messages that told nothing."""
        kept = tuple(_telling(window, memory))
        units = RuleBased.__call__(self, kept, memory)
        silent = {"silent": len(window) - len(kept)} if len(kept) < len(window) else {}
        return Told(units, Ingest(window, len(units), figures=silent))


def _telling(window: Sequence[Message], memory: Memory) -> Iterator[Message]:
    """Yield messages that answer something, or have a word that is no courtesy and no name."""
    names = memory.speakers.union(message.speaker for message in window)
    bare = _COURTESIES.union(*(stems(name) for name in names))
    for before, message in zip((None, *window), window, strict=False):
        tells = not bare.issuperset(stems(f"{message.text} {message.caption}"))
        if tells or _answers(message, before or memory.graph.said_before(message.position)):
            yield message


def _answers(message: Message, before: Message | None) -> bool:
    """Tell whether a message follows on a question of its session, in whichever window that was."""
    if before is None or before.session != message.session:
        return False
    return _ASKS.search(before.text) is not None
