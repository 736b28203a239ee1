"""Spans: the shortest stretch of a sentence that says what was asked.

Each function takes a sentence and returns a phrase of it, or "" when the sentence holds
none of its kind.
"""

import re

from clew.stages.answers.reading import words

BREAK = re.compile(
    r"[,;:!?()\u2013\u2014\u2026]|\.(?=\s|$)| - |\b(?:but|because|since|although|though|while|"
    r"which|whenever|so that|'cause|cuz|coz)\b|"
    r"\b(?:and|so|when|as|if) (?=(?:I|it|we|he|she|they|you|my|our|the|that)\b)"
)
_LEAD = re.compile(
    r"^(?:(?:the|an?|my|our|your|his|her|their|its|some|this|that|these|those|to|of|for|with|on|in|at|"
    r"about|and|or|so|really|very|just|also|even|such|is|are|was|were|be|been|being|am|it|I|we|"
    r"i'm|it's|they|he|she|like|super|pretty|quite|all|up|out|then|there|have|has|had|got)\b[\s,'\u2019]*)+",
    re.I,
)
_TAIL = re.compile(
    r"(?:[\s,]+(?:and|or|the|an?|to|of|for|with|in|on|at|my|our|that|it|is|was|so|by|from|"
    r"too|also|really|as|I|we|right now|now|lately|recently|today|yesterday|there|here|this))+$",
    re.I,
)


def trim(phrase: str, most: int) -> str:
    """Strip articles, pronouns and helpers from the edges, and keep at most `most` words."""
    kept = " ".join(phrase.split()[: most + 4]).strip(" \"'.,;:!?-\u201c\u201d")
    kept = _LEAD.sub("", kept)
    kept = " ".join(kept.split()[:most])
    return _TAIL.sub("", kept).strip(" \"'.,;:!?-\u201c\u201d")


_WHERE = re.compile(
    r"\b(?:in|at|to|from|near|into|onto|on|by|outside|inside|around|behind|under) "
    r"(?P<place>(?:(?:the|a|an|my|our|his|her|their|this|some) )?[^.,;:!?()\n]+?)"
    r"(?=$|[.,;:!?()\n]| (?:and|but|because|since|when|while|which|that|who|so|now|then|too|as|"
    r"for|with|today|yesterday|tomorrow|last|next|this|on|in|to|from|at|after|before|was|is|we|I)\b)"
)


def place(text: str, known: frozenset[str], most: int) -> str:
    """Return the place a sentence names: a name first, then what follows "at", "in" or "to"."""
    found = [trim(m["place"], most) for m in _WHERE.finditer(text)]
    fresh = [p for p in found if p and not all(w.root in known for w in words(p) if w.root)]
    named = [p for p in fresh if p[0].isupper() and p.split()[0].casefold() not in _TIMES]
    plain = [p for p in fresh if p.split()[0].casefold() not in _TIMES and not p[0].isdigit()]
    return next(iter(named or plain), "")


_TIMES = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may
    june july august september october november december time morning evening afternoon night
    moment spring summer autumn winter fall weekend week month year""".split()
)
_WHY = re.compile(
    r"\b(?:because(?: of)?|'cause|cuz|since|so that|"
    r"so (?=(?:I|we|he|she|they|it)\b)|in order to|in hopes of|"
    r"due to|thanks to|to (?=[a-z]+ )|for (?=(?:my|our|his|her|their|the|a) ))(?P<why>[^.;!?]+)"
)


_CAUSES = ("because", "'cause", "since", "so", "in", "due", "thanks", "to", "for")


def reason(text: str, most: int) -> str:
    """Return what follows "because", "so that", "to" or "for" in a sentence."""
    found = list(_WHY.finditer(text))
    for cause in _CAUSES:
        for match in found:
            if match.group().casefold().startswith(cause):
                told = match.group() if cause in ("to", "for") else match["why"]
                return " ".join(told.split()[:most]).strip(" ,")
    return ""
