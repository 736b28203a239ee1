"""Resolve: whom or what does a name stand for? A known entity, or a new one.

A name is no identity: two people share one ("my aunt Nora", "my boss Nora"), a person
shares one with a town, and one person goes by several. What decides here is what a text
itself says around the name; a name without any such sign goes to whoever bears it already.
"""

import re
from collections.abc import Iterable

from clew.memory import Memory
from clew.model import Entity, EntityType
from clew.text import fold, names

_ROLES = """mother mom mum mama father dad papa parent sister brother sibling aunt auntie uncle
    cousin niece nephew grandma grandmother granny nana grandpa grandfather granddad wife husband
    spouse partner girlfriend boyfriend fiance fiancee son daughter kid child baby twin godmother
    godfather in-law boss manager supervisor colleague coworker co-worker assistant mentor teacher
    professor coach trainer instructor tutor student intern client doctor dentist therapist nurse
    lawyer landlord landlady tenant neighbour neighbor roommate flatmate housemate friend bestie
    buddy mate pal ex teammate bandmate dog puppy cat kitten horse pony parrot rabbit hamster"""
_ROLE = "|".join(sorted((re.escape(role) for role in _ROLES.split()), key=len, reverse=True))
_NAME = r"[A-Z\u00c0-\u00de][\w'\u2019-]*"
_ROLE_BEFORE = re.compile(
    rf"\b(?P<owner>my|our|{_NAME}['\u2019]s) (?:[\w-]+ ){{0,2}}?(?P<role>{_ROLE}),? $", re.I
)
_ROLE_AFTER = re.compile(rf"^,? (?:is |was )?my (?:[\w-]+ ){{0,2}}?(?P<role>{_ROLE})\b", re.I)
_CALLED = re.compile(
    r"\b(?P<owner>my|our) (?P<role>(?:[\w-]+ ){0,2}?[\w-]+?)(?:['\u2019]s name)?"
    r",? (?:is|was) (?:called |named )?$",
    re.I,
)
_PLACE_BEFORE = re.compile(
    r"\b(?:in|around|near|outside|across|visit(?:ed|ing|s)?|leaving for|"
    r"(?:fly|flying|flew|go|going|goes|went|gone|travel\w*|move|moved|moving|drive|driving|drove|"
    r"trip|back|way|heading|headed|off|flight|train|bus|ticket|relocat\w+|sail\w*) (?:\w+ )?to|"
    r"(?:come|comes|came|back|moved|flew|flight|home) from) (?:the )?$",
    re.I,
)
_ALIAS = re.compile(
    rf"\b(?P<name>{_NAME}(?: {_NAME})*)(?:"
    r",? (?:but |and |though )?(?:everyone|everybody|people|friends|we|they|I|most people)"
    r"(?: all| just)? calls? (?:him|her|them|it) |"
    r",? (?:who is |is )?(?:also|better) known as |,? a\.?k\.?a\.? |,? (?:who )?goes by | \()"
    rf"(?P<alias>{_NAME})"
)
_MY_ALIAS = re.compile(
    rf"\b(?:call me|calls me|I go by|I['\u2019]m known as|nickname is) (?P<alias>{_NAME})"
)
_NOT_NAMES = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may
    june july august september october november december mon tue tues wed thu thurs fri sat sun
    christmas easter halloween thanksgiving internet tv ok okay omg lol btw diy asap fyi idk
    mr mrs ms dr english
    went saw got made took had did came found bought met ran ate sent gave left lost won told heard
    felt kept knew let look looks sounds seems feels gonna wanna can could should would must may
    might hope hopefully guess maybe perhaps sure definitely absolutely totally exactly actually
    finally congrats congratulations cheers thank thanks sorry please welcome wow woah whoa aw aww
    awww yay yeah yep yup nope nah hmm haha hah ha ah oh ooh ugh gosh man dude hey hi hello bye
    nice cool good great awesome amazing lovely beautiful wonderful fantastic incredible perfect
    glad happy excited proud sad love loved like liked enjoy enjoyed keep take give make try check
    see come go get tell remember imagine believe trust wish want need thought think
    first second third last next another other others many much more most some any every each both
    one two three four five six seven eight nine ten today tomorrow yesterday tonight lately
    recently soon now then later still also plus anyway besides however although though since
    because while when where what which who why how if so but and or as at by for from in on to
    with without after before during about our your his her its their this that these those it
    he she they we you i my mine yours people everyone everybody someone something nothing
    everything anything life time day days week weekend month year morning evening night summer
    winter spring autumn fall work school home family friends kids music art dance books food
    well today's let's that's it's there's here's where's what's who's thx pic photo image not
    never no yes just only even such here there up down out over""".split()
)


def is_role(word: str) -> bool:
    """Tell whether a word says what somebody is to somebody else: "aunt", "boss"."""
    return re.fullmatch(_ROLE, word, re.I) is not None


def role_phrase(owner: str, role: str) -> str:
    """Return how a person is spoken of by what they are to somebody: "Nia's coach"."""
    return f"{owner}'s {role}"


class Referents:
    """Who and what the names in a stretch of dialogue stand for, known from before or new.

    Lookups are kept for the length of one window; `store` hands on what was learned.
    """

    def __init__(self, speakers: Iterable[str], memory: Memory) -> None:
        self._memory = memory
        self._byname: dict[str, dict[str, Entity]] = {}
        self._changed: dict[str, Entity] = {}
        self._speakers = {fold(name): name for name in speakers}
        for known in memory.speakers:
            self._speakers.setdefault(known, known)
        for id, name in self._speakers.items():
            if id not in self._named(id):
                self._learn(Entity(id, name, "person"))

    def store(self) -> None:
        """Hand on the entities that are new or have a new name, to be written with the window."""
        self._memory.meet(self._changed[id] for id in sorted(self._changed))
        self._changed = {}

    def speaker(self, name: str) -> str:
        """Return the entity id of a speaker."""
        return fold(name)

    def read(self, text: str, speaker: str) -> dict[str, str]:
        """Return the entity id of every name in a text, by the name as written."""
        self._aliases(text, speaker)
        found = {}
        for name in names(text):
            at = text.find(name)
            before, after = text[max(0, at - 48) : at], text[at + len(name) :][:48]
            if _is_name(name, before):
                found[name] = self._referent(name, before, after, speaker)
        return found

    def person(self, phrase: str) -> str:
        """Return the id of somebody known only by a phrase such as "Pia's sister"."""
        known = self._named(phrase)
        if not known:
            self._learn(Entity(fold(phrase), phrase, "person"))
        return next(iter(sorted(known)), fold(phrase))

    def called(self, name: str, type: EntityType = "unknown") -> str:
        """Return the id of who or what goes by a name that stands alone, known or new."""
        if speaker := self._speaker_called(name):
            return speaker
        known = self._named(name)
        fits = [id for id in sorted(known) if known[id].type in (type, "unknown")]
        if fits or (known and type == "unknown"):
            return (fits or sorted(known))[-1]
        id = f"{fold(name)}:{type}" if known else fold(name)
        return self._learn(Entity(id, name, type))

    def is_place(self, id: str, name: str) -> bool:
        """Tell whether a name was taken for a place."""
        entity = self._named(name).get(id)
        return entity is not None and entity.type == "place"

    def _referent(self, name: str, before: str, after: str, speaker: str) -> str:
        known = self._named(name)
        if role := _role(before, after):
            return self._by_role(name, role_phrase(speaker, role), role, known)
        if _PLACE_BEFORE.search(before) and not name.isupper():
            return self._by_place(name, known)
        if named := self._speaker_called(name):
            return named
        people = [id for id in sorted(known) if known[id].type != "place"]
        if people or known:
            return (people or sorted(known))[-1]
        return self._learn(Entity(fold(name), name))

    def _by_role(self, name: str, phrase: str, role: str, known: dict[str, Entity]) -> str:
        """Give a name with a role to who has both, to who has the name and no role, or anew."""
        owner = phrase.removesuffix(role)
        free = None
        for id in sorted(known):
            entity = known[id]
            roles = [alias for alias in entity.aliases if alias.startswith(owner)]
            if phrase in roles:
                return id
            if entity.type in ("person", "unknown") and not roles and owner != f"{entity.name}'s ":
                free = free or entity
        if free is None:
            id = f"{fold(name)}:{fold(role)}" if known else fold(name)
            return self._learn(Entity(id, name, "person", (phrase,)))
        return self._learn(Entity(free.id, free.name, "person", (*free.aliases, phrase)))

    def _by_place(self, name: str, known: dict[str, Entity]) -> str:
        for id in sorted(known):
            if known[id].type in ("place", "unknown"):
                return self._learn(Entity(id, known[id].name, "place", known[id].aliases))
        id = f"{fold(name)}:place" if known or self._speaker_called(name) else fold(name)
        return self._learn(Entity(id, name, "place"))

    def _speaker_called(self, name: str) -> str:
        short = fold(name)
        if short in self._speakers:
            return short
        whole = [id for id in self._speakers if len(short) > 2 and id.startswith(short)]
        return whole[0] if len(whole) == 1 else ""

    def _aliases(self, text: str, speaker: str) -> None:
        pairs = [(found["name"], found["alias"]) for found in _ALIAS.finditer(text)]
        pairs += [(speaker, found["alias"]) for found in _MY_ALIAS.finditer(text)]
        for name, alias in pairs:
            id = self._speaker_called(name) or next(iter(sorted(self._named(name))), fold(name))
            entity = self._named(name).get(id, Entity(id, name, "person"))
            if fold(alias) not in map(fold, (entity.name, *entity.aliases)):
                self._learn(Entity(id, entity.name, "person", (*entity.aliases, alias)))

    def _named(self, name: str) -> dict[str, Entity]:
        key: EntityType | str = fold(name)
        if key not in self._byname:
            self._byname[key] = {e.id: e for e in self._memory.entities(name)}
        return self._byname[key]

    def _learn(self, entity: Entity) -> str:
        for name in (entity.name, *entity.aliases):
            known = self._named(name)
            if known.get(entity.id) != entity:
                known[entity.id] = entity
                self._changed[entity.id] = entity
        return entity.id


def _role(before: str, after: str) -> str:
    if found := _ROLE_BEFORE.search(before):
        own = fold(found["owner"]) in ("my", "our")
        return found["role"].casefold() if own else ""
    if found := _CALLED.search(before) or _ROLE_AFTER.search(after):
        return found["role"].casefold()
    return ""


def _is_name(name: str, before: str) -> bool:
    """Tell a name from a word that is capitalised for another reason."""
    if fold(name) in _NOT_NAMES:
        return False
    first = not before.strip() or before.rstrip()[-1:] in ".!?\n\u2026"
    common = name.endswith(("ing", "ed", "ly", "n't", "n\u2019t")) or len(name) < 3
    return not (first and common and " " not in name)
