"""Words without a model: folding, stems, BM25 weights, sentences, names, details, tokens.

Everything is a pure function of the text, so an index made today fits a query of
tomorrow. Scripts without spaces between words become pairs of characters, which is what
makes a word inside a Chinese or Japanese clause findable.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import Stemmer
import toktok  # type: ignore[import-untyped, unused-ignore]

from clew.english import ATTRIBUTES, FOLLOWERS, JOINERS, MONTHS, OPENERS, STOP, WEEKDAYS
from clew.precise import negation, precise

K1, B = 1.2, 0.75  # BM25 as usual
AVERAGE_LENGTH = 12.0  # stems in a typical unit; fixed, so that a weight never changes later

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_UNSPACED += "\uac00-\ud7af\U00020000-\U0003ffff"
_MARKS = "\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0951-\u0957"
_LETTER = rf"(?:[^\W_{_UNSPACED}]|[{_MARKS}])"
_WORD = re.compile(
    rf"""(?P<run>[{_UNSPACED}]+)
    | (?P<clock>\d{{1,2}}(?::\d\d)?)\s?(?P<half>[ap])\.?m\b
    | (?P<thousands>\d{{1,3}}(?:,\d{{3}})+)
    | \d{{4}}-\d\d-\d\d
    | \d+(?:[.:/]\d+)+
    | \b[a-z]{{1,3}}-\d[a-z0-9]*(?:-[a-z0-9]+)*
    | (?P<word>{_LETTER}+(?:'{_LETTER}+)*)
    """,
    re.VERBOSE,
)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff\ud800-\udfff]")
_ACCENT = re.compile("[\u0300-\u036f]")
_stemmer = Stemmer.Stemmer("english")


def clean(text: str) -> str:
    """Normalise a text at the door: composed letters, no control characters, no outer space."""
    return unicodedata.normalize("NFC", _CONTROL.sub("", text)).strip()


def fold(text: str) -> str:
    """Reduce a text to what a search compares: one width, lower case, no accents."""
    if text.isascii():
        return text.casefold()
    wide = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")
    if wide.isascii():
        return wide
    return unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFD", wide)))


def words(text: str) -> list[str]:
    """Return the folded words in order; runs of an unspaced script as character pairs."""
    return list(_words(fold(text)))


def _words(folded: str) -> Iterator[str]:
    for match in _WORD.finditer(folded):
        kind, found = match.lastgroup, match.group()
        if kind == "word":
            yield found.removesuffix("'s")
        elif kind == "run":
            yield from (found[at : at + 2] for at in range(max(1, len(found) - 1)))
        elif kind == "half":
            yield f"{match['clock']}{match['half']}m"
        else:
            yield found.replace(",", "")


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    return "" if word in STOP else str(_stemmer.stemWord(word))


def stems(text: str) -> list[str]:
    """Return the stems of the words, without English stop words."""
    return [stem for word in _words(fold(text)) if (stem := _stem(word))]


def keywords(text: str) -> frozenset[str]:
    """Return the distinct content stems."""
    return frozenset(stems(text))


@lru_cache(maxsize=1 << 16)
def _index(stem: str) -> int:
    return crc32(stem.encode("utf-8", "surrogatepass"))


def term_weights(text: str) -> dict[int, float]:
    """Return the document side of BM25; the engine multiplies by IDF."""
    counts = Counter(stems(text))
    norm = K1 * (1 - B + B * counts.total() / AVERAGE_LENGTH)
    return {_index(stem): n * (K1 + 1) / (n + norm) for stem, n in counts.items()}


def query_weights(text: str) -> dict[int, float]:
    """Return weight 1 for each distinct stem of a query."""
    return {_index(stem): 1.0 for stem in stems(text)}


# --- sentences

_BREAK = re.compile(r"[.!?\u2026]+[\"'\u201d\u2019)\]]*(?=\s|$)|[\u3002\uff01\uff1f]+|\n+")
_SHORT = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|e\.g|i\.e|approx|no|[ap]\.m|[a-z])\.)$", re.I
)


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the span of characters of each sentence, without the space around it."""
    spans, start = [], 0
    for stop in _BREAK.finditer(text):
        if stop.group()[0] == "." and _SHORT.search(text[max(0, stop.end() - 8) : stop.end()]):
            continue
        spans.append((start, stop.end()))
        start = stop.end()
    spans.append((start, len(text)))
    return [found for span in spans if (found := _trim(text, *span))]


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    part = text[start:end]
    begin = start + len(part) - len(part.lstrip())
    stop = begin + len(part.strip())
    return (begin, stop) if stop > begin else None


# --- names

_UPPER = "[" + "".join(char for char in map(chr, range(0x2000)) if char.isupper()) + "]"
_NAME = rf"(?!I(?!\w)){_UPPER}(?:['\u2019]{_UPPER})?[^\W\d_]*(?:-[^\W\d_]+)*"
_RUN = re.compile(rf"(?<![\w'\u2019]){_NAME}(?:(?: (?:{JOINERS}))? {_NAME})*(?!\w)")
_MONTHS = frozenset(MONTHS.split())
_WEEKDAYS = frozenset(f"{WEEKDAYS} mon tue tues wed thu thur thurs fri sat sun".split())
_DATING = frozenset("in on of last next this since until till by early late mid during".split())
_SHOUTED = 6  # a longer word all in capitals is shouted, not short for something
_BARE = re.compile(r"\s+([a-z]+)\b")
_MADE = re.compile(r".{2,}(?:ing|ity|ness|ment|tion|sion|ship|ally|able|ible|less|ful|ous)s?")
_VERBISH = re.compile(r".{3,}(?:ed|ly)")
_THEN = frozenset("is was has had and will can could would says said told loves likes went".split())


def names(text: str) -> list[str]:
    """Return the capitalised runs that are probably names, in order of first mention.

    A word that only opens a sentence, a weekday, and a month in a date are none.
    """
    runs = () if text.isupper() else _RUN.finditer(text)
    found = (_name(text, run.start(), run.end()) for run in runs)
    return list(dict.fromkeys(name for name in found if name))


def _name(text: str, start: int, end: int) -> str:
    before = text[max(0, start - 24) : start].rstrip(" \"'\u201c\u2018(*_")
    opens = not before or not (before[-1].isalnum() or before[-1] in "-/&,;\u2019")
    listed = OPENERS if opens or before[-1] == "," else STOP
    parts = text[start:end].split(" ")
    while parts and _opener(parts, listed):
        before, parts, opens = parts[0], parts[1:], False
    if not parts or (len(parts) == 1 and not _lone(parts[0], before, opens, text[end : end + 24])):
        return ""
    return " ".join(parts)


def _opener(parts: Sequence[str], listed: frozenset[str]) -> bool:
    word = parts[0].casefold()
    if word in ATTRIBUTES and len(parts) > 1:
        return False  # "New York", "Big Ben"
    shouted = parts[0].isupper() and (len(word) > _SHOUTED or word in OPENERS) and len(word) > 1
    return word in listed or shouted or not parts[0][0].isupper()


def _lone(part: str, before: str, opens: bool, after: str) -> bool:
    """Tell whether a single capitalised word is a name, by what stands around it."""
    word = part.casefold()
    if word in _MONTHS:
        last = before.split()[-1].casefold().strip(",.") if before.split() else ""
        dated = last in _DATING or last[:1].isdigit() or after.lstrip(" ,")[:1].isdigit()
        return word in ("april", "may", "june", "august") and not (opens or dated)
    owner, contracted = (after[:1] in ("'", "\u2019") and after[1:2] == end for end in "st")
    if word in _WEEKDAYS or contracted or len(word) == 1:
        return False
    if not opens or owner:
        return True
    follows = _BARE.match(after)
    odd = follows and (
        follows[1] in FOLLOWERS or (_VERBISH.fullmatch(word) and follows[1] not in _THEN)
    )
    return not odd and not _MADE.fullmatch(word)


# --- details that a merge must never lose


@dataclass(frozen=True, slots=True)
class Details:
    """What may not change between two texts that say the same.

    `denied` and `stated` are the content stems inside and outside the reach of a negation.
    """

    numbers: frozenset[str] = frozenset()
    times: frozenset[str] = frozenset()
    dates: frozenset[str] = frozenset()
    codes: frozenset[str] = frozenset()
    negated: bool = False
    denied: frozenset[str] = frozenset()
    stated: frozenset[str] = frozenset()


_LETTERED = re.compile(  # "gate B": a capital after such a noun is a code
    r"(?i:\b(?:gate|room|pier|platform|terminal|block|wing|plan|option|section|seat|line|row|hall"
    r"|level|grade|team|group|building|unit|zone|track|bay)) ([A-Z])(?![-\w])"
)


@lru_cache(maxsize=1 << 14)
def details(text: str) -> Details:
    """Read the numbers, times, dates, codes and the polarity of a text."""
    folded = fold(text)
    found: dict[str, set[str]] = {"number": set(), "time": set(), "date": set(), "code": set()}
    for kind, value in precise(folded):
        found[kind].add(value)
    found["code"] |= set(_LETTERED.findall(text))
    reach, rest = negation(folded)
    denied = keywords(" ".join(reach))
    return Details(
        numbers=frozenset(found["number"]),
        times=frozenset(found["time"]),
        dates=frozenset(found["date"]),
        codes=frozenset(found["code"]),
        negated=bool(reach),
        denied=denied,
        stated=keywords(rest) - denied if denied else keywords(rest),
    )


def differ(one: str, other: str) -> str:
    """Name the kind of detail in which two texts differ, or return an empty string."""
    left, right = details(one), details(other)
    for kind, same in (
        ("time", left.times == right.times),
        ("date", left.dates == right.dates),
        ("code", left.codes == right.codes),
        ("number", left.numbers == right.numbers),
        ("negation", left.negated == right.negated and not _swapped(left, right)),
    ):
        if not same:
            return kind
    return ""


def _swapped(left: Details, right: Details) -> bool:
    """Tell whether one denies what the other states ("tea, not coffee")."""
    return bool(left.denied & right.stated or right.denied & left.stated)


# --- tokens


@lru_cache(maxsize=1 << 14)
def count_tokens(text: str) -> int:
    """Count tokens as cl100k does."""
    return int(toktok.batch_count([text], "cl100k_base", threads=1)[0])
