"""Words without a model: folding, stems, BM25 weights, sentences, names, details, tokens.

Everything is a pure function of the text, so an index made today fits a query of
tomorrow. Scripts without spaces between words become pairs of characters, which is what
makes a word inside a Chinese or Japanese clause findable.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import Stemmer
import toktok

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
_STOP = frozenset(
    """a about above after again against all am an and any are aren't as at be because been
    before being below between both but by can can't cannot could couldn't did didn't do does
    doesn't doing don't down during each few for from further had hadn't has hasn't have haven't
    having he he'd he'll her here hers herself him himself his how i i'd i'll i'm i've if in
    into is isn't it it'll its itself just let me more most mustn't my myself no nor not of off
    on once only or other ought our ours ourselves out over own same shan't she she'd she'll
    should shouldn't so some such than that the their theirs them themselves then there these
    they they'd they'll they're they've this those through to too under until up very was wasn't
    we we'd we'll we're we've were weren't what when where which while who whom why will with
    won't would wouldn't you you'd you'll you're you've your yours yourself yourselves""".split()
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
    return "" if word in _STOP else str(_stemmer.stemWord(word))


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

_TOKEN = re.compile(r"[^\W\d_]+(?:[-'\u2019][^\W\d_]+)*")
_COMMON = _STOP | frozenset("yes no oh wow thanks hi hey hello today yesterday great".split())


def names(text: str) -> list[str]:
    """Return the capitalised runs that are probably names, in order of first mention."""
    found: dict[str, None] = {}
    run, last, initial = [], 0, True
    for match in _TOKEN.finditer(text):
        word, gap = re.sub("['\u2019]s$", "", match.group()), text[last : match.start()]
        initial = last == 0 or any(mark in gap for mark in ".!?\n")
        if run and (gap != " " or not word[0].isupper()):
            found[" ".join(run)] = None
            run = []
        if word[0].isupper() and word.casefold() not in _COMMON | {"i"}:
            run.append(word)
        last = match.end()
    if run:
        found[" ".join(run)] = None
    return list(found)


# --- details that a merge must never lose


@dataclass(frozen=True, slots=True)
class Details:
    """What may not change between two texts that say the same."""

    numbers: frozenset[str] = frozenset()
    times: frozenset[str] = frozenset()
    dates: frozenset[str] = frozenset()
    codes: frozenset[str] = frozenset()
    negated: bool = False


_DIGITS = {
    word: str(n)
    for n, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
_DATE = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april
    may june july august september october november december today yesterday tomorrow""".split()
)
_EXEMPT = re.compile(r"\b(?:don't|do not|never) forget\b")
_NOT = re.compile(r"\b(?:not|no|never|cannot|without|nobody|nothing|none)\b|n't\b")


@lru_cache(maxsize=1 << 14)
def details(text: str) -> Details:
    """Read the numbers, times, dates, codes and the polarity of a text."""
    found = _words(fold(text))
    tokens = [_DIGITS.get(word, word) for word in found]
    digits = [word for word in tokens if any(char.isdigit() for char in word)]
    times = {word for word in digits if ":" in word or word.endswith(("am", "pm"))}
    numbers = {word for word in digits if word.replace(".", "").isdigit()}
    return Details(
        numbers=frozenset(numbers),
        times=frozenset(times),
        dates=frozenset(word for word in tokens if word in _DATE),
        codes=frozenset(set(digits) - times - numbers),
        negated=bool(_NOT.search(_EXEMPT.sub("", fold(text)))),
    )


def differ(one: str, other: str) -> str:
    """Name the kind of detail in which two texts differ, or return an empty string."""
    left, right = details(one), details(other)
    for kind, field in (
        ("time", "times"),
        ("date", "dates"),
        ("code", "codes"),
        ("number", "numbers"),
        ("negation", "negated"),
    ):
        if getattr(left, field) != getattr(right, field):
            return kind
    return ""


# --- tokens


@lru_cache(maxsize=1 << 14)
def count_tokens(text: str) -> int:
    """Count tokens as cl100k does."""
    return int(toktok.batch_count([text], "cl100k_base", threads=1)[0])
