"""Intent: what does a question look for, and how deep? (SimpleMem v3 §2.3, Eq. 4)

A plan {q_sem, q_lex, q_sym, d}: what to search by meaning, by words, and by names and time,
and n entries of each, where n goes with the depth d. The paper has an LLM make it of the
question and the dialogue before; a question has no dialogue before it here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal, Protocol

from pydantic import BeforeValidator

from clew.errors import LlmTooLong, LlmUnusable
from clew.memory import Memory
from clew.model import Query
from clew.models.llm import Ask
from clew.models.structured import structured
from clew.prompts import load
from clew.stage import Count, Fraction, Number, stage
from clew.stages.depth import complexity
from clew.stages.notes import Lenient, Text, Texts
from clew.stages.weigh import Wanted
from clew.trace import count
from clew.when import day, resolve

PROMPT = "simplemem_plan"


@dataclass(frozen=True, slots=True)
class Intent:
    """A search by meaning, by words, and by names and time; `n` entries of each."""

    semantic: str
    lexical: str
    wanted: Wanted
    n: int


class Infer(Protocol):
    """Infer what a question looks for."""

    def __call__(self, query: Query, memory: Memory) -> Intent: ...


@stage
class InferByRule:
    """Read it off the question's words: `shallow` entries, or `deep` for a complex one.

    It is searched for as it is: without the words that make it a question less was found, on
    LoCoMo's conversations 26 and 30.
    """

    effects: ClassVar = ("depth.deepened",)

    shallow: Count = 3  # "retrieval range [3, 20]" (Table 7)
    deep: Count = 20
    complex: Fraction = 0.4  # C_q from which d is HIGH: unspecified

    def __call__(self, query: Query, memory: Memory) -> Intent:
        """Return the plan."""
        high = complexity(query.text) >= self.complex
        count("depth.deepened", high)
        wanted = Wanted.of(query, memory)
        return Intent(query.text, query.text, wanted, self.deep if high else self.shallow)


@stage
class NoInference:
    """The question as it is, by meaning and by words, and always as many entries.

    The paper's "w/o Intent-Aware Retrieval" row.
    """

    n: Count = 5  # the middle of the paper's depth sweep

    def __call__(self, query: Query, memory: Memory) -> Intent:
        """Return the plan."""
        return Intent(query.text, query.text, Wanted.nothing(), self.n)


def _level(value: Any) -> Any:
    """Take anything but HIGH for LOW."""
    return "HIGH" if str(value).strip().casefold() == "high" else "LOW"


class Planned(Lenient):
    """A plan as a model writes it; days as YYYY-MM-DD."""

    blank: ClassVar[Mapping[str, Any]] = {
        "complexity": "", "semantic_query": "", "lexical_keywords": [], "start": "", "end": ""
    }  # fmt: skip

    complexity: Annotated[Literal["LOW", "HIGH"], BeforeValidator(_level)]
    semantic_query: Text
    lexical_keywords: Texts
    start: Text
    end: Text


@stage
class LlmInfer:
    """Ask a language model, in one call a question; else by rule.

    A reply that will not do is asked for again up to `retries` times. Names, and a time that the
    question's own words tell, are theirs; a time of the model's stands where they tell none.
    """

    effects: ClassVar = ("depth.deepened",)
    needs: ClassVar = ("llm",)
    prompts: ClassVar = (PROMPT,)

    shallow: Count = 3  # as by rule, this and the next two
    deep: Count = 20
    complex: Fraction = 0.4
    retries: Number = 2  # unspecified
    reply: Count = 256  # tokens

    def __call__(self, query: Query, memory: Memory) -> Intent:
        """Return the plan."""
        asked = [f"Question: {query.text}"]
        if query.asked_at:
            asked.append(f"Asked on {day(query.asked_at)}.")
        ask = Ask(PROMPT, load(PROMPT)["system"], "\n".join(asked), Planned, self.reply)
        try:
            plan, _ = structured(memory.llm, ask, self.retries, check=_wrong)
        except (LlmUnusable, LlmTooLong):
            count("plan.by_rule")
            rules = InferByRule(shallow=self.shallow, deep=self.deep, complex=self.complex)
            return rules(query, memory)
        return self._intent(plan, query, memory)

    def _intent(self, plan: Planned, query: Query, memory: Memory) -> Intent:
        high = plan.complexity == "HIGH"
        count("depth.deepened", high)
        lexical = " ".join(plan.lexical_keywords)
        wanted = Wanted.of(query, memory)
        start, end = resolve(plan.start, query.asked_at), resolve(plan.end, query.asked_at)
        if wanted.start is None and start.start and end.end and start.start < end.end:
            wanted = replace(wanted, start=start.start, end=end.end)
        return Intent(
            plan.semantic_query.strip(),
            lexical or query.text,
            wanted,
            self.deep if high else self.shallow,
        )


def _wrong(plan: Planned) -> str:
    return "" if plan.semantic_query.strip() else "write in semantic_query what is looked for"
