"""When: phrases against the moment they were said, stamps, and how a span is told."""

from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clew.when
from clew.errors import TimeError
from clew.when import TimeSpan, day, find, parse_instant, resolve, say

MONDAY = datetime(2017, 7, 10, 9, tzinfo=UTC)
WEDNESDAY = datetime(2017, 7, 12, 9, tzinfo=UTC)
TOKYO = timezone(timedelta(hours=9))


def told(phrase: str, said_at: datetime = WEDNESDAY) -> str:
    span = resolve(phrase, said_at)
    return say(span) if span.start else ""


def heard(text: str, said_at: datetime = WEDNESDAY) -> list[tuple[str, str]]:
    return [(text[start:end], say(span)) for (start, end), span in find(text, said_at)]


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("today", "12 July 2017"),
        ("this morning", "12 July 2017"),
        ("tonight", "12 July 2017"),
        ("Yesterday", "11 July 2017"),
        ("last night", "11 July 2017"),
        ("the day before yesterday", "10 July 2017"),
        ("tomorrow", "13 July 2017"),
        ("day after tomorrow", "14 July 2017"),
        ("3 days ago", "9 July 2017"),
        ("three days ago", "9 July 2017"),
        ("a couple of days ago", "9-10 July 2017"),
        ("a few days ago", "8-10 July 2017"),
        ("two nights ago", "10 July 2017"),
        ("two weeks ago", "26 June - 2 July 2017"),
        ("a couple of weeks ago", "26 June - 2 July 2017"),
        ("a few weeks ago", "12 June - 2 July 2017"),
        ("a month ago", "June 2017"),
        ("half a year ago", "January 2017"),
        ("a year and a half ago", "January 2016"),
        ("ten years ago", "2007"),
        ("several years ago", "2010-2014"),
        ("a decade ago", "2007"),
        ("an hour ago", "12 July 2017"),
        ("two Fridays ago", "30 June 2017"),
        ("two weekends ago", "1-2 July 2017"),
    ],
)
def test_what_lies_some_days_or_years_back(phrase: str, meant: str) -> None:
    assert told(phrase) == meant


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("last week", "3-9 July 2017"),
        ("this week", "10-16 July 2017"),
        ("next week", "17-23 July 2017"),
        ("last month", "June 2017"),
        ("this month", "July 2017"),
        ("last year", "2016"),
        ("next year", "2018"),
        ("last weekend", "8-9 July 2017"),
        ("this weekend", "15-16 July 2017"),
        ("this past weekend", "8-9 July 2017"),
        ("over the weekend", "8-9 July 2017"),
        ("last Friday", "7 July 2017"),
        ("last Tues.", "11 July 2017"),
        ("this Sunday", "16 July 2017"),
        ("next Monday", "17 July 2017"),
        ("this coming Saturday", "15 July 2017"),
        ("Friday last week", "7 July 2017"),
        ("next week on Tuesday", "18 July 2017"),
        ("last May", "May 2017"),
        ("last July", "July 2016"),
        ("next June", "June 2018"),
        ("June last year", "June 2016"),
        ("last summer", "summer 2016"),
        ("this summer", "summer 2017"),
        ("next spring", "spring 2018"),
        ("last winter", "winter 2016"),
        ("late last year", "late 2016"),
        ("the end of last month", "late June 2017"),
        ("the end of the year", "late 2017"),
        ("the past three years", "2014-2017"),
        ("the last two weeks", "28 June - 12 July 2017"),
        ("the past two months", "May - July 2017"),
        ("the past week", "5-12 July 2017"),
        ("this time last year", "July 2016"),
        ("last Christmas", "25 December 2016"),
        ("next Halloween", "31 October 2017"),
        ("this Christmas", "25 December 2017"),
    ],
)
def test_last_this_and_next(phrase: str, meant: str) -> None:
    assert told(phrase) == meant


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("the week before 14 June", "5-11 June 2017"),
        ("the week following 9 June 2017", "12-18 June 2017"),
        ("the week of 5 June", "5-11 June 2017"),
        ("the Sunday before 18 May 2017", "14 May 2017"),
        ("the weekend of July 22", "22-23 July 2017"),
        ("three days after 28 February 2024", "2 March 2024"),
        ("two weeks from tomorrow", "24-30 July 2017"),
        ("the week before last", "26 June - 2 July 2017"),
        ("the Friday after next", "21 July 2017"),
        ("Friday of next week", "21 July 2017"),
        ("the day of 5 May 2017", "5 May 2017"),
        ("the first week of May", "1-7 May 2017"),
        ("the last week of June 2016", "24-30 June 2016"),
        ("first weekend of March 2017", "4-5 March 2017"),
        ("the second Tuesday in May 2016", "10 May 2016"),
        ("the last Monday of the month", "31 July 2017"),
        ("two weeks from now", "24-30 July 2017"),
    ],
)
def test_phrases_that_count_from_another_date(phrase: str, meant: str) -> None:
    assert told(phrase) == meant


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("7 May 2017", "7 May 2017"),
        ("May 7th, 2017", "7 May 2017"),
        ("the 7th of May 2017", "7 May 2017"),
        ("Tuesday, 9 May 2017", "9 May 2017"),
        ("Dec 24, 2016", "24 December 2016"),
        ("2017-05-07", "7 May 2017"),
        ("2017/05/20", "20 May 2017"),
        ("24/12/2016", "24 December 2016"),
        ("6-12 November 2017", "6-12 November 2017"),
        ("May 6-12, 2017", "6-12 May 2017"),
        ("29 May - 4 June 2017", "29 May - 4 June 2017"),
        ("May 29 to June 4", "29 May - 4 June 2017"),
        ("30 December - 5 January 2017", "30 December 2016 - 5 January 2017"),
        ("June 2017", "June 2017"),
        ("from June to August 2016", "June - August 2016"),
        ("November - January 2016", "November 2015 - January 2016"),
        ("early June", "early June 2017"),
        ("mid-June 2016", "mid June 2016"),
        ("the end of June", "late June 2017"),
        ("early 2016", "early 2016"),
        ("in the summer of 2015", "summer 2015"),
        ("since 2010", "2010"),
        ("2012-2014", "2012-2014"),
        ("the 1990s", "1990-1999"),
        ("Christmas Eve 2015", "24 December 2015"),
        ("in May", "May 2017"),
        ("in September", "September 2016"),
        ("in spring", "spring 2017"),
        ("since Feb", "February 2017"),
        ("on the 15th", "15 July 2017"),
        ("7 September", "7 September 2017"),
        ("29 February", "29 February 2016"),
        ("at 18:10", "18:10 on 12 July 2017"),
        ("3pm", "15:00 on 12 July 2017"),
        ("12 a.m.", "00:00 on 12 July 2017"),
        ("at noon", "12:00 on 12 July 2017"),
        ("tomorrow at 3pm", "15:00 on 13 July 2017"),
        ("18:40 on 5 July 2018", "18:40 on 5 July 2018"),
        ("2017-05-07T18:40:00+02:00", "18:40 on 7 May 2017"),
    ],
)
def test_dates_and_times_of_day(phrase: str, meant: str) -> None:
    assert told(phrase) == meant


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("어제", "9 July 2017"),
        ("그저께", "8 July 2017"),
        ("지난주 토요일에", "8 July 2017"),
        ("다음 주 월요일", "17 July 2017"),
        ("지난 주말", "8-9 July 2017"),
        ("토요일", "8 July 2017"),
        ("이번 금요일", "14 July 2017"),
        ("다음 금요일", "14 July 2017"),
        ("지난달", "June 2017"),
        ("작년", "2016"),
        ("3일 전", "7 July 2017"),
        ("이틀 전", "8 July 2017"),
        ("반년 전", "January 2017"),
        ("2018년 5월 11일", "11 May 2018"),
        ("5월", "May 2017"),
        ("오후 3시", "15:00 on 10 July 2017"),
        ("昨天", "9 July 2017"),
        ("上周", "3-9 July 2017"),
        ("上个星期六", "8 July 2017"),
        ("下周", "17-23 July 2017"),
        ("上个月", "June 2017"),
        ("去年", "2016"),
        ("三天前", "7 July 2017"),
        ("两个月前", "May 2017"),
        ("周六", "8 July 2017"),
        ("周末", "8-9 July 2017"),
        ("3月5日", "5 March 2017"),
        ("昨日", "9 July 2017"),
        ("一昨日", "8 July 2017"),
        ("先週の土曜日", "8 July 2017"),
        ("先週末", "8-9 July 2017"),
        ("先月", "June 2017"),
        ("3年前", "2014"),
        ("2017年", "2017"),
        ("2017年5月", "May 2017"),
    ],
)
def test_korean_chinese_and_japanese(phrase: str, meant: str) -> None:
    assert told(phrase, MONDAY) == meant


@pytest.mark.parametrize(
    "phrase",
    [
        *("recently", "a while ago", "the other day", "the day before my birthday", "my last year"),
        *(
            "30 February 2017",
            "9000 years ago",
            "05/06/2017",
            "24:00",
            "13:61",
            "the next week",
            "",
        ),
        *("three days after the party last Friday", "every Friday", "last week and yesterday"),
        *("two weeks of June 2017", "12 June - 3 June 2017", "2014-2012", "June of next week"),
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
        "It seems like only yesterday",
        "2000 people walked in 2010 steps, a second later we fall asleep",
        "I paid $1999 for 3:2 and 50% off, spring cleaning too",
        "in the last week of her holidays, once a day",
        "毎週土曜日、一周一次",
    ],
)
def test_words_that_only_look_like_times(text: str) -> None:
    assert heard(text) == []


def test_a_plan_looks_ahead_and_a_story_looks_back() -> None:
    assert heard("I will come on Friday") == [("Friday", "14 July 2017")]
    assert heard("He came on Friday") == [("Friday", "7 July 2017")]
    assert heard("See you Saturday!") == [("Saturday", "15 July 2017")]
    assert heard("I'm flying to Riga in August") == [("August", "August 2017")]
    assert heard("We flew to Riga in August") == [("August", "August 2016")]
    assert heard("The show is on 7 January") == [("7 January", "7 January 2018")]
    assert heard("We left on 7 November") == [("7 November", "7 November 2016")]
    assert heard("I owe it by Friday") == [("Friday", "14 July 2017")]
    assert heard("This Sunday was fun, we will go in two weeks") == [
        ("This Sunday", "9 July 2017"),
        ("in two weeks", "24-30 July 2017"),
    ]
    assert heard("I had fun this weekend") == [("this weekend", "8-9 July 2017")]
    assert heard("This Monday we are going to swim") == [("This Monday", "17 July 2017")]
    assert heard("On Friday, we will go") == [("Friday", "14 July 2017")]


def test_a_weekday_said_on_that_weekday_is_a_week_away() -> None:
    assert told("on Wednesday") == "5 July 2017"
    assert told("next Wednesday") == "19 July 2017"
    assert told("this Wednesday") == "12 July 2017"


def test_a_day_and_a_time_beside_it_are_one_phrase() -> None:
    assert heard("Call me tomorrow at 3pm, or at 18:40 on 5 July 2018.") == [
        ("tomorrow at 3pm", "15:00 on 13 July 2017"),
        ("18:40 on 5 July 2018", "18:40 on 5 July 2018"),
    ]
    assert heard("last week at 3pm") == [
        ("last week", "3-9 July 2017"),
        ("3pm", "15:00 on 12 July 2017"),
    ]


def test_the_day_is_the_speakers_own() -> None:
    early = datetime(2018, 6, 1, 7, 30, tzinfo=TOKYO)
    span = resolve("this morning", early)
    assert say(span) == "1 June 2018"
    assert span.start is not None
    assert span.start.utcoffset() == timedelta(hours=9)
    assert span.start.astimezone(UTC).date() == date(2018, 5, 31)


def test_a_stamp_without_an_offset_is_utc() -> None:
    span = resolve("today", datetime(2018, 6, 1, 7))
    assert span.start == datetime(2018, 6, 1, tzinfo=UTC)


def test_without_a_stamp_only_full_dates_are_found() -> None:
    text = "yesterday, in May, at 3pm, on 7 September and on 7 May 2017 at 3pm"
    assert [say(span) for _, span in find(text, None)] == ["15:00 on 7 May 2017"]


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
        ("3:17 pm on 19 April, 2017", datetime(2017, 4, 19, 15, 17, tzinfo=UTC)),
        ("12:47 am on 19 November, 2017", datetime(2017, 11, 19, 0, 47, tzinfo=UTC)),
        ("2017/05/20 (Sat) 02:21", datetime(2017, 5, 20, 2, 21, tzinfo=UTC)),
        ("8 May 2017", datetime(2017, 5, 8, tzinfo=UTC)),
        ("May 8, 2017 at 13:56:07", datetime(2017, 5, 8, 13, 56, 7, tzinfo=UTC)),
        ("2017-05-08", datetime(2017, 5, 8, tzinfo=UTC)),
        (" 2017-05-08T13:56:00Z ", datetime(2017, 5, 8, 13, 56, tzinfo=UTC)),
        ("2017-05-08T13:56+09:00", datetime(2017, 5, 8, 13, 56, tzinfo=TOKYO)),
    ],
)
def test_a_stamp_is_read_in_the_forms_data_sets_use(text: str, meant: datetime) -> None:
    assert parse_instant(text) == meant


def test_a_stamp_without_an_offset_takes_the_zone_given() -> None:
    assert parse_instant("2017-05-08T01:00", TOKYO).utcoffset() == timedelta(hours=9)
    assert parse_instant("2017-05-08T01:00Z", TOKYO).utcoffset() == timedelta()


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "soon",
            "yesterday",
            "June 2017",
            "2017-02-30",
            "17 April",
            "25:10 on 17 April, 2017",
        ),
        *(
            "13:00 pm on 19 April, 2017",
            "1:00 pm on 19 April 2017 at 2:00",
            "0" * 1000,
            "05/06/2017",
        ),
        *("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"),  # no such day elsewhere
    ],
)
def test_an_unreadable_stamp_is_an_error_that_tells_the_forms(text: str) -> None:
    with pytest.raises(TimeError, match="2024-05-15T12:00:00") as error:
        parse_instant(text)
    assert repr(text[:80]) in str(error.value)


def test_an_empty_span_is_told_by_its_phrase() -> None:
    assert say(TimeSpan()) == ""
    assert say(TimeSpan(phrase="one day")) == "one day"
    assert day(WEDNESDAY) == "12 July 2017"


def test_no_clock_is_read() -> None:
    folder = Path(clew.when.__file__).parent
    sources = [folder / "when.py", *sorted((folder / "phrases").glob("*.py"))]
    assert len(sources) > 5
    for source in sources:
        code = source.read_text(encoding="utf-8")
        assert not any(call in code for call in (".now(", ".today(", "import time\n"))


MOMENTS = st.datetimes(timezones=st.just(UTC))
WORDS = "last next this past on in two few week weekend Friday May 5 2017 ago before of at 3pm – 31"
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
