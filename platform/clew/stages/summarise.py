"""Summarise: what do memories of one kind come to, in one sentence? (SimpleMem §3.2, G_syn)

The paper asks an LLM. The rule-based twin takes the sentence of the unit in the middle of
them, and says how many there are and from when to when.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
from pydantic import BaseModel

from clew.errors import LlmTooLong, LlmUnusable
from clew.memory import Memory
from clew.model import Evidence, Unit
from clew.models.llm import Ask
from clew.models.structured import structured
from clew.prompts import load
from clew.stage import Count, Number, stage
from clew.stages.notes import Text, Texts
from clew.text import fold, keywords, sentences
from clew.trace import count
from clew.when import day

PROMPT = "simplemem_summarise"
MARK = "+"  # between the id of the unit in the middle and the level of the abstract


@runtime_checkable
class Summarise(Protocol):
    """Make the abstract unit of a level that tells of some others."""

    def __call__(self, members: Sequence[Unit], level: int, memory: Memory) -> Unit: ...


@stage
class Medoid:
    """The sentence of the unit nearest to all others, how many there are, and their days."""

    def __call__(self, members: Sequence[Unit], level: int, memory: Memory) -> Unit:
        """Return the abstract unit; it quotes the one unit and tells of the rest."""
        middle = medoid(members, memory)
        (quoted,) = memory.units([_leaf(middle)])
        n = len({each.message for member in members for each in member.evidence})
        text = f"{quoted.text} [one of {n} alike{_days(members)}]"
        return _told(replace(quoted, text=text), members, level, {quoted.id})


@stage
class Joined:
    """All that the members say, each speaker's sentence once: nothing is lost or said twice.

    Whoever is quoted is named where another was quoted before.
    """

    def __call__(self, members: Sequence[Unit], level: int, memory: Memory) -> Unit:
        """Return the abstract unit; it is dated and placed as the last of them."""
        ordered = sorted(members, key=lambda unit: unit.order)
        last = next((unit for unit in reversed(ordered) if unit.event.start), ordered[-1])
        names = {*memory.graph.speakers(), *(unit.speaker for unit in members)}
        told, quoted = dict[tuple[str, str], str](), ""
        for speaker, named, sentence in (said for unit in ordered for said in _said(unit, names)):
            if (speaker, fold(sentence)) in told:
                continue
            changes = speaker != quoted and (named or quoted)
            told[speaker, fold(sentence)] = f"{speaker}: {sentence}" if changes else sentence
            quoted = speaker if changes else quoted
        text = " ".join(told.values())
        return _told(replace(last, text=text), members, level, {unit.id for unit in members})


class Gist(BaseModel):
    """What a model makes of memories: a sentence, and those of them that it says."""

    sentence: Text
    sources: Texts


@stage
class LlmSummary:
    """One sentence by a language model, which says what it is made of; else `by_rule`.

    A reply that will not do, or cites none of what it was shown, is asked for again up to
    `retries` times.
    """

    needs: ClassVar = ("llm",)
    prompts: ClassVar = (PROMPT,)
    stages: ClassVar = ("by_rule",)

    by_rule: Summarise = Medoid()
    retries: Number = 2  # unspecified
    reply: Count = 512  # tokens

    def __call__(self, members: Sequence[Unit], level: int, memory: Memory) -> Unit:
        """Return the abstract unit."""
        known = {str(n): member.id for n, member in enumerate(members, 1)}

        def wrong(gist: Gist) -> str:
            if not gist.sentence or known.keys().isdisjoint(gist.sources):
                return f"write a sentence, and in sources which of 1 to {len(known)} it is made of"
            return ""

        ask = Ask(PROMPT, load(PROMPT)["system"], _shown(members), Gist, self.reply)
        try:
            gist, _ = structured(memory.llm, ask, self.retries, check=wrong)
        except (LlmUnusable, LlmTooLong):
            count("abstract.by_rule")
            return self.by_rule(members, level, memory)
        cited = {known[source] for source in gist.sources if source in known}
        return _told(replace(medoid(members, memory), text=gist.sentence), members, level, cited)


def _said(unit: Unit, names: Collection[str]) -> Iterator[tuple[str, bool, str]]:
    """Yield the sentences of a unit, each with its speaker and whether the text names them."""
    known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name)
    first, *quotes = re.split(rf"(?<!\S)({known}): ", unit.text) if known else [unit.text]
    told = [(unit.speaker, False, first)]
    told += [(name, True, text) for name, text in zip(quotes[::2], quotes[1::2], strict=True)]
    for speaker, named, text in told:
        yield from ((speaker, named, text[start:end]) for start, end in sentences(text))


def space(level: int) -> str:
    """Return the space that all abstract units of a level are in."""
    return f"level {level}"


def medoid(members: Sequence[Unit], memory: Memory) -> Unit:
    """Return the unit with the highest mean cosine to the others, of equal ones the first."""
    vectors = memory.vectors.vectors([member.id for member in members])
    rows = np.array([vectors[member.id] for member in members], dtype=np.float64)
    likeness = np.round(rows @ rows.sum(axis=0), 6)
    return members[int(np.argmax(likeness))]


def _told(middle: Unit, members: Sequence[Unit], level: int, quoted: Collection[str]) -> Unit:
    """Return the abstract unit: dated and placed as the one in the middle, it knows of all.

    Its `context`, by which it is found, are the words of all that it tells of. `quoted` names
    the members whose words it tells; the others' messages it tells of without their words.
    """
    return replace(
        middle,
        id=f"{_leaf(middle)}{MARK}{level}",
        evidence=_evidence(members, quoted),
        context="\n".join(m.context if m.level else m.text for m in members),
        keywords=keywords(middle.text),
        entities=frozenset().union(*(member.entities for member in members)),
        facts=(),
        kind="abstract",
        level=level,
        spaces=frozenset({space(level)}),
    )


def _evidence(members: Iterable[Unit], quoted: Collection[str]) -> tuple[Evidence, ...]:
    found: dict[str, Evidence] = {}
    for member in members:
        says = {member.id, _leaf(member)} & set(quoted)
        for each in member.evidence:
            kept = each if says else Evidence(each.message)
            if each.message not in found or kept.end > found[each.message].end:
                found[each.message] = kept
    return tuple(found.values())


def _leaf(unit: Unit) -> str:
    """Return the id of the unit that an abstract one has its date and place from, or its own."""
    return unit.id.rpartition(MARK)[0] if unit.level else unit.id


def _days(members: Sequence[Unit]) -> str:
    """Return from when to when units were said, as a reader is told it."""
    said = sorted(member.said_at for member in members if member.said_at)
    if not said:
        return ""
    first, last = day(said[0]), day(said[-1])
    return f", {first}" if first == last else f", {first} to {last}"


def _shown(members: Sequence[Unit]) -> str:
    lines = []
    for n, member in enumerate(members, 1):
        at = f" ({day(member.said_at)})" if member.said_at else ""
        lines.append(f"[{n}]{at} {' '.join(member.text.split())}")
    return "\n".join(lines)
