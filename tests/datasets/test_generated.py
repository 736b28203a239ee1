"""Generated conversations: every answer follows from the messages that are named for it."""

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from dateutil.parser import parse
from dateutil.relativedelta import FR, MO, SA, SU, TH, TU, WE, relativedelta

from clew.datasets import CATEGORIES, NOT_MENTIONED
from clew.datasets.generated import Generated
from clew.datasets.invented.exchanges import TALK
from clew.datasets.invented.happenings import COMING, LASTING, PAST
from clew.datasets.invented.lexicon import POOLS, SPEAKERS
from clew.datasets.invented.plots import (
    ASKED_ORIGIN,
    ASKED_STREET,
    DEEDS,
    INTRODUCTIONS,
    PHOTOS,
    ROLES,
)
from clew.datasets.invented.recurring import GATHERINGS, INFERENCES, REPEATS
from clew.datasets.invented.smalltalk import exchange
from clew.datasets.invented.subjects import DRINKS, NOISES, SKIES, SUBJECTS
from clew.datasets.invented.traits import TRAITS
from clew.errors import ConfigError, DataError
from clew.model import Conversation, Message, Question

ROOT = Path(__file__).parents[2]
TINY = Generated(conversations=2, sessions=6, turns=8, questions=12)
DAYS = dict(
    zip(
        "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
        (MO, TU, WE, TH, FR, SA, SU),
        strict=True,
    )
)
NUMBERS = "zero one two three four five six".split()


@pytest.fixture(scope="module")
def conversations() -> list[Conversation]:
    """Some conversations with nearly all that the generator can tell."""
    return list(Generated(conversations=6, sessions=40, questions=200))


def probes(conversations: list[Conversation]) -> Iterator[tuple[Question, list[Message]]]:
    for conversation in conversations:
        by_id = {m.id: m for m in conversation.messages}
        for question in conversation.questions:
            yield question, [by_id[name] for name in question.evidence]


def who(question: Question, conversation: Conversation) -> str:
    """The speaker that a question is about: the first who is named."""
    named = {m.speaker for m in conversation.messages}
    return next(word for word in re.findall(r"\w+", question.query.text) if word in named)


def asks(template: str, question: Question) -> bool:
    """Whether a question was made from a template."""
    pattern = re.escape(template).replace(r"\{who\}", r"\w+").replace(r"\{day\}", ".+")
    return bool(template) and re.fullmatch(pattern, question.query.text) is not None


def tells(template: str, text: str) -> bool:
    """Whether a text was made from a template."""
    return _pattern(template).fullmatch(text) is not None


@cache
def _pattern(template: str) -> re.Pattern[str]:
    spread = re.sub(r"\\\{\w+\\\}", ".+", re.escape(template))
    return re.compile(spread.replace(r"a\ ", r"an?\ "), re.IGNORECASE)


def meant(text: str, said: date) -> str:
    """What a time phrase means, by dateutil's calendar."""
    exact = exactly(text, said)
    if exact:
        return f"{exact:%-d %B %Y}"
    if "last week" in text:
        monday = said + relativedelta(weeks=-1, weekday=MO(-1)) if said.weekday() else None
        monday = monday or said + relativedelta(days=-7)
        return f"{monday.day}-{monday + relativedelta(days=6):%-d %B %Y}"
    if "last year" in text:
        return str(said.year - 1)
    if found := re.search(r"(last|next) month", text):
        return f"{said + relativedelta(months=1 if found[1] == 'next' else -1):%B %Y}"
    month = parse(re.search(r"back in (\w+)", text)[1], default=parse("2000-01-01"))  # type: ignore[index]
    return f"{month:%B} {said.year - (month.month >= said.month)}"


def exactly(text: str, said: date) -> date | None:
    """The day that a phrase names, or None for a vague one."""
    fixed = {
        "the day before yesterday": -2,
        "the day after tomorrow": 2,
        "yesterday": -1,
        "tomorrow": 1,
        "one week ago today": -7,
        "two weeks ago today": -14,
        "today": 0,
        "this morning": 0,
    }
    for phrase, days in fixed.items():
        if phrase in text:
            return said + relativedelta(days=days)
    if found := re.search(r"(\w+) days ago|\bin (\w+) days", text):
        word = found[1] or found[2]
        days = NUMBERS.index(word) if word in NUMBERS else int(word)
        return said + relativedelta(days=-days if found[1] else days)
    if found := re.search(rf"(last|on|next) ({'|'.join(DAYS)})", text):
        day = DAYS[found[2]]
        if found[1] == "next":
            return said + relativedelta(days=1, weekday=day(1))
        return said + relativedelta(days=-1, weekday=day(-1))
    return None


def test_the_same_settings_give_the_same_and_another_seed_gives_others() -> None:
    assert list(TINY) == list(Generated(conversations=2, sessions=6, turns=8, questions=12))
    assert next(iter(TINY)) != next(iter(Generated(1, 2, 6, 8, 12)))


def test_the_order_of_sets_does_not_matter() -> None:
    code = (
        "import hashlib; from clew.datasets.generated import Generated; "
        "print(hashlib.sha256(repr(list(Generated(1, 1))).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT / "platform")},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_a_conversation_is_the_same_whichever_others_are_picked() -> None:
    first, second = TINY
    assert list(Generated(0, 2, 6, 8, 12, only=("gen-1",))) == [second]
    assert list(Generated(0, 9, 6, 8, 12, limit=1)) == [first]
    with pytest.raises(DataError, match=r"no conversation \['gen-9'\]"):
        list(Generated(conversations=2, only=("gen-9",)))


def test_the_hash_is_that_of_the_settings() -> None:
    assert TINY.sha256 == Generated(0, 2, 6, 8, 12).sha256
    assert TINY.sha256 != Generated(1, 2, 6, 8, 12).sha256
    assert (TINY.name, len(TINY.sha256)) == ("generated", 64)


def test_settings_out_of_range_are_refused_by_name() -> None:
    with pytest.raises(ConfigError, match=r"turns: .*greater than or equal to 1, got 0"):
        Generated(turns=0)


def test_messages_have_ids_places_and_rising_times_within_one_day_a_session(
    conversations: list[Conversation],
) -> None:
    for conversation in conversations:
        messages = conversation.messages
        assert len({m.id for m in messages}) == len(messages) == 40 * 20
        assert [m.position for m in messages] == list(range(len(messages)))
        assert all(a.said_at < b.said_at for a, b in pairwise(messages))  # type: ignore[operator]
        assert all(m.id.split(":")[0] == m.session for m in messages)
        days = {(m.session, m.said_at.date()) for m in messages if m.said_at}
        assert len(days) == 40
        assert len({m.speaker for m in messages}) == 2


def test_a_small_setting_has_the_questions_asked_for_of_every_category() -> None:
    asked = [[q.category for q in c.questions] for c in TINY]
    assert [len(categories) for categories in asked] == [12, 12]
    assert all(set(categories) == set(CATEGORIES) for categories in asked)
    assert [len(c.questions) for c in Generated()] == [60] * 4


def test_question_ids_count_from_zero_and_are_asked_after_the_last_turn() -> None:
    for conversation in TINY:
        assert [q.id for q in conversation.questions] == [
            f"{conversation.id}:{index}" for index in range(12)
        ]
        last = conversation.messages[-1].said_at
        assert {q.query.asked_at for q in conversation.questions} == {last}


def test_no_question_is_asked_twice(conversations: list[Conversation]) -> None:
    for conversation in conversations:
        texts = [q.query.text for q in conversation.questions]
        assert len(set(texts)) == len(texts)


def test_single_hop_answers_stand_in_their_message_or_after_their_prompt(
    conversations: list[Conversation],
) -> None:
    seen: Counter[bool] = Counter()
    for question, evidence in probes(conversations):
        if question.category == 4:
            *_, message = evidence
            assert question.gold.lower() in f"{message.text} {message.caption}".lower()
            if short := len(evidence) > 1:
                _is_short_answer(*evidence)
            seen[short] += 1
    assert seen[False] > 90 and seen[True] > 5


def _is_short_answer(prompt: Message, answer: Message) -> None:
    """An answer that needs its question, which the other speaker asks right before it."""
    pairs = [pair for talk in TALK.values() for pair in talk.short]
    assert any(prompt.text == asked and tells(said, answer.text) for asked, said in pairs)
    assert (prompt.position, prompt.session) == (answer.position - 1, answer.session)
    assert prompt.speaker != answer.speaker


def test_multi_hop_answers_are_counts_lists_or_chains_over_sessions(
    conversations: list[Conversation],
) -> None:
    kinds: Counter[str] = Counter()
    for question, evidence in probes(conversations):
        if question.category != 1:
            continue
        texts = [m.text.lower() for m in evidence]
        assert len({m.session for m in evidence}) == len(evidence) >= 2
        if question.gold.isdigit():
            kinds["count"] += 1
            assert int(question.gold) == len(evidence)
        elif any(asks(g.asked, question) for g in GATHERINGS.values()):
            kinds["list"] += 1
            items = question.gold.lower().split(", ")
            assert all(item in text for item, text in zip(items, texts, strict=True))
        else:
            kinds["chain"] += 1
            assert sum(question.gold.lower() in text for text in texts) == 1
            names = [name.lower() for pool in ("person", "gadget") for name in POOLS[pool]]
            linked = [
                sum(re.search(rf"\b{name}\b", t) is not None for t in texts) for name in names
            ]
            assert max(linked) == 2
    assert set(kinds) == {"count", "list", "chain"}


def test_a_chain_over_a_role_names_its_person_in_two_messages(
    conversations: list[Conversation],
) -> None:
    chains = 0
    for question, evidence in probes(conversations):
        if question.category == 1 and (role := _role(question)):
            [intro] = [m for m in evidence if re.search(rf"\b{role}\b", m.text)]
            [person] = [p for p in POOLS["person"] if re.search(rf"\b{p}\b", intro.text)]
            assert sum(bool(re.search(rf"\b{person}\b", m.text)) for m in evidence) == 2
            chains += 1
    assert chains > 20


def _role(question: Question) -> str:
    found = [role for role in ROLES if f"'s {role}" in question.query.text]
    return max(found, key=len, default="")


def test_dates_agree_with_a_calendar_of_another_make(conversations: list[Conversation]) -> None:
    seen: Counter[str] = Counter()
    for question, evidence in probes(conversations):
        if question.query.text.startswith("When ") and question.category == 2:
            [message] = evidence
            assert message.said_at is not None
            assert question.gold == meant(message.text, message.said_at.date()), message
            seen["range" if "-" in question.gold else str(len(question.gold.split()))] += 1
    assert set(seen) == {"range", "1", "2", "3"}


def test_days_between_agree_with_a_calendar_of_another_make(
    conversations: list[Conversation],
) -> None:
    seen = 0
    for question, evidence in probes(conversations):
        if any(asks(asked, question) for _, _, asked in LASTING.values()):
            begun, ended = (exactly(m.text, m.said_at.date()) for m in evidence if m.said_at)
            assert begun and ended and question.gold == f"{(ended - begun).days} days"
            seen += 1
    assert seen > 5


def test_a_changed_thing_is_what_it_was_told_last_and_was_what_it_was_told_first(
    conversations: list[Conversation],
) -> None:
    seen = 0
    for conversation in conversations:
        for plot in TRAITS:
            for question in conversation.questions:
                now = any(asks(asked, question) for asked in plot.asked)
                if not question.evidence or not (now or asks(plot.first, question)):
                    continue
                told = _told(plot.told + plot.changed, question, conversation)
                if len(told) > 1:
                    assert question.evidence == (told[-1 if now else 0].id,)
                    seen += 1
    assert seen > 10


def test_a_question_as_of_a_day_is_answered_by_what_held_then(
    conversations: list[Conversation],
) -> None:
    seen = 0
    for conversation in conversations:
        for plot in TRAITS:
            for question in conversation.questions:
                if asks(plot.as_of, question) and not question.unanswerable:
                    told = _told(plot.told + plot.changed, question, conversation)
                    day = parse(re.search(r"\d+ \w+ \d{4}", question.query.text)[0])  # type: ignore[index]
                    before = [m for m in told if m.said_at and m.said_at.date() <= day.date()]
                    assert question.evidence == (before[-1].id,)
                    seen += 1
    assert seen > 5


def _told(
    templates: tuple[str, ...], question: Question, conversation: Conversation
) -> list[Message]:
    speaker = who(question, conversation)
    return [
        m
        for m in conversation.messages
        if m.speaker == speaker and any(tells(template, m.text) for template in templates)
    ]


def test_what_was_told_again_is_not_counted_again(conversations: list[Conversation]) -> None:
    for conversation in conversations:
        for plot in REPEATS.values():
            for question in conversation.questions:
                if asks(plot.asked, question):
                    told = _told(plot.told, question, conversation)
                    assert question.evidence == tuple(m.id for m in told)


def test_a_list_leaves_nothing_out(conversations: list[Conversation]) -> None:
    for conversation in conversations:
        for plot in GATHERINGS.values():
            for question in conversation.questions:
                if asks(plot.asked, question):
                    told = _told(plot.told, question, conversation)
                    assert question.evidence == tuple(m.id for m in told)


def test_an_inference_rests_on_all_remarks_that_lead_to_it(
    conversations: list[Conversation],
) -> None:
    for conversation in conversations:
        for remarks, asked, gold in INFERENCES.values():
            for question in conversation.questions:
                if asks(asked, question):
                    told = _told(remarks, question, conversation)
                    assert (question.evidence, question.gold) == (tuple(m.id for m in told), gold)


def test_unanswerable_questions_are_about_what_that_speaker_never_told(
    conversations: list[Conversation],
) -> None:
    plots = [(t.asked, t.told + t.changed) for t in TRAITS]
    plots += [((asked,), (told,)) for told, asked in (PAST | COMING).values()]
    plots += [((r.asked,), r.told) for r in [*REPEATS.values(), *GATHERINGS.values()]]
    swapped = roles = 0
    for conversation in conversations:
        for question in (q for q in conversation.questions if q.category == 5):
            assert (question.gold, question.evidence) == (NOT_MENTIONED, ())
            assert question.unanswerable
            for asked, told in plots:
                if any(asks(one, question) for one in asked):
                    assert _told(told, question, conversation) == []
                    swapped += 1
            if role := _role(question):
                introductions = tuple(i.replace("{role}", role) for i in INTRODUCTIONS)
                assert _told(introductions, question, conversation) == []
                roles += 1
    assert swapped > 20
    assert roles > 10


def test_small_talk_hardly_repeats_and_names_nothing_that_is_asked_for() -> None:
    rng = Random("talk")
    remarks = [text for _ in range(2000) for text in exchange(rng, 4)][:5000]
    assert len(set(remarks)) > 4900
    names = {*SPEAKERS, *POOLS["person"], *POOLS["city"], *POOLS["country"], *POOLS["title"]}
    assert not [text for text in remarks for word in names if re.search(rf"\b{word}\b", text)]


def test_small_talk_takes_up_its_subject_in_other_words() -> None:
    rng = Random("talk")
    everything = SUBJECTS | NOISES | DRINKS | SKIES
    for _ in range(500):
        opening, reply, follow, _ = exchange(rng, 4)
        kin = {
            k for subject, all_ in everything.items() if subject in opening.lower() for k in all_
        }
        assert any(thing.lower() in reply.lower() for thing in kin), (opening, reply)
        assert any(thing.lower() in follow.lower() for thing in kin), (opening, follow)
    assert [len(exchange(rng, turns)) for turns in (1, 2, 3, 4)] == [1, 2, 3, 4]


def test_speakers_mostly_alternate(conversations: list[Conversation]) -> None:
    for conversation in conversations:
        pairs = [(a, b) for a, b in pairwise(conversation.messages) if a.session == b.session]
        assert sum(a.speaker != b.speaker for a, b in pairs) / len(pairs) > 0.9


def test_most_statements_are_led_up_to_and_taken_up_by_the_other_speaker() -> None:
    leads = [lead for talk in TALK.values() for lead in talk.leads]
    leads += [asked for talk in TALK.values() for asked, _ in talk.short]
    replies = [reply for talk in TALK.values() for reply, _ in talk.replies]
    told = led = taken_up = 0
    for conversation in Generated():
        evidence = {q.evidence[-1] for q in conversation.questions if q.category == 4}
        evidence |= {name for q in conversation.questions if q.category != 4 for name in q.evidence}
        said = conversation.messages
        for message in (m for m in said if m.id in evidence):
            place, listener = message.position, _other(message.speaker, conversation)
            around = (said[place - 1], *said[place + 1 : place + 2])
            before, *after = [m.text if m.speaker == listener else "" for m in around]
            told += 1
            led += any(tells(lead, before) for lead in leads)
            taken_up += any(text in replies for text in after)
    assert led / told > 0.7
    assert taken_up / told > 0.7


def _other(speaker: str, conversation: Conversation) -> str:
    [other] = {m.speaker for m in conversation.messages} - {speaker}
    return other


def _said_around() -> Iterator[tuple[str, str]]:
    """All that is said around statements, with the topic."""
    for topic, talk in TALK.items():
        yield from ((topic, lead) for lead in talk.leads)
        yield from ((topic, text) for pair in talk.replies for text in pair)
        yield from ((topic, asked) for asked, _ in talk.short)


def test_what_is_said_around_a_statement_holds_no_answer_and_no_time() -> None:
    values = {v for pool in POOLS.values() for v in pool} | {*ROLES, *SPEAKERS}
    times = r"today|yesterday|tomorrow|ago|(this|last|next) (week|month|year|morning)|back in"
    banned = re.compile(rf"\b({'|'.join(map(re.escape, values))}|{times}|{'|'.join(DAYS)})\b", re.I)
    assert not [(topic, text) for topic, text in _said_around() if banned.search(text)]


def test_what_is_said_around_a_statement_uses_no_word_of_the_question() -> None:
    asked = _asked_of_topics()
    assert set(asked) == set(TALK)
    for topic, text in _said_around():
        shared = _content(text) & set().union(*map(_content, asked[topic]))
        assert not shared, (topic, text, shared)


def test_nothing_is_said_twice_around_statements_in_a_conversation() -> None:
    for conversation in Generated():
        texts = Counter(m.text for m in conversation.messages)
        assert [t for _, t in _said_around() if "{" not in t and texts[t] > 1] == []


def _content(text: str) -> set[str]:
    empty = set(
        "what which when where does have that will would with from many much first their".split()
    )
    return set(re.findall(r"[a-z]{4,}", re.sub(r"\{\w+\}", "", text.lower()))) - empty


def _asked_of_topics() -> dict[str, tuple[str, ...]]:
    asked = {t.topic: (*t.asked, t.first, t.as_of) for t in TRAITS}
    asked |= {topic: (text,) for topic, (_, text) in (PAST | COMING).items()}
    for topic, (_, _, text) in LASTING.items():
        asked |= {topic: (text,), f"{topic}-end": (text,)}
    asked |= {topic: (plot.asked,) for topic, plot in (REPEATS | GATHERINGS).items()}
    asked |= {topic: (text,) for topic, (_, text, _) in INFERENCES.items()}
    asked |= {f"deed-{deed.pool}": (deed.asked,) for deed in DEEDS}
    asked |= {photo.topic: (photo.asked,) for photo in PHOTOS}
    asked |= {"intro": (), "owning": ASKED_STREET, "standing": ASKED_STREET}
    return asked | {"found": ASKED_ORIGIN, "sold": ASKED_ORIGIN}


def test_conversations_differ_in_speakers_and_answers(conversations: list[Conversation]) -> None:
    assert len({m.speaker for c in conversations for m in c.messages}) > 6
    golds = [{q.gold for q in c.questions if q.category == 4} for c in conversations]
    assert all(len(one & other) < len(one) / 2 for one, other in pairwise(golds))


def test_most_questions_share_little_wording_with_their_evidence(
    conversations: list[Conversation],
) -> None:
    shared = []
    for question, evidence in probes(conversations):
        if evidence:
            asked = {w for w in re.findall(r"[a-z]{4,}", question.query.text.lower())}
            told = set(re.findall(r"[a-z]{4,}", " ".join(m.text.lower() for m in evidence)))
            shared.append(len(asked & told))
    assert sum(n <= 1 for n in shared) / len(shared) > 0.5


def test_conversations_are_made_one_at_a_time() -> None:
    endless = Generated(conversations=100_000, sessions=6, turns=8, questions=12)
    assert next(iter(endless)) == next(iter(TINY))


def test_many_sessions_fit_several_to_a_day_and_none_passes_midnight() -> None:
    [conversation] = Generated(conversations=1, sessions=12_000, turns=4)
    assert len(conversation.messages) == 48_000
    assert len(conversation.questions) == 60
    assert all(a.said_at < b.said_at for a, b in pairwise(conversation.messages))  # type: ignore[operator]
    days = {(m.session, m.said_at.date()) for m in conversation.messages if m.said_at}
    assert len(days) == 12_000


@pytest.mark.parametrize(("sessions", "turns"), [(1, 1), (1, 12), (3, 4), (2, 3)])
def test_the_smallest_conversations_hold_as_many_questions_as_there_is_room_for(
    sessions: int, turns: int
) -> None:
    for conversation in Generated(conversations=5, sessions=sessions, turns=turns):
        assert len(conversation.messages) == sessions * turns
        known = {m.id for m in conversation.messages}
        assert all(known >= set(q.evidence) for q in conversation.questions)
