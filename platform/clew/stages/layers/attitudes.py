"""Attitudes: what a model means by a word for how somebody stands to something."""

import re
from typing import Literal

Attitude = Literal["likes", "dislikes", "feels"]

_PAST_OR_WISH = re.compile(r"\b(?:used to|once|formerly|would|want(?:s|ed)?|wish(?:es|ed)?)\b")
_NOT = re.compile(r"\b(?:not|no longer|never|no|stopped|cannot)\b|n['\u2019]t\b")
_LIKES = re.compile(
    r"\b(?:lik(?:es?|ed|ing)|lov(?:es?|ed|ing)|ador(?:es?|ed|ing)|enjoy(?:s|ed|ing)?|fond|fan|keen"
    r"|prefer(?:s|red)?|favou?rs?|favou?rites?|favou?rable|appreciates?|positive)\b"
)
_DISLIKES = re.compile(
    r"\b(?:dislik(?:es?|ed|ing)|hat(?:es?|ed|ing)|loath(?:es?|ed|ing)|detest(?:s|ed)?|abhors?"
    r"|despis(?:es?|ed|ing)|averse|unfavou?rable|negative)\b"
)
_CANNOT_BEAR = re.compile(r"(?:cannot|can not|can['\u2019]t|could not) (?:stand|bear|abide)")
_FEELS = re.compile(r"feel(?:s|ing|ings)?|felt|emotions?")
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
    """Return which attitude a plain word means, if it means one of them and nothing else."""
    if _FEELS.fullmatch(told):
        return "feels"
    if _CANNOT_BEAR.fullmatch(told):
        return "dislikes"
    liked, disliked = _LIKES.search(told), _DISLIKES.search(told)
    if _PAST_OR_WISH.search(told) or bool(liked) == bool(disliked):
        return None
    if _NOT.search(told):
        return "dislikes" if liked else None  # who does not hate a thing need not like it
    return "likes" if liked else "dislikes"


def felt(name: str, feeling: str, what: str) -> str:
    """Return a sentence on a feeling that is an adjective or, in place of "likes", a verb."""
    if _VERB.fullmatch(feeling):
        return f"{name} {feeling} {what}"
    return f"{name} feels {feeling} about {what}"
