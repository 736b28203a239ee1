"""Small talk that tells nothing lasting: millions of turns that hardly ever repeat.

It circles the same things as the stories do, in general, so a search for what a question
is about also meets talk that does not answer it. It says nothing that a question asks for.
"""

from collections.abc import Callable
from random import Random

OPENERS = (
    "|Ha, |Honestly, |You know, |Well, |Oh, |Anyway, |Right, |Mind you, |Funny, |Sure, |True, "
    "|Look, |Hm, |See, |I tell you, |Between us, |By now |Lately |Most days |On the whole, "
).split("|")
CLOSERS = (
    "||| Same for you?| Or is it only me?| Strange, no?| Anyhow.| It made me laugh.| That is life."
    "| No idea why.| Remind me next time.| I should write that down.| You would have enjoyed it."
    "| Nothing to be done.| Your turn!| Tell me more.| I am all ears.| It could be worse."
    "| So much for that.| I rest my case."
).split("|")
BODIES = (
    "the {sky} made {folk} {mood}",
    "{folk} talked about {subject} for {while_}",
    "I spent {while_} thinking about {subject}",
    "{subject} always makes {folk} {mood}",
    "there was {noise} outside for {while_}",
    "people who care about {subject} are a kind of their own",
    "a film about {subject} would be {mood_of} to watch",
    "I read an article on {subject}, it was {mood_of}",
    "the radio played {noise} and then {while_} of {subject}",
    "nothing beats {drink} when the {sky} is at its worst",
    "{folk} spilt {drink} and went on about {subject}",
    "after {drink} even {subject} seems {mood_of}",
    "I could listen to you on {subject} for {while_}",
    "somebody should write a song about {subject} and {drink}",
    "if it were not for {drink}, {subject} would leave me {mood}",
    "{subject} or {other}, one as {mood_of} as the other",
    "with the {sky} like this I only want {drink}",
    "{folk} went on about {subject} as if it were {other}",
    "it took {folk} {while_} to find {drink}",
    "we laughed about {subject} until the {sky} chased us in",
    "the older I get the more {mood_of} I find {subject}",
    "as for {subject}, {folk} should be asked, not me",
    "{noise} kept me awake, so I thought of {other}",
    "your idea about {subject} stayed with me for {while_}",
)
SLOTS = {
    "sky": (
        "drizzle|fog|heat|wind|sleet|thunder|frost|sunshine|hail|damp|grey sky|pollen|dust|"
        "early dark|rainbow|mist|downpour|breeze|snow|smog"
    ).split("|"),
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
        "tedious|charming|odd|soothing|puzzling|lovely|overrated|touching|daft|splendid|tricky|"
        "exhausting|comical|delicate|hopeless|refreshing"
    ).split("|"),
    "while_": (
        "an hour|ages|a whole lunch break|ten minutes|half the afternoon|the entire ride|"
        "two coffees|a full evening|half a lifetime|most of the morning|a moment|a good while|"
        "three songs|the length of a shower|all through dinner|the rest of the day"
    ).split("|"),
    "noise": (
        "hammering|a brass band|a car alarm|church bells|a lawnmower|someone whistling|"
        "a helicopter|drumming|a barking match|an ice-cream van|an argument|a street sweeper|"
        "seagulls|fireworks|a squeaky gate|a marching song"
    ).split("|"),
    "drink": (
        "black tea|hot chocolate|a strong coffee|lemonade|ginger tea|cold milk|a spritzer|soup|"
        "cider|mulled wine|iced tea|peppermint tea|tomato juice|malt beer|elderflower syrup|"
        "plain water"
    ).split("|"),
    "other": (
        "the price of butter|the new traffic lights|daylight saving|paper straws|crossword clues|"
        "the weather forecast|queueing|umbrellas|old proverbs|card games|the moon|shop windows|"
        "road works|ironing|lost gloves|folding maps|ghost stories|long meetings|pancakes|"
        "riddles|recycling|the town clock|autumn leaves|static hair|instruction manuals|"
        "opera plots|wallpaper|small change|zips that jam|advertising jingles|tin openers|"
        "fortune cookies|snoring|the tax on salt|paper planes|bad puns|lost umbrellas|"
        "sock drawers|hiccups|power cuts|the metric system|jigsaw corners|weather vanes|"
        "pigeon post|left-handed scissors|revolving doors|postage stamps|elevator music|"
        "sandcastles|board games|the night sky|steam engines|crooked pictures|spelling|"
        "haunted houses|paper clips|car horns|pen caps"
    ).split("|"),
}
# some of it close to what questions are about, and answering none of them
SLOTS["subject"] = SLOTS["other"] + (
    "moving vans and cardboard|landlords and their lists|scales and practice rooms|"
    "platforms and delays|job interviews|evening classes|traffic wardens|cats and their moods|"
    "walking dogs in the rain|keeping poultry|book clubs|hotels with thin walls|"
    "allergies in spring|cold showers|viewings and estate agents|souvenirs from abroad|"
    "balcony furniture|dictionaries and accents|driving schools|weddings in the rain|"
    "stretching before a run|embassies and queues|school reports|being brave|yoga mats|"
    "dentists and their music|family dinners|local newspapers|animal documentaries|chlorine|"
    "hospital food|organ recitals|cooking shows|guided tours|bicycle lanes|garage sales|"
    "bandages and crutches|front gardens|savings accounts|swollen eyes"
).split("|")
ECHOES = (
    "{value}? I never saw that coming.",
    "Ha, {value}, of all things!",
    "Wait, {value}? Tell me everything.",
    "{value}, that sounds just like you.",
)


def remark(rng: Random) -> str:
    """Return one turn of small talk."""
    pick = rng.choice
    body = pick(BODIES).format_map(_Draws(pick))
    opener = pick(OPENERS)
    text = opener + body if opener else body[0].upper() + body[1:]
    return f"{text}.{pick(CLOSERS)}"


class _Draws(dict[str, str]):
    """Draws a word for each slot that a template has."""

    def __init__(self, pick: Callable[[list[str]], str]) -> None:
        self.pick = pick

    def __missing__(self, slot: str) -> str:
        return self.pick(SLOTS[slot])
