"""What there is to know about a speaker, and how it is said, changed and asked about.

Every table pairs wordings for telling with wordings for asking that mostly use other
words. `{who}` is the speaker it is about, `{value}` what the answer is, `{day}` a date.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trait:
    """One thing to know about a speaker: how it is told, asked for, and told to have changed."""

    topic: str
    pool: str
    told: tuple[str, ...]
    asked: tuple[str, ...]
    changed: tuple[str, ...] = ()
    first: str = ""  # asks for the earliest value
    as_of: str = ""  # asks for the value on a `{day}`
    gold: str = "{value}"


TRAITS = (
    Trait(
        "home",
        "city",
        (
            "My post goes to {value} these days, and the river is two minutes off.",
            "{value} it is, my boxes are unpacked and the curtains hang.",
            "I live in {value} now, in a flat the size of a stamp.",
        ),
        ("In which city does {who} live now?", "Where is {who}'s home now, by post and keys?"),
        (
            "Boxes everywhere again: my home is an attic in {value} from now on.",
            "New keys, new neighbours, and the view over {value} is worth the stairs.",
            "We loaded the van and drove to {value} for good.",
        ),
        "Which city was {who} living in to begin with?",
        "Which city was {who}'s home on {day}?",
    ),
    Trait(
        "job",
        "trade",
        (
            "I earn my bread as a trainee {value} and my feet know it.",
            "It says {value} on my name badge, I still giggle.",
            "I work as a {value} for a living, six in the morning start.",
        ),
        ("What does {who} do for a living now?", "What work is on {who}'s badge now?"),
        (
            "I handed in my badge. From now on you are talking to a {value}.",
            "Career change at last, they hired me as a {value}.",
            "A new occupation for me: I retrained and I am a {value} now.",
        ),
        "What was {who}'s occupation originally?",
        "What was {who} working as on {day}?",
    ),
    Trait(
        "rent",
        "hundreds",
        (
            "My landlady wants {value} euros from me on the first, every time.",
            "My rent eats {value} euros of each pay packet.",
        ),
        ("How much is {who}'s monthly rent now?", "How many euros go to {who}'s landlady now?"),
        (
            "A letter from the landlady: from now on it is {value} euros.",
            "They have put my rent to {value} euros, starting at once.",
        ),
        "How much was {who}'s rent at the start?",
        "How much rent did {who} owe on {day}?",
        "{value} euros",
    ),
    Trait(
        "train",
        "clock",
        (
            "I have to leave my desk early, my connection goes at {value}.",
            "If I run I catch the {value} train and I am home for dinner.",
        ),
        (
            "At what time does {who}'s train leave now?",
            "Which connection home does {who} catch now?",
        ),
        (
            "They redid the timetable, mine goes at {value} from this week.",
            "New schedule, my train leaves at {value} at last.",
        ),
        "What was {who}'s departure time before any change?",
        "At what time did {who}'s train go on {day}?",
    ),
    Trait(
        "run",
        "tens",
        (
            "Ten kilometres along the canal took me {value} minutes, I was purple.",
            "My 10 km took {value} minutes and then I lay in the grass.",
        ),
        (
            "What is {who}'s latest 10 km time?",
            "How many minutes did the last 10 km along the canal take {who}?",
        ),
        (
            "Same loop again, and the watch stopped at {value} minutes.",
            "10 km this morning: {value} minutes, knees still attached.",
        ),
        "What was {who}'s first result over 10 km?",
        "",
        "{value} minutes",
    ),
    Trait(
        "hens",
        "few",
        (
            "We keep {value} hens behind the shed, they rule the place.",
            "There are {value} chickens scratching up my lettuces.",
        ),
        ("How many chickens does {who} have now?", "How many hens does {who} keep now?"),
        (
            "The coop changed again, I count {value} hens this evening.",
            "Head count at dusk: {value} chickens, my whole flock on the perch.",
        ),
        "How many chickens did {who} own in the beginning?",
        "How many chickens were at {who}'s on {day}?",
    ),
    Trait(
        "class",
        "sport",
        (
            "Thursdays are sacred: {value} until the caretaker throws us out.",
            "The only sport for me is {value}, I come home dripping.",
        ),
        ("Which sport does {who} do now?", "What is {who}'s sport on Thursdays now?"),
        (
            "I gave my old kit away, it is {value} for me from here on.",
            "Swapped clubs: {value} is the sport I train now.",
        ),
        "Which sport did {who} start out with?",
        "Which sport was {who} doing on {day}?",
    ),
    Trait(
        "cat",
        "pet",
        (
            "My tabby answers to {value}, at least when tins are opened.",
            "{value} has been purring on my keyboard all evening.",
        ),
        ("What is {who}'s cat called?", "What does {who} call the tabby?"),
    ),
    Trait(
        "dog",
        "pet",
        (
            "{value} dragged me through three hedges on the lead.",
            "The puppy listens to {value}, or rather does not listen to it.",
            "My dog {value} had to be washed twice, he had found the pond.",
        ),
        (
            "What is {who}'s dog called?",
            "What is the name of the puppy that {who} takes on the lead?",
        ),
    ),
    Trait(
        "allergy",
        "food",
        (
            "One bite of {value} and my lips swell like tyres.",
            "I am allergic, and still they put {value} on my plate.",
            "I carry the pen in case somebody hides {value} in the sauce.",
        ),
        ("What is {who} allergic to?", "What gives {who} a swelling or a rash?"),
    ),
    Trait(
        "music",
        "instrument",
        (
            "My fingertips and my neighbours suffer, but the {value} stays.",
            "I am learning the {value} and it still sounds like a goose.",
        ),
        (
            "Which instrument is {who} learning?",
            "Which instrument do {who}'s neighbours have to hear?",
        ),
    ),
    Trait(
        "novel",
        "title",
        (
            "I sat up till three because {value} would not let me go.",
            "{value} made me miss my stop twice.",
            "What a book {value} is, I cried over the last chapter.",
        ),
        ("Which book did {who} find gripping?", "What novel kept {who} up at night or in tears?"),
    ),
    Trait(
        "pain",
        "joint",
        (
            "Stairs are torture, my {value} clicks at every step.",
            "The ice pack lives on my {value} now.",
            "My {value} is hurting so much that I see stars.",
        ),
        ("Which part of the body is hurting {who}?", "What makes stairs hard for {who}?"),
    ),
    Trait(
        "door",
        "colour",
        (
            "Two coats of {value} on the front door, the postman approves.",
            "I had to paint the door twice, {value} needs it.",
        ),
        (
            "What colour is {who}'s front door?",
            "Which coat of paint did {who} choose for the house?",
        ),
    ),
    Trait(
        "treat",
        "gadget",
        (
            "I could not walk past the window: a {value} sits in my kitchen now.",
            "My savings are gone, but look, a {value}!",
            "I did buy the {value}, the courier sighed on the stairs.",
        ),
        ("What did {who} buy?", "What did {who} spend the savings on?"),
    ),
    Trait(
        "stay",
        "hotel",
        (
            "Our holiday bed was at {value}, the owner snored louder than the sea.",
            "Breakfast at {value} was one lonely olive.",
        ),
        (
            "Where did {who} stay on holiday?",
            "Where did {who} sleep and have breakfast by the sea?",
        ),
    ),
    Trait(
        "nephews",
        "few",
        (
            "When my brother's children come over I set {value} small plates.",
            "My brother needs a bus by now, with {value} little ones.",
        ),
        (
            "How many children does {who}'s brother have?",
            "How many little ones come along with {who}'s brother?",
        ),
    ),
    Trait(
        "locker",
        "locker",
        (
            "I keep forgetting which door is mine at the pool, it is {value}.",
            "My towel is in locker {value}, if you need one.",
        ),
        ("What is the number of {who}'s locker?", "Which number at the pool is {who}'s?"),
    ),
    Trait(
        "wheels",
        "vehicle",
        (
            "My garage is full, the {value} only just fits.",
            "I own a {value} since spring and fetch bread with it.",
        ),
        ("What means of transport does {who} own?", "What does {who} keep in the garage?"),
    ),
    Trait(
        "phobia",
        "fear",
        (
            "I still break out in a sweat near {value}, silly as it is.",
            "They laughed, but I am afraid of {value} and I had to leave.",
        ),
        ("What is {who} afraid of?", "What makes {who}'s heart race?"),
    ),
)
