"""What every vector store must do: subclass VectorStoreContract and give it a `store`."""

from dataclasses import replace

import numpy as np
import pytest
from exact import Exact
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.errors import StoreError, StoreMismatch
from clew.stores.graph import Stamp
from clew.stores.vectors import (
    ARCHIVED_TOO,
    ByMeaning,
    ByWords,
    Hit,
    Point,
    Vector,
    VectorStore,
    Where,
)

DIMENSION = 8
SPACES = {"evens": 2, "fours": 4, "ninths": 9}


def direction(seed: int) -> Vector:
    """Return a unit vector that depends on the seed alone."""
    drawn = np.random.default_rng(seed).standard_normal(DIMENSION)
    return (drawn / np.linalg.norm(drawn)).astype(np.float32)


def point(n: int, **more: object) -> Point:
    """Make a point whose vectors, words and times are read off its number."""
    made = Point(
        id=f"D1:{n}.00",
        dense={"text": direction(n), "context": direction(1000 + n)},
        words={7: 0.5, 100 + n % 5: 1.0 + n % 3},
        said_at=None if n % 7 == 0 else 100.0 * n,
        valid_from=None if n % 11 == 0 else 90.0 * n,
        stamp=Stamp(f"hash {n}", 90.0 * n + 700 if n % 3 == 0 else None, n % 13 == 12),
        spaces=frozenset(name for name, each in SPACES.items() if n % each == 0),
    )
    return replace(made, **more)  # type: ignore[arg-type]


MANY = [point(n) for n in range(60)]
OPTIONAL = st.none() | st.floats(0, 7000)
WHERE = st.builds(
    Where,
    said=st.tuples(OPTIONAL, OPTIONAL),
    holds_at=OPTIONAL,
    without=st.frozensets(st.sampled_from([p.id for p in MANY]), max_size=5),
    spaces=st.frozensets(st.sampled_from([*SPACES, "nowhere"]), max_size=2),
    archived=st.booleans(),
)
AGAIN = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[  # one store for all examples, and one class for every store
        HealthCheck.function_scoped_fixture,
        HealthCheck.differing_executors,
    ],
)


def assert_best(found: list[Hit], every: list[Hit], k: int) -> None:
    """Check hits against all that could be; scores this near to each other may change places."""
    exact = {hit.id: hit.score for hit in every}
    assert len(found) == len({hit.id for hit in found}) == min(k, len(every))
    assert {hit.id: hit.score for hit in found} == pytest.approx(
        {hit.id: exact[hit.id] for hit in found}, abs=1e-4
    )
    assert found == sorted(found, key=lambda hit: (-hit.score, hit.id))
    if found:
        assert found[-1].score >= every[len(found) - 1].score - 1e-4


class VectorStoreContract:
    """Ranking as an exact search ranks, filters before the cut, and keeping in step."""

    @AGAIN
    @given(seed=st.integers(0, 9999), k=st.integers(1, 70), where=WHERE)
    def test_dense_ranks_as_an_exact_search(
        self, store: VectorStore, seed: int, k: int, where: Where
    ) -> None:
        if not store.stamps():
            store.put(MANY)
        for view in ("text", "context"):
            found = store.dense(direction(seed), k, where, view)
            assert_best(found, Exact(MANY).dense(direction(seed), len(MANY), where, view), k)

    @AGAIN
    @given(
        words=st.sets(st.sampled_from([7, 100, 101, 102, 103, 104, 999])),
        k=st.integers(1, 70),
        where=WHERE,
    )
    def test_sparse_ranks_as_bm25_by_hand(
        self, store: VectorStore, words: set[int], k: int, where: Where
    ) -> None:
        if not store.stamps():
            store.put(MANY)
        asked = dict.fromkeys(words, 1.0)
        found = store.sparse(asked, k, where)
        assert_best(found, Exact(MANY).sparse(asked, len(MANY), where), k)

    def test_many_questions_get_each_its_own_answer(self, store: VectorStore) -> None:
        store.put(MANY)
        late, words = Where(said=(400.0, None)), {7: 1.0, 101: 1.0}
        asked = [
            ByMeaning(direction(3), late, "context"),
            ByWords({}),
            ByWords(words, late),
            ByMeaning(direction(40)),
            ByWords(words),
        ]
        assert store.search(asked, 4) == [
            store.dense(direction(3), 4, late, "context"),
            [],
            store.sparse(words, 4, late),
            store.dense(direction(40), 4),
            store.sparse(words, 4),
        ]
        assert store.search([], 4) == [] and store.search(asked[:2], 0) == [[], []]

    @AGAIN
    @given(seed=st.integers(0, 9999), k=st.integers(1, 9), above=st.floats(-1, 1))
    def test_near_are_those_of_the_nearest_that_are_near_enough(
        self, store: VectorStore, seed: int, k: int, above: float
    ) -> None:
        if not store.stamps():
            store.put(MANY)
        nearest = store.dense(direction(seed), k, ARCHIVED_TOO)
        assert store.near(direction(seed), k, above) == [h for h in nearest if h.score > above]

    def test_what_near_is_to_be_asked_changes_no_answer(self, store: VectorStore) -> None:
        store.put(MANY[:30])
        asked = [direction(seed) for seed in range(8)]
        store.expect(asked[:5])
        for n, vector in enumerate(asked):
            assert store.near(vector, 3, -1.0) == store.dense(vector, 3, ARCHIVED_TOO)
            store.put(MANY[30 + n : 31 + n])

    def test_equal_scores_are_settled_by_id_also_at_the_cut(self, store: VectorStore) -> None:
        same = direction(5)
        alike = {"dense": {"text": same, "context": same}, "words": {7: 1.0}, "stamp": Stamp("x")}
        twins = [point(n, **alike) for n in range(99)]
        store.put(list(reversed(twins)))
        first = sorted(twin.id for twin in twins)[:7]
        assert [hit.id for hit in store.dense(same, 7)] == first
        assert [hit.id for hit in store.sparse({7: 1.0}, 7)] == first

    def test_a_filter_works_before_the_cut(self, store: VectorStore) -> None:
        vector = direction(5)
        ended = [
            point(n, dense={"text": vector, "context": vector}, stamp=Stamp("x", 50.0))
            for n in range(20)
        ]
        store.put([*ended, point(77, valid_from=0.0, stamp=Stamp("x"))])
        found = store.dense(vector, 5, Where(holds_at=60.0))
        assert [hit.id for hit in found] == ["D1:77.00"]

    def test_a_said_interval_takes_both_ends_in(self, store: VectorStore) -> None:
        store.put([point(n) for n in (1, 2, 3, 4)])
        found = store.dense(direction(1), 9, Where(said=(200.0, 300.0)))
        assert sorted(hit.id for hit in found) == ["D1:2.00", "D1:3.00"]

    def test_validity_begins_with_and_ends_before(self, store: VectorStore) -> None:
        store.put([point(1, valid_from=10.0, stamp=Stamp("x", 20.0))])
        held = [
            at for at in (9.0, 10.0, 19.0, 20.0) if store.dense(direction(1), 1, Where(holds_at=at))
        ]
        assert held == [10.0, 19.0]

    def test_an_end_can_be_set_and_taken_away(self, store: VectorStore) -> None:
        store.put([point(1)])
        store.end("D1:1.00", 500.0)
        assert store.stamps() == {"D1:1.00": Stamp("hash 1", 500.0)}
        assert store.dense(direction(1), 1, Where(holds_at=600.0)) == []
        store.end("D1:1.00", None)
        assert store.stamps() == {"D1:1.00": Stamp("hash 1", None)}
        assert len(store.dense(direction(1), 1, Where(holds_at=600.0))) == 1

    def test_the_end_of_an_unknown_point_is_no_error(self, store: VectorStore) -> None:
        store.end("nobody", 5.0)
        assert store.stamps() == {}

    def test_an_archived_point_is_a_hit_for_who_asks_and_stays_near(
        self, store: VectorStore
    ) -> None:
        store.put([point(1), point(2)])
        words = {101: 1.0}
        weight = store.sparse(words, 9)
        store.archive(["D1:1.00", "nobody"])
        store.archive([])
        assert [hit.id for hit in store.dense(direction(1), 9)] == ["D1:2.00"]
        assert store.sparse(words, 9) == []
        assert store.sparse(words, 9, ARCHIVED_TOO) == weight  # it counts as a text as before
        assert store.dense(direction(1), 1, ARCHIVED_TOO)[0].id == "D1:1.00"
        assert [hit.id for hit in store.near(direction(1), 1, 0.9)] == ["D1:1.00"]
        assert store.stamps()["D1:1.00"] == Stamp("hash 1", archived=True)
        assert store.stamps()["D1:2.00"] == Stamp("hash 2")
        store.end("D1:1.00", 500.0)
        assert store.stamps()["D1:1.00"] == Stamp("hash 1", 500.0, archived=True)
        store.put([point(1)])
        assert store.dense(direction(1), 1)[0].id == "D1:1.00"

    def test_what_is_archived_and_in_a_space_stays_so_when_others_are_deleted(
        self, store: VectorStore
    ) -> None:
        store.put([point(n) for n in (2, 4, 8)])
        store.archive(["D1:4.00"])
        store.delete(["D1:8.00"])
        fours, evens = (Where(spaces=frozenset({name})) for name in ("fours", "evens"))
        assert store.dense(direction(4), 9, fours) == []
        assert len(store.dense(direction(4), 9, replace(fours, archived=True))) == 1
        assert [hit.id for hit in store.dense(direction(4), 9, evens)] == ["D1:2.00"]

    def test_a_space_is_asked_for_before_the_cut_and_any_of_several_will_do(
        self, store: VectorStore
    ) -> None:
        store.put([point(n) for n in range(1, 40)])
        both = Where(spaces=frozenset({"fours", "ninths"}))
        found = store.dense(direction(1), 99, both)
        numbers = {int(hit.id[3:-3]) for hit in found}
        assert numbers == {4, 8, 16, 20, 24, 28, 32, 36} | {9, 18, 27}  # 12 and 25 are archived
        assert store.dense(direction(1), 3, both) == found[:3]
        assert store.dense(direction(1), 9, Where(spaces=frozenset({"nowhere"}))) == []

    def test_putting_again_replaces(self, store: VectorStore) -> None:
        store.put([point(1), point(2)])
        moved = point(1, dense=point(9).dense, words={555: 2.0}, stamp=Stamp("new"))
        store.put([moved])
        assert store.stamps()["D1:1.00"] == Stamp("new")
        assert store.dense(direction(9), 1)[0].id == "D1:1.00"
        assert [hit.id for hit in store.sparse({101: 1.0}, 9)] == []
        (hit,) = store.sparse({555: 1.0}, 9)
        assert hit.score == pytest.approx(2.0 * np.log(1.5 / 1.5 + 1), abs=1e-5)

    def test_what_is_deleted_is_in_no_answer_and_no_statistic(self, store: VectorStore) -> None:
        store.put(MANY)
        store.delete([p.id for p in MANY[:20]] + ["nobody"])
        left = MANY[20:]
        assert store.stamps().keys() == {p.id for p in left}
        found, best = (
            store.sparse({101: 1.0, 7: 1.0}, 60),
            Exact(left).sparse({101: 1.0, 7: 1.0}, 60),
        )
        assert [hit.id for hit in found] == [hit.id for hit in best]
        assert [hit.score for hit in found] == pytest.approx([hit.score for hit in best], abs=1e-4)
        kept = store.vectors([left[3].id], "context")[left[3].id]
        assert kept == pytest.approx(left[3].dense["context"], abs=1e-6)
        store.delete([])
        store.delete(["nobody"])
        assert len(store.stamps()) == 40

    def test_vectors_come_by_id_and_view_and_skip_the_unknown(self, store: VectorStore) -> None:
        store.put(MANY)
        found = store.vectors(["D1:4.00", "nobody", "D1:2.00"], "context")
        assert list(found) == ["D1:4.00", "D1:2.00"]
        assert found["D1:2.00"] == pytest.approx(direction(1002), abs=1e-6)
        assert found["D1:2.00"].dtype == np.float32

    def test_stamps_are_those_that_were_put(self, store: VectorStore) -> None:
        store.put(MANY)
        assert store.stamps() == {p.id: p.stamp for p in MANY}

    def test_nothing_is_found_in_nothing(self, store: VectorStore) -> None:
        assert store.dense(direction(1), 5) == [] and store.sparse({7: 1.0}, 5) == []
        assert store.vectors(["D1:1.00"]) == {} and store.stamps() == {}
        store.put([])
        store.put([point(1, words={})])
        assert store.sparse({}, 5) == [] and store.sparse({7: 1.0}, 5) == []
        assert store.dense(direction(1), 0) == []

    def test_clear_leaves_nothing_and_goes_on(self, store: VectorStore) -> None:
        store.put(MANY)
        store.clear()
        assert store.stamps() == {} and store.dense(direction(1), 5) == []
        store.put([point(1)])
        assert [hit.id for hit in store.dense(direction(1), 5)] == ["D1:1.00"]

    def test_a_vector_of_another_length_is_refused_and_nothing_written(
        self, store: VectorStore
    ) -> None:
        short = direction(1)[:5]
        with pytest.raises(StoreMismatch, match="embedder="):
            store.put([point(2), point(1, dense={"text": short, "context": short})])
        assert store.stamps() == {}
        with pytest.raises(StoreError):
            store.dense(short, 3)

    def test_a_closed_store_says_so(self, store: VectorStore) -> None:
        store.close()
        store.close()
        with pytest.raises(StoreError, match="closed"):
            store.stamps()

    def test_it_knows_its_conversation(self, store: VectorStore) -> None:
        assert store.conversation == "talk"
