"""Build: what opens a memory, and what only opens one that is there already."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from clew.build import _opens, asks, check_streaming
from clew.errors import ConfigError, StoreMissing, VectorsMissing
from clew.evaluate.summary import promised_effects
from clew.memory import Memory
from clew.reopen import Mended, Untouched
from clew.stage import stages_of
from clew.stages.abstract import Clusters
from clew.stages.agglomerate import Consolidated
from clew.stages.summarise import LlmSummary, Medoid
from clew.stores.edge import EdgeVectors
from clew.stores.sqlite import SqliteGraph
from clew.systems.baselines import Ranked


@dataclass
class Server:
    """A space that holds something of one conversation, and notes what was opened."""

    held: ClassVar[list[str]] = ["walk"]
    opened: list[str]

    def __call__(self, folder: Path, conversation: str, *more: Any) -> str:
        self.opened.append(conversation)
        return conversation

    def conversations(self) -> list[str]:
        return self.held

    def clear(self) -> None:
        raise AssertionError

    def __str__(self) -> str:
        return "the space x of a server"


@pytest.mark.parametrize(
    ("part", "error"), [("store.graph", StoreMissing), ("vectors.index", VectorsMissing)]
)
def test_a_server_that_holds_nothing_of_a_conversation_is_not_opened_to_look(
    part: str, error: type[Exception], tmp_path: Path
) -> None:
    server = Server([])
    parts = {part.partition(".")[2]: server}
    with pytest.raises(error, match=r"talk (is|are) gone: the space x of a server holds none"):
        _opens(parts, part, Untouched)(tmp_path, "talk")
    assert server.opened == []
    assert _opens(parts, part, Untouched)(tmp_path, "walk") == "walk"
    assert _opens(parts, part, Memory)(tmp_path, "talk") == "talk"


def test_vectors_may_be_made_where_they_are_to_be_mended_and_a_graph_may_not(
    tmp_path: Path,
) -> None:
    parts: dict[str, Any] = {"index": EdgeVectors, "graph": SqliteGraph}
    with pytest.raises(VectorsMissing, match="vectors of talk are gone"):
        _opens(parts, "vectors.index", Untouched)(tmp_path, "talk", 8)
    for kind in (Untouched, Mended):
        with pytest.raises(StoreMissing, match=r"talk is gone: .*memory\.db is not there"):
            _opens(parts, "store.graph", kind)(tmp_path, "talk")
    assert list(tmp_path.iterdir()) == []
    _opens(parts, "vectors.index", Mended)(tmp_path, "talk", 8).close()
    assert (tmp_path / "talk").is_dir()


@pytest.mark.parametrize("opens", [None, {}, "memory.db"])
def test_what_opens_nothing_is_refused_by_its_path(opens: object) -> None:
    with pytest.raises(ConfigError, match=r"store\.graph: opens nothing; choose store= anew"):
        _opens({"graph": opens}, "store.graph", Memory)


@dataclass
class Hindsight:
    """A stage that waits for all that is said, unless it is told not to."""

    patient: bool = True

    @property
    def looks_ahead(self) -> bool:
        return self.patient


def test_what_a_stage_is_made_of_counts_as_a_stage_too() -> None:
    whole = Consolidated(consolidate=Clusters(), summarise=LlmSummary())
    ranked = replace(Ranked(*[None] * 5), agglomerate=whole)  # type: ignore[arg-type]
    parts = ("consolidate", "summarise", "summarise.by_rule")
    roles = ["agglomerate", *(f"agglomerate.{part}" for part in parts)]
    assert [role for role in stages_of(ranked) if role.startswith("agglomerate")] == roles
    assert asks(ranked)
    assert not asks(replace(ranked, agglomerate=replace(whole, summarise=Medoid())))
    assert promised_effects(ranked) == {"agglomerate.consolidate": ("abstract.made",)}


def test_a_stage_that_needs_what_comes_later_is_refused_in_a_stream() -> None:
    ranked = Ranked(*[None] * 5)  # type: ignore[arg-type]
    check_streaming(ranked)
    check_streaming(replace(ranked, extract=Hindsight(patient=False)))  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=r"system\.extract: Hindsight .* streaming=false"):
        check_streaming(replace(ranked, extract=Hindsight()))  # type: ignore[arg-type]
