"""One run, or a sweep of them: which system answers the questions of which dataset.

    python experiments/run.py system=bm25 dataset=tiny embedder=words name=first
    python experiments/run.py -m system=ariadne,bm25 dataset=tiny
    python experiments/run.py sweep=ariadne_table3 dataset=locomo launcher=local

What was stopped goes on with the same command, and what is done is not done again. Exit
codes, of a sweep its worst: 0 all is well, 1 something was lost or failed, 2 a setting or a
file is wrong or a budget is used up, 130 interrupted, 128 and more killed by that signal.
"""

import logging
import os
import shlex
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from clew.interrupt import INTERRUPTED, ends_at_once

with ends_at_once():  # importing all this takes seconds
    import hydra
    from hydra.core.hydra_config import HydraConfig
    from hydra.errors import HydraException
    from omegaconf import DictConfig, OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    from clew.build import Parts
    from clew.choices import CONF
    from clew.cli import complain, console
    from clew.composing import told
    from clew.errors import ClewError, LlmSpent
    from clew.evaluate.begun import Begun
    from clew.evaluate.conversations import by_conversation
    from clew.evaluate.manifest import Settings, read_manifest
    from clew.evaluate.naming import run_name
    from clew.evaluate.run import run
    from clew.evaluate.summary import Summary
    from clew.prepare import label_of, prepared, refuse_filled
    from clew.removal import clear
    from clew.reopen import graphs_of
    from clew.report import tables
    from clew.report.html.page import write_report
    from clew.sweeps.grid import check_launcher, is_sweep
    from clew.sweeps.sweep import swept
    from clew.sweeps.work import note_work
    from clew.tracking import Status

ROOT = Path(__file__).resolve().parents[1]
TRACKED = ("tracking.parent", "tracking.called")
UNTOLD = ("name", "overwrite", "table", "report", "launcher", "sweep", *TRACKED)
FULL, LOST, WRONG = 0, 1, 2


def main() -> int:
    """Run what the command line asks for; return the worst exit code."""
    os.environ["HYDRA_FULL_ERROR"] = "1"  # raise, and let `told` say it in one line
    os.chdir(ROOT)
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    arguments = sys.argv[1:]
    try:
        check_launcher(arguments)
        if is_sweep(arguments) and not {"--cfg", "-c", "--help", "-h", "--info"} & set(arguments):
            return swept(arguments, console())
        return single()
    except (ClewError, HydraException, OmegaConfBaseException) as error:
        complain(told(error, arguments))
        return WRONG
    except KeyboardInterrupt:
        complain("interrupted; the same command goes on where it stopped")
        return INTERRUPTED


def single() -> int:
    """Have Hydra run the one job, or show what it was asked for; return the exit code."""
    codes: list[int] = []

    def job(config: DictConfig) -> None:
        codes.append(attempt(config))

    hydra.main(version_base="1.3", config_path=str(CONF), config_name="config")(job)()
    return max(codes, default=FULL)


def attempt(config: DictConfig) -> int:
    """Run a job; whatever stops it is an exit code."""
    try:
        summary = one(config)
    except (ClewError, HydraException, OmegaConfBaseException) as error:
        complain(told(error))
        return WRONG
    except SystemExit:
        traceback.print_exc()  # Python would not
        raise
    except Exception:
        traceback.print_exc()
        return LOST
    if config.table:
        tables.show([tables.load_run(summary.folder)], console())
    return summary.exit_code


def one(config: DictConfig) -> Summary:
    """Build what the configuration names, and evaluate it in its folder."""
    plain = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
    assert isinstance(plain, dict)
    resolved = {str(key): value for key, value in plain.items()}
    hydra_config = HydraConfig.get()
    choices = hydra_config.runtime.choices
    folder = folder_of(resolved, label_of(choices))
    again = command(folder.name, hydra_config.overrides.task)
    parts, settings = prepared(resolved, choices, folder, again)
    parts.dataset.check()  # before anything is thrown away or half written
    if resolved["overwrite"]:
        clear(folder, parts.spaces)
    elif not (folder / "manifest.json").exists():
        refuse_filled(parts.spaces)
    with closing(parts.llm):
        summary = tracked(parts, folder, settings, resolved["report"])
    note_work(summary, parts.embedder)
    return summary


def tracked(parts: Parts, folder: Path, settings: Settings, report: bool) -> Summary:
    """Run, and keep the tracker's entry right however the run ends."""
    begun = Begun(parts.dataset, partial(start, parts, folder, settings))
    try:
        summary = run(parts.system, begun, parts.new_memory, folder, settings)
    except BaseException as error:
        if begun.started:
            stopped = isinstance(error, KeyboardInterrupt | LlmSpent)
            parts.tracker.finish({}, "stopped" if stopped else "failed")
        raise
    if report:
        write_page(folder)
    status: Status = "failed" if summary.exit_code else "done"
    parts.tracker.finish(summary.content, status, by_conversation(folder))
    return summary


def write_page(folder: Path) -> None:
    """Write the run's page; if it cannot be written, say so: the run is none the worse."""
    try:
        write_report(folder, graphs_of(folder))
    except ClewError as error:
        complain(error)


def start(parts: Parts, folder: Path, settings: Settings) -> None:
    """Open the tracker's entry with what the manifest says of the run."""
    manifest = read_manifest(folder)
    tags = {key: str(manifest[key]) for key in ("system", "ablation", "commit", "config_hash")}
    dataset = manifest["dataset"]
    tags |= {"dataset": dataset["name"], "dataset_sha256": dataset["sha256"]}
    told = {key: value for key, value in settings.config.items() if key != "tracking"}
    parts.tracker.start(folder, tags, told)


def folder_of(config: Mapping[str, Any], label: str) -> Path:
    """Return the run's folder."""
    name = None if config["name"] is None else str(config["name"])
    return Path(str(config["runs"])) / run_name(name, label)


def command(name: str, overrides: Sequence[str]) -> str:
    """Return what starts this job again, also when it was one of many."""
    kept = [o for o in overrides if o.split("=")[0] not in UNTOLD]
    quoted = f"'{name}'" if set(",=") & set(name) else name  # a sweep, or no value, otherwise
    return shlex.join(["python", "experiments/run.py", *kept, f"name={quoted}"])


if __name__ == "__main__":
    sys.exit(main())
