"""Scores of one answer: both F1s in use, BLEU-1, and how much gold evidence a context holds.

Each is a pure function with the name of the convention it follows. Two runs are only
comparable in the same convention, so all of them are always written down.
"""

import re
import string
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple

from clew.model import Answer, Context, Question

BUDGETS = (250, 500, 1000, 2000)  # tokens for which evidence recall is reported
MULTI_HOP, OPEN_DOMAIN, ADVERSARIAL = 1, 3, 5  # LoCoMo's category numbers with rules of their own
ABSTENTIONS = ("not mentioned", "no information available")  # as the official scorer has them

_SPARED = ("scipy.stats", "scipy.sparse", "sklearn")

_DROPPED = re.compile(r"\b(a|an|the|and)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_SET_SPACES = str.maketrans(".,!?", "    ")


def score(question: Question, answer: Answer, packed: Mapping[int, Context]) -> dict[str, float]:
    """Return every score of an answer; `packed` holds its evidence by token budget.

    Questions without gold evidence get no evidence scores.
    """
    gold = str(question.gold)
    scores = {
        "f1_locomo": f1_locomo(answer.text, gold, question.category),
        "f1_set": f1_set(answer.text, gold),
        "bleu1": bleu1(answer.text, gold),
    }
    if question.category == ADVERSARIAL and answer.abstained:
        scores["f1_locomo"] = 1.0
    if question.evidence:
        scores |= _evidence_scores(question.evidence, answer.context, packed)
    return {name: round(value, 6) for name, value in scores.items()}


def zero_scores(question: Question, budgets: Collection[int] = BUDGETS) -> dict[str, float]:
    """Return the scores of a question whose answering failed: all zero, none left out."""
    nothing = Context("", 0)
    return score(question, Answer("", nothing), dict.fromkeys(budgets, nothing))


def _evidence_scores(
    gold: Collection[str], read: Context, packed: Mapping[int, Context]
) -> dict[str, float]:
    scores = {"evidence_recall": evidence_recall(gold, read.messages)}
    for budget, context in packed.items():
        scores[f"evidence_recall_{budget}"] = evidence_recall(gold, context.messages)
        if budget == 500:
            scores["all_evidence_500"] = all_evidence(gold, context.messages)
    return {name: value for name, value in scores.items() if value is not None}


def evidence_recall(gold: Collection[str], messages: Collection[str]) -> float | None:
    """Return the share of gold messages a context is built from; None without gold.

    The official scorer gives 1 to a question without evidence, which lifts every mean.
    """
    wanted = set(gold)
    return len(wanted & set(messages)) / len(wanted) if wanted else None


def all_evidence(gold: Collection[str], messages: Collection[str]) -> float | None:
    """Return 1 when a context is built from every gold message, else 0; None without gold."""
    return float(set(gold) <= set(messages)) if gold else None


def f1_locomo(said: str, gold: str, category: int) -> float:
    """Score as LoCoMo's own script does, with its rules by category.

    Multi-hop answers are lists: each gold part takes its best match among the parts said.
    Open-domain golds end at the first semicolon. Adversarial answers only have to abstain.
    """
    if category == ADVERSARIAL:
        return float(any(phrase in said.lower() for phrase in ABSTENTIONS))
    if category == MULTI_HOP:
        parts = said.split(",")
        best = [max(_f1(part, wanted) for part in parts) for wanted in gold.split(",")]
        return sum(best) / len(best)
    return _f1(said, gold.split(";")[0] if category == OPEN_DOMAIN else gold)


def _f1(said: str, gold: str) -> float:
    ours, theirs = Counter(_stems(said)), Counter(_stems(gold))
    shared = (ours & theirs).total()
    return 2 * shared / (ours.total() + theirs.total()) if shared else 0.0


def _stems(text: str) -> list[str]:
    """Normalise as the official scorer: punctuation is deleted, so "7,000" is one word."""
    plain = text.replace(",", "").lower().translate(_NO_PUNCTUATION)
    return [_stem(word) for word in _DROPPED.sub(" ", plain).split()]


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    return str(_nltk().stemmer.stem(word))


def f1_set(said: str, gold: str) -> float:
    """Score the overlap of word sets, as the SimpleMem and AriadneMem tables do."""
    ours = set(said.lower().translate(_SET_SPACES).split())
    theirs = set(gold.lower().translate(_SET_SPACES).split())
    shared = len(ours & theirs)
    return 2 * shared / (len(ours) + len(theirs)) if shared else 0.0


def bleu1(said: str, gold: str) -> float:
    """Score NLTK's sentence BLEU of single words, smoothing method 1, brevity penalty."""
    ours, theirs = _tokens(said), _tokens(gold)
    if not ours or not theirs:
        return 0.0
    nltk = _nltk()
    return float(nltk.bleu([theirs], ours, (1, 0, 0, 0), smoothing_function=nltk.smoothing))


def _tokens(text: str) -> list[str]:
    return list(_nltk().tokenizer.tokenize(text.lower()))


class _Nltk(NamedTuple):
    """What scores call of NLTK."""

    stemmer: Any
    tokenizer: Any
    bleu: Any
    smoothing: Any


@lru_cache(maxsize=1)
def _nltk() -> _Nltk:
    """Load NLTK, once and when it is first needed."""
    with _lightly():
        from nltk.stem.porter import PorterStemmer
        from nltk.tokenize.destructive import NLTKWordTokenizer
        from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    smoothing = SmoothingFunction().method1
    return _Nltk(PorterStemmer(), NLTKWordTokenizer(), sentence_bleu, smoothing)


@contextmanager
def _lightly() -> Iterator[None]:
    """Have NLTK do without packages that it only tries to import: they take it two seconds."""
    modules: dict[str, Any] = sys.modules
    spared = [name for name in _SPARED if name not in modules]
    modules.update(dict.fromkeys(spared))  # None: as if it were not installed
    try:
        yield
    finally:
        for name in spared:
            del modules[name]
