"""Asking: what kind of answer does a question want, about whom, and of which time?

Nothing here looks at a memory: a question is read by its own words. What comes after the
question mark ("Give only the city") narrows the kind.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from clew.text import fold, names, stems

Kind = Literal[
    "when", "where", "who", "count", "days", "long", "yesno", "choice", "why", "how", "what"
]

_PAST = """ate:eat began:begin became:become bought:buy brought:bring broke:break built:build
    came:come caught:catch chose:choose did:do drew:draw drank:drink drove:drive fell:fall felt:feel
    flew:fly forgot:forget fought:fight found:find gave:give given:give gone:go got:get gotten:get
    grew:grow heard:hear held:hold hid:hide kept:keep knew:know known:know led:lead left:leave
    lent:lend lost:lose made:make meant:mean met:meet paid:pay ran:run rode:ride rose:rise said:say
    sang:sing sat:sit saw:see seen:see sent:send shot:shoot shown:show slept:sleep sold:sell
    spoke:speak spoken:speak spent:spend stood:stand stole:steal swam:swim taken:take took:take
    taught:teach thought:think threw:throw told:tell understood:understand went:go woke:wake
    won:win wore:wear worn:wear wrote:write written:write gonna:go
    children:child people:person men:man women:woman"""
_BASE = {
    (stems(past) or [past])[0]: (stems(base) or [base])[0]
    for past, base in (pair.split(":") for pair in _PAST.split())
}
_EMPTY = frozenset(
    stems("""time date day kind type sort give only name answer one number word year month week
    recently currently ever now likely go do thing many much long ago mention say tell describe
    according use get take have make would s""")
)
_ASKS: tuple[tuple[Kind, str], ...] = (
    ("days", r"how many (?:days|weeks|months|years)\b"),
    ("count", r"how (?:many|often)\b|what number of\b"),
    ("long", r"(?:for |since )?how long\b|since when\b|how old\b"),
    (
        "when",
        r"when\b|.*(?:\uc5b8\uc81c|\u4f55\u65f6|\u4ec0\u4e48\u65f6\u5019|\u3044\u3064|\u54ea\u4e00?\u5929)"
        r"|(?:on |in |during |by |at |around )?(?:what|which) (?:exact |specific )?"
        r"(?:date|day|week|weekend|month|year|season|time)\b",
    ),
    (
        "where",
        r"where\b|.*(?:\uc5b4\ub514|\u54ea\u91cc|\u54ea\u513f|\u3069\u3053)"
        r"|(?:in|to|from|at) (?:what|which) (?:\w+ )?"
        r"(?:city|town|country|place|state|area|location|village|region|island|street)\b",
    ),
    ("who", r".*(?:\ub204\uad6c|\u8c01|\u8ab0)|(?:to |with |by |for |from )?(?:who|whom|whose)\b"),
    ("why", r"why\b|(?:for )?what reason\b|what (?:made|motivated|inspired|prompted)\b"),
    ("how", r"how\b"),
    (
        "yesno",
        r"(?:is|are|was|were|do|does|did|has|have|had|can|could|would|will|should|might)\b",
    ),
)
_KINDS = tuple((kind, re.compile(words, re.I)) for kind, words in _ASKS)
_CHOICE = re.compile(
    r"(?:.*[,:] ?|.*\b(?:more|rather|prefer|in|to|by)\b |^)(?:going to |the |an? )*"
    r"(?P<one>[\w' -]+?) or (?:to |the |an? )*(?P<two>[\w' -]+?)\?*$",
    re.I,
)
_HEAD = re.compile(
    r"^(?:in |on |at |for |with |to |from |of )?(?:what|which) (?:kinds?|types?|sorts?|styles?)?"
    r"(?: of)? ?(?P<head>(?:[\w'+-]+ ){0,2}?[\w'+-]+)"
    r"(?= (?:is|are|was|were|do|does|did|has|have|had|can|could|would|will|might|should)\b)",
    re.I,
)
_HELP = "do does did is are was were has have had will would can could should might"
_HELPERS = frozenset(_HELP.split())
WORD = re.compile(r"[^\W_]+(?:['\u2019.:+-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, read.

    `roots` are the content words that evidence should share; `verb` the root of the main
    verb after its helper, `head` the noun that "what" or "which" stands before, `owner` what
    stands after a possessive ("sister" of "Pia's sister").
    """

    text: str
    kind: Kind
    names: tuple[str, ...]
    roots: frozenset[str]
    verb: str = ""
    head: str = ""
    several: bool = False
    choices: tuple[str, str] | None = None
    only: str = ""
    clock: bool = False
    first: bool = False


@lru_cache(maxsize=1 << 16)
def root(word: str) -> str:
    """Return the stem of a word with irregular forms made regular; "" for a stop word."""
    found = stems(word)
    return _BASE.get(found[0], found[0]) if found else ""


def roots(text: str) -> frozenset[str]:
    """Return the roots of the content words of a text."""
    return frozenset(_BASE.get(stem, stem) for stem in stems(text))


@lru_cache(maxsize=1 << 10)
def read(question: str) -> Asked:
    """Read a question."""
    core, only = _split(question)
    kind = _kind(core)
    who = tuple(names(core[0].lower() + core[1:]))
    choices = _choices(core) if kind in ("who", "what", "yesno", "when") else None
    head = found["head"] if (found := _HEAD.match(core)) else ""
    if choices:
        kind = "choice"
    return Asked(
        text=core,
        kind=kind,
        names=who,
        roots=(roots(core) - _EMPTY) or roots(core),
        verb=_verb(core, who),
        head=head,
        several=_several(core, head),
        choices=choices,
        only=only,
        clock=re.search(r"\btime\b|o'clock", f"{core[:24]} {only}", re.I) is not None,
        first=re.search(r"\b(?:first|earliest|originally|initially)\b", core, re.I) is not None,
    )


def _split(question: str) -> tuple[str, str]:
    """Return the question itself, and what is said after it about the form of the answer."""
    text = re.sub(r"^according to [^,]+, ?", "", question.strip(), flags=re.I)
    core, _, rest = text.partition("?")
    if not rest and not core.strip():
        return text or "?", ""
    return core.strip() or text, rest.strip()


def _kind(core: str) -> Kind:
    for kind, words in _KINDS:
        if words.match(core):
            return kind
    return "what"


def _choices(core: str) -> tuple[str, str] | None:
    if " or " not in core:
        return None
    found = _CHOICE.search(core)
    return (found["one"].strip(), found["two"].strip()) if found else None


def _verb(core: str, who: tuple[str, ...]) -> str:
    """Return the root of the first content word after the helper verb and its subject."""
    words = WORD.findall(core)
    at = next((n for n, word in enumerate(words) if word.casefold() in _HELPERS), -1)
    if at < 0:
        return ""
    rest = words[at + 1 :]
    known = {fold(part) for name in who for part in name.split()}
    while rest and fold(re.sub(r"['\u2019]s$", "", rest[0])) in known | {"and", "the", "both"}:
        owner = rest[0].endswith(("'s", "\u2019s"))
        rest = rest[2:] if owner else rest[1:]
    return next((found for word in rest if (found := root(word))), "")


def _several(core: str, head: str) -> bool:
    """Tell whether a list is asked for: of a plural noun, or of all that has been done."""
    last = head.split()[-1].casefold() if head else ""
    if last.endswith("s") and not last.endswith(("ss", "us", "is")):
        return True
    if head:
        return False
    return (
        re.match(
            r"what (?:are|were) |which of|in what ways|what all |(?:what|where) (?:has|have) ",
            core,
            re.I,
        )
        is not None
    )
