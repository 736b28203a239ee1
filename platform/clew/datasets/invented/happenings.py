"""What happened on a day, what will, and what began and ended.

The wordings go with those of `traits`: `{who}` is the speaker it is about, `{value}` what
the answer is, `{when}` a time phrase.
"""

# topic: how it is told, how it is asked
PAST: dict[str, tuple[str, str]] = {
    "teeth": (
        "I had surgery on two wisdom teeth {when}, I look like a hamster.",
        "When did {who} have dental surgery?",
    ),
    "licence": ("I passed behind the wheel {when}!", "When did {who} get a driving licence?"),
    "thesis": (
        "All 200 pages of the thesis left my desk {when}.",
        "When did {who} submit the thesis?",
    ),
    "ankle": (
        "I missed a kerb {when} and my foot went sideways, hence the crutches.",
        "When did {who} get hurt?",
    ),
    "tree": (
        "I put a cherry tree into the soil {when}, mind the stake.",
        "When did {who} plant a tree?",
    ),
    "glider": (
        "I sat in a glider {when}, no engine, only wind.",
        "When did {who} fly without a motor?",
    ),
    "smoking": (
        "My last packet went into the bin {when}.",
        "When did {who} give up cigarettes?",
    ),
    "boat": (
        "The old boat changed hands {when}, I waved from the pier.",
        "When did {who} sell the boat?",
    ),
    "talk": (
        "I stood in front of ninety people {when} and forgot my first line.",
        "When did {who} give a speech?",
    ),
    "exhibition": (
        "My photo exhibition went up on the library wall {when}.",
        "When did {who}'s exhibition open?",
    ),
    "burglary": (
        "Somebody forced our back window {when}, the silver is gone.",
        "When was {who} burgled?",
    ),
    "reunion": (
        "The old school class met {when}, half of them bald.",
        "When was {who}'s school reunion?",
    ),
    "tattoo": ("The swallow on my arm is real ink, done {when}.", "When did {who} get a tattoo?"),
    "sauna": ("We finished building the sauna {when}.", "When was {who}'s sauna completed?"),
    "proposal": (
        "I went down on one knee {when} and the answer was yes!",
        "When did {who} get engaged?",
    ),
    "choir": ("I sang in the cathedral {when}, second row.", "When did {who} perform in a church?"),
    "flood": (
        "We had a flood in the cellar {when}, boots and buckets.",
        "When did {who}'s basement flood?",
    ),
    "glasses": ("I picked up my first glasses {when}.", "When did {who} start wearing glasses?"),
    "marathon": (
        "Forty-two kilometres {when}, I cannot feel my toes.",
        "When did {who} complete a marathon?",
    ),
    "loan": ("The bank got its last instalment {when}.", "When did {who} become free of debt?"),
}
COMING: dict[str, tuple[str, str]] = {
    "surgery": ("They operate on my eye {when}, fingers crossed.", "When is {who}'s operation?"),
    "flight": ("My plane takes off {when}, I have not packed.", "When does {who} fly out?"),
    "audition": ("I play for the jury {when}.", "When is {who}'s audition?"),
    "inlaws": ("The in-laws arrive {when}, hide the mess.", "When do relatives visit {who}?"),
    "hearing": ("I have to be before the judge {when}.", "When is {who}'s day in court?"),
}
# topic: how the start is told, how the end is told, how the days between are asked
LASTING: dict[str, tuple[str, str, str]] = {
    "visa": (
        "I sent the papers to the embassy {when}.",
        "The stamp is in my passport, it came {when}!",
        "How many days did {who} wait for the visa?",
    ),
    "cast": (
        "They put my arm in plaster {when}.",
        "The saw freed my arm {when}, it is thin as a twig.",
        "For how many days did {who} wear a cast?",
    ),
    "jumper": (
        "I cast on the first stitches of a jumper {when}.",
        "The last sleeve is done, I wove in the ends {when}.",
        "How many days did the knitting project of {who} take?",
    ),
    "kitchen": (
        "The builders ripped out our sink {when}.",
        "We cooked at home again {when}, on the new stove.",
        "How many days did {who}'s kitchen renovation last?",
    ),
    "exam": (
        "I sat the bar exam {when}, six hours.",
        "The envelope from the examiners arrived {when}, I made it.",
        "How many days passed before {who} had the exam result?",
    ),
    "cure": (
        "I gave up sugar {when}.",
        "I fell for a doughnut {when}, and that was that.",
        "For how many days did {who} go without sweets?",
    ),
}
