"""Cross-overs: each is its host but for its part, and the part is that of the system it is from."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from clew.build import made
from clew.report.paper.crossovers import CROSSOVERS, PARTS

CONF = Path(__file__).resolve().parents[1] / "conf"
HOST = {system: host for host, parts in PARTS.items() for system in parts}
SWAPPED = {
    "ariadne_mad": {"mine"},
    "ariadne_mmr": {"pack"},
    "ariadne_mad_mmr": {"mine", "pack"},
    "ariadne_as_of": {"mine"},
    "simplemem_steiner": {"expand"},
    "simplemem_as_of": {"arbitrate"},
    "written_coarsened": {"write"},
    "written_consolidated": {"agglomerate"},
    "written_layered": {"agglomerate"},
}


@cache
def stages(system: str, *more: str) -> dict[str, Any]:
    with initialize_config_dir(str(CONF), version_base="1.3"):
        config = compose("config", [f"system={system}", *more])
    plain = OmegaConf.to_container(config.system, resolve=True)
    assert isinstance(plain, dict)
    return {str(role): stage for role, stage in plain.items() if role != "_target_"}


@pytest.mark.parametrize("system", HOST)
def test_a_cross_over_is_its_host_but_for_its_part(system: str) -> None:
    host, crossed = stages(HOST[system]), stages(system)
    roles = host.keys() | crossed.keys()
    assert {r for r in roles if host.get(r) != crossed.get(r)} == SWAPPED[system]


def test_what_ariadne_takes_from_mandol_stands_before_its_own_paths() -> None:
    own, mandol = stages("ariadne")["mine"], stages("mandol")
    noise, as_of = stages("ariadne_mad")["mine"], stages("ariadne_as_of")["mine"]
    assert (noise["denoise"], noise["mine"]) == (mandol["denoise"], own)
    assert (as_of["arbitrate"], as_of["mine"]) == (mandol["arbitrate"], own)
    plain = stages("mandol", "ablation=no_denoise"), stages("mandol", "ablation=no_arbitration")
    assert as_of["denoise"] == plain[0]["denoise"]
    assert noise["arbitrate"] == plain[1]["arbitrate"]
    assert stages("ariadne_mad_mmr")["mine"] == noise


def test_mmr_packs_as_mandol_does_and_leaves_paths_their_share() -> None:
    share = {"paths": stages("ariadne")["pack"]["paths"]}
    packed = stages("mandol")["pack"] | share
    assert stages("ariadne_mmr")["pack"] == stages("ariadne_mad_mmr")["pack"] == packed


def test_what_simplemem_takes_is_as_its_owner_has_it() -> None:
    assert stages("simplemem_steiner")["expand"] == stages("ariadne", "ablation=steiner")["expand"]
    assert stages("simplemem_as_of")["arbitrate"] == stages("mandol")["arbitrate"]


def test_each_way_to_write_is_as_its_owner_has_it() -> None:
    simplemem = stages("simplemem")
    merged = stages("written_consolidated")["agglomerate"]
    assert {role: merged[role] for role in ("consolidate", "summarise")} == {
        role: simplemem[role] for role in ("consolidate", "summarise")
    }
    assert stages("written_coarsened")["write"] == stages("ariadne")["write"]
    assert stages("written_layered")["agglomerate"] == stages("mandol")["agglomerate"]


def test_the_ways_to_write_are_read_by_simplemems_recall_at_a_fixed_depth() -> None:
    rank, simplemem = stages("written")["rank"], stages("simplemem")
    fixed = stages("simplemem", "ablation=simplemem_no_adaptive_depth")["depth"]
    assert rank["weigh"] == simplemem["weigh"]
    assert rank["depth"].keys() == fixed.keys() and rank["depth"]["k"] > fixed["k"]


@pytest.mark.parametrize("system", ["simplemem", "bm25"])
def test_a_host_has_no_setting_for_a_part_that_it_does_not_have(system: str) -> None:
    """Else runs from before there were cross-overs would be runs of other settings."""
    assert not {"expand", "arbitrate", "write", "agglomerate"} & stages(system).keys()


def test_a_part_within_a_stage_has_numbers_to_set() -> None:
    set_so = stages("ariadne_mad", "system.mine.denoise.kappa=1.5")
    assert made(set_so["mine"], "system.mine").denoise.kappa == 1.5


def test_the_sweep_fills_every_row_of_the_table() -> None:
    swept = OmegaConf.load(CONF / "sweep" / "crossovers.yaml").hydra.sweeper.params
    wanted = [system for row in CROSSOVERS.rows if row.run for system in row.run.systems]
    assert swept.system.split(",") == wanted
    assert HOST.keys() == SWAPPED.keys()
