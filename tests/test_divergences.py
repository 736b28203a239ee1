"""What the released code does otherwise: each difference alone, and all of them as a system."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from clew.build import build
from clew.report.paper.divergences import ROWS
from clew.stages import released
from clew.systems.base import answer

CONF = Path(__file__).resolve().parents[1] / "conf"
ALL = "code_all"
FILES = {path.stem: path for path in sorted((CONF / "ablation").glob("code_*.yaml"))}
del FILES[ALL]
LEFT_TO = {  # what does all that a difference alone would do
    "code_identical_too": "code_dead_gate",
    "code_no_links": "code_batch_dedup",
    "code_recent_only": "code_batch_dedup",
}


def resolved(*overrides: str) -> dict[str, Any]:
    with initialize_config_dir(str(CONF), version_base="1.3"):
        config = compose("config", ["system=ariadne_paper", *overrides])
    plain = OmegaConf.to_container(config, resolve=True)
    assert isinstance(plain, dict)
    return {str(key): value for key, value in plain.items()}


@cache
def stages(*overrides: str) -> dict[str, Any]:
    system = resolved(*overrides)["system"]
    return {role: stage for role, stage in system.items() if role != "_target_"}


def swapped(name: str) -> str:
    """Return the one stage that an ablation swaps."""
    papers, alone = stages(), stages(f"ablation={name}")
    (role,) = [role for role in papers if papers[role] != alone[role]]
    return role


@pytest.mark.parametrize("name", FILES)
def test_what_a_divergence_changes_in_a_stage_the_released_codes_system_has(name: str) -> None:
    role = swapped(name)
    before, after = stages()[role], stages(f"ablation={LEFT_TO.get(name, name)}")[role]
    on = {key: value for key, value in after.items() if value is not False}
    changed = {key: value for key, value in on.items() if before.get(key) != value}
    assert changed
    assert changed.items() <= stages("system=ariadne_code")[role].items()


def test_the_released_codes_system_differs_in_no_stage_that_no_divergence_changes() -> None:
    code = stages("system=ariadne_code")
    assert {role for role in code if code[role] != stages()[role]} == set(map(swapped, FILES))


def test_all_divergences_together_are_the_released_codes_system() -> None:
    assert stages(f"ablation={ALL}") == stages("system=ariadne_code")


def test_each_of_the_26_divergences_is_swapped_in_alone_or_it_is_said_why_not() -> None:
    told = [path.read_text().split("\n")[1] for path in FILES.values()]
    here = [number for line in told for number in re.findall(r"\bD(\d+)\b", line.split(":")[0])]
    assert len(here) == len(set(here)), "one of them is in two ablations"
    assert released.__doc__
    named = re.findall(r"\bD(\d+)\b", " ".join([*told, released.__doc__]))
    assert {int(number) for number in named} == set(range(1, 27))


def test_the_table_of_divergences_has_a_row_for_each_with_its_numbers() -> None:
    told = {name: path.read_text().split("\n")[1].split(":")[0] for name, path in FILES.items()}
    numbers = {name: re.findall(r"\bD\d+\b", line) for name, line in told.items()}
    assert {n: re.findall(r"\bD\d+\b", row) for n, row in ROWS.items()} == {
        name: sorted(found, key=lambda number: int(number[1:])) for name, found in numbers.items()
    }


def test_the_sweep_of_divergences_has_them_all() -> None:
    swept = OmegaConf.load(CONF / "sweep" / "ariadne_divergences.yaml").hydra.sweeper.params
    assert swept.ablation.split(",") == ["full", ALL, *FILES]


def test_the_released_codes_system_keeps_everything_links_nothing_and_tells_facts_by_rank(
    tmp_path: Path,
) -> None:
    small = ("dataset=tiny", "dataset.conversations=1", "dataset.sessions=2", "embedder=words")
    parts = build(resolved("system=ariadne_code", *small), tmp_path)
    (talk,) = parts.dataset
    memory = parts.new_memory(talk.id)
    parts.system.remember(talk.messages, memory)
    assert {entry.op for entry in memory.graph.ledger()} <= {"ADD", "MERGE", "INGEST"}
    assert {edge.kind for edge in memory.graph.all_edges()} == {"MENTIONS", "NEXT"}
    told = answer(parts.system, talk.questions[0].query, memory).context.text.splitlines()
    assert told[0].startswith("[F1] 20")
    memory.close()
