"""Flipped: questions that one run answers and the other does not, with both contexts.

What stands in one context only is what made the difference, so it is marked: at a terminal
both stand side by side, in Markdown as one text with - before lines of A and + before those of B.
"""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from clew.datasets import CATEGORIES
from clew.evaluate.journal import Record
from clew.evaluate.stats import Flip
from clew.report.tables import MISSING

Side = Literal["A", "B"]


@dataclass(frozen=True, slots=True)
class Flipped:
    """A question that flipped, as some metric sees it."""

    flip: Flip
    metric: str

    @property
    def better(self) -> Side:
        """The run that answers it."""
        a, b = (record.scores[self.metric] for record in (self.flip.a, self.flip.b))
        return "A" if a > b else "B"

    @property
    def sides(self) -> tuple[tuple[Side, Record], tuple[Side, Record]]:
        """Both records by the letter of their run."""
        return ("A", self.flip.a), ("B", self.flip.b)

    @property
    def row(self) -> tuple[str, ...]:
        """Its cells in a list: id, category, better run, question, gold, both answers."""
        a, b = self.flip.a, self.flip.b
        return (a.question, str(a.category), self.better, a.query, a.gold, a.answer, b.answer)

    @property
    def title(self) -> str:
        """Its id, category, and which run answers it."""
        record = self.flip.a
        name = CATEGORIES.get(record.category, str(record.category))
        return f"{record.question} ({name}), better in {self.better}: {record.query}"

    @property
    def facts(self) -> tuple[str, ...]:
        """What was asked for, what each run said, and whether it had the evidence."""
        found = [f"gold: {self.flip.a.gold}", f"gold evidence: {self._evidence()}"]
        for side, record in self.sides:
            score = f"{self.metric} {100 * record.scores[self.metric]:.0f}"
            found.append(f"{side} says: {record.answer} ({score}, {record.context_tokens} tokens)")
        return tuple(found)

    def _evidence(self) -> str:
        """Return the gold messages with the runs whose context holds them."""
        told = []
        for message in self.flip.a.evidence:
            having = [side for side, record in self.sides if message in record.messages]
            told.append(f"{message} in {' and '.join(having) or 'neither'}")
        return ", ".join(told) or MISSING

    def print(self, console: Console) -> None:
        """Print it with its contexts side by side; bold is what only one of them has."""
        console.print(Text(self.title, "bold"), soft_wrap=True)
        for fact in self.facts:
            console.print(Text(fact), soft_wrap=True)
        made = Table(box=box.SIMPLE_HEAD, pad_edge=False, expand=True)
        for side, _ in self.sides:
            made.add_column(f"context of {side} (> only here)", ratio=1, overflow="fold")
        a, b = (record.context.splitlines() for _, record in self.sides)
        made.add_row(_marked(a, set(b)), _marked(b, set(a)))
        console.print(made)

    def markdown(self) -> str:
        """Return it as a section."""
        a, b = (record.context.splitlines() for _, record in self.sides)
        lines = list(difflib.unified_diff(a, b, n=len(a) + len(b), lineterm=""))[3:]
        same = [f" {line}" for line in a]  # no difference: nothing is told but the text
        fence = _fence(a + b)
        facts = [f"- {_plain(fact)}" for fact in self.facts]
        text = "\n".join(lines or same)
        return "\n".join(
            [f"### {_plain(self.title)}", "", *facts, "", f"{fence}diff", text, fence, ""]
        )


def _marked(lines: Sequence[str], other: set[str]) -> Text:
    marked = Text()
    for line in lines:
        only = line not in other
        marked.append(f"{'>' if only else ' '} {line}\n", "bold" if only else "dim")
    return marked


def _fence(lines: Sequence[str]) -> str:
    """Return a fence that no run of backticks in the text closes."""
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    return "`" * max(3, longest + 1)


def _plain(text: str) -> str:
    """Return text that Markdown shows as it stands, on one line."""
    return re.sub(r"([\\`*_<>\[\]#|])", r"\\\1", " ".join(text.split()))
