"""One run, or several: which system answers the questions of which dataset.

    python experiments/run.py system=bm25 dataset=locomo name=l1
    python experiments/run.py -m system=ariadne,bm25 dataset=tiny

A run that was stopped goes on with the same command. Exit codes: 0 all is well, 1 something
was lost or a question failed, 2 a setting or a file is wrong or a budget is used up, 130
interrupted.
"""

import difflib
import logging
import os
import re
import shlex
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from clew.interrupt import INTERRUPTED, ends_at_once

with ends_at_once():  # importing all this takes seconds
    import hydra
    from hydra.core.hydra_config import HydraConfig
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException
    from hydra.types import RunMode
    from omegaconf import DictConfig, OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    from clew.build import Parts, asks, build
    from clew.cli import complain, console
    from clew.errors import ClewError, ConfigError, LlmSpent, RunError
    from clew.evaluate.begun import Begun
    from clew.evaluate.manifest import Settings, read_manifest
    from clew.evaluate.naming import run_name
    from clew.evaluate.run import run
    from clew.evaluate.summary import Summary
    from clew.removal import clear
    from clew.report import tables
    from clew.stores.space import Space

ROOT = Path(__file__).resolve().parents[1]
CONF = ROOT / "conf"
APART = ("name", "runs", "overwrite", "table")  # where a run lies is no part of what it is
GROUPS = ("system", "dataset", "store", "vectors", "embedder", "llm", "price", "tracking")
KNOWN = {*GROUPS, "seed", "budgets", *APART}
FULL, LOST, WRONG = 0, 1, 2


def main() -> int:
    """Run the jobs that the command line asks for; return the worst of their exit codes."""
    os.environ["HYDRA_FULL_ERROR"] = "1"  # raise, and let `told` say it in one line
    os.chdir(ROOT)
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    codes: list[int] = []
    asked = tuple(sys.argv[1:])

    def job(config: DictConfig) -> None:
        codes.append(attempt(config, asked))

    task = hydra.main(version_base="1.3", config_path=str(CONF), config_name="config")(job)
    try:
        task()
    except (HydraException, OmegaConfBaseException) as error:
        complain(told(error, sys.argv[1:]))
        return WRONG
    except KeyboardInterrupt:
        complain("interrupted; the same command goes on where it stopped")
        return INTERRUPTED
    return max(codes, default=FULL)


def attempt(config: DictConfig, asked: Sequence[str]) -> int:
    """Run one job of what was asked for; whatever stops it is an exit code, others go on."""
    try:
        summary = one(config, asked)
    except (ClewError, HydraException, OmegaConfBaseException) as error:
        complain(told(error))
        return WRONG
    except Exception:
        traceback.print_exc()
        return LOST
    if config.table:
        tables.show([tables.load_run(summary.folder)], console())
    return summary.exit_code


def one(config: DictConfig, asked: Sequence[str]) -> Summary:
    """Build what the configuration names, and evaluate it in its folder."""
    plain = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
    assert isinstance(plain, dict)
    resolved = {str(key): value for key, value in plain.items()}
    chosen = HydraConfig.get().runtime.choices
    system = str(chosen["system"]) + (f"+{r}" if (r := chosen["reader"]) != "by_rule" else "")
    label = f"{system}-{chosen['ablation']}-{chosen['dataset']}"
    folder = folder_of(resolved, label, varied(asked))
    place(resolved, folder.name)
    check(resolved)
    parts = build(resolved, folder)
    if resolved["overwrite"]:
        clear(folder, parts.spaces)
    elif not (folder / "manifest.json").exists():
        refuse_filled(parts.spaces)
    unasked = () if asks(parts.system) else ("llm", "price")  # who asks nobody needs no model
    settings = Settings(
        name=folder.name,
        system=system,
        ablation=str(chosen["ablation"]),
        config={key: value for key, value in resolved.items() if key not in (*APART, *unasked)},
        seeds={"seed": resolved["seed"]},
        models=parts.models,
        prompts=parts.prompts,
        command=command(folder.name, HydraConfig.get().overrides.task),
        budgets=tuple(resolved["budgets"]),
    )
    with closing(parts.llm):
        return tracked(parts, folder, settings)


def tracked(parts: Parts, folder: Path, settings: Settings) -> Summary:
    """Run, and keep the tracker's entry right however the run ends."""
    begun = Begun(parts.dataset, partial(start, parts, folder, settings))
    try:
        summary = run(parts.system, begun, parts.new_memory, folder, settings)
    except BaseException as error:
        if begun.started:
            stopped = isinstance(error, KeyboardInterrupt | LlmSpent)
            parts.tracker.finish({}, "stopped" if stopped else "failed")
        raise
    parts.tracker.finish(summary.content, "failed" if summary.exit_code else "done")
    return summary


def start(parts: Parts, folder: Path, settings: Settings) -> None:
    """Open the tracker's entry with what the manifest says of the run."""
    manifest = read_manifest(folder)
    tags = {key: str(manifest[key]) for key in ("system", "ablation", "commit", "config_hash")}
    dataset = manifest["dataset"]
    tags |= {"dataset": dataset["name"], "dataset_sha256": dataset["sha256"]}
    parts.tracker.start(folder, tags, settings.config)


def folder_of(
    config: Mapping[str, Any], label: str, varied: Mapping[str, str] = MappingProxyType({})
) -> Path:
    """Return the run's folder, which it shares with no other job of the command."""
    name = None if config["name"] is None else str(config["name"])
    return Path(str(config["runs"])) / run_name(name, label, varied)


def varied(asked: Sequence[str]) -> dict[str, str]:
    """Return what the jobs of this command vary, and what this one sets it to."""
    mine = HydraConfig.get()
    if mine.mode != RunMode.MULTIRUN:
        return {}
    given = [word for word in asked if "=" in word and not word.startswith("-")]
    parsed = OverridesParser.create().parse_overrides(given)
    keys = {each.get_key_element() for each in parsed if each.is_sweep_override()}
    keys |= set(mine.sweeper.get("params") or ())
    if any(word.startswith("name=") and "${" in word for word in given):
        return {}  # whoever names jobs after their settings knows what varies
    pairs = (override.partition("=") for override in mine.overrides.task)
    return {key: value for key, _, value in pairs if key in keys}


def check(config: Mapping[str, Any]) -> None:
    """Check what no class of its own checks: the settings of the run itself."""
    if unknown := sorted(config.keys() - KNOWN):
        raise ConfigError(f"{unknown[0]}: there is no such setting; leave it out")
    if type(config["seed"]) is not int or config["seed"] < 0:
        raise ConfigError(f"seed: set it to a whole number from 0, got {config['seed']!r}")
    for switch in ("overwrite", "table"):
        if type(config[switch]) is not bool:
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


def command(name: str, overrides: Sequence[str]) -> str:
    """Return what starts this job again, also when it was one of many."""
    kept = [o for o in overrides if o.split("=")[0] not in ("name", "overwrite")]
    quoted = f"'{name}'" if set(",=") & set(name) else name  # a sweep, or no value, otherwise
    return shlex.join(["python", "experiments/run.py", *kept, f"name={quoted}"])


def told(error: Exception, overrides: Sequence[str] = ()) -> str:
    """Say in one line what is wrong with which setting, and what to do."""
    cause = error.__cause__ if isinstance(error, HydraException) else None
    key = str(getattr(cause or error, "full_key", "") or "")
    text = str(error)
    if isinstance(error, ClewError):
        return text
    if "No match in the defaults list" in text:
        ablation, stage = re.findall(r"'([^']*)'", text)[:2]
        return (
            f"{ablation.replace('/', '=')}: this system has no {stage.partition('@')[0]} to "
            f"swap; set system=ariadne or ablation=full"
        )
    if "not in struct" in str(cause):
        return f"{key}: there is no such setting{similar(key, overrides)}"
    if missing := re.search(r"Could not find '([^']*)/([^']*)'", text):
        known = ", ".join(re.findall(r"\t(.+)", text.partition("Config search path")[0]))
        return f"{missing[1]}={missing[2]}: choose one of {known}"
    if "Missing mandatory value" in text:
        return f"{key}: has to be set: add {key}=… to the command"
    return f"{key}: " * bool(key) + " ".join(text.split("full_key:")[0].split())


def similar(key: str, overrides: Sequence[str]) -> str:
    """Return which settings there are beside an unknown one, the most alike first."""
    rest = [o for o in overrides if not o.startswith(("-", key)) and "," not in o]
    with suppress(HydraException, OmegaConfBaseException):
        with hydra.initialize_config_dir(str(CONF), version_base="1.3"):
            node: Any = hydra.compose("config", rest)
        *parents, last = key.split(".")
        for parent in parents:
            node = node[parent]
        names = [str(name) for name in node if not str(name).startswith("_")]
        like = difflib.get_close_matches(last, names, n=1)
        return f"; did you mean {like[0]}?" if like else f"; there are {', '.join(names)}"
    return "; see conf/"


if __name__ == "__main__":
    sys.exit(main())
