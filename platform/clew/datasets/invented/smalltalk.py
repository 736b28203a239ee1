"""Small talk that tells nothing lasting: short exchanges about one thing, hardly ever the same.

It circles the same things as the stories do, in general, so a search for what a question
is about also meets talk that does not answer it. It says nothing that a question asks for.
An exchange stays with its subject: who replies takes it up by something that goes with it.
"""

from collections.abc import Callable, Sequence
from random import Random

from clew.datasets.invented.subjects import DRINKS, NOISES, SKIES, SUBJECTS

OPENERS = (
    "||You know, |Honestly, |Funny, |Mind you, |I tell you, |Between us, |Well, |On the whole, "
    "|Anyway, |Listen, "
).split("|")
OPENINGS = (
    "{folk} talked about {subject} for {while_}",
    "I spent {while_} thinking about {subject}",
    "I cannot get {subject} out of my head",
    "{folk} made me {mood} by going on about {subject}",
    "people who care about {subject} are a kind of their own",
    "a film about {subject} would be {mood_of} to watch",
    "I read an article on {subject}, it was {mood_of}",
    "the radio had {while_} of {subject}",
    "somebody should write a song about {subject}",
    "the older I get the more {mood_of} I find the matter of {subject}",
    "I had a dream about {subject}, a {mood_of} one",
    "I could listen to {folk} on {subject} for {while_}",
    "there was a leaflet about {subject} in the letterbox, {mood_of} in its way",
    "I argued with {folk} about {subject}",
)
NOTICED = {  # what there is to say about the other kinds of subject
    "noise": (
        "there was {subject} outside for {while_}",
        "{subject} kept me awake for {while_}",
        "{folk} complained about {subject}, quite {mood}",
    ),
    "drink": (
        "{folk} spilt {subject} all over the table",
        "after {subject} everything seems less {mood_of}",
        "it took {folk} {while_} to find {subject}",
    ),
    "sky": (
        "the {subject} makes {folk} {mood}",
        "what do you say to this {subject}",
        "I looked at the {subject} for {while_} and grew {mood}",
    ),
}
TAGS = (
    "|||||||| Do you see it that way?| Or is it only me?| Strange, no?| What do you say?"
    "| Is that odd?| I wonder why.| Have you noticed?"
).split("|")
ANSWERS = (
    "||Ha, |True, |Oh, |Hm, |Sure, |Right, |I see, |Not surprising, |I know, |Well, |Ah, "
).split("|")
REPLIES = (
    "that makes me think of {kin}",
    "I would add {kin} to that",
    "{folk} will not stop talking about {kin}",
    "for me it is all about {kin}",
    "do not get me started on {kin}",
    "it is mostly {kin} that I find {mood_of}",
    "I once spent {while_} on {kin} and felt {mood}",
    "without {kin} it would be rather {mood_of}",
    "you should hear {folk} on {kin}",
    "it leaves me {mood}, mostly because of {kin}",
    "the trouble is {kin}, according to {folk}",
    "and nobody warns you about {kin}",
    "some get {mood} over it, I only see {kin}",
)
FOLLOWED = (
    "then think of {kin}",
    "I had forgotten about {kin}, how {mood_of}",
    "and {kin}, do not leave that out",
    "{folk} would swear by {kin}",
    "what I remember is {kin}, it made me {mood}",
    "with {kin} on top it gets {mood_of}",
    "I could do with less of {kin}",
    "{folk} told me the same, and then came {kin}",
    "compared with {kin} that is not so {mood_of}",
)
ENDINGS = (
    "enough of that, I need {drink}",
    "let us put {folk} in charge of it",
    "I will sleep on it, and on {kin}",
    "next time I shall ask {folk} about {kin}",
    "at least it made me less {mood}",
    "you make even {kin} sound {mood_of}",
    "I will never look at {kin} in the same way",
)
CLOSERS = (
    "|||||||| Anyhow.| It made me laugh.| That is life.| No idea why.| You would have enjoyed it."
    "| Nothing to be done.| It could be worse.| So much for that.| I rest my case."
).split("|")
SLOTS = {
    "folk": (
        "the woman at the kiosk|the man from the third floor|half the bus|my whole corridor|"
        "the postman|the twins downstairs|the people at the next table|the lady with the pram|"
        "the plumber|a stranger in the lift|the choir upstairs|the baker|the students opposite|"
        "the cleaner|someone in the queue|the librarian|a tourist|the bus conductor|the florist|"
        "the night porter"
    ).split("|"),
    "mood": (
        "gloomy|cheerful|sleepy|restless|chatty|hungry|calm|silly|grumpy|thoughtful|dizzy|proud|"
        "jealous|hopeful|lazy|curious"
    ).split("|"),
    "mood_of": (
        "tedious|charming|peculiar|soothing|puzzling|lovely|overrated|touching|daft|splendid|"
        "tricky|exhausting|comical|delicate|hopeless|refreshing"
    ).split("|"),
    "while_": (
        "an hour|ages|a whole lunch break|ten minutes|half the afternoon|the entire ride|"
        "a full evening|half a lifetime|most of the morning|a moment|a good while|"
        "the length of a shower|all of dinner|the rest of the day"
    ).split("|"),
    "drink": list(DRINKS),
}
_OTHERS = (("noise", NOISES), ("drink", DRINKS), ("sky", SKIES))


def exchange(rng: Random, turns: int) -> list[str]:
    """Return up to four turns about one thing: opening, reply, follow-up, ending."""
    pick = rng.choice
    openings: Sequence[str] = OPENINGS
    subjects = SUBJECTS
    if rng.random() < 0.25:
        kind, subjects = pick(_OTHERS)
        openings = NOTICED[kind]
    subject = pick(list(subjects))
    kin = rng.sample(subjects[subject], len(subjects[subject]))
    steps = (
        (OPENERS, openings, TAGS, {"subject": subject}),
        (ANSWERS, REPLIES, CLOSERS, {"kin": kin[0]}),
        (ANSWERS, FOLLOWED, CLOSERS, {"kin": kin[1]}),
        (ANSWERS, ENDINGS, CLOSERS, {"kin": kin[0]}),
    )
    return [_turn(pick, *step) for step in steps[:turns]]


def _turn(
    pick: Callable[[Sequence[str]], str],
    openers: Sequence[str],
    bodies: Sequence[str],
    closers: Sequence[str],
    known: dict[str, str],
) -> str:
    opener, body, closer = pick(openers), pick(bodies), pick(closers)
    text = opener + body.format_map(_Draws(known, pick))
    mark = "?" if body.startswith("what do") else "."
    return f"{text[0].upper()}{text[1:]}{mark}{closer}"


class _Draws(dict[str, str]):
    """Draws a word for each slot that is not known."""

    def __init__(self, known: dict[str, str], pick: Callable[[Sequence[str]], str]) -> None:
        super().__init__(known)
        self.pick = pick

    def __missing__(self, slot: str) -> str:
        return self.pick(SLOTS[slot])
