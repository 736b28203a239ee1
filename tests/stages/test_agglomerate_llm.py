"""Abstract memory by a model: what it notes has sources, and what it gets wrong loses nothing."""

from typing import Any

import pytest
from agglomerated import GOOD, TALK, Open, event, fact, texts

from clew.errors import LlmError, LlmRefused, LlmSpent, LlmUnusable
from clew.model import Ingest
from clew.models.llm import Ask, Reply
from clew.stages.agglomerate import Layers
from clew.stages.agglomerate_llm import LlmLayers


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
