"""What one memory takes under load: Search and Add at a fixed rate, and the memory of the process.

    python experiments/latency.py system=ariadne rate=10
    python experiments/latency.py system=bm25 dataset=locomo store=neo4j rate=5 requests=200

As in Mandol's paper (§5.3-5.4): arrivals are scheduled (an open loop), and latencies count from
them. Settings are those of experiments/run.py, and rate (a second), seconds or requests (of each
kind). Nothing is embedded from a cache. Writes latency.json, tables as CSV, Markdown and LaTeX
with the paper's Table 5 beside, and figures into runs/<name>/. Exit codes: 0 all is well, 2 a
setting or a file is wrong, 130 interrupted.
"""

import logging
import os
import shlex
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any

from clew.interrupt import INTERRUPTED, ends_at_once

with ends_at_once():  # importing all this takes seconds
    import hydra
    from hydra.core.hydra_config import HydraConfig
    from hydra.errors import HydraException
    from hydra.types import RunMode
    from omegaconf import DictConfig, OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    from clew.build import Parts
    from clew.choices import CONF
    from clew.cli import complain, console
    from clew.composing import told
    from clew.errors import ClewError, ConfigError, RunError
    from clew.evaluate.footprint import MB, Footprint
    from clew.evaluate.manifest import Settings, config_hash, described, write_json
    from clew.evaluate.naming import run_name
    from clew.evaluate.run import alone
    from clew.evaluate.workload import Load, Outcome, work
    from clew.model import Conversation
    from clew.prepare import label_of, prepared, refuse_filled
    from clew.removal import clear
    from clew.report.latency import grids, write_files
    from clew.report.paper.found import Found
    from clew.report.paper.latency import NAME

ROOT = Path(__file__).resolve().parents[1]
WRONG = 2


def main() -> int:
    """Measure what the command line asks for; return the exit code."""
    os.environ["HYDRA_FULL_ERROR"] = "1"  # raise, and let `told` say it in one line
    os.chdir(ROOT)
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    codes: list[int] = []

    def job(config: DictConfig) -> None:
        codes.append(attempt(config))

    try:
        hydra.main(version_base="1.3", config_path=str(CONF), config_name="latency")(job)()
    except (HydraException, OmegaConfBaseException) as error:
        return wrong(error, *sys.argv[1:])
    except KeyboardInterrupt:
        complain("interrupted; nothing was measured")
        return INTERRUPTED
    return max(codes, default=0)


def attempt(config: DictConfig) -> int:
    """Measure; what is wrong with a setting or a file is told in one line."""
    try:
        measure(config)
    except (ClewError, HydraException, OmegaConfBaseException) as error:
        return wrong(error)
    return 0


def wrong(error: Exception, *words: str) -> int:
    """Say what is wrong with which setting; return the exit code."""
    complain(told(error, words, "latency"))
    return WRONG


def measure(config: DictConfig) -> None:
    """Put the load on a memory, print what it came to, and write it down."""
    plain = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
    assert isinstance(plain, dict)
    settings = {str(key): value for key, value in plain.items()}
    load = load_of(settings)
    # Or a question would be embedded once, and be free when it comes again.
    settings["embedder"] = settings["embedder"].get("embedder", settings["embedder"])
    hydra_config = HydraConfig.get()
    if hydra_config.mode is RunMode.MULTIRUN:
        raise ConfigError("-m: what one measures would be in the memory of the next; leave it out")
    choices = hydra_config.runtime.choices
    folder = folder_of(settings, choices, load)
    command = shlex.join(["python", "experiments/latency.py", *hydra_config.overrides.task])
    parts, told_of = prepared(settings, choices, folder, command)
    parts.dataset.check()  # before anything is thrown away or half written
    make_way(folder, parts, settings["overwrite"])
    with alone(folder):
        about = described(told_of, parts.dataset, config_hash(told_of, parts.dataset.sha256))
        about["stores"] = {group: choices[group] for group in ("store", "vectors")}
        write_json(folder / NAME, about)  # so that a folder left half done is known as ours
        outcome = worked(parts, load)
        figures = outcome.content | {"stored": stored(folder)}
        found = Found(folder, about | {"status": "done", "latency": figures})
        write_json(folder / NAME, found.manifest)
        files = write_files(found, outcome.footprint.looks)
    show(found, files)
    track(parts, found, told_of)


def load_of(settings: dict[str, Any]) -> Load:
    """Take the load's own settings out of all settings.

    Raises:
        ConfigError: one is out of range.
    """
    own = {field.name: settings.pop(field.name) for field in fields(Load)}
    try:
        return Load(**own)
    except ConfigError as error:
        raise ConfigError(str(error).removeprefix("Load: ")) from None


def folder_of(settings: Mapping[str, Any], choices: Mapping[str, str], load: Load) -> Path:
    """Return where the measurement goes."""
    label = label_of(choices).replace("-full-", "-")
    label = f"latency-{label}-{choices['store']}-{choices['vectors']}-{load.rate:g}"
    name = None if settings["name"] is None else str(settings["name"])
    return Path(str(settings["runs"])) / run_name(name, label)


def make_way(folder: Path, parts: Parts, overwrite: bool) -> None:
    """Make sure that nothing is where the measurement goes."""
    if overwrite:
        clear(folder, parts.spaces)
    elif folder.exists() and any(folder.iterdir()):
        raise RunError(f"{folder} is there already: set name= to another, or overwrite=true")
    refuse_filled(parts.spaces)


def worked(parts: Parts, load: Load) -> Outcome:
    """Measure on the first conversation; what that left on servers is deleted."""
    footprint = Footprint()
    try:
        with closing(parts.llm), footprint.watching():
            return work(parts.system, first_of(parts), parts.new_memory, load, footprint)
    finally:
        for space in parts.spaces:
            space.clear()


def first_of(parts: Parts) -> Conversation:
    """Return the conversation to measure on."""
    for conversation in parts.dataset:
        return conversation
    raise ConfigError("dataset: it has no conversation, so there is nothing to measure")


def stored(folder: Path) -> float:
    """Return how many MB lie in the folder; of what lies on servers nothing is known."""
    files = (path.stat() for path in folder.rglob("*") if path.is_file())
    return sum(512 * file.st_blocks for file in files) / MB  # files of the vectors have holes


def show(found: Found, files: list[Path]) -> None:
    """Print the tables, and where everything is."""
    for grid in grids(found):
        grid.print(console())
        console().print()
    console().print(f"written: {', '.join(map(str, files))}", markup=False, soft_wrap=True)


def track(parts: Parts, found: Found, settings: Settings) -> None:
    """Send the figures to the tracker, which is loaded only now: it takes memory itself."""
    tags = {"system": found.system, "ablation": found.ablation, "kind": "latency"}
    parts.tracker.start(found.folder, tags, settings.config)
    parts.tracker.finish({"latency": found.manifest["latency"]}, "done")


if __name__ == "__main__":
    sys.exit(main())
