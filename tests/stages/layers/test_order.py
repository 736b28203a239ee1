"""Order: what a model says came before what, beside what dates say."""

from collections.abc import Sequence
from graphlib import TopologicalSorter
from random import Random
from typing import Any

import pytest
from agglomerated import GOOD, TALK, Open, event


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


def in_turn(edges: Sequence[tuple[str, str]]) -> list[str]:
    """Return events in an order in which all edges lead on; raises if there is none."""
    sorter = TopologicalSorter[str]()
    for source, target in edges:
        sorter.add(target, source)
    return list(sorter.static_order())


LET = ("Ulla", "Imke let her mill.")
SOLD = ("Benno", "Imke sold her kiln.")


def test_what_a_model_says_of_what_has_no_date_stands_against_the_order_of_telling(
    talk: Open,
) -> None:
    events = [
        event("e1", LET[1], "D1:0", persons=["Imke"], after=["e2"]),
        event("e2", SOLD[1], "D1:1", persons=["Imke"]),
    ]
    told = talk({"events": events})
    told.tell(LET, SOLD)
    assert told.said("BEFORE") == {(SOLD[1], LET[1])}
    assert told.read == ("accepted", {"abstract.cycles": 1})


def test_what_falls_between_later_does_not_lead_back(talk: Open) -> None:
    first = [
        event("e1", LET[1], "D1:0", persons=["Imke"], after=["e2"]),
        event("e2", "Imke sold her kiln on 20 November 2025.", "D1:1", persons=["Imke"]),
    ]
    first[1]["sentence"] = SOLD[1]
    # the mill, told on the 15th, was let after the kiln was sold, which was told on the 24th
    told = talk(
        says=lambda ask: {
            "events": first
            if "D1:0]" in ask.user
            else [
                event("e3", "Imke tiled her roof.", "D1:2", persons=["Imke"], time="last Tuesday")
            ]
        }
    )
    told.tell(LET, SOLD)
    told.tell(("Ulla", "Imke tiled her roof last Tuesday."), days=9)
    in_turn(told.edges("BEFORE"))


@pytest.mark.parametrize("seed", range(6))
def test_whatever_a_model_says_no_event_comes_before_itself(talk: Open, seed: int) -> None:
    chance = Random(seed)
    days = ["yesterday", "last week", "on 3 May 2024", "in 2019", ""]
    said = [chance.choice(days) for _ in range(16)]

    def reply(ids: Sequence[int]) -> dict[str, Any]:
        labels = [f"e{n}" for n in ids]
        return {
            "events": [
                event(
                    f"e{n}", f"Imke moved kiln {n} {said[n]}.", f"D1:{n}", persons=["Imke"],
                    time=said[n], after=chance.sample(labels, 2), because=chance.sample(labels, 1),
                )
                for n in ids
            ]
        }  # fmt: skip

    told = talk(reply(range(8)), reply(range(8, 16)))
    for start in (0, 8):
        chunk = [("Ulla", f"Imke moved kiln {n} {said[n]}.") for n in range(start, start + 8)]
        told.tell(*chunk, days=start)
    assert len(in_turn(told.edges("BEFORE"))) > 8


def test_of_events_with_one_label_all_are_kept_and_what_names_it_is_counted(talk: Open) -> None:
    events = [
        event("e1", LET[1], "D1:0"),
        event("E1", SOLD[1], "D1:1"),
        event("e2", "Imke bought a boat.", "D1:1", after=["e1"]),
    ]
    told = talk({"events": events})
    made = told.tell(LET, SOLD)
    assert [unit.text for unit in made] == [each["sentence"] for each in events]
    assert told.read == ("accepted", {"abstract.relations": 1})
