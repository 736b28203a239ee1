"""Points: ties at the cut are settled by id, as deep as that is worth it."""

from collections.abc import Sequence

import numpy as np

from clew.stores.points import DEEPEST, SPARE, Ranked, search
from clew.stores.vectors import Asked, ByMeaning, Hit

SOME = ByMeaning(np.ones(2, dtype=np.float32))


class Engine:
    """Finds n points of one score, those with the last names first; notes how many it gave."""

    def __init__(self, n: int, score: float = 0.5) -> None:
        self.limits: list[int] = []
        self._found = [(-score, f"{n - at:06}") for at in range(n)]

    def __call__(self, queries: Sequence[str], limit: int) -> list[list[Ranked]]:
        self.limits.append(limit)
        return [self._found[:limit] for _ in queries]


def first(engine: Engine, k: int) -> list[Hit]:
    def said(asked: Asked) -> str:
        return type(asked).__name__

    (hits,) = search([SOME], k, said, engine)
    return hits


def test_equals_are_asked_for_until_the_first_by_id_are_known() -> None:
    engine = Engine(1000)
    assert [hit.id for hit in first(engine, 3)] == ["000001", "000002", "000003"]
    assert engine.limits == [3 + SPARE, 3 + 16 * SPARE, 3 + 256 * SPARE]


def test_of_more_equals_than_can_matter_no_more_are_asked_for() -> None:
    engine = Engine(50_000)
    assert len(first(engine, 3)) == 3
    assert engine.limits[-1] == 3 + DEEPEST
