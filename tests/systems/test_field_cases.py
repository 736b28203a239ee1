"""Field cases: faults that users of other memory systems reported, through the default system.

The cases lie beside the repository; without them there is nothing to run. How an answer is
judged is the case file's own `grade.py`.
"""

import importlib.util
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from clew.build import Parts, build
from clew.memory import Memory
from clew.model import Query
from clew.systems.base import answer

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT.parent / "shared" / "data" / "cases"
FILE = CASES / "field_cases.jsonl"
ENOUGH = 24  # answers that must be right without an LLM

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(not FILE.is_file(), reason=f"the field cases are not at {CASES}"),
]


class Told:
    """A case after its conversation was remembered: the memory, and the answer given."""

    def __init__(self, case: dict[str, Any], memory: Memory, reply: str) -> None:
        self.case, self.memory, self.reply = case, memory, reply


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Told]]:
    """Remember and ask every case once, by its id."""
    parts = _parts(tmp_path_factory.mktemp("cases"))
    raw = {case["id"]: case for case in map(json.loads, FILE.read_text("utf-8").splitlines())}
    found = {}
    for conversation in parts.dataset:
        memory = parts.new_memory(conversation.id)
        parts.system.remember(conversation.messages, memory)
        query: Query = conversation.questions[0].query
        reply = answer(parts.system, query, memory).text
        found[conversation.id] = Told(raw[conversation.id], memory, reply)
    yield found
    for one in found.values():
        one.memory.close()


def _parts(folder: Path) -> Parts:
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        config = compose(
            "config",
            ["dataset=jsonl", f"dataset.path={FILE}", "tracking=none", "embedder=sentence"],
        )
    resolved = OmegaConf.to_container(config, resolve=True)
    assert isinstance(resolved, dict)
    return build({str(key): value for key, value in resolved.items()}, folder)


def _grade() -> Callable[[dict[str, Any], str], bool | None]:
    spec = importlib.util.spec_from_file_location("grade", CASES / "grade.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    graded: Callable[[dict[str, Any], str], bool | None] = module.grade
    return graded


def test_enough_answers_are_right(told: dict[str, Told]) -> None:
    grade = _grade()
    wrong = [f"{id}: {one.reply!r}" for id, one in told.items() if not grade(one.case, one.reply)]
    assert len(told) - len(wrong) >= ENOUGH, wrong


def test_every_property_of_the_store_holds(told: dict[str, Told]) -> None:
    checks = [(one, check) for one in told.values() for check in one.case.get("properties", [])]
    assert checks
    broken = [f"{one.case['id']}: {check}" for one, check in checks if not _holds(one, check)]
    assert broken == []


def _holds(one: Told, check: dict[str, Any]) -> bool:
    graph = one.memory.graph
    match check["check"]:
        case "ingest_ok":
            return len(graph.processed()) == len(graph.messages()) > 0
        case "turns_stored":
            return bool(len(graph.messages()) == check["equals"])
        case "memories_from_turns":
            ids = {graph.messages()[turn].id for turn in check["turns"]}
            made = [u for u in graph.units() if ids & {e.message for e in u.evidence}]
            return bool(len(made) == check["equals"])
        case "entity_count":
            named = [e for e in graph.entities(check["name"]) if check["type"] in ("*", e.type)]
            return bool(len(named) == check["equals"])
        case "active_facts_matching":
            held = [h for h in graph.facts() if h.until is None and check["value"] in h.fact.value]
            return bool(len(held) == check["equals"])
        case "stored_text_contains":
            return any(check["value"] in unit.text for unit in graph.units())
        case "keyword_search_hits":
            return bool(len(one.memory.lexical(check["query"], 5)) >= check["at_least"])
        case other:
            raise AssertionError(f"an unknown check: {other}")
