"""A seeded generator of long conversations that hold what memory systems find hard.

Planted are facts told once, facts that change, chains over two and three sessions,
relative dates, spans between two of them, counts and lists spread over sessions, twin
facts of both speakers, pictures, and remarks something follows from; unanswerable
questions ask the wrong speaker or what was never said. Question and evidence rarely
share their words. Most of what is planted is led up to by a question and taken up by a
reply; the exchanges of small talk between circle what is asked without answering.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from itertools import cycle
from math import ceil
from random import Random

from clew.datasets import select
from clew.datasets.invented.exchanges import around
from clew.datasets.invented.lexicon import SPEAKERS
from clew.datasets.invented.scene import Beat, Exhausted, Line, Probe, Scene
from clew.datasets.invented.smalltalk import exchange
from clew.datasets.invented.stories import ROUND
from clew.model import Conversation, Message, Query, Question
from clew.stage import Count, checked

VERSION = "2"

_DAYS = 3650  # more sessions than this many days are put several to a day
_LONGEST = timedelta(hours=3)
_STEP = timedelta(minutes=1)
_EPOCH = datetime(2021, 1, 4, tzinfo=UTC)


@checked
class Generated:
    """Conversations of `sessions` x `turns` messages, the same for the same settings.

    `questions` is the most that is asked about one conversation: stories are planted
    until there are as many, or no topic or room is left. Each conversation depends on
    the seed and its own number only, so picking some with `only` changes none.
    """

    seed: int = 0
    conversations: Count = 4
    sessions: Count = 20
    turns: Count = 20
    questions: Count = 60
    only: tuple[str, ...] = ()
    limit: Count | None = None

    @property
    def name(self) -> str:
        """The name in manifests and tables."""
        return "generated"

    @property
    def version(self) -> str:
        """Changes whenever the same settings would give other conversations."""
        return VERSION

    @property
    def sha256(self) -> str:
        """The hash of the settings and the version."""
        settings = {field.name: getattr(self, field.name) for field in fields(self)}
        text = json.dumps(settings | {"version": VERSION}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def check(self) -> None:
        """Refuse a conversation to pick that is not there; what is made has no mistakes."""
        self._picked()

    def __iter__(self) -> Iterator[Conversation]:
        yield from map(self._conversation, self._picked())

    def _picked(self) -> list[str]:
        ids = [f"gen-{index}" for index in range(self.conversations)]
        picked = select(ids, self.only, self.limit, "generated")
        return [name for name in ids if name in picked]

    def _conversation(self, name: str) -> Conversation:
        rng = Random(f"{VERSION}/{self.seed}/{name}")
        starts, step = _calendar(rng, self.sessions, self.turns)
        one, other = rng.sample(SPEAKERS, 2)
        scene = Scene(rng, (one, other), starts, [ceil(0.6 * self.turns)] * self.sessions)
        beats, probes = _plant(scene, self.questions)
        messages, ids = _weave(scene, beats, name, self.turns, step)
        rng.shuffle(probes)
        asked_at = messages[-1].said_at
        questions = tuple(
            Question(
                id=f"{name}:{index}",
                query=Query(probe.text, asked_at, name),
                gold=probe.gold,
                category=probe.category,
                evidence=tuple(sorted((ids[key] for key in probe.keys), key=_order)),
                unanswerable=not probe.keys,
            )
            for index, probe in enumerate(probes)
        )
        return Conversation(name, messages, questions)


def _order(message: str) -> tuple[int, ...]:
    return tuple(map(int, message[1:].split(":")))


def _calendar(rng: Random, sessions: int, turns: int) -> tuple[list[datetime], timedelta]:
    """Return when each session starts, and the time from turn to turn; none passes midnight."""
    first = _EPOCH + timedelta(days=rng.randrange(700))
    a_day = ceil(sessions / _DAYS)
    if a_day > 1:
        slot = timedelta(hours=17) / a_day
        starts = [
            first + timedelta(days=index // a_day, hours=6) + slot * (index % a_day)
            for index in range(sessions)
        ]
        return starts, min(_STEP, slot / turns)
    day, starts = first, []
    for _ in range(sessions):
        day += timedelta(days=rng.randint(2, 9))
        starts.append(day + timedelta(minutes=rng.randrange(7 * 60, 20 * 60)))
    return starts, min(_STEP, _LONGEST / turns)


def _plant(scene: Scene, questions: int) -> tuple[dict[int, list[Beat]], list[Probe]]:
    """Return the beats of each session and the questions, at most so many."""
    beats: dict[int, list[Beat]] = {}
    probes: list[Probe] = []
    failed = 0
    for story in cycle(ROUND):
        if len(probes) >= questions or failed >= len(ROUND):
            return beats, probes[:questions]
        try:
            told = story(scene)
        except Exhausted:
            failed += 1
            continue
        failed = 0
        probes += told.probes
        for beat in told.beats:
            beats.setdefault(beat.session, []).append(beat)
            scene.room[beat.session] -= len(beat.lines)
    raise AssertionError("a cycle has no end")


def _weave(
    scene: Scene, beats: dict[int, list[Beat]], name: str, turns: int, step: timedelta
) -> tuple[tuple[Message, ...], dict[str, str]]:
    """Return all messages, and the message id of each key."""
    messages: list[Message] = []
    ids: dict[str, str] = {}
    for session, start in enumerate(scene.starts):
        lines = _session(scene, beats.get(session, []), turns)
        for number, line in enumerate(lines, start=1):
            identity = f"D{session + 1}:{number}"
            if line.key:
                ids[line.key] = identity
            messages.append(
                Message(
                    identity,
                    name,
                    f"D{session + 1}",
                    len(messages),
                    line.speaker,
                    line.text,
                    start + step * (number - 1),
                    line.caption,
                )
            )
    return tuple(messages), ids


def _session(scene: Scene, beats: list[Beat], turns: int) -> list[Line]:
    """Return the lines of a session: its beats among small talk, the speakers taking turns."""
    rng = scene.rng
    spare = turns - sum(len(beat.lines) for beat in beats)
    blocks: list[Beat | int] = []
    for beat in rng.sample(beats, len(beats)):
        blocks.append(whole := around(scene, beat, spare))
        spare -= len(whole.lines) - len(beat.lines)
    blocks += _lengths(rng, spare)
    rng.shuffle(blocks)
    lines: list[Line] = []
    speaker = rng.choice(scene.speakers)
    while blocks:
        block = blocks.pop(_next(blocks, speaker))
        lines += _small(scene, speaker, block) if isinstance(block, int) else block.lines
        speaker = scene.other(lines[-1].speaker)
    return lines


def _lengths(rng: Random, turns: int) -> Iterator[int]:
    """Yield the lengths of exchanges that fill so many turns: two to four, one if need be."""
    while turns:
        length = min(turns, rng.choice((2, 3, 3, 4)))
        if turns - length == 1:
            length = 2 if length == 3 else 3  # rather than leave one turn alone
        yield length
        turns -= length


def _next(blocks: list[Beat | int], speaker: str) -> int:
    """Return the place of the first block that this speaker may begin, or of the first."""
    fits = (isinstance(block, int) or block.lines[0].speaker == speaker for block in blocks)
    return next((index for index, fit in enumerate(fits) if fit), 0)


def _small(scene: Scene, speaker: str, turns: int) -> list[Line]:
    """Return an exchange of small talk that this speaker begins."""
    speakers = cycle((speaker, scene.other(speaker)))
    return [
        Line(who, text) for who, text in zip(speakers, exchange(scene.rng, turns), strict=False)
    ]
