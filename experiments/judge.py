"""Let a language model judge the answers of a run, apart from the system that gave them.

    python experiments/judge.py run=l1 llm=openai llm.model=gpt-4o-mini
    python experiments/judge.py run=l1 llm=openai judge=strict judge.trials=3

Verdicts lie in the run's judge.jsonl, and their mean is `judge` in its summary. A judging that
was stopped goes on with the same command; one that ended without a verdict on some answers asks
about those again. Exit codes: 0 all is well, 1 an answer has no verdict, 2 a setting or a file
is wrong or the model cannot be asked, 130 interrupted.
"""

import logging
import os
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from clew.interrupt import INTERRUPTED, ends_at_once

with ends_at_once():  # importing all this takes seconds
    import hydra
    from hydra.errors import HydraException
    from omegaconf import DictConfig, OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    from clew.build import made, made_llm
    from clew.cli import complain, console
    from clew.composing import told
    from clew.errors import ClewError, ConfigError
    from clew.evaluate.cost import total, usage_of
    from clew.evaluate.judged import read_judged
    from clew.evaluate.judging import judged_run
    from clew.models.budget import resumed
    from clew.models.llm import Usage
    from clew.models.nothing import NoLlm
    from clew.reopen import Opened, graphs_of
    from clew.report import tables
    from clew.report.html.page import NAME, write_report

ROOT = Path(__file__).resolve().parents[1]
UNJUDGED, WRONG = 1, 2


def main() -> int:
    """Judge the run that the command line names; return the exit code."""
    os.environ["HYDRA_FULL_ERROR"] = "1"  # raise, and let `told` say it in one line
    os.chdir(ROOT)
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    codes: list[int] = []

    def job(config: DictConfig) -> None:
        codes.append(attempt(config))

    conf = str(ROOT / "conf")
    try:
        hydra.main(version_base="1.3", config_path=conf, config_name="judging")(job)()
    except (HydraException, OmegaConfBaseException) as error:
        return wrong(error, *sys.argv[1:])
    except KeyboardInterrupt:
        complain("interrupted; the same command goes on where it stopped")
        return INTERRUPTED
    return max(codes, default=0)


def attempt(config: DictConfig) -> int:
    """Judge; what Clew itself found wrong is told in one line."""
    try:
        unjudged = judge(config)
    except (ClewError, HydraException, OmegaConfBaseException) as error:
        return wrong(error)
    if unjudged:
        complain(f"{unjudged} answers have no verdict; the same command asks about them again")
    return UNJUDGED if unjudged else 0


def wrong(error: Exception, *words: str) -> int:
    """Say what is wrong with which setting; return the exit code."""
    complain(told(error, words, "judging"))
    return WRONG


def judge(config: DictConfig) -> int:
    """Judge a run, and print its table; return how many answers have no verdict."""
    if OmegaConf.is_missing(config, "run"):
        raise ConfigError("run: name the run to judge, as in run=l1")
    plain: Any = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
    opened = Opened.of(str(plain["run"]))
    llm = made_llm(plain)
    if isinstance(llm, NoLlm):
        raise ConfigError(
            "llm: a judge is a language model: set llm=openai or llm=local, or llm=scripted to "
            "try it out"
        )
    llm.check()
    by = made(plain["judge"], "judge")
    llm = resumed(llm, lambda: spent(opened.folder, by.name(llm)))
    with closing(llm):
        unjudged = judged_run(opened.folder, opened.system, by, llm)
    if (opened.folder / NAME).exists():  # it would go on without the verdicts
        write_report(opened.folder, graphs_of(opened.folder))
    if plain["table"]:
        tables.show([tables.load_run(opened.folder)], console())
    return unjudged


def spent(folder: Path, judge: str) -> Usage:
    """Return what this judge has paid for in this run before."""
    return total(usage_of(each.llm) for each in read_judged(folder) if each.judge == judge)


if __name__ == "__main__":
    sys.exit(main())
