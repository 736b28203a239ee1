"""Abstract memory by a model: what it notes has sources, and what it gets wrong loses nothing."""

import sys
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for talking, beside the tests

from talking import Once, Says, opened

from clew.errors import LlmError, LlmRefused, LlmSpent, LlmUnusable
from clew.model import Add, Ingest, Message, Unit
from clew.models.llm import Ask, Reply
from clew.stages.agglomerate import Layers
from clew.stages.agglomerate_llm import LlmLayers
from clew.stages.enhance import Bare
from clew.stages.extract import RuleBased
from clew.stages.layers.noted import Layered
from clew.stores.graph import Entry

MakeMessage = Callable[..., Message]
TALK = (
    ("Ulla", "What came of the kiln, Benno?"),
    ("Benno", "It cracked yesterday. So I bought another one from Imke."),
    ("Benno", "Imke works as a potter in Sandvik now. I am proud of my glazes."),
    ("Ulla", "I love green tea."),
)


def event(label: str, sentence: str, *sources: str, **more: Any) -> dict[str, Any]:
    return {"label": label, "sentence": sentence, "sources": list(sources), **more}


def fact(subject: str, property: str, value: str, *sources: str, **more: Any) -> dict[str, Any]:
    told = {"subject": subject, "property": property, "value": value, "kind": "person"}
    return {**told, "sources": list(sources), **more}


def taste(person: str, attitude: str, what: str, *sources: str, feeling: str = "") -> Any:
    told = {"person": person, "attitude": attitude, "what": what, "feeling": feeling}
    return {**told, "sources": list(sources)}


GOOD = {
    "events": [
        event("e1", "Benno's kiln cracked yesterday.", "D1:0", "D1:1", time="yesterday"),
        event("e2", "Benno bought a kiln from Imke.", "D1:1", persons=["Imke"], because=["e1"]),
    ],
    "facts": [
        fact("Imke", "works as", "potter", "D1:2", single=True),
        fact("Imke", "home", "Sandvik", "D1:2"),
    ],
    "tastes": [
        taste("Benno", "feels", "his glazes", "D1:2", feeling="proud"),
        taste("Ulla", "likes", "green tea", "D1:3"),
    ],
}


class Talk:
    """Tells a memory chunks, which a model and then nobody else reads for abstract memory."""

    def __init__(self, folder: Path, message: MakeMessage, says: Says, **more: Any) -> None:
        self.memory, self.model = opened(folder, says, **more)
        self._message, self._at = message, 0

    def tell(
        self, *said: tuple[str, str], days: int = 0, stage: Any = None, how: Any = None
    ) -> list[Unit]:
        """Tell one chunk; return all abstract units."""
        chunk = [
            self._message(n, text, speaker, hours=24 * days)
            for n, (speaker, text) in enumerate(said, self._at)
        ]
        self._at += len(chunk)
        units = Bare()(RuleBased()(tuple(chunk), self.memory), chunk, self.memory)
        units.how = how
        above = (stage or LlmLayers())(units, chunk, self.memory)
        basic = (Add(unit) for unit in units)
        self.memory.ingest(chunk, chain(basic, above.decisions), above.how)
        return [unit for unit in self.memory.graph.units() if unit.level > 0]

    def edges(self, kind: str) -> list[tuple[str, str]]:
        return [(e.source, e.target) for e in self.memory.graph.all_edges() if e.kind == kind]

    def said(self, kind: str) -> set[tuple[str, ...]]:
        """Return the edges of a kind, as what their units say."""
        return {tuple(u.text for u in self.memory.units(edge)) for edge in self.edges(kind)}

    @property
    def read(self) -> tuple[str, dict[str, float]]:
        """How the last chunk was read, and what was counted."""
        entry = self.ingested[-1]
        counts = {name: n for name, n in entry.scores.items() if name != "units"}
        return entry.reason.partition(":")[0], counts

    @property
    def ingested(self) -> list[Entry]:
        return [entry for entry in self.memory.graph.ledger() if entry.op == "INGEST"]

    def close(self) -> None:
        self.memory.llm.close()
        self.memory.close()


Open = Callable[..., Talk]


@pytest.fixture
def talk(tmp_path: Path, message: MakeMessage) -> Any:
    made: list[Talk] = []

    def make(*replies: Any, says: Says | None = None, **more: Any) -> Talk:
        folder = tmp_path / str(len(made))
        made.append(Talk(folder, message, says or Once(*replies), **more))
        return made[-1]

    yield make
    for each in made:
        each.close()


def texts(units: list[Unit], source: str = "") -> list[str]:
    return [unit.text for unit in units if not source or source in unit.spaces]


def test_a_good_reply_becomes_events_pages_and_tastes_with_their_sources(talk: Open) -> None:
    told = talk(GOOD)
    made = told.tell(*TALK)
    assert texts(made, "episodic") == [
        "Benno's kiln cracked yesterday (14 November 2025).",
        "Benno bought a kiln from Imke.",
    ]
    (page,) = texts(made, "semantic")
    assert page == "Imke: works as potter (15 November 2025); home Sandvik (15 November 2025)."
    assert texts(made, "emotional") == [
        "Benno feels proud about his glazes (15 November 2025)",
        "Ulla likes green tea (15 November 2025)",
    ]
    assert told.read == ("accepted", {})
    assert len(told.model.asked) == 1
    kinds = [(unit.kind, unit.level) for unit in made]
    assert sorted(kinds) == [("event", 1)] * 2 + [("preference", 1)] * 2 + [("summary", 1)]


def test_every_unit_leads_to_the_basic_units_of_the_messages_that_it_cites(talk: Open) -> None:
    told = talk(GOOD)
    cracked, bought, *_ = told.tell(*TALK)
    assert {e.message for e in cracked.evidence if e.end} == {"D1:0", "D1:1"}
    assert {target for source, target in told.edges("ABSTRACTS") if source == cracked.id} == {
        "D1:0.00", "D1:1.00",
    }  # fmt: skip
    assert bought.entities >= {"imke", "benno"}
    assert set(told.memory.forget({"D1:1"})) == {"D1:1.00", cracked.id, bought.id}


def test_what_a_model_says_came_of_what_is_an_edge(talk: Open) -> None:
    told = talk(GOOD)
    cracked, bought, *_ = told.tell(*TALK)
    assert told.edges("CAUSES") == [(cracked.id, bought.id)]
    after = [{**each, "after": each.get("because", []), "because": []} for each in GOOD["events"]]
    told = talk({**GOOD, "events": after})
    told.tell(*TALK)
    assert (told.edges("CAUSES"), len(told.edges("BEFORE"))) == ([], 1)


@pytest.mark.parametrize(
    ("more", "n"),
    [
        ({"after": ["e7"]}, 1),  # no such event
        ({"because": ["e1"]}, 1),  # itself
        ({"after": ["e2"]}, 1),  # which came of it
        ({"after": ["e3"]}, 1),  # which is dated later
        ({"because": ["e3", "e9"]}, 2),
    ],
)
def test_an_order_that_cannot_be_is_refused_and_counted(
    talk: Open, more: dict[str, Any], n: int
) -> None:
    first, second = GOOD["events"]
    later = event("e3", "Benno paid Imke today.", "D1:1", "D1:4", time="today")
    first = first | {"after": [], **more}
    # the first is told last, so that what the second says of it is known already
    told = talk({**GOOD, "events": [second, later, first]})
    told.tell(*TALK, ("Benno", "I paid her today."))
    assert told.read == ("accepted", {"abstract.relations": n})
    assert told.said("CAUSES") == {
        ("Benno's kiln cracked yesterday (14 November 2025).", "Benno bought a kiln from Imke.")
    }


def test_events_that_all_come_after_all_before_them_are_no_trouble(talk: Open) -> None:
    labels = [f"e{n}" for n in range(30)]  # with more ways from first to last than can be walked
    events = [
        event(label, f"Benno moved kiln {n}.", "D1:1", after=labels[:n])
        for n, label in enumerate(labels)
    ]
    events[0] = event("e0", "Benno moved a kiln.", "D1:1", after=["e29"])
    told = talk({"events": list(reversed(events)), "facts": [], "tastes": []})
    told.tell(*TALK)
    assert told.read == ("accepted", {"abstract.relations": 1})


def test_events_of_one_thing_are_chained_over_chunks_by_when_they_took_place(talk: Open) -> None:
    later = {"events": [event("e1", "Imke sold her kiln.", "D1:4", persons=["Imke"])]}
    told = talk(GOOD, later)
    told.tell(*TALK)
    told.tell(("Ulla", "Imke sold her kiln."), days=9)
    events = [u for u in told.memory.graph.units() if u.kind == "event"]
    assert len(events) == 3
    assert ("Benno bought a kiln from Imke.", "Imke sold her kiln.") in told.said("BEFORE")


FAULTS = {
    "empty": "",
    "no JSON": "I would rather not.",
    "half": '{"events": [{"sentence": "Benno',
    "shape": {"events": [{"sentence": None, "sources": ["D1:1"]}]},
    "types": {"events": "none", "facts": 5, "tastes": True},
    "nothing": {"events": [], "facts": [], "tastes": []},
    "other": {"weather": "fine"},
    "invented": {"events": [event("e1", "Benno is rich.", "D9:9")]},
    "no sources": {"facts": [fact("Benno", "home", "Oslo")]},
}


@pytest.mark.parametrize("bad", FAULTS.values(), ids=FAULTS.keys())
def test_a_reply_that_will_not_do_is_asked_for_again_with_what_is_wrong(
    talk: Open, bad: Any
) -> None:
    told, good = talk(bad, GOOD), talk(GOOD)
    assert told.tell(*TALK) == good.tell(*TALK)
    assert told.read == ("repaired", {"abstract.retried": 1})
    assert "That will not do" in told.model.asked[1].turns[-1].text


@pytest.mark.parametrize("bad", FAULTS.values(), ids=FAULTS.keys())
def test_a_chunk_that_no_reply_reads_goes_by_the_rules_of_the_layers(talk: Open, bad: Any) -> None:
    told, rules = talk(bad), talk("never asked")
    made = told.tell(*TALK, stage=LlmLayers(retries=1))
    assert made and made == rules.tell(*TALK, stage=Layers())
    assert told.read == ("fell_back", {"abstract.by_rule": 4})
    assert "asked mandol_layers 2 times" in told.ingested[-1].reason
    assert (len(told.model.asked), len(rules.model.asked)) == (2, 0)


def test_half_of_json_with_everything_in_it_is_mended(talk: Open) -> None:
    import json

    told, good = talk(f"Gladly:\n```json\n{json.dumps(GOOD)[:-1]}"), talk(GOOD)
    assert told.tell(*TALK) == good.tell(*TALK)
    assert told.read == ("repaired", {"abstract.repaired": 1})


def test_invented_citations_are_told_and_then_left_out(talk: Open) -> None:
    facts = [*GOOD["facts"], fact("Benno", "home", "Oslo", "D7:7"), fact("Ulla", "age", "9")]
    told = talk({**GOOD, "facts": facts})
    made = told.tell(*TALK)
    assert "there is no message D7:7: cite only D1:0" in told.model.asked[1].turns[-1].text
    counts = {"abstract.citations": 1, "abstract.refused": 2, "abstract.retried": 1}
    assert told.read == ("repaired", counts)
    assert len(texts(made, "semantic")) == 1


@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_chunk_too_large_for_a_reply_is_halved_and_labels_hold_in_their_half(
    talk: Open, concurrency: int
) -> None:
    def says(ask: Ask) -> Any:
        ids = [line.partition("]")[0][1:] for line in ask.user.splitlines() if line[0] == "["]
        if len(ids) > 2:
            return Reply('{"events": [{"label": "e1', finish="length")
        one, two = ids
        return {"events": [event("e1", f"It began in {one}.", one),
                           event("e2", f"It went on in {two}.", two, because=["e1"])]}  # fmt: skip

    told = talk(says=says, concurrency=concurrency, pause=lambda ask: 0.01 * ("D1:0]" in ask.user))
    told.tell(*TALK)
    assert told.read == ("repaired", {"abstract.split": 1})
    assert told.said("CAUSES") == {
        ("It began in D1:0.", "It went on in D1:1."),
        ("It began in D1:2.", "It went on in D1:3."),
    }


def test_the_half_that_no_reply_reads_goes_by_rule_and_the_other_does_not(talk: Open) -> None:
    def says(ask: Ask) -> Any:
        if "D1:0]" in ask.user:
            return Reply('{"events": [', finish="length")
        return {"tastes": GOOD["tastes"]}

    told = talk(says=says)
    made = told.tell(*TALK, stage=LlmLayers(splits=1))
    assert told.read == ("fell_back", {"abstract.by_rule": 2, "abstract.split": 1})
    assert texts(made, "emotional") == [
        "Benno feels proud about his glazes (15 November 2025)",
        "Ulla likes green tea (15 November 2025)",
    ]
    assert texts(made, "episodic")[0] == "Benno (14 November 2025): It cracked yesterday."


# --- pages


def test_a_page_is_taken_up_by_one_that_tells_more_and_shows_what_changed(talk: Open) -> None:
    moved = {"facts": [fact("Imke", "Home", "Oslo", "D1:4"), fact("imke", "plays", "oboe", "D1:5"),
                       fact("Imke", "works as", "Potter", "D1:4")]}  # fmt: skip
    told = talk(GOOD, moved)
    told.tell(*TALK)
    told.tell(("Ulla", "Imke, still a potter, moved to Oslo."), ("Ulla", "She plays oboe."), days=9)
    old, new = [u for u in told.memory.graph.units() if u.kind == "summary"]
    assert new.text == (
        "Imke: works as potter (15 November 2025); home Sandvik (15 November 2025); "
        "home Oslo (24 November 2025); plays oboe (24 November 2025)."
    )
    assert [(f.property, f.value) for f in new.facts] == [
        ("works as", "potter"), ("home", "Oslo"), ("plays", "oboe"),
    ]  # fmt: skip
    assert told.memory.graph.views([old.id])[old.id].under == new.id
    assert {e.message for e in new.evidence if e.end} == {"D1:2", "D1:4", "D1:5"}
    members = {target for source, target in told.edges("ABSTRACTS") if source == new.id}
    assert members == {"D1:2.00", "D1:4.00", "D1:5.00"}


def test_what_is_on_a_page_already_is_not_written_again(talk: Open) -> None:
    told = talk(GOOD, {"facts": [fact("Imke", "works as", "Potter", "D1:4")]})
    told.tell(*TALK)
    told.tell(("Ulla", "Imke is a potter."), days=9)
    assert len([u for u in told.memory.graph.units() if u.kind == "summary"]) == 1


def test_a_full_page_stays_and_another_is_begun(talk: Open) -> None:
    told = talk(GOOD, {"facts": [fact("Imke", "plays", "oboe", "D1:4")]})
    told.tell(*TALK)
    told.tell(("Ulla", "Imke plays oboe."), days=9, stage=LlmLayers(words=12))
    old, new = [u for u in told.memory.graph.units() if u.kind == "summary"]
    assert new.text == "Imke: plays oboe (24 November 2025)."
    assert {view.status for view in told.memory.graph.views([old.id, new.id]).values()} == {
        "active"
    }


def test_a_fact_of_nobody_is_refused_and_counted(talk: Open) -> None:
    told = talk({**GOOD, "facts": [fact("I", "home", "Oslo", "D1:1"), *GOOD["facts"]]})
    assert len(texts(told.tell(*TALK), "semantic")) == 1
    assert told.read == ("accepted", {"abstract.attributes": 1})


def test_a_kind_of_thing_that_there_is_not_is_unknown(talk: Open) -> None:
    told = talk({"facts": [fact("Sandvik", "has", "a mill", "D1:2", kind="Village")]})
    told.tell(*TALK)
    assert [e.type for e in told.memory.graph.entities("Sandvik")] in (["place"], ["unknown"])


# --- tastes


def test_a_taste_taken_back_and_another_feeling_end_the_old_ones(talk: Open) -> None:
    given_up = [
        taste("Ulla", "dislikes", "Green tea", "D1:4"),
        taste("Ulla", "likes", "plum jam", "D1:4"),
        taste("Benno", "feels", "his glazes", "D1:4", feeling="ashamed"),
        taste("Benno", "feels", "his kiln", "D1:4", feeling="sorry"),
    ]
    told = talk(GOOD, {"tastes": given_up})
    told.tell(*TALK)
    told.tell(("Ulla", "No green tea for me. His glazes? He is ashamed, sorry, jam."), days=9)
    assert told.said("SUPERSEDES") == {
        ("Ulla likes green tea (15 November 2025)",
         "Ulla does not like Green tea (24 November 2025)"),
        ("Benno feels proud about his glazes (15 November 2025)",
         "Benno feels ashamed about his glazes (24 November 2025)"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "bad",
    [
        taste("she", "likes", "tea", "D1:3"),
        taste("Ulla", "likes", "", "D1:3"),
        taste("Ulla", "feels", "tea", "D1:3"),
        taste("Ulla", "adores", "tea", "D1:3"),  # a feeling, then, that is not named
    ],
)
def test_a_taste_of_nobody_or_of_nothing_is_refused_and_counted(talk: Open, bad: Any) -> None:
    told = talk({**GOOD, "tastes": [bad, *GOOD["tastes"]]})
    assert len(texts(told.tell(*TALK), "emotional")) == 2
    assert told.read == ("accepted", {"abstract.tastes": 1})


# --- when a model cannot be asked, and what else is told of a chunk


def test_a_message_that_no_unit_is_from_bears_nothing_out(talk: Open) -> None:
    told = talk(
        {"events": [event("e1", "Ulla smiled.", "D1:0"), event("e2", "It rained.", "D1:1")]}
    )
    assert texts(told.tell(("Ulla", ":-)"), ("Benno", "It rained."))) == ["It rained."]
    assert told.read == ("repaired", {"abstract.refused": 1})


def test_a_chunk_that_tells_nothing_is_not_asked_about(talk: Open) -> None:
    told = talk(GOOD)
    assert told.tell(("Ulla", ":-)")) == []
    assert told.model.asked == []


def test_a_model_that_cannot_be_asked_stops_the_run_unless_rules_may_take_over(talk: Open) -> None:
    with pytest.raises(LlmRefused):
        talk(LlmRefused("no such key")).tell(*TALK)
    told = talk(LlmRefused("no such key"))
    told.tell(*TALK, stage=LlmLayers(by_rule="always"))
    assert told.read == ("fell_back", {"abstract.by_rule": 4})
    assert told.ingested[-1].reason == "fell_back: no such key"


@pytest.mark.parametrize(
    ("error", "stage"),
    [
        (LlmSpent("all of it"), LlmLayers(by_rule="always")),
        (LlmUnusable("never mind"), LlmLayers(by_rule="never")),
    ],
)
def test_a_run_that_stops_leaves_nothing_of_the_chunk(
    talk: Open, error: LlmError, stage: LlmLayers
) -> None:
    told = talk(error)
    with pytest.raises(type(error)):
        told.tell(*TALK, stage=stage)
    assert list(told.memory.graph.units()) == []
    assert told.memory.graph.processed() == set()


@pytest.mark.parametrize(
    ("before", "reply", "outcome"),
    [
        ("repaired", GOOD, "repaired"),
        ("accepted", "", "fell_back"),
        ("fell_back", GOOD, "fell_back"),
    ],
)
def test_the_worse_of_both_readings_of_a_chunk_is_in_the_ledger(
    talk: Open, before: Any, reply: Any, outcome: str
) -> None:
    told = talk(reply)
    told.tell(*TALK, how=Ingest((), 0, before, "half of it", {"split": 1}))
    assert told.read[0] == outcome
    assert told.read[1]["split"] == 1
    assert "half of it" in told.ingested[-1].reason


def test_lists_may_be_null_missing_or_hold_what_is_no_object() -> None:
    loose = {"facts": None, "events": ["none", event("E1", "It rained.", "a", after="e1; e2")]}
    read = Layered.model_validate(loose)
    (linked,) = read.items()
    assert [each.sentence for each in linked.after] == ["It rained."]
    assert linked.lost == 1


def test_the_example_of_the_prompt_is_json_of_the_asked_form() -> None:
    from clew.prompts import load

    text = load("mandol_layers")["system"]
    shown = Layered.model_validate_json(text[text.index('{"events"') : text.rindex("Answer with")])
    assert (len(shown.events), len(shown.facts), len(shown.tastes)) == (3, 2, 1)
    assert all(not each.lost for each in shown.items()[:3])
