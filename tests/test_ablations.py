"""Ablations: one that says nothing of the chosen system is refused, and every other is taken."""

import shutil
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from clew import choices
from clew.choices import CONF, misfit
from clew.composing import composed
from clew.errors import ConfigError
from clew.prepare import prepared

SWEEPS = sorted(path.stem for path in (CONF / "sweep").glob("*.yaml"))


def values(params: Any, key: str, default: str) -> list[str]:
    return str((params or {}).get(key, default)).replace(" ", "").split(",")


@pytest.mark.parametrize(
    ("system", "ablation", "advice"),
    [
        ("ariadne", "no_mmr", ", or set system=mandol"),
        ("ariadne_code", "code_all", ", or set system=ariadne_paper"),
        ("ariadne_code", "no_fast_path", ", or set system=ariadne"),
        ("written_layered", "no_coarsening", ", or set system=ariadne"),
        ("simplemem_steiner", "steiner", ", or set system=ariadne"),
    ],
)
def test_one_that_changes_nothing_is_refused_with_the_system_that_it_is_of(
    system: str, ablation: str, advice: str
) -> None:
    told = misfit(system, ablation)
    assert told == f"ablation={ablation} changes nothing of system={system}: leave it out{advice}"
    assert composed([f"system={system}", f"ablation={ablation}"]) == composed([f"system={system}"])


@pytest.mark.parametrize(
    ("system", "ablation", "told"),
    [
        ("simplemem", "no_gating", "keep_all takes the place of another gate than novelty, "),
        ("ariadne", "simplemem_no_novelty", "keep_windows takes the place of another gate than "),
        ("mandol", "no_bridges", "base_graph takes the place of another expand than neighbours, "),
        ("ariadne", "no_expansion", "alone takes the place of another expand than bridges, "),
        ("simplemem", "no_mmr", "in_time takes the place of another pack than in_full, which "),
        ("bm25", "code_window", "code takes the place of another windows than by_count, which "),
    ],
)
def test_one_whose_stage_is_no_twin_of_the_systems_is_refused(
    system: str, ablation: str, told: str
) -> None:
    said = misfit(system, ablation)
    assert said.startswith(f"ablation={ablation}: {told}")
    advised = said.partition("; set system=")[2].removesuffix(" or ablation=full")
    assert misfit(advised, ablation) == ""


@pytest.mark.parametrize("sweep", SWEEPS)
def test_whatever_a_sweep_varies_fits(sweep: str) -> None:
    params = OmegaConf.select(OmegaConf.load(CONF / "sweep" / f"{sweep}.yaml"), "hydra.sweeper")
    varied = params.params if params else None
    cells = product(values(varied, "system", "ariadne"), values(varied, "ablation", "full"))
    assert {cell: told for cell in cells if (told := misfit(*cell))} == {}


@pytest.mark.parametrize(
    ("system", "ablation"),
    [
        ("mandol_llm", "no_abstract"),  # whose own agglomerate stands elsewhere
        ("simplemem_v3_llm", "simplemem_no_atomisation"),
        ("ariadne_mad", "no_topology"),
        ("ariadne_mmr", "no_mmr"),
        ("simplemem_as_of", "no_arbitration"),
        ("simplemem_steiner", "no_bridges"),
        ("written_coarsened", "no_coarsening"),
        ("written_layered", "no_abstract"),
        ("ariadne_llm", "code_by_day"),
        ("mandol", "splade"),
        ("bm25", "full"),
    ],
)
def test_one_of_a_variant_or_a_cross_over_fits(system: str, ablation: str) -> None:
    assert misfit(system, ablation) == ""


def test_one_that_also_sets_a_number_changes_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(CONF, tmp_path / "conf")
    swap = "# @package _global_\ndefaults:\n  - override /stage/pack@system.pack: in_time\n"
    (tmp_path / "conf" / "ablation" / "short.yaml").write_text(swap)
    monkeypatch.setattr(choices, "CONF", tmp_path / "conf")
    assert "changes nothing" in misfit("ariadne", "short")
    with (tmp_path / "conf" / "ablation" / "short.yaml").open("a") as file:
        file.write("system:\n  pack:\n    tokens: 50\n")
    assert misfit("ariadne", "short") == ""


def test_it_is_refused_before_anything_is_built(tmp_path: Path) -> None:
    config = composed(["ablation=no_mmr"])
    chosen = {"system": "ariadne", "ablation": "no_mmr", "dataset": "generated"}
    with pytest.raises(ConfigError, match="changes nothing of system=ariadne"):
        prepared(config, chosen, tmp_path / "run", "")
    assert not list(tmp_path.iterdir())
