"""What every graph store must do: subclass GraphStoreContract and give it a `store`."""

import json
from dataclasses import replace
from datetime import UTC
from threading import Thread

import pytest
from stories import FULL, NOON, TALK, abstract, after, home, message, unit

from clew.errors import StoreError, TimeError
from clew.model import (
    Abstract,
    Add,
    Archive,
    Drop,
    Edge,
    Entity,
    Evidence,
    Fact,
    Ingest,
    Merge,
    Relate,
    Supersede,
    View,
)
from clew.stores.graph import GraphStore, Held, Stamp


class GraphStoreContract:
    """Reading back, order, transactions, views over the ledger, facts, forgetting, rows."""

    DELETE: str  # a write, in the store's own language
    COUNT: str  # the number of this conversation's units, as n
    ENDLESS: str  # more rows than anyone wants
    WRONG: str  # not even a query

    # --- what is read is what was put

    def test_a_unit_comes_back_as_it_was_put(self, store: GraphStore) -> None:
        store.put([FULL])
        (found,) = store.get([FULL.id])
        assert found == FULL
        assert found.said_at is not None and FULL.said_at is not None
        assert found.said_at.utcoffset() == FULL.said_at.utcoffset()
        assert found.event.start is not None
        assert found.event.start.isoformat() == after(-48).isoformat()

    def test_a_unit_without_any_time_comes_back(self, store: GraphStore) -> None:
        undated = unit(1, said_at=None)
        store.put([undated])
        assert store.get([undated.id]) == [undated]

    def test_get_keeps_the_order_asked_and_skips_the_unknown(self, store: GraphStore) -> None:
        store.put([unit(1), unit(2)])
        assert store.get(["D1:2.00", "nobody", "D1:1.00"]) == [unit(2), unit(1)]
        assert store.get([]) == []

    def test_putting_a_unit_again_replaces_it_and_its_parts(self, store: GraphStore) -> None:
        store.put([home(1, "Oslo", entities=frozenset({"ana"})), unit(2)])
        store.link([Edge("D1:1.00", "D1:2.00", "NEXT")])
        later = unit(1, "Bo is here", entities=frozenset({"bo"}), evidence=(Evidence("D9:9"),))
        store.put([later])
        assert store.get([later.id]) == [later]
        assert store.mentioning(["ana"]) == [] and store.mentioning(["bo"]) == [later]
        assert store.facts() == []
        assert store.edges([later.id], ["NEXT"]) == [Edge("D1:1.00", "D1:2.00", "NEXT")]

    def test_an_instant_without_a_zone_is_refused(self, store: GraphStore) -> None:
        with pytest.raises(TimeError, match="zone"):
            store.put([unit(1, said_at=NOON.replace(tzinfo=None))])
        assert list(store.units()) == []

    def test_another_conversations_unit_is_refused(self, store: GraphStore) -> None:
        foreign = unit(1)
        object.__setattr__(foreign, "conversation", "gossip")
        with pytest.raises(StoreError, match="gossip"):
            store.put([foreign])

    def test_messages_come_by_position_and_the_first_of_an_id_stays(
        self, store: GraphStore
    ) -> None:
        store.put_messages([message(2, speaker="Bo", caption="a red boat"), message(1)])
        store.put_messages([message(2, "Something else")])
        assert store.messages() == [message(1), message(2, speaker="Bo", caption="a red boat")]

    def test_the_message_before_a_place_is_the_last_there_is(self, store: GraphStore) -> None:
        assert store.said_before(7) is None
        store.put_messages([message(2, "Sold it?"), message(1), message(4)])
        assert store.said_before(4) == store.said_before(3) == message(2, "Sold it?")
        assert store.said_before(9) == message(4) and store.said_before(1) is None

    def test_speakers_come_in_the_order_of_their_first_message(self, store: GraphStore) -> None:
        assert store.speakers() == []
        names = ("Zed", "Ana", "Zed", "Mo")
        store.put_messages(message(at, speaker=name) for at, name in enumerate(names))
        assert store.speakers() == ["Zed", "Ana", "Mo"]

    def test_entities_are_found_by_name_and_alias_whatever_the_accents(
        self, store: GraphStore
    ) -> None:
        zoe = Entity("zoe", "Zoë", "person", ("Zoélie", "Big Z"))
        place = Entity("zoe:place", "Zoe", "place")
        store.put_entities([place, zoe])
        assert store.entities() == [zoe, place]
        assert store.entities("ZOE") == [zoe, place]
        assert store.entities("zoelie") == [zoe]
        assert store.entities("zo") == []
        store.put_entities([Entity("zoe", "Zoë", "person")])
        assert store.entities("big z") == []

    def test_settings_are_kept(self, store: GraphStore) -> None:
        assert store.setting("embedder") is None
        assert store.setting("embedder", "words") == "words"
        store.setting("embedder", "other")
        assert store.setting("embedder") == "other"

    # --- order

    def test_units_come_by_position_then_id(self, store: GraphStore) -> None:
        made = [unit(at) for at in range(1200)]
        store.put(reversed(made))
        assert list(store.units()) == made

    def test_the_latest_are_by_time_and_undated_come_last(self, store: GraphStore) -> None:
        january, march, february = (
            unit(at, said_at=after(24 * days)) for at, days in ((1, -40), (2, 20), (3, 0))
        )
        undated = unit(4, said_at=None)
        store.put([january, march, february, undated])
        assert store.latest(2) == [march, february]
        assert store.latest(9) == [march, february, january, undated]

    def test_between_takes_both_ends_in_and_compares_instants(self, store: GraphStore) -> None:
        store.put([unit(at) for at in (4, 3, 2, 1)])
        store.put([unit(5, said_at=None)])
        found = store.between(after(2).astimezone(UTC), after(3))
        assert found == [unit(2), unit(3)]
        assert store.between(after(1), after(4), 1) == [unit(1)]

    def test_occupied_tells_span_by_span_whether_anything_was_said(self, store: GraphStore) -> None:
        store.put([unit(2), unit(5), unit(9, said_at=None)])
        spans = [(after(2), after(2)), (after(3), after(4)), (after(1), after(9))]
        late = [(after(2.5), after(5).astimezone(UTC)), (after(6), after(99))]
        assert store.occupied([*spans, *late]) == [True, False, True, True, False]
        assert store.occupied([]) == []

    def test_previous_stands_before_in_the_same_session(self, store: GraphStore) -> None:
        first, other, last = unit(1), unit(2, session="2"), unit(3)
        store.put([first, other, last])
        assert store.previous(last) == first.id
        assert store.previous(other) is None
        assert store.previous(first) is None

    def test_no_abstract_stands_before_another(self, store: GraphStore) -> None:
        first, second, last = unit(1), unit(3), unit(5)
        told, later = abstract(2, first), abstract(4, second)
        store.put([first, told, second])
        assert store.previous(last) == second.id
        with store.transaction():  # also of what is not written yet, and what is noted
            store.put([later])
            assert store.previous(last) == second.id
            store.put([unit(6)])
            assert store.previous(unit(7)) == "D1:6.00"
        store.put([abstract(8, first)])
        assert store.previous(unit(9)) == "D1:6.00"

    def test_mentioning_comes_by_position_and_once_each(self, store: GraphStore) -> None:
        both, one, none = (
            unit(at, entities=frozenset(names))
            for at, names in ((2, ("ana", "bo")), (1, ("bo",)), (3, ("cy",)))
        )
        store.put([both, one, none])
        assert store.mentioning(["ana", "bo"]) == [one, both]
        assert store.mentioning([]) == []

    def test_edges_are_directed_typed_and_stored_once(self, store: GraphStore) -> None:
        store.put([unit(1), unit(2), unit(3)])
        update = Edge("D1:1.00", "D1:2.00", "SUPERSEDES", 0.5)
        follows = Edge("D1:2.00", "D1:3.00", "NEXT")
        store.link([follows, update, update])
        assert store.edges({"D1:2.00"}, ["SUPERSEDES", "NEXT"]) == [update, follows]
        assert store.edges({"D1:1.00"}, ["NEXT"]) == []
        assert store.edges([], ["NEXT"]) == []

    def test_all_edges_are_the_stored_ones_and_the_mentions_sorted(self, store: GraphStore) -> None:
        assert store.all_edges() == []
        store.put(
            [unit(2, entities=frozenset({"bo", "ana"})), unit(1, entities=frozenset({"ana"}))]
        )
        edges = [Edge("D1:1.00", "D1:2.00", kind) for kind in ("NEXT", "SUPERSEDES")]
        store.link([replace(edges[1], weight=0.5), edges[0]])
        mentions = [("D1:1.00", "ana"), ("D1:2.00", "ana"), ("D1:2.00", "bo")]
        one, *rest = [Edge(source, target, "MENTIONS") for source, target in mentions]
        assert store.all_edges() == [edges[0], replace(edges[1], weight=0.5), one, *rest]

    def test_an_edge_to_nowhere_is_refused(self, store: GraphStore) -> None:
        store.put([unit(1)])
        with pytest.raises(StoreError, match="not stored"):
            store.link([Edge("D1:1.00", "nobody", "NEXT")])

    # --- transactions

    def test_a_transaction_that_fails_leaves_nothing(self, store: GraphStore) -> None:
        store.put([unit(1)])
        with pytest.raises(RuntimeError), store.transaction():
            store.put([unit(2)])
            with store.transaction():
                store.record(Add(unit(2)))
                store.put_messages([message(2)])
            raise RuntimeError
        assert list(store.units()) == [unit(1)]
        assert store.ledger() == [] and store.messages() == []
        store.record(Add(unit(1)))
        assert [entry.seq for entry in store.ledger()] == [1]

    def test_an_inner_transaction_that_fails_takes_only_its_own_part(
        self, store: GraphStore
    ) -> None:
        with store.transaction():
            store.put([unit(1)])
            with pytest.raises(RuntimeError), store.transaction():
                store.put([unit(2)])
                raise RuntimeError
            store.put([unit(3)])
        assert list(store.units()) == [unit(1), unit(3)]

    def test_an_inner_transaction_that_was_read_from_is_undone_too(self, store: GraphStore) -> None:
        store.put([unit(1)])
        with store.transaction():
            store.record(Add(unit(1)))
            store.put([unit(2)])
            assert len(store.between(after(0), after(9))) == 2
            with pytest.raises(RuntimeError), store.transaction():
                store.record(Merge(unit(3), unit(1), 1, 1))
                store.put([unit(3)])
                with store.transaction():
                    store.put_entities([Entity("ana", "Ana")])
                    assert store.views(["D1:1.00"])["D1:1.00"].messages == ("D1:1", "D1:3")
                    assert store.previous(unit(4)) == "D1:3.00"
                assert store.entities("ana") and store.latest(1) == [unit(3)]
                raise RuntimeError
            assert store.entities("ana") == [] and store.latest(1) == [unit(2)]
            assert store.views(["D1:1.00"])["D1:1.00"].messages == ("D1:1",)
            assert store.previous(unit(4)) == "D1:2.00"
            store.record(Add(unit(2)))
        assert list(store.units()) == [unit(1), unit(2)]
        assert [(entry.seq, entry.op) for entry in store.ledger()] == [(1, "ADD"), (2, "ADD")]

    def test_what_is_latest_and_held_is_right_all_through_a_transaction(
        self, store: GraphStore
    ) -> None:
        store.put([home(2, "Oslo"), unit(1, said_at=None)])
        assert store.latest(1) == [home(2, "Oslo")]
        with store.transaction():
            store.put([unit(9, said_at=None), home(3, "Rome")])
            assert store.latest(1) == [home(3, "Rome")]
            assert [held.until for held in store.facts("ana", "home")] == [after(3), None]
            store.put([home(3, "Bern", said_at=after(1))])
            assert store.latest(1) == [home(2, "Oslo")]
            assert [held.fact.value for held in store.facts("ana")] == ["Bern", "Oslo"]
            store.put([unit(2), unit(4)])
            assert store.facts("ana", "home")[-1].fact.value == "Bern"
            assert store.facts("ana", "job") == store.facts("bo") == []
        assert store.latest(2) == [unit(4), unit(2)]
        assert [held.fact.value for held in store.facts()] == ["Bern"]

    def test_what_was_known_before_a_failure_is_read_anew(self, store: GraphStore) -> None:
        store.put([unit(1), unit(2)])
        store.record(Merge(unit(2), unit(1), 1, 1))
        store.put_messages([message(1)])
        told = (store.views(["D1:1.00"]), store.previous(unit(3)), store.speakers())
        with pytest.raises(RuntimeError), store.transaction():
            store.put([unit(1, "x"), unit(2, session="9")])
            store.record(Supersede(unit(2), unit(1), 1, 1, ends=True))
            store.put_messages([message(0, speaker="Bo")])
            raise RuntimeError
        assert (store.views(["D1:1.00"]), store.previous(unit(3)), store.speakers()) == told
        assert store.get(["D1:1.00"]) == [unit(1)]
        assert store.stamps(["D1:1.00"])["D1:1.00"].valid_to is None

    def test_writes_are_seen_inside_their_transaction(self, store: GraphStore) -> None:
        with store.transaction():
            store.put([unit(1)])
            assert store.get(["D1:1.00"]) == [unit(1)]

    def test_ten_threads_of_ten_writes_make_a_hundred_rows(self, store: GraphStore) -> None:
        def write(thread: int) -> None:
            for at in range(10):
                with store.transaction():
                    store.put([unit(10 * thread + at)])
                    store.record(Add(unit(10 * thread + at)))

        threads = [Thread(target=write, args=[n]) for n in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(list(store.units())) == 100
        assert [entry.seq for entry in store.ledger()] == list(range(1, 101))

    def test_the_version_grows_with_every_outer_transaction_that_writes(
        self, store: GraphStore
    ) -> None:
        seen = [store.version()]
        store.put([unit(1)])
        seen.append(store.version())
        with store.transaction():
            store.put([unit(2)])
            store.record(Add(unit(2)))
        seen.append(store.version())
        store.forget(["D1:2"])
        seen.append(store.version())
        store.clear()
        seen.append(store.version())
        assert seen == sorted(set(seen)) and seen[0] == 0

    def test_the_version_stays_when_nothing_was_written(self, store: GraphStore) -> None:
        store.put([unit(1)])
        before = store.version()
        with pytest.raises(RuntimeError), store.transaction():
            store.put([unit(2)])
            raise RuntimeError
        with store.transaction():
            store.get(["D1:1.00"])
        assert store.version() == before and store.ledger() == []

    # --- the ledger and its views

    def test_the_ledger_keeps_every_decision_in_order(self, store: GraphStore) -> None:
        one, two = unit(1), unit(2)
        store.record(Add(one))
        store.record(Merge(two, one, 0.9, 0.5))
        store.record(Supersede(two, one, 0.8, 0.25, ends=True))
        store.record(Drop(message(3), one.id, 0.99))
        store.record(Ingest((message(1), message(2)), 2))
        store.record(Ingest((message(4),), 0, "failed", "no reply"))
        ledger = store.ledger()
        assert [entry.seq for entry in ledger] == [1, 2, 3, 4, 5, 6]
        assert [(entry.op, entry.targets) for entry in ledger] == [
            ("ADD", (one.id,)),
            ("MERGE", (two.id, one.id)),
            ("SUPERSEDE", (two.id, one.id)),
            ("DROP", ("D1:3", one.id)),
            ("INGEST", ("D1:1", "D1:2")),
            ("INGEST", ("D1:4",)),
        ]
        assert ledger[1].scores == {"likeness": 0.9, "overlap": 0.5}
        assert ledger[2].scores == {"likeness": 0.8, "overlap": 0.25, "ends": 1.0}
        assert ledger[4].reason == "accepted" and ledger[5].reason == "failed: no reply"

    def test_lines_appended_elsewhere_make_the_same_ledger(self, store: GraphStore) -> None:
        one, two, new = unit(1, keywords=frozenset({"tea"})), unit(2), home(3, "Rome")
        store.put([one, two, new])
        store.record(Add(one))
        store.record(Drop(message(9), one.id, 0.99))
        store.record(Merge(two, one, 0.9, 0.5))
        store.record(Supersede(new, one, 0.8, 0.25, ends=True))
        store.record(Ingest((message(1), message(4)), 2, "failed", "no reply"))
        store.record(Abstract(abstract(5, one, new), (one, new)))
        store.record(Archive(one, abstract(5, one, new)))
        store.record(Relate((Edge(one.id, new.id, "CAUSES", 0.5),)))
        store.forget(["D1:2"])  # which takes lines out
        told = store.ledger(), store.views([one.id]), store.processed(), store.stamps()
        lines = store.lines()
        assert [line.seq for line in lines] == [entry.seq for entry in store.ledger()]
        store.clear()
        store.put([one, new])
        store.append(lines)
        again = store.ledger(), store.views([one.id]), store.processed(), store.stamps()
        assert store.lines() == lines and again == told
        store.record(Add(new))
        assert store.lines()[-1].seq == lines[-1].seq + 1

    def test_ingested_and_dropped_messages_are_done_and_failed_ones_are_not(
        self, store: GraphStore
    ) -> None:
        store.record(Ingest((message(1), message(2)), 2, "repaired"))
        store.record(Drop(message(3), "D1:1.00", 0.99))
        store.record(Ingest((message(4),), 0, "failed", "no reply"))
        assert store.processed() == {"D1:1", "D1:2", "D1:3"}

    def test_a_unit_nothing_happened_to_is_active(self, store: GraphStore) -> None:
        store.put([unit(1)])
        view = View("active", None, after(1), ("D1:1",))
        assert store.views(["D1:1.00", "nobody"]) == {"D1:1.00": view}

    def test_a_merge_adds_evidence_and_the_time_last_seen(self, store: GraphStore) -> None:
        known, again = unit(1), unit(5, evidence=(Evidence("D1:5"), Evidence("D1:1")))
        early = unit(0)
        store.put([known])
        store.record(Merge(again, known, 1, 1))
        store.record(Merge(early, known, 1, 1))
        view = store.views([known.id])[known.id]
        assert view == View("active", None, after(5), ("D1:1", "D1:5", "D1:0"))
        assert store.get([known.id]) == [known]

    def test_a_later_state_ends_the_earlier(self, store: GraphStore) -> None:
        old, new = home(1, "Oslo"), home(2, "Rome")
        store.put([old, new])
        store.record(Supersede(new, old, 1, 1, ends=True))
        views = store.views([old.id, new.id])
        assert views[old.id].status == "superseded" and views[old.id].valid_to == after(2)
        assert views[new.id].status == "active"

    def test_an_earlier_state_that_comes_in_late_is_itself_over(self, store: GraphStore) -> None:
        known, late = home(1, "Rome"), home(2, "Oslo", said_at=after(-9))
        store.put([known, late])
        store.record(Supersede(late, known, 1, 1, ends=True))
        views = store.views([known.id, late.id])
        assert views[known.id].status == "active"
        assert views[late.id].valid_to == after(1)

    def test_a_state_ended_twice_ends_the_first_time(self, store: GraphStore) -> None:
        old, next_, last = home(1, "Oslo"), home(2, "Rome"), home(3, "Bern")
        store.put([old, next_, last])
        store.record(Supersede(next_, old, 1, 1, ends=True))
        store.record(Supersede(last, old, 1, 1, ends=True))
        assert store.views([old.id])[old.id].valid_to == after(2)
        assert store.stamps([old.id])[old.id].valid_to == after(2).timestamp()

    def test_without_an_end_both_states_stay_current(self, store: GraphStore) -> None:
        old, new = home(1, "Oslo"), home(2, "Rome")
        store.put([old, new])
        store.record(Supersede(new, old, 1, 1))
        assert {view.status for view in store.views([old.id, new.id]).values()} == {"active"}

    def test_stamps_change_with_text_context_time_and_end(self, store: GraphStore) -> None:
        store.put([unit(1), unit(2)])
        before = store.stamps()
        assert before.keys() == {"D1:1.00", "D1:2.00"}
        store.record(Supersede(unit(2), unit(1), 1, 1, ends=True))
        ended = Stamp(before["D1:1.00"].text, after(2).timestamp())
        assert store.stamps(["D1:1.00", "nobody"]) == {"D1:1.00": ended}
        spaces = {"spaces": frozenset({"a", "b"})}
        changes = ({"text": "x"}, {"context": "x"}, {"said_at": after(9)}, spaces)
        texts = {before["D1:2.00"].text}
        for change in changes:
            store.put([unit(2, **change)])
            texts.add(store.stamps(["D1:2.00"])["D1:2.00"].text)
        assert len(texts) == 5

    # --- what tells of others, and what is told of

    def test_what_is_archived_is_told_of_by_the_last_that_did(self, store: GraphStore) -> None:
        one, two = unit(1), unit(2)
        first, second = abstract(3, one), abstract(4, one, two)
        store.put([one, two, first, second])
        store.record(Abstract(first, (one,)))
        store.record(Archive(one, first))
        store.record(Archive(one, second))
        views = store.views([one.id, two.id])
        assert (views[one.id].status, views[one.id].under) == ("archived", second.id)
        assert (views[two.id].status, views[two.id].under) == ("active", None)
        stamps = store.stamps([one.id, two.id])
        assert {id: stamp.archived for id, stamp in stamps.items()} == {one.id: True, two.id: False}
        assert {id for id, stamp in store.stamps().items() if stamp.archived} == {one.id}
        assert store.get([one.id]) == [one] and store.between(after(1), after(1)) == [one]
        assert [(e.op, e.targets) for e in store.ledger()] == [
            ("ABSTRACT", (first.id, one.id)),
            ("ARCHIVE", (one.id, first.id)),
            ("ARCHIVE", (one.id, second.id)),
        ]

    def test_what_is_over_and_archived_is_over_and_stays_archived(self, store: GraphStore) -> None:
        old, new = home(1, "Oslo"), home(2, "Rome")
        told = abstract(3, old)
        store.put([old, new, told])
        for decision in (Archive(old, told), Supersede(new, old, 1, 1, ends=True)):
            store.record(decision)
        view, stamp = store.views([old.id])[old.id], store.stamps()[old.id]
        assert (view.status, view.valid_to, view.under) == ("superseded", after(2), told.id)
        assert stamp.archived and stamp.valid_to == after(2).timestamp()

    def test_an_abstract_is_above_its_members_and_owns_up_to_all_it_heard(
        self, store: GraphStore
    ) -> None:
        one, two = unit(1), unit(2)
        told = abstract(3, one, two)
        for wrong in (Abstract(replace(told, level=0), (one, two)), Abstract(told, ())):
            with pytest.raises(StoreError, match="level"):
                store.record(wrong)
        with pytest.raises(StoreError, match=r"D1:2.*evidence"):
            store.record(Abstract(abstract(3, one), (one, two)))
        with pytest.raises(StoreError, match="level"):
            store.record(Abstract(told, (abstract(4, one),)))
        assert store.ledger() == []

    def test_nothing_is_merged_into_an_abstract(self, store: GraphStore) -> None:
        with pytest.raises(StoreError, match="abstract"):
            store.record(Merge(unit(2), abstract(3, unit(1)), 1, 1))
        assert store.ledger() == []

    def test_each_relation_has_a_line_and_what_is_made_for_a_question_has_none(
        self, store: GraphStore
    ) -> None:
        store.put([unit(1), unit(2), unit(3)])
        cause = Edge("D1:1.00", "D1:2.00", "CAUSES", 0.5)
        store.record(Relate((cause, Edge("D1:2.00", "D1:3.00", "BEFORE"))))
        assert [(e.seq, e.op, e.targets, e.scores, e.reason) for e in store.ledger()] == [
            (1, "RELATE", ("D1:1.00", "D1:2.00"), {"weight": 0.5}, "CAUSES"),
            (2, "RELATE", ("D1:2.00", "D1:3.00"), {"weight": 1.0}, "BEFORE"),
        ]
        with pytest.raises(StoreError, match=r"BRIDGE.*not stored"):
            store.record(Relate((replace(cause, kind="BRIDGE"),)))
        store.record(Relate(()))
        assert len(store.ledger()) == 2

    # --- facts

    def test_a_functional_fact_ends_when_the_next_begins(self, store: GraphStore) -> None:
        oslo, rome = home(1, "Oslo"), home(3, "Rome")
        store.put([rome, oslo])
        assert store.facts("ana", "home") == [
            Held(oslo.facts[0], oslo, after(3)),
            Held(rome.facts[0], rome, None),
        ]

    @pytest.mark.parametrize(
        ("hours", "cities"), [(0, []), (1, ["Oslo"]), (2.9, ["Oslo"]), (3, ["Rome"])]
    )
    def test_facts_are_told_as_of_an_instant(
        self, store: GraphStore, hours: float, cities: list[str]
    ) -> None:
        store.put([home(1, "Oslo"), home(3, "Rome")])
        assert [held.fact.value for held in store.facts("ana", as_of=after(hours))] == cities

    def test_the_same_value_again_does_not_end_it(self, store: GraphStore) -> None:
        store.put([home(1, "Oslo"), home(2, "OSLO")])
        assert [held.until for held in store.facts(property="home")] == [None, None]

    def test_facts_that_gather_stay_until_denied(self, store: GraphStore) -> None:
        said = [
            unit(at, facts=(Fact("ana", "speaks", value, negated=negated),))
            for at, value, negated in ((1, "Thai", False), (2, "Urdu", False), (3, "Thai", True))
        ]
        store.put(said)
        assert [held.until for held in store.facts()] == [after(3), None, None]

    def test_denying_another_value_ends_nothing(self, store: GraphStore) -> None:
        store.put([home(1, "Oslo"), home(2, "Rome", negated=True)])
        assert [held.until for held in store.facts()] == [None, None]

    def test_other_slots_are_left_alone(self, store: GraphStore) -> None:
        bo = unit(2, facts=(Fact("bo", "home", "Rome", functional=True),))
        job = unit(3, facts=(Fact("ana", "job", "baker", functional=True),))
        store.put([home(1, "Oslo"), bo, job])
        assert [held.until for held in store.facts()] == [None, None, None]
        assert [held.fact.value for held in store.facts("ana")] == ["Oslo", "baker"]
        assert [held.fact.value for held in store.facts(property="home")] == ["Oslo", "Rome"]
        assert store.facts("bo", "job") == []

    def test_a_fact_of_unknown_start_stands_before_the_dated(self, store: GraphStore) -> None:
        store.put([home(1, "Oslo"), home(2, "Rome", said_at=None)])
        assert [(held.fact.value, held.until) for held in store.facts()] == [
            ("Rome", after(1)),
            ("Oslo", None),
        ]
        assert [held.fact.value for held in store.facts(as_of=after(-99))] == ["Rome"]

    # --- forgetting

    def test_what_came_from_a_message_alone_goes_with_it(self, store: GraphStore) -> None:
        store.put_messages([message(1), message(2, speaker="Bo")])
        store.put_entities([Entity("ana", "Ana"), Entity("rex", "Rex"), Entity("bo", "Bo")])
        gone = home(1, "Oslo", entities=frozenset({"rex", "ana"}))
        stays = unit(2, entities=frozenset({"bo"}))
        store.put([gone, stays])
        store.record(Add(gone))
        store.record(Add(stays))
        assert store.forget(["D1:1"]) == [gone.id]
        assert store.messages() == [message(2, speaker="Bo")]
        assert list(store.units()) == [stays]
        assert store.facts() == [] and store.mentioning(["rex"]) == []
        assert [entity.id for entity in store.entities()] == ["bo"]
        assert store.entities("Rex") == []
        assert [entry.targets for entry in store.ledger() if entry.op == "ADD"] == [(stays.id,)]

    def test_what_is_forgotten_is_not_left_in_the_words_around_others(
        self, store: GraphStore
    ) -> None:
        said = ("I am in.", "My code is 4711.", "Good.")
        first = unit(1, said[0], context="\n".join(said[:2]))
        middle = unit(2, said[1], context="\n".join(said))
        last = unit(3, said[2], context="\n".join(said[1:]))
        store.put([first, middle, last])
        again = unit(9, "I am in!", context="My code is 4711.\nI am in!")
        store.record(Merge(again, first, 1, 1))
        before = store.stamps()
        assert store.forget(["D1:2"]) == [middle.id]
        assert [each.context for each in store.units()] == [said[0], said[2]]
        assert store.stamps()[first.id] != before[first.id]
        assert store.forget(["D1:1"]) == []
        assert {each.context for each in store.units()} == {"I am in!", said[2]}

    def test_who_said_the_same_keeps_the_own_words(self, store: GraphStore) -> None:
        store.put([unit(1, "Yes.", context="Yes.\nYes."), unit(2, "Yes.", context="Yes.\nYes.")])
        store.forget(["D1:1"])
        assert [each.context for each in store.units()] == ["Yes.\nYes."]

    def test_a_speaker_who_still_speaks_is_not_forgotten(self, store: GraphStore) -> None:
        store.put_messages([message(1), message(2)])
        store.put_entities([Entity("ana", "Ana")])
        store.put([unit(1, entities=frozenset({"ana"}))])
        store.forget(["D1:1"])
        assert [entity.id for entity in store.entities()] == ["ana"]

    def test_a_unit_with_other_evidence_stays_without_the_deleted(self, store: GraphStore) -> None:
        store.put([unit(1, evidence=(Evidence("D1:1"), Evidence("D1:0", 2, 5)))])
        assert store.forget(["D1:1"]) == []
        assert store.get(["D1:1.00"]) == [unit(1, evidence=(Evidence("D1:0", 2, 5),))]

    def test_a_unit_that_was_said_again_lives_on_in_the_later_words(
        self, store: GraphStore
    ) -> None:
        known, again = unit(1, "Ana has a dog"), unit(5, "A dog is what Ana has")
        store.put([known])
        store.record(Merge(again, known, 1, 1))
        assert store.forget(["D1:1"]) == []
        (left,) = store.get([known.id])
        assert (left.text, left.evidence) == (again.text, again.evidence)
        assert store.views([known.id])[known.id].messages == ("D1:5",)
        assert store.forget(["D1:5"]) == [known.id]

    def test_a_repeat_is_forgotten_and_what_it_repeated_stays(self, store: GraphStore) -> None:
        known = unit(1)
        store.put([known])
        store.record(Merge(unit(5, evidence=(Evidence("D1:5"), Evidence("D1:6"))), known, 1, 1))
        assert store.forget(["D1:5"]) == []
        assert store.views([known.id])[known.id].messages == ("D1:1", "D1:6")
        assert store.forget(["D1:6"]) == []
        assert store.views([known.id])[known.id] == View("active", None, after(1), ("D1:1",))
        assert store.get([known.id]) == [known]

    def test_ends_that_a_deleted_unit_had_put_are_undone(self, store: GraphStore) -> None:
        old, new = home(1, "Oslo"), home(2, "Rome")
        store.put([old, new])
        store.record(Supersede(new, old, 1, 1, ends=True))
        store.link([Edge(old.id, new.id, "SUPERSEDES")])
        store.forget(["D1:2"])
        assert store.views([old.id])[old.id].status == "active"
        assert store.stamps()[old.id].valid_to is None
        assert store.edges([old.id], ["SUPERSEDES"]) == []
        assert store.facts()[0].until is None

    def test_an_abstract_goes_with_any_of_its_messages_and_its_members_are_active_again(
        self, store: GraphStore
    ) -> None:
        one, two, three = unit(1), unit(2), unit(3)
        low, other = abstract(4, one, two), abstract(5, three)
        high = abstract(6, low, other)
        store.put([one, two, three, low, other, high])
        for told, members in ((low, (one, two)), (other, (three,)), (high, (low, other))):
            store.record(Abstract(told, members))
            store.link(Edge(told.id, each.id, "ABSTRACTS") for each in members)
            for each in members:
                store.record(Archive(each, told))
        store.record(Relate((Edge(one.id, three.id, "BEFORE"), Edge(two.id, three.id, "BEFORE"))))
        assert sorted(store.forget(["D1:1"])) == [low.id, high.id, one.id]
        assert list(store.units()) == [two, three, other]
        assert store.edges([two.id, other.id], ["ABSTRACTS"]) == [
            Edge(other.id, three.id, "ABSTRACTS")
        ]
        views = store.views([two.id, three.id, other.id])
        assert {id: view.under for id, view in views.items()} == {
            two.id: None, three.id: other.id, other.id: None
        }  # fmt: skip
        assert [(e.op, e.targets) for e in store.ledger() if e.op != "FORGET"] == [
            ("ABSTRACT", (other.id, three.id)),
            ("ARCHIVE", (three.id, other.id)),
            ("RELATE", (two.id, three.id)),
        ]

    def test_the_chain_of_a_session_closes_over_what_is_gone(self, store: GraphStore) -> None:
        store.put([unit(at) for at in (1, 2, 3, 4)])
        store.link(Edge(f"D1:{at}.00", f"D1:{at + 1}.00", "NEXT") for at in (1, 2, 3))
        store.forget(["D1:2", "D1:3"])
        assert store.edges(["D1:1.00"], ["NEXT"]) == [Edge("D1:1.00", "D1:4.00", "NEXT")]

    def test_a_forgotten_message_is_done_and_one_dropped_for_it_is_not(
        self, store: GraphStore
    ) -> None:
        store.put([unit(1), unit(2)])
        store.record(Drop(message(3), "D1:1.00", 0.99))
        store.record(Drop(message(4), "D1:2.00", 0.99))
        store.forget(["D1:1"])
        assert store.processed() == {"D1:1", "D1:4"}

    def test_forgetting_the_unknown_changes_nothing_else(self, store: GraphStore) -> None:
        store.put([unit(1)])
        assert store.forget(["D9:9"]) == []
        assert list(store.units()) == [unit(1)]

    def test_clear_leaves_nothing(self, store: GraphStore) -> None:
        store.put_messages([message(1)])
        store.put_entities([Entity("ana", "Ana")])
        store.put([home(1, "Oslo"), unit(2)])
        store.link([Edge("D1:1.00", "D1:2.00", "NEXT")])
        store.record(Ingest((message(1),), 2))
        store.setting("embedder", "words")
        store.clear()
        assert store.messages() == [] and list(store.units()) == [] and store.entities() == []
        assert store.ledger() == [] and store.facts() == [] and store.processed() == set()
        assert store.setting("embedder") is None

    # --- queries of the curious

    def test_rows_answers_queries_with_plain_values(self, store: GraphStore) -> None:
        store.put([unit(1), unit(2)])
        found = store.rows(self.COUNT)
        assert found == [{"n": 2}]
        assert json.loads(json.dumps(found)) == found

    def test_rows_cannot_write(self, store: GraphStore) -> None:
        store.put([unit(1)])
        with pytest.raises(StoreError, match=r"(?i)read.?only|access mode"):
            store.rows(self.DELETE)
        assert store.get(["D1:1.00"]) == [unit(1)]

    def test_rows_tells_what_is_wrong(self, store: GraphStore) -> None:
        with pytest.raises(StoreError, match=r"(?i)syntax|invalid"):
            store.rows(self.WRONG)

    def test_rows_has_an_end(self, store: GraphStore) -> None:
        with pytest.raises(StoreError, match="LIMIT"):
            store.rows(self.ENDLESS)

    # --- the end

    def test_a_closed_store_says_so(self, store: GraphStore) -> None:
        store.close()
        store.close()
        with pytest.raises(StoreError, match="closed"):
            store.get(["D1:1.00"])

    def test_it_knows_its_conversation(self, store: GraphStore) -> None:
        assert store.conversation == TALK
