"""What pictures show, and what is told of people and things over several sessions.

The wordings go with those of `traits`; `{person}` is known by a `{role}`, and a question
only names the role.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Photo:
    """A thing that only the picture shows."""

    topic: str
    pool: str
    text: str
    caption: str
    asked: str


PHOTOS = (
    Photo(
        "photo-ride",
        "vehicle",
        "Look what I came home with!",
        "a photo of a {value} parked in front of a brick wall",
        "What did {who} show off after coming home?",
    ),
    Photo(
        "photo-dinner",
        "dish",
        "Guess who cooked tonight.",
        "a photo of a plate of {value} on a wooden table",
        "What was the meal {who} prepared and took a picture of?",
    ),
    Photo(
        "photo-guest",
        "animal",
        "This one followed me all the way from the gate.",
        "a photo of a {value} standing on a doorstep",
        "Which animal ran after {who}?",
    ),
    Photo(
        "photo-gift",
        "gift",
        "Unwrapped it this minute, I am speechless.",
        "a photo of {value} on torn wrapping paper",
        "What present did {who} open?",
    ),
)

INTRODUCTIONS = (
    "{person} is the {role} I keep praising.",
    "My {role} is called {person}, did I never say?",
    "I was late for {person} again, and a {role} does not like waiting.",
    "I have a {role} with the patience of a saint, {person}.",
)
ROLES = (
    "climbing coach|dentist|landlord|pottery teacher|choir leader|physiotherapist|tax adviser|"
    "chess partner|cello teacher|upstairs neighbour|godmother|hairdresser|car mechanic|vet|"
    "study partner|first boss|sister|brother|cousin|uncle|aunt|stepfather|driving instructor|"
    "old flatmate|yoga teacher|tailor|gardener|ski instructor|Spanish tutor|book club host"
).split("|")


@dataclass(frozen=True, slots=True)
class Deed:
    """What is told of a third person, and asked through the person's role."""

    pool: str
    told: tuple[str, ...]
    asked: str


DEEDS = (
    Deed(
        "city",
        (
            "{person} has put down a deposit on a workshop in {value}.",
            "It is settled, {person} has a business in {value} from the summer on.",
        ),
        "In which city will {who}'s {role} have a workshop or studio?",
    ),
    Deed(
        "animal",
        (
            "{person} could not say no at the shelter and went home with a {value}.",
            "There is a {value} on {person}'s sofa now, they are inseparable.",
        ),
        "What kind of animal did {who}'s {role} take from the shelter?",
    ),
    Deed(
        "craft",
        (
            "{person} won a cup for {value}, the local paper had a picture.",
            "The first prize for {value} went to {person}, would you believe it.",
        ),
        "What did {who}'s {role} win a prize for?",
    ),
    Deed(
        "country",
        (
            "{person} spent a childhood in {value} and still dreams of the food.",
            "I never knew that {person} was born in {value}.",
        ),
        "Which country does {who}'s {role} come from?",
    ),
    Deed(
        "trade",
        (
            "{person} got married in secret, to a {value} of all people.",
            "I met the man {person} married, he does shifts as a {value}.",
        ),
        "What does the person that {who}'s {role} married work as?",
    ),
    Deed(
        "fear",
        (
            "You should have seen {person} turn white, it is {value}, always {value}.",
            "{person} is scared to go anywhere near {value}.",
        ),
        "What is {who}'s {role} scared of?",
    ),
    Deed(
        "language",
        (
            "I heard {person} chat away in {value}, without an accent.",
            "{person} knows poems in the language of love, which is {value}.",
        ),
        "Which foreign language does {who}'s {role} know?",
    ),
)
OWNING = (
    "{person} has taken over {firm}, with all its debts.",
    "It turns out that {firm} is a place run by {person}.",
    "{person} is behind the counter of {firm} from dawn to dusk.",
)
STANDING = (
    "They moved the business: {firm} is on {value}, next to the pharmacy.",
    "The queue outside {firm} reached all along {value}.",
    "You find {firm} on {value}, behind the green awning.",
)
ASKED_STREET = (
    "On which street is the business of {who}'s {role}?",
    "What is the address of the place run by {who}'s {role}?",
)
SOLD = (
    "The {colour} {thing} you let me have is the joy of my life.",
    "I still grin whenever I use the {colour} {thing} I got off you.",
)
FOUND = (
    "I dug out a {colour} {thing} at a harbour sale in {value}.",
    "A widow in {value} gave me a {colour} {thing} for a song.",
)
ASKED_ORIGIN = (
    "In which town had {who}'s {thing} been before {other} passed it on?",
    "Where did the {thing} that {who} acquired originally come from?",
)
