"""Claims: sentences read as facts in slots, by patterns that hold for English in general.

A claim is about whoever its subject names: the speaker for "I" and "my", the person spoken
of for "my neighbour says she ...". A question, a wish and a plan claim nothing.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from clew.english import CARDINALS
from clew.model import Fact
from clew.text import fold, stems

Subject = Callable[[str], str]  # "my sister", "Nora" or "I" -> an entity id, or ""

_NUMBER = r"\d+|" + "|".join(CARDINALS)
_NAME = r"[A-Z\u00c0-\u00de][\w'\u2019-]*"
_WHO = rf"(?:^|(?<=[\s,;(]))(?P<who>I|[Ww]e|[Mm]y (?:[a-z-]+ ){{0,2}}?[\w-]+|{_NAME})"
_SOFT = (
    r"(?:['\u2019](?:m|ve|re|s))?"
    r"(?: (?:am|are|is|have|has|do|does|did|can|also|now|still|currently|just|recently|really|"
    r"finally|already|both|all))*"
)
_NOT = (
    r"(?P<not> (?:not|no longer|never|cannot|can['\u2019]t|don['\u2019]t|doesn['\u2019]t"
    r"|do not|does not))?"
)
_END = (
    r"(?=$|[.,;:!?()\n]| (?:and (?:I|we|he|she|they|it|my)|but|because|since|when|while|which|"
    r"that|who|so|now|then|too|as well|at home|lately|these days|for|with|in|on|at|to|from|until|"
    r"right|where|if|after|before)\b)"
)
_PLACE = rf"(?P<value>(?:the |a |an )?{_NAME}(?:[ -](?:{_NAME}|de|la|del|of|upon)\b)*)"
_THING = rf"(?P<value>[^.,;:!?()\n]+?){_END}"
_LIST = (
    r"(?P<value>[^.;:!?()\n]+?)(?=$|[.;:!?()\n]| (?:but|because|since|when|while|which|that|who|"
    r"so|now|at home|too|as well|in|on|at|with|for|to)\b)"
)
_THINGS = r"(?P<thing>(?:[a-z-]+ )??[a-z-]+s|children|people|sheep|mice|geese)\b"


@dataclass(frozen=True, slots=True)
class _Pattern:
    words: re.Pattern[str]
    property: str
    functional: bool = False
    several: bool = False


def _pattern(
    words: str, property: str, functional: bool = False, several: bool = False
) -> _Pattern:
    return _Pattern(re.compile(words), property, functional, several)


_PATTERNS = (
    _pattern(
        rf"{_WHO}{_SOFT}{_NOT} (?:lives?|living|based|settled)(?: \w+)? in {_PLACE}", "home", True
    ),
    _pattern(rf"{_WHO}{_SOFT} (?:moved|relocated|moving back)(?: \w+)?? to {_PLACE}", "home", True),
    _pattern(
        rf"{_WHO}{_SOFT}{_NOT} work(?:s|ing)?(?: \w+)?? (?:at|for) {_THING}", "works at", True
    ),
    _pattern(
        rf"{_WHO}{_SOFT}{_NOT} work(?:s|ing)?(?: \w+)?? as (?:an? )?{_THING}", "works as", True
    ),
    _pattern(
        rf"{_WHO}{_SOFT}{_NOT} (?:get|got|have|had) (?:an? |the )?(?P<value>[\w' -]+?) job\b", "job"
    ),
    _pattern(
        rf"{_WHO}(?: am|['\u2019]m| is|['\u2019]s| was)(?: now| still)?{_NOT} an? {_THING}",
        "is",
    ),
    _pattern(
        rf"{_WHO}{_SOFT}{_NOT} (?:speaks?|fluent in"
        rf"|(?:chat|converse|hold a (?:conversation|talk)|follow a talk|get by) in) {_LIST}",
        "speaks",
        several=True,
    ),
    _pattern(
        rf"{_WHO}{_SOFT}{_NOT} "
        rf"(?P<verb>loves?|likes?|enjoys?|adores?|prefers?|fond of|a fan of|into) {_LIST}",
        "likes",
        several=True,
    ),
    _pattern(
        rf"{_WHO}{_SOFT} "
        rf"(?P<not>hates?|dislikes?|(?:can ?not|can['\u2019]t) (?:bear|stand)) {_LIST}",
        "likes",
        several=True,
    ),
    _pattern(rf"{_WHO}{_SOFT}{_NOT} plays? (?:the )?{_LIST}", "plays", several=True),
)
_COUNT = re.compile(rf"{_WHO}{_SOFT} (?:has|keeps?|owns?|got|raises?) (?P<n>{_NUMBER}) {_THINGS}")
_HAVE = re.compile(
    rf"{_WHO}(?:['\u2019]ve)?(?: (?:now|still|also))? have (?P<n>{_NUMBER}) {_THINGS}"
)
_MINE = re.compile(
    r"\b(?:[Mm]y|[Oo]ur) (?P<thing>(?:[\w-]+ ){0,2}?[\w-]+?)(?:['\u2019]s name)? (?:is|are) "
    r"(?:(?P<called>called|named) )?"
    rf"(?P<value>{_NAME}(?: {_NAME})*|(?:an?|the) [^.,;:!?()\n]+?|\d[\w:.-]*)"
    r"(?=$|[.,;:!?()\n]| (?:and|but|because|since|when|which|that|who|so|now)\b)"
)
_SLOT = re.compile(
    r"\b(?:[Mm]y|[Oo]ur|[Tt]he) (?P<thing>(?:[\w-]+ ){0,3}?[\w-]+) "
    r"(?P<verb>leaves|starts|begins|opens|closes|departs|arrives|ends) at "
    r"(?P<value>\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\b\.?)?|noon|midnight|[a-z]+ o'clock)"
)
_REPORT = re.compile(
    rf"^(?P<who>(?:[Mm]y (?:[a-z-]+ ){{0,2}}?[a-z-]+|{_NAME})(?: {_NAME})?) "
    r"(?:says|said|tells|told|thinks|claims|mentioned|swears)(?: me| us)?(?: that)? "
    r"(?:he|she|they) (?P<rest>.+)"
)
_PLAN = re.compile(
    r"\b(?:will|gonna|going to|want(?:s|ed)? to|plan(?:s|ning)? (?:to|a|on)|hop(?:e|ing) to|"
    r"would|might|may|could|should|thinking (?:of|about)|if|wish|dream of)\b|['\u2019](?:ll|d)\b",
    re.I,
)
_STARTS = re.compile(
    r"(?:I|we|he|she|they|it|you|there|that|this|these|those|to|how|what|when|where|why|who|if|"
    r"is|are|was|were|all|so|such|having|being)\b",
    re.I,
)
_FIRST = ("I", "We", "My")
_AND = re.compile(r",? and |, | & |; ")


def is_plan(sentence: str) -> bool:
    """Tell whether a sentence speaks of what may come to be, not of what is or was."""
    return _PLAN.search(sentence) is not None


def items(phrase: str) -> list[str]:
    """Split a list at commas and "and", without articles."""
    parts = (bare(part) for part in _AND.split(phrase))
    return [part for part in parts if part]


def bare(phrase: str) -> str:
    """Strip space, closing punctuation, a leading conjunction and an article, and "anymore"."""
    inner = re.sub(
        r" (?:any ?more|any longer|at all)$", "", phrase.strip(" \t\"'.,;:!"), flags=re.I
    )
    return re.sub(r"^(?:and |or |both |also )?(?:the |an? |my |our )?", "", inner)


def number(word: str) -> str:
    """Return a number word as digits."""
    return str(CARDINALS.get(word.casefold(), word))


def claims(sentence: str, subject: Subject) -> Iterator[Fact]:
    """Yield the facts that one sentence claims."""
    if sentence.rstrip().endswith("?"):
        return
    if told := _REPORT.match(sentence):
        who = subject(told["who"])
        yield from claims(f"I {told['rest']}", lambda name: who if name == "I" else subject(name))
        return
    if is_plan(sentence):
        return
    for pattern in _PATTERNS:
        for found in pattern.words.finditer(sentence):
            yield from _facts(pattern, found, subject)
    yield from _counts(sentence, subject)
    yield from _slots(sentence, subject)


def _facts(pattern: _Pattern, found: re.Match[str], subject: Subject) -> Iterator[Fact]:
    who, value, parts = subject(found["who"]), found["value"], found.groupdict()
    plural = (parts.get("verb") or "s")[-1] not in "sfo" and found["who"][0].isupper()
    if not who or len(value.split()) > 12 or (plural and found["who"].split()[0] not in _FIRST):
        return
    negated = bool(parts.get("not"))
    for part in items(value) if pattern.several else [bare(value)]:
        if part and len(part.split()) <= 6 and not _STARTS.match(part):
            yield Fact(who, pattern.property, part, pattern.functional, negated)


def _counts(sentence: str, subject: Subject) -> Iterator[Fact]:
    for pattern in (_COUNT, _HAVE):
        for found in pattern.finditer(sentence):
            if who := subject(found["who"]):
                thing = found["thing"].split()[-1]
                stem = (stems(thing) or [fold(thing)])[-1]
                yield Fact(who, f"number of {stem}", number(found["n"]), functional=True)


def _slots(sentence: str, subject: Subject) -> Iterator[Fact]:
    who = subject("I")
    for found in _MINE.finditer(sentence):
        exact = bool(found["called"]) or found["value"][0].isdigit()
        yield Fact(who, fold(found["thing"]), bare(found["value"]), functional=exact)
    for found in _SLOT.finditer(sentence):
        yield Fact(who, fold(f"{found['thing']} {found['verb']}"), found["value"], functional=True)
