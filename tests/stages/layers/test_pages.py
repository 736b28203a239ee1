"""Pages: what is known of each entity, from when, and what it was before."""

from datetime import datetime
from typing import Any

import pytest
from agglomerated import GOOD, TALK, Open, Talk, fact, texts

from clew.stages.agglomerate_llm import LlmLayers
from clew.stores.facts import held


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


def homes(told: Talk) -> list[tuple[str, str, str | None]]:
    """Return where Imke lived, from when, and until when, as the facts of pages have it."""
    found = [unit for unit in told.memory.graph.units() if unit.kind == "summary"]
    return [
        (each.fact.value, day(each.unit.valid_from), each.until and day(each.until))
        for each in held((fact, unit) for unit in found for fact in unit.facts)
        if each.fact.property == "home"
    ]


def day(at: datetime | None) -> str:
    assert at is not None
    return f"{at:%Y-%m-%d}"


def home(place: str, source: str, **more: str) -> Any:
    return fact("Imke", "home", place, source, **more)


def pages(told: Talk, status: str = "active") -> list[str]:
    found = [unit for unit in told.memory.graph.units() if unit.kind == "summary"]
    views = told.memory.graph.views([unit.id for unit in found])
    return [unit.text for unit in found if views[unit.id].status == status]


IN_TURN = [
    ("Rome", "2025-11-15", "2025-11-16"), ("Paris", "2025-11-16", "2025-11-17"),
    ("Rome", "2025-11-17", None),
]  # fmt: skip
ALL = (
    "Imke: home Rome (15 November 2025); home Paris (16 November 2025); "
    "home Rome (17 November 2025)."
)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_there_and_back_again_in_one_reply_are_three_spells(
    talk: Open, order: tuple[int, ...]
) -> None:
    claims = [home("Rome", "D1:0"), home("Paris", "D1:1"), home("Rome", "D1:2")]
    told = talk({"facts": [claims[n] for n in order]})
    told.tell(*(("Ulla", f"Imke lives in {place}.") for place, *_ in IN_TURN), apart=24)
    assert homes(told) == IN_TURN
    assert pages(told) == [ALL]


def test_there_and_back_again_over_chunks_are_three_spells(talk: Open) -> None:
    told = talk(*({"facts": [home(place, f"D1:{n}")]} for n, (place, *_) in enumerate(IN_TURN)))
    for n, (place, *_) in enumerate(IN_TURN):
        told.tell(("Ulla", f"Imke lives in {place}."), days=n)
    assert homes(told) == IN_TURN
    assert pages(told) == [ALL]


def test_the_last_word_of_one_message_counts(talk: Open) -> None:
    claims = [home("Rome", "D1:0"), home("Paris", "D1:0"), home("Rome", "D1:0")]
    told = talk({"facts": claims})
    told.tell(("Ulla", "Imke went from Rome to Paris, and back."))
    assert homes(told) == [("Rome", "2025-11-15", None)]
    assert pages(told)[0].count("home") == 3


def test_one_message_may_tell_of_several_spells(talk: Open) -> None:
    years = [("Rome", "2015"), ("Paris", "2017"), ("Rome", "2021")]
    told = talk({"facts": [home(place, "D1:0", time=f"in {year}") for place, year in years]})
    told.tell(("Ulla", "Imke came to Rome in 2015, to Paris in 2017, and back to Rome in 2021."))
    assert [(place, since[:4]) for place, since, _ in homes(told)] == years
    assert pages(told) == ["Imke: home Rome (2015); home Paris (2017); home Rome (2021)."]


def test_what_messages_date_is_in_its_place_whenever_it_is_told(talk: Open) -> None:
    first = {
        "facts": [home("Oslo", "D1:1", time="since 2024"), home("Rome", "D1:0", time="in 2019")]
    }
    told = talk(first, {"facts": [home("Paris", "D1:2", time="in 2021")]})
    told.tell(("Ulla", "Imke lived in Rome in 2019."), ("Ulla", "Since 2024 it is Oslo."))
    told.tell(("Ulla", "And in 2021 it was Paris."), days=9)
    spells = [("Rome", "2019-01-01", "2021-01-01"), ("Paris", "2021-01-01", "2024-01-01")]
    assert homes(told) == [*spells, ("Oslo", "2024-01-01", None)]
    assert pages(told) == ["Imke: home Rome (2019); home Oslo (2024).", "Imke: home Paris (2021)."]


def test_what_is_over_is_told_once_and_its_page_takes_no_more(talk: Open) -> None:
    past = {"facts": [home("Rome", "D1:1", time="in 2019")]}
    again = {"facts": [home("Rome", "D1:2", time="in 2019"), fact("Imke", "plays", "oboe", "D1:2")]}
    told = talk({"facts": [home("Oslo", "D1:0")]}, past, again)
    told.tell(("Ulla", "Imke lives in Oslo."))
    told.tell(("Ulla", "In 2019 she lived in Rome."), days=1)
    told.tell(("Ulla", "Rome in 2019, I said. She plays oboe."), days=2)
    assert set(pages(told)) == {
        "Imke: home Rome (2019).",
        "Imke: home Oslo (15 November 2025); plays oboe (17 November 2025).",
    }


def test_since_when_something_known_holds_is_added_once(talk: Open) -> None:
    since = [{"facts": [home("Oslo", f"D1:{n}", time="since 2019")]} for n in (1, 2)]
    told = talk({"facts": [home("Oslo", "D1:0")]}, *since)
    for n in range(3):
        told.tell(("Ulla", f"Imke lives in Oslo{' since 2019' * bool(n)}."), days=n)
    assert pages(told) == ["Imke: home Oslo (15 November 2025); home Oslo (2019)."]


PLAYS = [fact("Imke", "plays", what, "D1:0") for what in ("oboe", "viola", "lute", "harp")]


def test_a_reply_that_says_much_fills_several_pages(talk: Open) -> None:
    told = talk({"facts": PLAYS})
    told.tell(("Ulla", "Imke plays much."), stage=LlmLayers(words=12))
    assert [len(page.split()) for page in pages(told)] == [11, 11]
    assert len({unit.id for unit in told.memory.graph.units()}) == 3


def test_what_is_on_a_full_page_is_not_written_again_on_another(talk: Open) -> None:
    told = talk({"facts": PLAYS}, {"facts": [PLAYS[0] | {"sources": ["D1:1"]}]})
    for day in range(2):
        told.tell(("Ulla", "Imke plays oboe."), days=day, stage=LlmLayers(words=12))
    assert len(pages(told)) == 2


def test_what_ends_a_fact_of_a_full_page_goes_on_this_page(talk: Open) -> None:
    told = talk({"facts": [home("Rome", "D1:0"), *PLAYS]}, {"facts": [home("Paris", "D1:1")]})
    told.tell(("Ulla", "Imke lives in Rome and plays much."), stage=LlmLayers(words=11))
    told.tell(("Ulla", "Imke lives in Paris."), days=1, stage=LlmLayers(words=11))
    changed = "home Rome (15 November 2025); plays oboe (15 November 2025); home Paris"
    assert any(changed in page for page in pages(told)), pages(told)
    assert homes(told) == [("Rome", "2025-11-15", "2025-11-16"), ("Paris", "2025-11-16", None)]


def test_forgetting_the_last_word_brings_back_the_one_before(talk: Open) -> None:
    told = talk(*({"facts": [home(place, f"D1:{n}")]} for n, (place, *_) in enumerate(IN_TURN)))
    for n, (place, *_) in enumerate(IN_TURN):
        told.tell(("Ulla", f"Imke lives in {place}."), days=n)
    told.memory.forget({"D1:2"})
    assert homes(told)[-1] == ("Paris", "2025-11-16", None)
    assert pages(told) == [ALL.replace("; home Rome (17 November 2025)", "")]
    assert not told.memory.drift()


def test_a_start_that_turns_out_to_be_earlier_leaves_later_dates_alone(talk: Open) -> None:
    days = [("Oslo", 14), ("Oslo", 10), ("Paris", 25)]
    told = talk(
        *(
            {"facts": [home(place, f"D1:{n}", time=f"{day} March 2024")]}
            for n, (place, day) in enumerate(days)
        )
    )
    for n, (place, day) in enumerate(days):
        told.tell(("Ulla", f"Imke lived in {place} from {day} March 2024."), days=n)
    assert homes(told)[-1] == ("Paris", "2024-03-25", None)
