"""Korean, Chinese and Japanese time phrases: the everyday ones."""

import re
from collections.abc import Callable
from datetime import date, time
from unicodedata import numeric

from clew.phrases.dates import every_month, every_year, last_or_next, nearest
from clew.phrases.days import (
    DAY,
    Days,
    month,
    on,
    shifted,
    week,
    weekday_after,
    weekday_before,
    weekend,
    year,
)
from clew.phrases.grammar import Found, Match, Rule, Said

RULES: list[Rule] = []
_WEEKDAYS = ("월화수목금토일", "一二三四五六日", "月火水木金土日", "      天")
_DAYS = {
    -2: "그저께|그제(?![야서])|一昨日|おととい|(?<![\\d一-龠])前天",
    -1: "어제|어저께|어젯밤|昨天|昨日|昨晚|昨晩|昨夜|昨儿|きのう|ゆうべ",
    0: "오늘|今天|今日|今晚|今晩|今夜|今朝|今早|きょう|けさ",
    1: "내일|明天|明日|明晚|あした",
    2: "모레|(?<![以然之最今])[后後]天|明後日|あさって",
}
_WEEKS = {
    -2: "지지난|저저번|上上|先々",
    -1: "지난|저번|上|先",
    0: "이번|这|這|本|今",
    2: "다다음|下下|再来",
    1: "다음|下|来|來",
}
_YEARS = {
    -2: "재작년|一昨年|おととし|(?<![\\d一-龠])前年",
    -1: "작년|지난해|去年|昨年",
    0: "올해|금년|今年",
    2: "내후년|再来年|[后後]年",
    1: "내년|明年|来年|來年",
}
_COUNTS = {"하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "열흘": 10, "한": 1, "두": 2, "세": 3}
_COUNTS |= {"네": 4, "다섯": 5, "여섯": 6, "两": 2, "兩": 2}
_UNITS = {
    "week": "주일?|週間?|周间?|[个個]?(?:星期|礼拜|禮拜)",
    "month": "개월|달|[ヶかカケ箇个個]月間?",
    "year": "년|年間?",
    "day": "일|日間?|天",
}
_N = rf"(?P<n>\d{{1,3}}|[一二三四五六七八九十]|{'|'.join(_COUNTS)})"
_ANY_WEEK = f"(?P<w>{'|'.join(_WEEKS.values())})"
_ZH_WEEK = "(?:周|週|星期|礼拜|禮拜)"


def _rule(*patterns: str) -> Callable[[Callable[[Match, Said], Found]], None]:
    def register(read: Callable[[Match, Said], Found]) -> None:
        RULES.extend(Rule(re.compile(pattern), read) for pattern in patterns)

    return register


def _which(table: dict[int, str], text: str) -> int:
    """Return the key whose words a text is one of."""
    plain = {key: re.sub(r"\(\?[^)]*\)", "", words) for key, words in table.items()}
    return next(key for key, words in plain.items() if re.fullmatch(words, text))


def _weekday(letter: str) -> int:
    return next(row.index(letter) for row in _WEEKDAYS if letter in row)


@_rule(
    r"(?P<y>\d{4})\s?[年년]\s?(?P<m>\d{1,2})\s?[月월]\s?(?P<d>\d{1,2})\s?[日일号號]",
    r"(?P<y>\d{4})\s?[年년]\s?(?P<m>\d{1,2})\s?[月월]",
    r"(?P<y>\d{4})\s?[年년](?![間间前전\d])",
    r"(?P<m>\d{1,2})\s?[月월]\s?(?P<d>\d{1,2})\s?[日일号號]",
    r"(?P<m>\d{1,2})\s?[月월](?!\s?\d)",
)
def _date(match: Match, said: Said) -> Found:
    parts = {name: int(text) for name, text in match.groupdict().items()}
    number, day = parts.get("m", 1), parts.get("d")
    if "y" in parts:
        first = date(parts["y"], number, day or 1)
        return on(first) if day else month(first) if "m" in parts else year(first)
    if day:
        return nearest(every_year(said.today, number, day), said)
    return last_or_next(every_month(said.today, number), said)


@_rule("|".join(_DAYS.values()))
def _day(match: Match, said: Said) -> Found:
    return on(said.today + _which(_DAYS, match.group()) * DAY)


@_rule(
    _ANY_WEEK + r"\s?주\s?(?:의\s?)?(?:(?P<d>[월화수목금토일])요일|(?P<end>말|주말))?",
    _ANY_WEEK
    + rf"[个個]?{_ZH_WEEK}(?:の)?(?:(?P<d>[一二三四五六日天])(?!曜)|(?P<end>末|週末|周末))",
    _ANY_WEEK + r"週(?:の)?(?P<d>[月火水木金土日])曜日?(?P<end>)",
    _ANY_WEEK + rf"[个個]?{_ZH_WEEK}(?P<d>)(?P<end>)",
)
def _week(match: Match, said: Said) -> Found:
    n = _which(_WEEKS, match["w"])
    if match["end"]:
        return weekend(said.today, n)
    days = week(said.today, n)
    return on(days.start + _weekday(match["d"]) * DAY) if match["d"] else days


@_rule(_ANY_WEEK + r"(?:\s?달(?!라|러)|[个個]?月(?!曜))")
def _month(match: Match, said: Said) -> Found:
    return month(said.today, _which(_WEEKS, match["w"]))


@_rule("|".join(_YEARS.values()))
def _year(match: Match, said: Said) -> Found:
    return year(said.today, _which(_YEARS, match.group()))


@_rule(
    r"(?P<n>하루|이틀|사흘|나흘|열흘)\s?전",
    rf"{_N}\s?(?P<u>{'|'.join(_UNITS.values())})\s?(?:之|以)?[前전]",
)
def _ago(match: Match, said: Said) -> Found:
    text, unit = match["n"], match.groupdict().get("u")
    n = int(text) if text.isdecimal() else _COUNTS.get(text) or int(numeric(text))
    name = next((u for u, words in _UNITS.items() if unit and re.fullmatch(words, unit)), "day")
    return shifted(name, said.today, -n)


@_rule("半年前|반년\\s?전")
def _half_year_ago(match: Match, said: Said) -> Found:
    return month(said.today, -6)


@_rule(
    r"(?:(?P<w>지난|저번|이번|다음)\s?)?(?<!매주)(?<!매주\s)(?P<d>[월화수목금토일])요일",
    rf"(?<![一二两三四五六七八九十每\d个個]){_ZH_WEEK}(?P<d>[一二三四五六日天])(?P<w>)",
    r"(?<!毎週)(?P<d>[月火水木金土日])曜日?(?P<w>)",
)
def _bare_weekday(match: Match, said: Said) -> Found:
    number = _weekday(match["d"])
    if match["w"] == "이번":
        return on(week(said.today).start + number * DAY)
    step = weekday_after if match["w"] == "다음" else weekday_before
    return on(step(said.today, number))


@_rule(r"(?<![每毎매])(?:주말|[周週]末)")
def _weekend(match: Match, said: Said) -> Found:
    days: Days = weekend(said.today, 0 if said.today.weekday() >= 5 else -1)
    return days


@_rule(
    r"(?P<half>오전|오후|上午|下午|晚上|早上|午前|午後)\s?(?P<h>\d{1,2})\s?[시点點時]"
    r"(?:\s?(?P<min>\d{1,2})\s?[분分])?"
)
def _clock(match: Match, said: Said) -> Found:
    late = match["half"] in ("오후", "下午", "晚上", "午後")
    return time(int(match["h"]) % 12 + 12 * late, int(match["min"] or 0))
