"""Text: folding, words and stems, BM25 weights, sentences, names, details and tokens."""

import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.text import (
    AVERAGE_LENGTH,
    K1,
    Details,
    clean,
    count_tokens,
    details,
    differ,
    fold,
    keywords,
    names,
    query_weights,
    sentences,
    stems,
    term_weights,
    words,
)

TEXTS = st.text() | st.lists(
    st.sampled_from("not 5 five May 18:40 A-113 José I'm New 我在 3pm . ! \n the 2nd no".split(" "))
).map(" ".join)


def test_a_text_is_normalised_at_the_door() -> None:
    assert clean(" Jose\u0301\x00\x07 \ufeff\n") == "José"
    assert clean("a\nb\tc") == "a\nb\tc"
    assert clean(" \n") == ""
    assert clean("half \ud800 a pair") == "half  a pair"


def test_accents_case_and_width_do_not_matter() -> None:
    assert fold("JOSÉ Ｓtraße") == "jose strasse"
    assert fold("don’t") == "don't"
    assert words("José") == words("jose") == words("JOSE\u0301") == ["jose"]


def test_folding_keeps_letters_of_other_scripts_apart() -> None:
    assert fold("がか") == "がか"
    assert fold("한국") == "한국"
    assert fold("हिन्दी") == "हिन्दी"
    assert len(words("हिन्दी है")) == 2


def test_numbers_times_and_codes_stay_whole() -> None:
    assert words("At 18:40, in A-113 by 3 p.m.; 3PM, 1,000 or 2.5 on 2023-05-08") == [
        *("at", "18:40", "in", "a-113", "by", "3pm", "3pm", "1000", "or", "2.5", "on"),
        "2023-05-08",
    ]
    assert words("a 10-year-old's well-known son") == [
        *("a", "10", "year", "old", "well", "known", "son"),
    ]


def test_scripts_without_spaces_become_pairs_of_characters() -> None:
    assert words("我在大连路") == ["我在", "在大", "大连", "连路"]
    assert words("표 北한") == ["표", "北한"]
    stored = keywords("我在大连路开了一家修表店")
    assert keywords("修表") <= stored
    assert not keywords("修车") <= stored


def test_stems_leave_out_stop_words_and_endings() -> None:
    assert stems("She was running after the hens, and they RAN.") == ["run", "hen", "ran"]
    assert keywords("hens hen") == {"hen"}
    assert stems("Who is it?") == []


def test_term_weights_are_bm25_with_a_fixed_average_length() -> None:
    weights = term_weights("hens " * int(AVERAGE_LENGTH))
    n = AVERAGE_LENGTH
    assert list(weights.values()) == [pytest.approx(n * (K1 + 1) / (n + K1))]
    once, twice = term_weights("hens lay eggs"), term_weights("hens hens lay eggs")
    (hens,) = query_weights("a hen")
    assert twice[hens] > once[hens] > 1
    assert term_weights("hens lay eggs in the old barn by our house")[hens] < once[hens]


def test_a_query_weighs_each_stem_once() -> None:
    assert set(query_weights("hens and hen").values()) == {1.0}
    assert len(query_weights("hens and hen")) == 1
    assert term_weights("") == query_weights("?!") == {}


def test_an_index_does_not_depend_on_the_process() -> None:
    code = "from clew.text import query_weights; print(sorted(query_weights('hens in Zürich')))"
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "platform"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert runs == {f"{sorted(query_weights('hens in Zürich'))}\n".encode()}


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def test_sentences_end_at_marks_and_lines() -> None:
    assert split(' Hi. "Really?!" Yes… ok\nnew line ') == [
        "Hi.",
        '"Really?!"',
        "Yes…",
        "ok",
        "new line",
    ]
    assert split("我好。你呢？好") == ["我好。", "你呢？", "好"]


def test_sentences_do_not_end_in_numbers_and_abbreviations() -> None:
    text = "Dr. Okoro paid $3.50 at 3 p.m. on Monday, e.g. for tea. Then J. left."
    assert split(text) == [text[:55], "Then J. left."]
    assert sentences(" \n ") == []


def test_names_are_found_in_order_and_once() -> None:
    text = "José flew to New York with Iñaki's sister; José and Łucja like Big Ben."
    assert names(text) == ["José", "New York", "Iñaki", "Łucja", "Big Ben"]
    assert names("We met O'Brien, Ana de la Cruz and Jean-Luc at the Bank of Oslo") == [
        *("O'Brien", "Ana de la Cruz", "Jean-Luc", "Bank of Oslo")
    ]
    assert names("NASA and the UK") == ["NASA", "UK"]


def test_a_word_that_only_opens_a_sentence_is_no_name() -> None:
    assert names("Yesterday Petra came. Thanks, Tomas! Wow! Hey Uri. I'm fine. Don't go.") == [
        *("Petra", "Tomas", "Uri")
    ]
    assert names("Painted the fence. Loving my job. Slowly we went. Happiness matters.") == []
    assert names("Emily is here. Ned left. Alfred said so. Petra's cat. So I went") == [
        *("Emily", "Ned", "Alfred", "Petra")
    ]
    assert names("Is Vic a cook? Answer yes or no.") == ["Vic"]
    assert names("Varnished the kayak? Isn't it? It's what I do") == []


def test_weekdays_and_months_in_dates_are_no_names() -> None:
    assert (
        names("We swim on Friday and in May, on 3 April and in June 2022. May I? Fri I rest") == []
    )
    assert names("I called my friend April on Black Friday") == ["April", "Black Friday"]


def test_shouting_is_no_name() -> None:
    assert names("That is AMAZING and GREAT, Petra") == ["Petra"]
    assert names("WE MET PETRA") == []


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("My train leaves at 18:10.", "They changed it, my train leaves at 18:40.", "time"),
        ("Let us meet at 2pm", "Let us meet at 3 p.m.", "time"),
        ("I run in the morning", "I run in the evening", "time"),
        ("The fair is on 7 September.", "The fair is on 14 September.", "date"),
        ("It starts in May", "It starts in June", "date"),
        ("I swim on Tuesday", "I swim on Thursday", "date"),
        ("I swam yesterday", "I swam today", "date"),
        ("We moved last week", "We moved last month", "date"),
        ("It was in June 2022", "It was in June 2023", "date"),
        ("昨天去了", "今天去了", "date"),
        ("We keep two hens", "We keep five hens", "number"),
        ("I worked there 5 years", "I worked there 6 years", "number"),
        ("It costs 1.50", "It costs 1.55", "number"),
        ("my first race", "my second race", "number"),
        ("one dog", "three dogs", "number"),
        ("a hundred people", "two hundred people", "number"),
        ("40 % of it", "45% of it", "number"),
        ("We keep hens", "We keep five hens", "number"),
        ("我有三只猫", "我有四只猫", "number"),
        ("order A-113", "order A-114", "code"),
        ("room 12B", "room 12C", "code"),
        ("gate B", "gate C", "code"),
        ("I am a vegetarian.", "I am no longer a vegetarian.", "negation"),
        ("I swim daily", "I don't swim daily", "negation"),
        ("I swim daily", "I dont swim daily", "negation"),
        ("I got the job", "I did not get the job", "negation"),
        ("I like tea, not coffee", "I like coffee, not tea", "negation"),
        ("我吃肉", "我不吃肉", "negation"),
    ],
)
def test_a_changed_detail_is_named(one: str, other: str, kind: str) -> None:
    assert differ(one, other) == differ(other, one) == kind


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We meet at 3pm", "The meeting is at 15:00"),
        ("at noon", "at 12 pm"),
        ("The fair is on 7 September.", "On September 7th there is the fair"),
        ("I have 2 dogs", "I've got two dogs"),
        ("twenty-five cats", "25 cats"),
        ("two hundred and five", "205"),
        ("two million", "2,000,000"),
        ("a dozen eggs", "12 eggs"),
        ("one two three", "1 2 3"),
        ("my 2nd race", "my second race"),
        ("I ran 5km", "I ran 5 km"),
        ("it was 1.50", "it was 1.5"),
        ("order A-113", "order A113"),
        ("Do not forget the keys", "Remember the keys"),
        ("Do not forget the keys on the hook", "The keys are on the hook"),
        ("I can't wait to swim", "I look forward to the swim"),
        ("It is cute, isn't it?", "It is cute"),
        ("No, I live in Porto", "I live in Porto"),
        ("I do not eat meat", "I don't eat any meat"),
        ("Not only Uri came", "Uri came too"),
        ("one of them sings", "some of them sing"),
        ("Wait a second", "Wait a moment"),
        ("First, we ate", "To begin with, we ate"),
        ("I adopted a small dog from the shelter", "I took in a little dog from a shelter"),
    ],
)
def test_the_same_details_in_other_words_do_not_differ(one: str, other: str) -> None:
    assert differ(one, other) == differ(other, one) == ""


def test_details_are_read_in_one_spelling() -> None:
    found = details("On May 5th at 3 p.m. two of us did not find room A-113 in 2 days.")
    assert found == Details(
        numbers=frozenset({"2"}),
        times=frozenset({"15:00"}),
        dates=frozenset({"-05-05"}),
        codes=frozenset({"a113"}),
        negated=True,
        denied=keywords("find room a-113 in"),
        stated=keywords("On May 5th at 3 p.m. two of us did 2 days"),
    )


def test_tokens_are_counted_as_cl100k_does() -> None:
    assert count_tokens("") == 0
    assert count_tokens("hello world") == 2
    assert count_tokens("<|endoftext|>") > 1


@given(TEXTS)
def test_any_text_is_taken_and_spans_lie_within_it(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert clean(clean(text)) == clean(text)
    assert all(words(text)), "no empty word"
    assert keywords(text) == frozenset(stems(text))
    assert set(term_weights(text)) == set(query_weights(text))
    assert all(0 < weight < K1 + 1 for weight in term_weights(text).values())
    assert all(name in text for name in names(text))
    assert count_tokens(text) >= bool(text)
    end = 0
    for start, stop in sentences(text):
        assert end <= start < stop <= len(text)
        assert text[start:stop].strip() == text[start:stop]
        assert not text[end:start].strip()
        end = stop
    assert not text[end:].strip()


@given(TEXTS, TEXTS)
def test_differing_is_symmetric_and_no_text_differs_from_itself(one: str, other: str) -> None:
    assert differ(one, other) == differ(other, one)
    assert differ(one, one) == ""


@pytest.mark.timeout(30)  # what takes the square of a text's length takes longer
@pytest.mark.parametrize("call", [words, term_weights, sentences, names, details, count_tokens])
@pytest.mark.parametrize(
    "piece", [" ", "a", "9", "not ", "7 may ", "Ab ", ". ", "A1-", "我", "e\u0301"]
)
def test_a_message_of_100_000_characters_is_read_in_one_go(
    call: Callable[[str], object], piece: str
) -> None:
    text = (piece * 100_000)[:100_000]
    assert call(text) == call(text)
