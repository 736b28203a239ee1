"""What happens again and again or bit by bit, what follows from remarks, what is never said.

The wordings go with those of `traits`: `{who}` is the speaker it is about, `{value}` what
the answer is.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Repeat:
    """Something that happens several times, talk that adds no time, and how it is counted."""

    told: tuple[str, ...]
    aside: str
    asked: str


REPEATS: dict[str, Repeat] = {
    "refusals": Repeat(
        (
            "A magazine refused my story today, with a kind no.",
            "Another editor turned my story down this morning.",
            "The post brought one more rejection for the story today.",
            "Today it was the small press that did not want my story.",
            "No luck with the agent either, the story came back this afternoon.",
        ),
        "I am still sulking over that editor, I read the letter again.",
        "How many times was {who}'s writing refused?",
    ),
    "fines": Repeat(
        (
            "There was a yellow slip under my wiper today, forty euros.",
            "Today the warden got me outside the bakery, the fine is forty.",
            "I came back to the car this evening and, of course, a parking ticket.",
            "One minute over, and the warden was writing already this morning.",
        ),
        "I paid that slip from the other day, grudgingly.",
        "How many parking fines did {who} get?",
    ),
    "blood": Repeat(
        (
            "They took half a litre of blood from my arm today, I got a biscuit.",
            "Back on the donor couch this morning, left arm this time.",
            "I donated again today, the nurse knew me by name.",
            "Rolled up my sleeve for the red cross van this afternoon.",
            "Today the donor bus stood at work, so I lay down at once.",
        ),
        "The nurse from the donor van waved at me in the street.",
        "How often did {who} donate blood?",
    ),
    "lake": Repeat(
        (
            "I had a winter swim before breakfast today, four degrees.",
            "Ice on the jetty, and still I went in this morning.",
            "Today the water was so cold that my hat froze.",
            "In and out in a minute today, but my whole head was under.",
        ),
        "My skin still tingles when I think of that jetty.",
        "How many winter swims did {who} report?",
    ),
    "flats": Repeat(
        (
            "Stood in line on a staircase today with thirty others, for two dark rooms.",
            "The agent showed me a place without windows this morning.",
            "Today it was a loft, lovely, and gone before I could speak.",
            "Saw a ground-floor apartment this afternoon, it smelt of cabbage.",
            "One more set of stairs today, one more landlord who wants three references.",
        ),
        "I keep dreaming of that loft with the skylight.",
        "How many apartments did {who} go to see?",
    ),
    "cakes": Repeat(
        (
            "The sponge came out as coal today.",
            "Smoke alarm again this evening, the tart is history.",
            "My baking went wrong today, the muffins turned into stones.",
            "Black on the outside, raw inside: this afternoon's loaf.",
        ),
        "The kitchen still smells of that tart.",
        "How many baking failures did {who} have?",
    ),
}


@dataclass(frozen=True, slots=True)
class Gathering:
    """Items of one kind that come up one by one, and how all of them are asked for."""

    pool: str
    told: tuple[str, ...]
    asked: str


GATHERINGS: dict[str, Gathering] = {
    "travels": Gathering(
        "country",
        (
            "Greetings with sand in my shoes, {value} was worth every hour of the flight.",
            "Another of the countries on my list done, I am back from {value}.",
            "I am still on another clock, {value} turned my head.",
            "The suitcase came back from {value} heavier than it went.",
        ),
        "Which countries has {who} been to?",
    ),
    "cooking": Gathering(
        "dish",
        (
            "I made {value}, nobody was poisoned.",
            "Three pans later there was {value}, and silence at the table.",
            "For the first time my {value} did not stick.",
            "My flatmates asked for seconds of the {value}.",
        ),
        "What dishes has {who} made?",
    ),
    "balcony": Gathering(
        "plant",
        (
            "My balcony got company: {value}.",
            "I dragged a sack of soil upstairs for {value}.",
            "There was still a sunny corner, so {value} went in.",
            "The rail is full now that I have put up {value}.",
        ),
        "What does {who} grow on the balcony?",
    ),
    "museums": Gathering(
        "museum",
        (
            "Rain all day, so I paid a visit to the {value}.",
            "I was the only soul in the {value}, with a sleepy guard.",
            "The ticket for the {value} was three coins, well spent.",
            "I dragged my visitors through the {value}.",
        ),
        "Which museums did {who} visit?",
    ),
    "tongues": Gathering(
        "language",
        (
            "I ordered a whole meal in {value} without pointing.",
            "Grandmother only ever spoke {value} with me, it sticks.",
            "I speak {value} well enough to follow the radio at last.",
            "I dream in {value} when I am tired.",
        ),
        "Which languages does {who} speak?",
    ),
    "shelf": Gathering(
        "title",
        (
            "I read {value} to the end with a sigh this week.",
            "{value} kept me company on the night bus.",
            "I lent out {value} the minute I was through with it.",
            "Finished {value}, and the ending made me throw a cushion.",
        ),
        "What books has {who} read?",
    ),
}
# topic: remarks of the speaker that lead there, the question, and the answer
INFERENCES: dict[str, tuple[tuple[str, str], str, str]] = {
    "heights": (
        (
            "I froze on the second rung of the kitchen ladder.",
            "On the viewing platform I crawled on all fours.",
        ),
        "Would {who} enjoy a hot-air balloon ride?",
        "Likely no",
    ),
    "crowds": (
        (
            "Two guests at a time is my limit, then I need a dark room.",
            "I leave the shop when more than three people queue.",
        ),
        "Would {who} like to go to a big music festival?",
        "Likely no",
    ),
    "dawn": (
        (
            "By five I am up and whistling, nobody else is.",
            "I have never needed an alarm, however early the shift.",
        ),
        "Would an early shift suit {who}?",
        "Likely yes",
    ),
    "meat": (
        (
            "I have not touched a sausage since I saw that farm.",
            "At the barbecue I live on corn cobs, on principle.",
        ),
        "Would {who} be happy with a steakhouse voucher?",
        "Likely no",
    ),
    "sea": (
        (
            "On the last cruise I was green before we had left the harbour.",
            "Even a pedal boat sends me to the rail.",
        ),
        "Is a cruise a good present for {who}?",
        "Likely no",
    ),
    "thrift": (
        (
            "I darn my socks and reuse every envelope.",
            "I walk four stops rather than pay for the short ticket.",
        ),
        "Is {who} a frugal person?",
        "Likely yes",
    ),
    "stars": (
        (
            "I spent the night on the roof with my charts and a red torch.",
            "I can name every light above the barn.",
        ),
        "Would {who} like a trip to an observatory?",
        "Likely yes",
    ),
    "screens": (
        (
            "No smart anything for me, my phone has buttons and a cord.",
            "I write my letters by hand and lick the stamps.",
        ),
        "Would {who} want a smart home?",
        "Likely no",
    ),
    "cold": (
        (
            "Anything below twenty degrees and I wear two blankets.",
            "I count the days until I can sit in forty degrees again.",
        ),
        "Would {who} consider moving to Lapland?",
        "Likely no",
    ),
    "kids": (
        (
            "The toddlers next door nap on my lap, I could do it all day.",
            "I built a fort with six small cousins and cried when they left.",
        ),
        "Could {who} be happy as a nursery teacher?",
        "Likely yes",
    ),
}
ABSENT = (
    "What is the name of {who}'s sailing yacht?",
    "Which university did {who} graduate from?",
    "What is {who}'s blood type?",
    "Which political office did {who} run for?",
    "What was {who}'s nickname in the army?",
    "How tall is {who}?",
    "Which football club does {who} support?",
    "What did {who} inherit from a grandfather?",
    "Who was {who}'s first kiss?",
    "What is the make of {who}'s wristwatch?",
    "Which saint's day is {who}'s birthday?",
    "What perfume does {who} wear?",
)
