"""When: phrases against the moment they were said, stamps, and how a span is told."""

from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clew.when
from clew.errors import TimeError
from clew.when import TimeSpan, day, find, parse_instant, resolve, say

MONDAY = datetime(2023, 7, 10, 9, tzinfo=UTC)
WEDNESDAY = datetime(2023, 7, 12, 9, tzinfo=UTC)
TOKYO = timezone(timedelta(hours=9))


def told(phrase: str, said_at: datetime = WEDNESDAY) -> str:
    span = resolve(phrase, said_at)
    return say(span) if span.start else ""


def heard(text: str, said_at: datetime = WEDNESDAY) -> list[tuple[str, str]]:
    return [(text[start:end], say(span)) for (start, end), span in find(text, said_at)]


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("today", "12 July 2023"),
        ("this morning", "12 July 2023"),
        ("tonight", "12 July 2023"),
        ("Yesterday", "11 July 2023"),
        ("last night", "11 July 2023"),
        ("the day before yesterday", "10 July 2023"),
        ("tomorrow", "13 July 2023"),
        ("day after tomorrow", "14 July 2023"),
        ("3 days ago", "9 July 2023"),
        ("three days ago", "9 July 2023"),
        ("a couple of days ago", "9-10 July 2023"),
        ("a few days ago", "8-10 July 2023"),
        ("two nights ago", "10 July 2023"),
        ("two weeks ago", "26 June - 2 July 2023"),
        ("a couple of weeks ago", "26 June - 2 July 2023"),
        ("a few weeks ago", "12 June - 2 July 2023"),
        ("a month ago", "June 2023"),
        ("half a year ago", "January 2023"),
        ("a year and a half ago", "January 2022"),
        ("ten years ago", "2013"),
        ("several years ago", "2016-2020"),
        ("a decade ago", "2013"),
        ("an hour ago", "12 July 2023"),
        ("two Fridays ago", "30 June 2023"),
        ("two weekends ago", "1-2 July 2023"),
    ],
)
def test_what_lies_some_days_or_years_back(phrase: str, meant: str) -> None:
    assert told(phrase) == meant


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("last week", "3-9 July 2023"),
        ("this week", "10-16 July 2023"),
        ("next week", "17-23 July 2023"),
        ("last month", "June 2023"),
        ("this month", "July 2023"),
        ("last year", "2022"),
        ("next year", "2024"),
        ("last weekend", "8-9 July 2023"),
        ("this weekend", "15-16 July 2023"),
        ("this past weekend", "8-9 July 2023"),
        ("over the weekend", "8-9 July 2023"),
        ("last Friday", "7 July 2023"),
        ("last Tues.", "11 July 2023"),
        ("this Sunday", "16 July 2023"),
        ("next Monday", "17 July 2023"),
        ("this coming Saturday", "15 July 2023"),
        ("Friday last week", "7 July 2023"),
        ("next week on Tuesday", "18 July 2023"),
        ("last May", "May 2023"),
        ("last July", "July 2022"),
        ("next June", "June 2024"),
        ("June last year", "June 2022"),
        ("last summer", "summer 2022"),
        ("this summer", "summer 2023"),
        ("next spring", "spring 2024"),
        ("last winter", "winter 2022"),
        ("late last year", "late 2022"),
        ("the end of last month", "late June 2023"),
        ("the end of the year", "late 2023"),
        ("the past three years", "2020-2023"),
        ("the last two weeks", "28 June - 12 July 2023"),
        ("the past two months", "May - July 2023"),
        ("the past week", "5-12 July 2023"),
        ("this time last year", "July 2022"),
        ("last Christmas", "25 December 2022"),
        ("next Halloween", "31 October 2023"),
        ("this Christmas", "25 December 2023"),
    ],
)
def test_last_this_and_next(phrase: str, meant: str) -> None:
    assert told(phrase) == meant


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("the week before 9 June", "29 May - 4 June 2023"),
        ("the week following 9 June 2023", "12-18 June 2023"),
        ("the week of 5 June", "5-11 June 2023"),
        ("the Sunday before 25 May 2023", "21 May 2023"),
        ("the weekend of July 22", "22-23 July 2023"),
        ("three days after 28 February 2024", "2 March 2024"),
        ("two weeks from tomorrow", "24-30 July 2023"),
        ("the week before last", "26 June - 2 July 2023"),
        ("the Friday after next", "21 July 2023"),
        ("Friday of next week", "21 July 2023"),
        ("the day of 5 May 2023", "5 May 2023"),
        ("the first week of June", "1-7 June 2023"),
        ("the last week of June 2022", "24-30 June 2022"),
        ("first weekend of August 2023", "5-6 August 2023"),
        ("the second Tuesday in May 2022", "10 May 2022"),
        ("the last Monday of the month", "31 July 2023"),
        ("two weeks from now", "24-30 July 2023"),
    ],
)
def test_phrases_that_count_from_another_date(phrase: str, meant: str) -> None:
    assert told(phrase) == meant


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("7 May 2023", "7 May 2023"),
        ("May 7th, 2023", "7 May 2023"),
        ("the 7th of May 2023", "7 May 2023"),
        ("Tuesday, 9 May 2023", "9 May 2023"),
        ("Dec 24, 2022", "24 December 2022"),
        ("2023-05-07", "7 May 2023"),
        ("2023/05/20", "20 May 2023"),
        ("24/12/2022", "24 December 2022"),
        ("6-12 November 2023", "6-12 November 2023"),
        ("May 6-12, 2023", "6-12 May 2023"),
        ("29 May - 4 June 2023", "29 May - 4 June 2023"),
        ("May 29 to June 4", "29 May - 4 June 2023"),
        ("30 December - 5 January 2023", "30 December 2022 - 5 January 2023"),
        ("June 2023", "June 2023"),
        ("from June to August 2022", "June - August 2022"),
        ("November - January 2022", "November 2021 - January 2022"),
        ("early June", "early June 2023"),
        ("mid-June 2022", "mid June 2022"),
        ("the end of June", "late June 2023"),
        ("early 2022", "early 2022"),
        ("in the summer of 2021", "summer 2021"),
        ("since 2016", "2016"),
        ("2018-2020", "2018-2020"),
        ("the 1990s", "1990-1999"),
        ("Christmas Eve 2021", "24 December 2021"),
        ("in May", "May 2023"),
        ("in September", "September 2022"),
        ("in spring", "spring 2023"),
        ("since Feb", "February 2023"),
        ("on the 15th", "15 July 2023"),
        ("7 September", "7 September 2023"),
        ("29 February", "29 February 2024"),
        ("at 18:10", "18:10 on 12 July 2023"),
        ("3pm", "15:00 on 12 July 2023"),
        ("12 a.m.", "00:00 on 12 July 2023"),
        ("at noon", "12:00 on 12 July 2023"),
        ("tomorrow at 3pm", "15:00 on 13 July 2023"),
        ("18:40 on 5 July 2024", "18:40 on 5 July 2024"),
        ("2023-05-07T18:40:00+02:00", "18:40 on 7 May 2023"),
    ],
)
def test_dates_and_times_of_day(phrase: str, meant: str) -> None:
    assert told(phrase) == meant


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("어제", "9 July 2023"),
        ("그저께", "8 July 2023"),
        ("지난주 토요일에", "8 July 2023"),
        ("다음 주 월요일", "17 July 2023"),
        ("지난 주말", "8-9 July 2023"),
        ("토요일", "8 July 2023"),
        ("이번 금요일", "14 July 2023"),
        ("다음 금요일", "14 July 2023"),
        ("지난달", "June 2023"),
        ("작년", "2022"),
        ("3일 전", "7 July 2023"),
        ("이틀 전", "8 July 2023"),
        ("반년 전", "January 2023"),
        ("2024년 5월 11일", "11 May 2024"),
        ("5월", "May 2023"),
        ("오후 3시", "15:00 on 10 July 2023"),
        ("昨天", "9 July 2023"),
        ("上周", "3-9 July 2023"),
        ("上个星期六", "8 July 2023"),
        ("下周", "17-23 July 2023"),
        ("上个月", "June 2023"),
        ("去年", "2022"),
        ("三天前", "7 July 2023"),
        ("两个月前", "May 2023"),
        ("周六", "8 July 2023"),
        ("周末", "8-9 July 2023"),
        ("3月5日", "5 March 2023"),
        ("昨日", "9 July 2023"),
        ("一昨日", "8 July 2023"),
        ("先週の土曜日", "8 July 2023"),
        ("先週末", "8-9 July 2023"),
        ("先月", "June 2023"),
        ("3年前", "2020"),
        ("2023年", "2023"),
        ("2023年5月", "May 2023"),
    ],
)
def test_korean_chinese_and_japanese(phrase: str, meant: str) -> None:
    assert told(phrase, MONDAY) == meant


@pytest.mark.parametrize(
    "phrase",
    [
        *("recently", "a while ago", "the other day", "the day before my birthday", "my last year"),
        *(
            "30 February 2023",
            "9000 years ago",
            "05/06/2023",
            "24:00",
            "13:61",
            "the next week",
            "",
        ),
        *("three days after the party last Friday", "every Friday", "last week and yesterday"),
        *("two weeks of June 2023", "12 June - 3 June 2023", "2020-2018", "June of next week"),
    ],
)
def test_what_cannot_be_resolved_stays_an_empty_span(phrase: str) -> None:
    assert resolve(phrase, WEDNESDAY) == TimeSpan(phrase=phrase)
    assert say(resolve(phrase, WEDNESDAY)) == phrase


@pytest.mark.parametrize(
    "text",
    [
        "You may 2 see the sun, I sat there and we march on",
        "This may take a while, 12 may enter",
        "I learned it in two weeks",
        "We meet every Friday and most weekends",
        "It feels like just yesterday",
        "2000 people walked in 2016 steps, a second later we fall asleep",
        "I paid $1999 for 3:2 and 50% off, spring cleaning too",
        "in the last week of her holidays, once a day",
        "毎週土曜日、一周一次",
    ],
)
def test_words_that_only_look_like_times(text: str) -> None:
    assert heard(text) == []


def test_a_plan_looks_ahead_and_a_story_looks_back() -> None:
    assert heard("I will come on Friday") == [("Friday", "14 July 2023")]
    assert heard("He came on Friday") == [("Friday", "7 July 2023")]
    assert heard("See you Saturday!") == [("Saturday", "15 July 2023")]
    assert heard("I'm flying to Riga in August") == [("August", "August 2023")]
    assert heard("We flew to Riga in August") == [("August", "August 2022")]
    assert heard("The show is on 7 January") == [("7 January", "7 January 2024")]
    assert heard("We left on 7 November") == [("7 November", "7 November 2022")]
    assert heard("I owe it by Friday") == [("Friday", "14 July 2023")]
    assert heard("This Sunday was fun, we will go in two weeks") == [
        ("This Sunday", "9 July 2023"),
        ("in two weeks", "24-30 July 2023"),
    ]
    assert heard("I had fun this weekend") == [("this weekend", "8-9 July 2023")]
    assert heard("This Monday we are going to swim") == [("This Monday", "17 July 2023")]
    assert heard("On Friday, we will go") == [("Friday", "14 July 2023")]


def test_a_weekday_said_on_that_weekday_is_a_week_away() -> None:
    assert told("on Wednesday") == "5 July 2023"
    assert told("next Wednesday") == "19 July 2023"
    assert told("this Wednesday") == "12 July 2023"


def test_a_day_and_a_time_beside_it_are_one_phrase() -> None:
    assert heard("Call me tomorrow at 3pm, or at 18:40 on 5 July 2024.") == [
        ("tomorrow at 3pm", "15:00 on 13 July 2023"),
        ("18:40 on 5 July 2024", "18:40 on 5 July 2024"),
    ]
    assert heard("last week at 3pm") == [
        ("last week", "3-9 July 2023"),
        ("3pm", "15:00 on 12 July 2023"),
    ]


def test_the_day_is_the_speakers_own() -> None:
    early = datetime(2024, 6, 1, 7, 30, tzinfo=TOKYO)
    span = resolve("this morning", early)
    assert say(span) == "1 June 2024"
    assert span.start is not None
    assert span.start.utcoffset() == timedelta(hours=9)
    assert span.start.astimezone(UTC).date() == date(2024, 5, 31)


def test_a_stamp_without_an_offset_is_utc() -> None:
    span = resolve("today", datetime(2024, 6, 1, 7))
    assert span.start == datetime(2024, 6, 1, tzinfo=UTC)


def test_without_a_stamp_only_full_dates_are_found() -> None:
    text = "yesterday, in May, at 3pm, on 7 September and on 7 May 2023 at 3pm"
    assert [say(span) for _, span in find(text, None)] == ["15:00 on 7 May 2023"]


def test_months_keep_inside_the_calendar() -> None:
    january = datetime(2024, 1, 2, tzinfo=UTC)
    assert told("last month", january) == "December 2023"
    assert told("last week", january) == "25-31 December 2023"
    leap = datetime(2024, 2, 29, tzinfo=UTC)
    assert told("a year ago", leap) == "2023"
    assert told("a month ago", datetime(2024, 3, 31, tzinfo=UTC)) == "February 2024"
    assert told("tomorrow", leap) == "1 March 2024"
    assert told("last year", datetime(1, 1, 1, tzinfo=UTC)) == ""


def test_precision_is_no_finer_than_the_words() -> None:
    kinds = {
        p: resolve(p, WEDNESDAY).precision for p in ("last week", "last weekend", "2 days ago")
    }
    assert kinds == {"last week": "week", "last weekend": "week", "2 days ago": "day"}
    assert resolve("a couple of days ago", WEDNESDAY).precision == "week"
    assert resolve("a few years ago", WEDNESDAY).precision == "year"
    assert resolve("at 3pm", WEDNESDAY).precision == "minute"
    assert resolve("last summer", WEDNESDAY).precision == "month"


def test_a_place_leaves_out_the_leading_preposition() -> None:
    assert find("We met on Tuesday.", WEDNESDAY)[0][0] == (10, 17)
    assert find("İzmir, last Friday", WEDNESDAY)[0][0] == (7, 18)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("12:09 am on 13 September, 2023", datetime(2023, 9, 13, 0, 9, tzinfo=UTC)),
        ("2023/05/20 (Sat) 02:21", datetime(2023, 5, 20, 2, 21, tzinfo=UTC)),
        ("8 May 2023", datetime(2023, 5, 8, tzinfo=UTC)),
        ("May 8, 2023 at 13:56:07", datetime(2023, 5, 8, 13, 56, 7, tzinfo=UTC)),
        ("2023-05-08", datetime(2023, 5, 8, tzinfo=UTC)),
        (" 2023-05-08T13:56:00Z ", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("2023-05-08T13:56+09:00", datetime(2023, 5, 8, 13, 56, tzinfo=TOKYO)),
    ],
)
def test_a_stamp_is_read_in_the_forms_data_sets_use(text: str, meant: datetime) -> None:
    assert parse_instant(text) == meant


def test_a_stamp_without_an_offset_takes_the_zone_given() -> None:
    assert parse_instant("2023-05-08T01:00", TOKYO).utcoffset() == timedelta(hours=9)
    assert parse_instant("2023-05-08T01:00Z", TOKYO).utcoffset() == timedelta()


@pytest.mark.parametrize(
    "text",
    [
        *("", "soon", "yesterday", "June 2023", "2023-02-30", "8 May", "25:10 on 8 May, 2023"),
        *("13:00 pm on 8 May, 2023", "1:00 pm on 8 May 2023 at 2:00", "0" * 1000, "05/06/2023"),
        *("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"),  # no such day elsewhere
    ],
)
def test_an_unreadable_stamp_is_an_error_that_tells_the_forms(text: str) -> None:
    with pytest.raises(TimeError, match="2023-05-08T13:56:00") as error:
        parse_instant(text)
    assert repr(text[:80]) in str(error.value)


def test_an_empty_span_is_told_by_its_phrase() -> None:
    assert say(TimeSpan()) == ""
    assert say(TimeSpan(phrase="one day")) == "one day"
    assert day(WEDNESDAY) == "12 July 2023"


def test_no_clock_is_read() -> None:
    folder = Path(clew.when.__file__).parent
    sources = [folder / "when.py", *sorted((folder / "phrases").glob("*.py"))]
    assert len(sources) > 5
    for source in sources:
        code = source.read_text(encoding="utf-8")
        assert not any(call in code for call in (".now(", ".today(", "import time\n"))


MOMENTS = st.datetimes(timezones=st.just(UTC))
WORDS = "last next this past on in two few week weekend Friday May 5 2023 ago before of at 3pm – 31"
PHRASES = st.lists(st.sampled_from(WORDS.split()), max_size=9).map(" ".join)


@given(st.text() | PHRASES, MOMENTS)
def test_any_text_is_read_without_raising_and_places_are_ordered(text: str, at: datetime) -> None:
    end = 0
    for (start, stop), span in find(text, at):
        assert end <= start < stop <= len(text)
        assert span.start is not None
        assert span.end is not None
        assert span.start < span.end
        assert span.precision != "unknown"
        assert span.phrase == text[start:stop]
        end = stop


@given(PHRASES, st.datetimes(datetime(1970, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)))
def test_what_is_told_can_be_read_again(phrase: str, at: datetime) -> None:
    span = resolve(phrase, at)
    again = resolve(say(span), at)
    assert (again.start, again.end) == (span.start, span.end)


@given(st.dates(date(1700, 1, 1), date(2090, 1, 1)), st.integers(0, 6))
def test_the_last_weekday_is_within_the_week_before(today: date, weekday: int) -> None:
    name = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()[weekday]
    said_at = datetime(today.year, today.month, today.day, 12, tzinfo=UTC)
    last, following = resolve(f"last {name}", said_at), resolve(f"next {name}", said_at)
    assert last.start is not None
    assert following.start is not None
    assert 1 <= (today - last.start.date()).days <= 7
    assert 1 <= (following.start.date() - today).days <= 7
    assert last.start.weekday() == following.start.weekday() == weekday
