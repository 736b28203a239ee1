"""Answer, by a language model: one call over the evidence graph. (AriadneMem §2.3, Eq. 11)

The rules that an answer follows depend on what kind of question is asked, which its own
words tell. Time words are worked out here, so that the model has to copy dates, not to
count days.
"""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, model_validator

from clew.errors import LlmTooLong, LlmUnusable
from clew.memory import Memory
from clew.model import Answer, Context, Graph, Query
from clew.models.llm import Ask
from clew.models.structured import structured
from clew.prompts import load
from clew.stage import Count, Number, stage
from clew.stages.answer import UNKNOWN, Extractive
from clew.stages.answers.asking import read
from clew.text import fold
from clew.trace import count
from clew.when import day, say

PROMPT = "ariadne_answer"
_RULE = {"days": "long", "how": "other", "who": "other", "where": "other", "what": "other"}
_ABSTAINS = re.compile(
    r"(?:(?:it |this |that |the answer )?(?:is |was )?"
    r"not (?:mentioned|known|specified|stated|provided|available|found)\b[\w ]*"
    r"|(?:there is )?no (?:relevant )?information\b[\w ]*|unknown|n/a)\.?"
)


class Said(BaseModel):
    """A model's answer; `abstain` says that nothing told supports one."""

    reasoning: str
    answer: str
    abstain: bool

    @model_validator(mode="before")
    @classmethod
    def _completed(cls, data: Any) -> Any:
        """Understand an answer of several parts, or none, and what was left out."""
        if not isinstance(data, Mapping) or "answer" not in data:
            return data
        said = data["answer"]
        if isinstance(said, list):
            said = ", ".join(map(str, said))
        if isinstance(said, int | float) and not isinstance(said, bool):
            said = str(said)
        if isinstance(said, bool):
            said = "Yes" if said else "No"
        abstain = said is None if data.get("abstain") is None else data["abstain"]
        reasoning = data.get("reasoning")
        reasoning = reasoning if isinstance(reasoning, str) else ""
        return {"reasoning": reasoning, "answer": said or "", "abstain": abstain}


@stage
class LlmAnswer:
    """Answer in one call; what a fast path knows, and an empty context, take none.

    An answer of no use is asked for again up to `retries` times. Then the question has
    failed, unless it may be answered `by_rule`.
    """

    needs: ClassVar = ("llm",)
    prompts: ClassVar = (PROMPT,)

    retries: Number = 2
    reply: Count = 512  # tokens
    times: bool = True  # whether dates stand beside time words such as "yesterday"
    by_rule: bool = False

    def __call__(self, query: Query, graph: Graph, context: Context, memory: Memory) -> Answer:
        """Return the model's answer, or an abstention."""
        if graph.known:
            return Answer(graph.known, context, graph)
        if not context.text:
            return Answer(UNKNOWN, context, graph, abstained=True)
        try:
            said, how = structured(memory.llm, self._ask(query, graph, context), self.retries)
        except (LlmUnusable, LlmTooLong):
            if not self.by_rule:
                raise
            count("answer.by_rule")
            return Extractive()(query, graph, context, memory)
        if how != "clean":
            count(f"answer.{how}")
        text = " ".join(said.answer.split()).strip()
        silent = said.abstain or not text or _ABSTAINS.fullmatch(fold(text)) is not None
        return Answer(UNKNOWN if silent else text, context, graph, abstained=silent)

    def _ask(self, query: Query, graph: Graph, context: Context) -> Ask[Said]:
        prompt = load(PROMPT)
        asked = [f"Question: {query.text}"]
        if query.asked_at:
            asked.append(f"Asked on {day(query.asked_at)}.")
        parts = ["\n".join(asked), f"Facts:\n{context.text}"]
        if self.times and (told := times(graph, context)):
            parts.append(f"Times:\n{told}")
        system = f"{prompt['system']}\n\n{prompt[_rule(query.text)]}"
        return Ask(PROMPT, system, "\n\n".join(parts), Said, self.reply)


def _rule(text: str) -> str:
    """Return the part of the prompt that says how such a question is answered."""
    asked = read(text)
    if asked.several and asked.kind not in ("count", "when", "yesno", "choice"):
        return "list"
    return _RULE.get(asked.kind, asked.kind)


def times(graph: Graph, context: Context) -> str:
    """Return what the time words of a context mean, each once, by when they were said."""
    units = {node.unit.id: node.unit for node in graph.nodes}
    found: dict[str, None] = {}
    for unit in (units[id] for id in context.units if id in units):
        phrase, told = unit.event.phrase, say(unit.event)
        if unit.event.start and unit.said_at and told not in unit.text and fold(phrase) != told:
            found[f'"{phrase}", said on {day(unit.said_at)}: {told}'] = None
    return "\n".join(found)
