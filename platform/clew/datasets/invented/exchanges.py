"""How a statement is led up to, and how it is taken up: the talk around what is planted.

A lead is the listener's question in words of the same field; a reply is the listener's
reaction, with what the teller adds to it. Neither holds an answer, a time, or a word of
the question that is asked in the end, so a statement stays the only evidence of itself.
"""

from clew.datasets.invented.scene import Beat, Line, Scene, fill
from clew.datasets.invented.talk import Talk
from clew.datasets.invented.talk_of_events import TALK as OF_EVENTS
from clew.datasets.invented.talk_of_habits import TALK as OF_HABITS
from clew.datasets.invented.talk_of_traits import TALK as OF_TRAITS

TALK: dict[str, Talk] = OF_TRAITS | OF_EVENTS | OF_HABITS

_LED, _TAKEN_UP, _ADDED = 0.75, 0.85, 0.4  # how often, as long as there are turns to spare


def around(scene: Scene, beat: Beat, spare: int) -> Beat:
    """Return a beat with a lead and a reply, of no more turns than there are to spare."""
    talk, teller = TALK.get(beat.about, Talk()), beat.lines[-1].speaker
    listener, chance = scene.other(teller), scene.rng.random
    lines = list(beat.lines)
    led = spare and len(lines) == 1 and chance() < _LED
    if led and (lead := scene.fresh(f"{beat.about}?", talk.leads)):
        lines.insert(0, Line(listener, fill(lead, name=beat.name)))
        spare -= 1
    if spare and chance() < _TAKEN_UP and (reply := scene.fresh(f"{beat.about}>", talk.replies)):
        lines.append(Line(listener, reply[0]))
        if spare > 1 and chance() < _ADDED:
            lines.append(Line(teller, reply[1]))
    return Beat(beat.session, tuple(lines))
