"""Mandol's API: operators that give and take ids, over a memory that forgets nothing by itself."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for test_mandol's story
from test_mandol import START, messages, opened, system

from clew.errors import StoreError
from clew.model import Evidence, Unit
from clew.systems.mandol_api import MandolApi


@pytest.fixture
def api(tmp_path: Path) -> Iterator[MandolApi]:
    api = MandolApi(system(), opened(tmp_path))
    api.build_memory_from_raw(messages())
    yield api
    api.memory.close()


def note(id: str, text: str) -> Unit:
    at = START + timedelta(days=25)
    return Unit(id, "story", text, at, "20", 90, "Ines", (Evidence("D20:7"),))


def test_a_unit_is_added_to_spaces_and_found_in_them(api: MandolApi) -> None:
    api.add_unit(note("n1", "the cello case is green"), "basic", "topic:cello")
    (hit,) = api.search_unit("green cello case", ["topic:cello"])
    assert hit.id == "n1"
    assert api.search_unit("green cello", ["topic:cello"], by="words")[0].id == "n1"
    assert api.search_unit("green cello case", ["topic:none"]) == []


def test_spaces_join_and_cut_as_sets(api: MandolApi) -> None:
    events = api.space("episodic")
    assert events & api.space("session:0") == {
        "D0:1.00.event1",
        "D0:1.00.event2",
        "D0:2.00.event1",
    }
    assert api.space("episodic", "emotional") == events | api.space("emotional")
    assert not api.space("basic") & events


def test_an_updated_unit_ends_and_stays(api: MandolApi) -> None:
    api.update_unit("D6:4.00", note("n1", "the concert starts at 20:00"), "basic")
    views = api.memory.graph.views(["D6:4.00", "n1"])
    assert (views["D6:4.00"].status, views["n1"].status) == ("superseded", "active")
    assert api.traverse_explicit_nodes("D6:4.00", ["SUPERSEDES"]) == ["n1"]


def test_a_deleted_unit_takes_what_was_made_of_it_along(api: MandolApi) -> None:
    gone = api.delete_unit("D0:1.00")
    assert set(gone) == {"D0:1.00", "D0:1.00.event1", "D0:1.00.event2"}
    assert api.space("session:0").isdisjoint(gone)


def test_edges_are_added_and_walked_by_kind(api: MandolApi) -> None:
    assert api.traverse_explicit_nodes("D0:1.00.event2") == ["D0:1.00", "D0:1.00.event1"]
    assert api.traverse_explicit_nodes("D0:1.00.event2", ["CAUSES"]) == ["D0:1.00.event1"]
    api.add_relationship("D0:0.00", "D20:7.00", "BEFORE")
    assert "D20:7.00" in api.traverse_explicit_nodes("D0:0.00", ["BEFORE"])
    with pytest.raises(StoreError, match="not stored"):
        api.add_relationship("D0:0.00", "D20:7.00", "BRIDGE")  # type: ignore[arg-type]


def test_likeness_joins_without_an_edge(api: MandolApi) -> None:
    hits = api.traverse_implicit_nodes("D6:4.00.event0", k=2)
    assert len(hits) == 2
    assert "D6:4.00.event0" not in {hit.id for hit in hits}
    assert hits[0].score >= hits[1].score


def test_a_quantitative_search_packs_a_context_within_a_budget(api: MandolApi) -> None:
    context = api.quantitative_search("Where did Tobias open a workshop?", budget=60)
    assert "Lisbon" in context.text
    assert context.tokens <= 60


def test_building_again_takes_up_only_what_is_new(api: MandolApi) -> None:
    before = list(api.memory.graph.units())
    more = replace(messages()[-1], id="D21:8", position=8, session="21", text="Good night.")
    api.build_memory_from_raw([*messages(), more])
    assert [unit.id for unit in api.memory.graph.units() if unit not in before] == ["D21:8.00"]
