"""Spans: the shortest stretch of a sentence that says what was asked.

Each function takes a sentence and returns a phrase of it, or "" when the sentence holds
none of its kind.
"""

import re

from clew.stages.reading import Word, words

BREAK = re.compile(
    r"[,;:!?()\u2013\u2014\u2026]|\.(?=\s|$)| - |\b(?:but|because|since|although|though|while|which|"
    r"whenever|so that|'cause|cuz|coz)\b|\b(?:and|so|when|as|if) (?=(?:I|it|we|he|she|they|you|my|our|the|that)\b)"
)
_LEAD = re.compile(
    r"^(?:(?:the|an?|my|our|your|his|her|their|its|some|this|that|these|those|to|of|for|with|on|in|at|about|and|or|"
    r"so|really|very|just|also|even|such|is|are|was|were|be|been|being|am|it|I|we|i'm|it's|they|he|she|"
    r"like|super|pretty|quite|all|up|out|then|there|have|has|had|got)\b[\s,'\u2019]*)+",
    re.I,
)
_TAIL = re.compile(
    r"(?:[\s,]+(?:and|or|the|an?|to|of|for|with|in|on|at|my|our|that|it|is|was|so|by|from|too|also|really|"
    r"as|I|we|right now|now|lately|recently|today|yesterday|there|here|this))+$",
    re.I,
)


def clause(text: str, at: int) -> tuple[int, int]:
    """Return the stretch between the nearest breaks around a position."""
    start, end = 0, len(text)
    for stop in BREAK.finditer(text):
        if stop.end() <= at:
            start = stop.end()
        elif stop.start() >= at:
            end = stop.start()
            break
    return start, end


def trim(phrase: str, most: int) -> str:
    """Strip articles, pronouns and helpers from the edges, and keep at most `most` words."""
    kept = " ".join(phrase.split()[: most + 4]).strip(" \"'.,;:!?-\u201c\u201d")
    kept = _LEAD.sub("", kept)
    kept = " ".join(kept.split()[:most])
    return _TAIL.sub("", kept).strip(" \"'.,;:!?-\u201c\u201d")


def after(text: str, verbs: frozenset[str] | set[str], most: int) -> str:
    """Return what follows the last word of these roots in its clause."""
    for word in reversed(words(text)):
        if word.root in verbs:
            _, end = clause(text, word.end)
            if found := trim(text[word.end : end], most):
                return found
    return ""


def quoted(text: str) -> list[str]:
    """Return what stands in double quotation marks."""
    return re.findall(r"[\"\u201c]([^\"\u201c\u201d]{2,60})[\"\u201d]", text)


def predicate(text: str, most: int) -> str:
    """Return the first clause of substance without subject and helpers."""
    best = ""
    start = 0
    for end in [*(m.start() for m in BREAK.finditer(text)), len(text)]:
        part = trim(text[start:end], most)
        if len(part.split()) > len(best.split()) and len(best.split()) < 3:
            best = part
        start = end + 1
    return best


def remaining(found: list[Word], known: frozenset[str]) -> list[Word]:
    """Return the content words that the question does not hold."""
    return [word for word in found if word.root and word.root not in known]


_WHERE = re.compile(
    r"\b(?:in|at|to|from|near|into|onto|on|by|outside|inside|around|behind|under) "
    r"(?P<place>(?:(?:the|a|an|my|our|his|her|their|this|some) )?[^.,;:!?()\n]+?)"
    r"(?=$|[.,;:!?()\n]| (?:and|but|because|since|when|while|which|that|who|so|now|then|too|as|for|with|today|"
    r"yesterday|tomorrow|last|next|this|on|in|to|from|at|after|before|was|is|we|I)\b)"
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
    r"\b(?:because(?: of)?|'cause|cuz|since|so that|so (?=(?:I|we|he|she|they|it)\b)|in order to|in hopes of|due to|"
    r"thanks to|to (?=[a-z]+ )|for (?=(?:my|our|his|her|their|the|a) ))(?P<why>[^.;!?]+)"
)


def reason(text: str, most: int) -> str:
    """Return what follows "because", "so that", "to" or "for" in a sentence."""
    for words_ in ("because", "'cause", "since", "so", "in", "due", "thanks", "to", "for"):
        for found in _WHY.finditer(text):
            if found.group().casefold().startswith(words_):
                return (
                    " ".join(found.group().split()[: most + 1]).strip(" ,")
                    if words_ in ("to", "for")
                    else (" ".join(found["why"].split()[:most]).strip(" ,"))
                )
    return ""
