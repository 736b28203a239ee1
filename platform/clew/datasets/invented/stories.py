"""Stories: what is said in which session, and the questions whose answers follow from it.

A story is a value; weaving it into a conversation is left to `generated`.
"""

from collections.abc import Callable, Sequence
from datetime import timedelta

from clew.datasets import NOT_MENTIONED
from clew.datasets.invented import phrases
from clew.datasets.invented.exchanges import TALK
from clew.datasets.invented.happenings import COMING, LASTING, PAST
from clew.datasets.invented.plots import (
    ASKED_ORIGIN,
    ASKED_STREET,
    DEEDS,
    FOUND,
    INTRODUCTIONS,
    OWNING,
    PHOTOS,
    ROLES,
    SOLD,
    STANDING,
)
from clew.datasets.invented.recurring import ABSENT, GATHERINGS, INFERENCES, REPEATS
from clew.datasets.invented.scene import Beat, Exhausted, Line, Probe, Scene, Story, fill
from clew.datasets.invented.traits import TRAITS, Trait

MULTI_HOP, TEMPORAL, OPEN, SINGLE, UNANSWERABLE = 1, 2, 3, 4, 5


def trait(scene: Scene) -> Story:
    """Tell one thing about a speaker once, and maybe the like about the other one."""
    topic, who = scene.claim(t.topic for t in TRAITS)
    plot = next(t for t in TRAITS if t.topic == topic)
    told, asked = scene.rng.choice(plot.told), scene.rng.choice(plot.asked)
    stories = [_trait_of(scene, plot, who, told, asked)]
    if scene.rng.random() < 0.4:
        try:
            _, other = scene.claim([topic])
            stories.append(_trait_of(scene, plot, other, told, asked))
        except Exhausted:
            pass  # the other speaker has told of it before: one is a story too
    else:
        scene.asked.append((topic, who, asked))
    return _join(stories)


def _trait_of(scene: Scene, plot: Trait, who: str, told: str, asked: str) -> Story:
    [session] = scene.sessions(1)
    key, value = scene.key(), scene.draw(plot.pool)
    gold = plot.gold.format(value=value)
    keys: tuple[str, ...] = (key,)
    lines: tuple[Line, ...] = (Line(who, fill(told, value=value), key),)
    short = TALK[plot.topic].short
    if scene.rng.random() < 0.35 and (pair := scene.fresh(f"{plot.topic}=", short)):
        prompt, reply = pair  # such an answer says nothing without its question
        keys = (scene.key(), key)
        lines = (Line(scene.other(who), prompt, keys[0]), Line(who, fill(reply, value=gold), key))
    probe = Probe(asked.format(who=who), gold, SINGLE, keys)
    return Story((Beat(session, lines, plot.topic),), (probe,))


def change(scene: Scene) -> Story:
    """Tell a thing that changes later, and ask what it is, was first, and was on a day."""
    topic, who = scene.claim(t.topic for t in TRAITS if t.changed)
    plot = next(t for t in TRAITS if t.topic == topic)
    sessions = scene.sessions(scene.rng.choice((2, 2, 3)))
    values = [scene.draw(plot.pool) for _ in sessions]
    if len(set(values)) < len(values):
        raise Exhausted(plot.pool)
    told = [scene.rng.choice(plot.told), *scene.rng.sample(plot.changed, len(values) - 1)]
    keys = [scene.key() for _ in sessions]
    golds = [plot.gold.format(value=value) for value in values]
    beats = tuple(
        Beat(session, (Line(who, fill(text, value=value), key),), topic)
        for session, text, value, key in zip(sessions, told, values, keys, strict=True)
    )
    now = scene.rng.choice(plot.asked).format(who=who)
    probes = [Probe(now, golds[-1], SINGLE, (keys[-1],))]
    days = [scene.starts[session].date() for session in sessions]
    between = days[0] + (days[1] - days[0]) / 2
    if plot.as_of and days[0] < between < days[1] and scene.rng.random() < 0.6:
        text = plot.as_of.format(who=who, day=phrases.say(between))
        probes.append(Probe(text, golds[0], TEMPORAL, (keys[0],)))
    else:
        probes.append(Probe(plot.first.format(who=who), golds[0], SINGLE, (keys[0],)))
    return Story(beats, tuple(probes))


def photo(scene: Scene) -> Story:
    """Show a thing that only the picture's caption names."""
    topic, who = scene.claim(p.topic for p in PHOTOS)
    plot = next(p for p in PHOTOS if p.topic == topic)
    [session] = scene.sessions(1)
    key, value = scene.key(), scene.draw(plot.pool)
    line = Line(who, plot.text, key, fill(plot.caption, value=value).lower())
    scene.asked.append((topic, who, plot.asked))
    probe = Probe(plot.asked.format(who=who), value.lower(), SINGLE, (key,))
    return Story((Beat(session, (line,), topic),), (probe,))


def deed(scene: Scene) -> Story:
    """Name the person in a role, tell of the person elsewhere, and ask through the role."""
    role, who = scene.claim(ROLES)
    person = scene.draw("person")
    plots = scene.rng.sample(DEEDS, scene.rng.choice((1, 1, 2)))
    intro, *sessions = scene.rng.sample(scene.sessions(len(plots) + 1), len(plots) + 1)
    met = scene.key()
    beats = [_introduce(scene, intro, who, role, person, met)]
    probes = []
    for plot, session in zip(plots, sessions, strict=True):
        key, value = scene.key(), scene.draw(plot.pool)
        text = fill(scene.rng.choice(plot.told), person=person, value=value)
        speaker = who if scene.rng.random() < 0.7 else scene.other(who)
        beats.append(Beat(session, (Line(speaker, text, key),), f"deed-{plot.pool}", person))
        probes.append(Probe(plot.asked.format(who=who, role=role), value, MULTI_HOP, (met, key)))
    return Story(tuple(beats), tuple(probes))


def business(scene: Scene) -> Story:
    """Three steps: the person in a role, the person's business, the business's street."""
    role, who = scene.claim(ROLES)
    person, firm, street = (scene.draw(pool) for pool in ("person", "firm", "street"))
    sessions = scene.sessions(3)
    scene.rng.shuffle(sessions)
    keys = tuple(scene.key() for _ in sessions)
    owning = fill(scene.rng.choice(OWNING), person=person, firm=firm)
    knows = scene.rng.choice(scene.speakers)
    standing = fill(scene.rng.choice(STANDING), firm=firm, value=street)
    beats = (
        _introduce(scene, sessions[0], who, role, person, keys[0]),
        Beat(sessions[1], (Line(who, owning, keys[1]),), "owning", person),
        Beat(sessions[2], (Line(knows, standing, keys[2]),), "standing", firm),
    )
    text = scene.rng.choice(ASKED_STREET).format(who=who, role=role)
    return Story(beats, (Probe(text, street, MULTI_HOP, keys),))


def _introduce(scene: Scene, session: int, who: str, role: str, person: str, key: str) -> Beat:
    text = fill(scene.rng.choice(INTRODUCTIONS), person=person, role=role)
    return Beat(session, (Line(who, text, key),), "intro", person)


def origin(scene: Scene) -> Story:
    """A thing that one speaker found somewhere and the other has now."""
    _, who = scene.claim(["origin"])
    other = scene.other(who)
    first, second = scene.sessions(2)
    slots = {"colour": scene.draw("colour"), "thing": scene.draw("gadget")}
    town, keys = scene.draw("city"), (scene.key(), scene.key())
    found = fill(scene.rng.choice(FOUND), value=town, **slots)
    sold = fill(scene.rng.choice(SOLD), **slots)
    beats = (
        Beat(first, (Line(other, found, keys[0]),), "found"),
        Beat(second, (Line(who, sold, keys[1]),), "sold"),
    )
    text = scene.rng.choice(ASKED_ORIGIN).format(who=who, other=other, thing=slots["thing"])
    return Story(beats, (Probe(text, town, MULTI_HOP, keys),))


def dated(scene: Scene) -> Story:
    """Tell of a day by a phrase like "last Friday", and ask for the date."""
    topic, who = scene.claim([*PAST, *COMING])
    told, asked = (PAST | COMING)[topic]
    [session] = scene.sessions(1)
    day, key = scene.starts[session].date(), scene.key()
    when, gold = (phrases.past if topic in PAST else phrases.coming)(scene.rng, day)
    scene.asked.append((topic, who, asked))
    beat = Beat(session, (Line(who, fill(told, when=when), key),), topic)
    return Story((beat,), (Probe(asked.format(who=who), gold, TEMPORAL, (key,)),))


def lasting(scene: Scene) -> Story:
    """Tell of a beginning and an end, and ask for the days between."""
    topic, who = scene.claim(LASTING)
    begun, ended, asked = LASTING[topic]
    sessions = scene.sessions(2)
    keys = (scene.key(), scene.key())
    told = [phrases.exact_past(scene.rng, scene.starts[s].date()) for s in sessions]
    days = (told[1][1] - told[0][1]) // timedelta(days=1)
    if days < 2:
        raise Exhausted("sessions far enough apart")
    beats = tuple(
        Beat(session, (Line(who, fill(text, when=when), key),), about)
        for session, text, about, (when, _), key in zip(
            sessions, (begun, ended), (topic, f"{topic}-end"), told, keys, strict=True
        )
    )
    probe = Probe(asked.format(who=who), f"{days} days", TEMPORAL, keys)
    return Story(beats, (probe,))


def repeated(scene: Scene) -> Story:
    """Tell of the same thing happening again, and of one of those times, and ask how often."""
    topic, who = scene.claim(REPEATS)
    plot = REPEATS[topic]
    times = scene.rng.randint(2, len(plot.told))
    *sessions, last = scene.sessions(times + 1)
    keys = tuple(scene.key() for _ in sessions)
    beats = [
        Beat(session, (Line(who, text, key),), topic)
        for session, text, key in zip(
            sessions, scene.rng.sample(plot.told, times), keys, strict=True
        )
    ]
    beats.append(Beat(last, (Line(who, plot.aside),)))
    scene.asked.append((topic, who, plot.asked))
    probe = Probe(plot.asked.format(who=who), str(times), MULTI_HOP, keys)
    return Story(tuple(beats), (probe,))


def gathered(scene: Scene) -> Story:
    """Mention things of one kind here and there, and ask for all of them."""
    topic, who = scene.claim(GATHERINGS)
    plot = GATHERINGS[topic]
    sessions = scene.sessions(scene.rng.randint(2, len(plot.told)))
    values = [scene.draw(plot.pool) for _ in sessions]
    if len(set(values)) < len(values):
        raise Exhausted(plot.pool)
    keys = tuple(scene.key() for _ in sessions)
    told = scene.rng.sample(plot.told, len(values))
    beats = tuple(
        Beat(session, (Line(who, fill(text, value=value), key),), topic)
        for session, text, value, key in zip(sessions, told, values, keys, strict=True)
    )
    scene.asked.append((topic, who, plot.asked))
    probe = Probe(plot.asked.format(who=who), ", ".join(values), MULTI_HOP, keys)
    return Story(beats, (probe,))


def inferred(scene: Scene) -> Story:
    """Drop one or two remarks, and ask what follows from them."""
    topic, who = scene.claim(INFERENCES)
    remarks, asked, gold = INFERENCES[topic]
    sessions = scene.sessions(scene.rng.choice((1, 2)))
    keys = tuple(scene.key() for _ in sessions)
    beats = tuple(
        Beat(session, (Line(who, text, key),), topic)
        for session, text, key in zip(
            sessions, scene.rng.sample(remarks, len(sessions)), keys, strict=True
        )
    )
    return Story(beats, (Probe(asked.format(who=who), gold, OPEN, keys),))


def swapped(scene: Scene) -> Story:
    """Ask the listener's side of what only the other speaker has told of."""
    free = [entry for entry in scene.asked if scene.open(entry[0], scene.other(entry[1]))]
    if not free:
        raise Exhausted("topics of one speaker only")
    topic, who, asked = scene.rng.choice(free)
    other = scene.other(who)
    scene.close(topic, other)
    return Story((), (Probe(asked.format(who=other), NOT_MENTIONED, UNANSWERABLE),))


def absent(scene: Scene) -> Story:
    """Ask what nobody has spoken of, or of a person in a role who was never named."""
    if scene.rng.random() < 0.5:
        asked, who = scene.claim(ABSENT)
        text = asked.format(who=who)
    else:
        role, who = scene.claim(ROLES)
        text = scene.rng.choice(DEEDS).asked.format(who=who, role=role)
    return Story((), (Probe(text, NOT_MENTIONED, UNANSWERABLE),))


def _join(stories: Sequence[Story]) -> Story:
    return Story(
        tuple(beat for story in stories for beat in story.beats),
        tuple(probe for story in stories for probe in story.probes),
    )


ROUND: tuple[Callable[[Scene], Story], ...] = (
    # so many of each kind that the categories come in about the shares of LoCoMo, and the
    # first dozen questions hold all of them
    *(change, dated, deed, trait, swapped, inferred, gathered, absent, repeated, trait, dated),
    *(photo, trait, swapped, origin, inferred, lasting, absent, change, dated, trait, business),
    *(swapped, trait, dated, absent, trait, deed, trait, swapped, change, trait, absent, trait),
)
