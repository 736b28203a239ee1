"""Attitudes: what a model means by a word for how somebody stands to something."""

import re
from typing import Literal

Attitude = Literal["likes", "dislikes", "feels"]

_LABELS: dict[str, Attitude] = {
    "positive": "likes", "favorable": "likes", "favourable": "likes",
    "negative": "dislikes", "unfavorable": "dislikes", "unfavourable": "dislikes",
    "feel": "feels", "feels": "feels", "felt": "feels", "feeling": "feels", "emotion": "feels",
}  # fmt: skip
_NOT = re.compile(r"\b(?:not|no longer|never|stopped)\b|n['\u2019]t\b")
_LIKES = re.compile(
    r"\b(?:lik(?:es?|ed|ing)|lov(?:es?|ed|ing)|ador(?:es?|ed|ing)|enjoy(?:s|ed|ing)?|fond|fan|keen"
    r"|prefer(?:s|red)?|favou?rs?|favou?rites?|appreciates?)\b"
)
_DISLIKES = re.compile(
    r"\b(?:dislik(?:es?|ed|ing)|hat(?:es?|ed|ing)|loath(?:es?|ed|ing)|detest(?:s|ed)?|abhors?"
    r"|despis(?:es?|ed|ing)|averse)\b"
    r"|\b(?:cannot|can not|can['\u2019]t) (?:stand|bear|abide)\b"
)
_BESIDE = frozenset(  # words that say no more than how much, or are there for the grammar
    "a also an are big deeply did do does greatly is lot much of on quite really so still "
    "strongly the to truly very was were".split()
)
_FORM = r"[a-z]+(?<!ou)(?<!s)s"  # of a verb, as in "she fears": not "anxious", not "helpless"
_VERB = re.compile(
    r"(?:is|was|are|has|had|does|did|do|can|cannot|could|would|used to|no longer|never)\b.+"
    rf"|{_FORM}(?: and {_FORM})?(?: (?:about|at|for|in|of|on|to|with))?",
    re.I,
)


def plain(told: str) -> str:
    """Return a word of a model as it would be said: "no_longer_likes" is "no longer likes"."""
    return " ".join(told.replace("_", " ").strip(" .\"'").casefold().split())


def meant(told: str) -> Attitude | None:
    """Return which attitude a plain word means, if it says that and nothing else."""
    return _LABELS.get(told) or liking(told)


def liking(told: str) -> Attitude | None:
    """Return whether plain words say that something is liked, or is not, and nothing else."""
    liked, disliked = _LIKES.search(told), _DISLIKES.search(told)
    rest = _NOT.sub(" ", _LIKES.sub(" ", _DISLIKES.sub(" ", told))).split()
    if bool(liked) == bool(disliked) or not _BESIDE.issuperset(rest):
        return None
    if disliked:  # who does not hate a thing need not like it
        return None if _NOT.search(_DISLIKES.sub(" ", told)) else "dislikes"
    return "dislikes" if _NOT.search(told) else "likes"


def felt(name: str, feeling: str, what: str) -> str:
    """Return a sentence on a feeling that is an adjective or, in place of "likes", a verb."""
    if _VERB.fullmatch(feeling):
        return f"{name} {feeling} {what}"
    return f"{name} feels {feeling} about {what}"
