"""Prepare: the settings of a run, checked, and all that it needs, built."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from clew.build import Parts, asks, build
from clew.choices import misfit
from clew.errors import ConfigError, RunError
from clew.evaluate.manifest import Settings
from clew.stores.space import Space

APART = ("name", "runs", "overwrite", "table", "report")  # no part of what a run is
GROUPS = ("system", "dataset", "store", "vectors", "embedder", "llm", "price", "tracking")
KNOWN = {*GROUPS, "seed", "budgets", "streaming", *APART}


def system_of(choices: Mapping[str, str]) -> str:
    """Return what the system is called, by the files of conf/ that were chosen."""
    return str(choices["system"]) + (f"+{r}" if (r := choices["reader"]) != "by_rule" else "")


def label_of(choices: Mapping[str, str]) -> str:
    """Return what a run of these choices is called, if nobody names it."""
    return f"{system_of(choices)}-{choices['ablation']}-{choices['dataset']}"


def prepared(
    config: dict[str, Any], choices: Mapping[str, str], folder: Path, command: str
) -> tuple[Parts, Settings]:
    """Check and build what the configuration names, for a run in this folder.

    Raises:
        ConfigError: a setting is unknown, of a wrong type or out of range; it names its path. Or
            the ablation is none of the system.
    """
    if wrong := misfit(str(choices["system"]), str(choices["ablation"])):
        raise ConfigError(wrong)
    place(config, folder.name)
    check(config)
    parts = build(config, folder)
    left_out = [] if asks(parts.system) else ["llm", "price"]  # who asks nobody needs no model
    left_out += [] if config.get("streaming") else ["streaming"]
    settings = Settings(
        name=folder.name,
        system=system_of(choices),
        ablation=str(choices["ablation"]),
        config={key: value for key, value in config.items() if key not in (*APART, *left_out)},
        seeds={"seed": config["seed"]},
        models=parts.models,
        prompts=parts.prompts,
        command=command,
        budgets=tuple(config["budgets"]),
    )
    return parts, settings


def check(config: Mapping[str, Any]) -> None:
    """Check what no class of its own checks: the settings of the run itself."""
    if unknown := sorted(config.keys() - KNOWN):
        raise ConfigError(f"{unknown[0]}: there is no such setting; leave it out")
    if type(config["seed"]) is not int or config["seed"] < 0:
        raise ConfigError(f"seed: set it to a whole number from 0, got {config['seed']!r}")
    for switch in ("overwrite", "table", "report", "streaming"):
        if type(config.get(switch, False)) is not bool:
            raise ConfigError(f"{switch}: set it to true or false, got {config[switch]!r}")
    budgets = config["budgets"]
    if not isinstance(budgets, list) or not all(type(b) is int and b > 0 for b in budgets):
        raise ConfigError(f"budgets: set it to a list of token counts, got {budgets!r}")
    places = {"runs": config["runs"]}
    for group, part, setting in (("store", "graph", "path"), ("vectors", "index", "folder")):
        if setting in (settings := config[group][part]):
            places[f"{group}.{part}.{setting}"] = settings[setting]
    for setting, path in places.items():
        if not isinstance(path, str) or not path:
            raise ConfigError(f"{setting}: set it to a path, got {path!r}")
    for role, stage in config["system"].items():
        if not role.startswith("_") and not isinstance(stage, dict):
            raise ConfigError(
                f"system.{role}: is a stage with numbers of its own, not {stage!r}; choose "
                f"another with stage/…@system.{role}=, as the files of conf/ablation do"
            )


def place(config: Mapping[str, Any], name: str) -> None:
    """Give what lies on servers the run's name, unless it was given another."""
    for group, part in (("store", "graph"), ("vectors", "index")):
        settings = config[group][part]
        if "space" in settings and settings["space"] is None:
            settings["space"] = name


def refuse_filled(spaces: Sequence[Space]) -> None:
    """Refuse to mix a run that has not begun with what another left on a server."""
    for space in spaces:
        if found := space.conversations():
            raise RunError(
                f"{space} already holds {len(found)} conversations ({', '.join(found[:3])}), of "
                f"another run or one whose folder is gone: set another name=, or overwrite=true "
                f"to delete them"
            )
