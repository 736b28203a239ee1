"""Grid: what a command line varies, as jobs, and the launcher of Hydra's that runs them."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from hydra import initialize_config_dir
from hydra._internal.callbacks import Callbacks
from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.core.plugins import Plugins
from hydra.types import HydraContext, RunMode
from omegaconf import DictConfig, OmegaConf, open_dict

from clew.choices import CONF
from clew.errors import ConfigError
from clew.evaluate.manifest import masked_setting
from clew.interrupt import INTERRUPTED
from clew.reopen import ROOT
from clew.sweeps.watch import Orphaned, watch

PLUGINS = {  # of launchers: what they need, and the extra that installs it
    "local": ("hydra_plugins.hydra_joblib_launcher", ""),
    "ray": ("hydra_plugins.hydra_ray_launcher", "[ray]"),
    "slurm": ("hydra_plugins.hydra_submitit_launcher", "[slurm]"),
    "slurm_local": ("hydra_plugins.hydra_submitit_launcher", "[slurm]"),
}
OURS = frozenset({"sweep", "launcher"})  # settings of a sweep, and of none of its jobs
LOGS = ".logs"  # in the folder of runs: of jobs that have not ended


@dataclass(frozen=True, slots=True)
class Cell:
    """One job: its words, what it varies, the files that it chose, and all its settings.

    What it varies is to be told, so no secret or login is in that.
    """

    words: tuple[str, ...]
    varied: Mapping[str, str]
    choices: Mapping[str, str]
    config: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Grid:
    """What a command asks for: its sweep (none: a grid of its own), and its jobs.

    `fixed` are settings that all jobs share, `free` those that the command line varies beyond
    the sweep, with all their values.
    """

    sweep: str
    launcher: str
    fixed: Mapping[str, str]
    free: Mapping[str, str]
    cells: tuple[Cell, ...]
    config: DictConfig
    context: HydraContext

    def launch(self, jobs: Sequence[Sequence[str]]) -> None:
        """Have the launcher run jobs by their words; each writes down how it ended."""
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray would send them off
        config, context = self.config, self.context
        launcher = Plugins.instance().instantiate_launcher(
            hydra_context=context, task_function=job, config=config
        )
        launcher.launch([list(words) for words in jobs], initial_job_idx=0)


def job(config: DictConfig) -> int:
    """Run one job where the launcher wants it, in a process of its own; return its exit code."""
    mine = HydraConfig.get()
    words = [word for word in mine.overrides.task if word.split("=")[0] not in OURS]
    runs = ROOT / str(config.runs)
    starter = os.getppid() if mine.runtime.choices["launcher"] == "local" else None
    try:
        ending = watch([*words, "table=false"], runs / str(config.name), runs / LOGS, starter)
    except Orphaned:
        os._exit(INTERRUPTED)  # a worker would wait for more to do, for ever
    return ending.exit_code


def is_sweep(arguments: Sequence[str]) -> bool:
    """Tell whether these arguments ask for more than one run."""
    named = any(word.startswith("sweep=") and word != "sweep=none" for word in arguments)
    return named or bool({"-m", "--multirun", "hydra.mode=MULTIRUN"} & set(arguments))


def check_launcher(words: Sequence[str]) -> None:
    """Refuse a launcher that is not installed.

    Raises:
        ConfigError: it says what installs it.
    """
    for name in [word.removeprefix("launcher=") for word in words if word.startswith("launcher=")]:
        module, extra = PLUGINS.get(name, ("hydra", ""))
        if find_spec(module) is None:
            raise ConfigError(f"launcher={name} is not installed: pip install 'clew{extra}'")


@contextmanager
def gridded(arguments: Sequence[str]) -> Iterator[Grid]:
    """Compose all jobs of a command; Hydra is there for them as long as the context.

    Raises:
        ConfigError: an option is none of a sweep's.
    """
    words = [word for word in arguments if not word.startswith("-")]
    if options := sorted({w for w in arguments if w.startswith("-")} - {"-m", "--multirun"}):
        raise ConfigError(f"{options[0]} does not go with several jobs: leave it out")
    with initialize_config_dir(str(CONF), version_base="1.3", job_name="run"):
        hydra = GlobalHydra.instance().hydra
        assert hydra is not None
        config = hydra.compose_config(
            config_name="config",
            overrides=words,
            run_mode=RunMode.MULTIRUN,
            with_log_configuration=False,
        )
        yield _grid(config, HydraContext(hydra.config_loader, Callbacks()))


def _grid(config: DictConfig, context: HydraContext) -> Grid:
    parser = OverridesParser.create(config_loader=context.config_loader)
    words: Any = OmegaConf.to_container(config.hydra.overrides.task, resolve=False)
    asked = parser.parse_overrides(words)
    keys = {each.get_key_element() for each in asked}
    params = config.hydra.sweeper.params or {}
    given = parser.parse_overrides([f"{k}={v}" for k, v in params.items() if k not in keys])
    varied = {each.get_key_element() for each in [*given, *asked] if each.is_sweep_override()}
    (batch,) = BasicSweeper.split_arguments([*given, *asked], None)
    if not batch:
        raise ConfigError(f"{', '.join(sorted(varied))}: a grid without a job; give each a value")
    choices = config.hydra.runtime.choices
    plain = {_key(each): _value(each) for each in asked if _key(each) not in OURS}
    return Grid(
        sweep=str(choices.sweep),
        launcher=str(choices.launcher),
        fixed={key: value for key, value in plain.items() if key not in varied},
        free={key: value for key, value in plain.items() if key in varied},
        cells=tuple(_cell(words, varied, config, context) for words in batch),
        config=config,
        context=context,
    )


def _cell(
    words: Sequence[str], varied: set[str], config: DictConfig, context: HydraContext
) -> Cell:
    composed = context.config_loader.load_sweep_config(config, list(words))
    choices = {str(k): str(v) for k, v in composed.hydra.runtime.choices.items()}
    with open_dict(composed):
        del composed["hydra"]
    plain: Any = OmegaConf.to_container(composed, resolve=True, throw_on_missing=True)
    pairs = [word.partition("=") for word in words]
    mine = {key: masked_setting(key, value) for key, _, value in pairs if key in varied}
    return Cell(tuple(words), mine, choices, dict(plain))


def _key(override: Override) -> str:
    return str(override.get_key_element())


def _value(override: Override) -> str:
    """Return a value, or those that a grid goes through, without secrets and logins."""
    if override.is_discrete_sweep():
        values = list(override.sweep_string_iterator())
    else:
        values = [str(override.get_value_element_as_str())]
    return ",".join(masked_setting(_key(override), value) for value in values)
