"""The exact parts of a folded text in one spelling: numbers, times, dates, codes, negations.

"two" and "2", "3 p.m." and "15:00", "7 September" and "September 7th" come out alike, so
two texts can be compared by them.
"""

import re
from collections.abc import Iterator

from clew.english import MONTHS, NUMBERS, ORDINALS, SCALES, WEEKDAYS

_LONG = "|".join(MONTHS.split())
_YEAR = r"(?:,?\ (?P<y>[12]\d{3})\b)?"
_MONTH = rf"(?:{_LONG}|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b)"
_DAYS = WEEKDAYS.replace(" ", "|")
_UNITS = "day|week|weekend|month|year|summer|winter|spring|autumn|fall|night"
_ITEM = re.compile(
    rf"""(?P<iso>[12]\d{{3}}-\d\d-\d\d)
    | (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:\ of)?\ (?P<m>{_MONTH})\b\.?{_YEAR}
    | (?P<m2>{_MONTH})\.?\ (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.]\d)
        {_YEAR.replace("<y>", "<y2>")}
    | (?P<m3>{_MONTH})\.?(?:\ of)?,?\ (?P<y3>[12]\d{{3}})\b
    | (?:\b(?:in|of|last|next|this|since|until|till|by|early|late|mid|during)\ )(?P<m4>{_MONTH})\b
        (?!\.?,?(?:\ of)?\ \d)
    | (?P<date>\b(?:{_DAYS}|yesterday|today|tonight|tomorrow)\b
        |\b(?:last|next|this|past|coming)\ (?:{_UNITS}|fri|mon|tues?|wed|thu(?:rs)?|sat|sun)\b
        |昨[天日晚夜]|今[天日晚夜朝]|明[天日]|[前后後]天|어제|오늘|내일|모레|그저께|[월화수목금토일]요일
        |[月火水木金土日]曜|(?:周|週|星期|礼拜)[一二三四五六日天]|[上下这這本先来今]个?[周週月]
        |지난|이번|다음|[去今明昨来]年|작년|올해|내년)
    | (?P<h>\d{{1,2}})(?:[:.](?P<min>\d\d))?\s?(?P<half>[ap])\.?m\b
    | (?<![\d:])(?P<h2>[01]?\d|2[0-3]):(?P<min2>[0-5]\d)(?!\d)
    | (?P<part>\b(?:noon|midnight|morning|afternoon|evening)\b)
    | (?P<num>\d+(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)
        (?P<unit>%|st|nd|rd|th|k|[cmk]?m|k?g|h|hrs?|mins?|s|x|lbs?|ft|mi|[gmt]b)?(?![\w-]*\w)
    | (?P<code>\#?\b(?=[a-z-]*\d)[a-z0-9]+(?:-[a-z0-9]+)*)
    | (?P<han>[二三四五六七八九十百千两兩]+)
    | (?P<word>[a-z]+)""",
    re.VERBOSE,
)


def precise(folded: str) -> Iterator[tuple[str, str]]:
    """Yield (kind, value) for each number, time, date and code of a folded text."""
    words: list[str] = []
    end = 0
    for item in _ITEM.finditer(folded):
        if words and (item["word"] is None or folded[end : item.start()] not in (" ", "-")):
            yield from _spelled(words)
            words = []
        if item["word"]:
            words.append(item["word"])
        else:
            yield from _item(item)
        end = item.end()
    yield from _spelled(words)


def _item(item: re.Match[str]) -> Iterator[tuple[str, str]]:
    month = item["m"] or item["m2"] or item["m3"] or item["m4"]
    hour, minute = item["h"] or item["h2"], item["min"] or item["min2"] or "00"
    if month:
        number = next(n for n, name in enumerate(MONTHS.split(), 1) if name[:3] == month[:3])
        day, year = item["d"] or item["d2"] or "", item["y"] or item["y2"] or item["y3"] or ""
        yield "date", f"{year}-{number:02d}-{day:0>2}" if day else f"{year}-{number:02d}"
    elif hour:
        half = item["half"]
        yield "time", f"{int(hour) % 12 + 12 * (half == 'p') if half else int(hour):02d}:{minute}"
    elif found := item["date"] or item["iso"]:
        yield "date", found
    elif item["part"]:
        yield "time", "12:00" if item["part"] == "noon" else item["part"]
    elif item["num"]:
        number_text = item["num"].replace(",", "")
        plain = number_text.rstrip("0").rstrip(".") if "." in number_text else number_text
        ordinal = item["unit"] in ("st", "nd", "rd", "th")
        yield "number", plain.lstrip("0") + "th" if ordinal else plain.lstrip("0") or "0"
    elif item["code"]:
        yield "code", item["code"].replace("-", "").replace("#", "")
    elif item["han"]:
        yield "number", item["han"]


_NOT_ONE = frozenset(
    "this that which the another every each no any some only last next new".split()
)
_NOT_TWO = frozenset("a one per every split just each wait".split())


def _spelled(words: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the numbers that a run of words spells out, "twenty five" as one."""
    total, seen = 0, False
    for at, word in enumerate([*words, ""]):
        before, after = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
        if word in NUMBERS and not (word == "one" and _pronoun(before, after)):
            fits = not seen or (total % 100 >= 20 and total % 10 == 0 and NUMBERS[word] < 10)
            if seen and not fits and total % 100:
                yield "number", str(total)
                total = 0
            total, seen = total + NUMBERS[word], True
        elif word in SCALES and (seen or before in ("a", "")):
            total, seen = (total or 1) * SCALES[word], True
        elif seen and not (word == "and" and after in NUMBERS and total >= 100):
            yield "number", str(total)
            total, seen = 0, False
        if word in ORDINALS and not _no_ordinal(word, before, after):
            yield "number", f"{ORDINALS[word]}th"


def _pronoun(before: str, after: str) -> bool:
    """Tell whether "one" counts nothing: "this one", "one of", "one day"."""
    return before in _NOT_ONE or after in ("", "of", "day", "another", "more", "thing", "who", "is")


def _no_ordinal(word: str, before: str, after: str) -> bool:
    if word == "first":
        return before in ("at", "") or after in ("", "of", "off")
    return word == "second" and (before in _NOT_TWO or after in ("", "of"))


_SAID = re.compile(  # ways of speaking that deny nothing
    r"\b(?:do not|don't|dont|never|not)(?: you)?(?: ever)? forget\b"
    r"|\bnot (?:only|just|to mention)\b|\bno (?:doubt|wonder|problem|worries|matter|kidding)\b"
    r"|\b(?:why|if|or|whether or) not\b|\b(?:can't|cannot|can not|cant|couldn't) "
    r"(?:wait|help|agree more|believe)\b|\bnothing but\b"
    r"|\b(?:do not|don't|dont) (?:worry|mention)\b"
    r"|(?:^|[.!?:] )no[,.!]|\bno\.? ?\d"
    r"|\b(?:is|are|was|were|do|does|did|has|have|wo|would|could|should|ca)n't "
    r"(?:it|you|we|they|he|she|i)\b"
)
_NOT = re.compile(
    r"\b(?:not|no|never|cannot|without|nobody|nothing|none|neither|nor|nowhere|hardly|barely"
    r"|(?:do|did|does|is|was|are|were|has|have|had|could|would|should|wo|ca)nt)\b|n't\b"
    r"|[不没沒無]|ない|なかった|ません|않|못|아니"
)
_REACH = re.compile(r"(?:[^\w,.;!?:\n]*(?!(?:but|and|though|because)\b)[\w']+){0,4}")


def negation(folded: str) -> tuple[list[str], str]:
    """Return the words in reach of each negation, and the text outside of those."""
    said = _SAID.sub(" ", folded)
    reached, rest, end = [], [], 0
    for no in _NOT.finditer(said):
        reach = _REACH.match(said, no.end())
        stop = reach.end() if reach else no.end()
        reached.append(said[no.end() : stop])
        rest.append(said[end : no.start()])
        end = max(end, stop)
    return reached, " ".join([*rest, said[end:]])
