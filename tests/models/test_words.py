"""WordCounts: what a test can rely on."""

import numpy as np
import pytest

from clew.errors import ConfigError
from clew.models.words import WordCounts


def test_every_vector_has_unit_length_also_without_words() -> None:
    rows = WordCounts(64)(["Ana bakes bread", "the of and", "", "🧳", "修表店"])
    assert rows.shape == (5, 64) and rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1.0] * 5)


def test_texts_are_alike_by_the_stems_they_share() -> None:
    bakes, baking, boat, nothing = WordCounts(256)(
        ["Ana bakes bread", "Ana is baking", "a boat", ""]
    )
    assert bakes @ baking > 0.6 > bakes @ boat
    assert nothing @ bakes == 0


def test_a_vector_depends_on_its_text_alone() -> None:
    embed = WordCounts()
    together = embed(["one dog", "two cats", "three birds"])
    assert np.array_equal(embed(["two cats"])[0], together[1])
    assert embed([]).shape == (0, 256)


def test_the_name_tells_the_dimension() -> None:
    assert WordCounts(64).name != WordCounts(65).name
    assert WordCounts(64).dimension == 64


def test_a_dimension_too_small_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"embedder\.dimension"):
        WordCounts(1)
