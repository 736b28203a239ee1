"""Composing: words of a command line become a configuration, as experiments/run.py has it."""

import re
from collections.abc import Sequence
from typing import Any

from clew.errors import ConfigError
from clew.reopen import ROOT

CONF = ROOT / "conf"


def composed(words: Sequence[str], file: str = "config") -> dict[str, Any]:
    """Return the configuration that a file of conf/ and these settings make.

    Raises:
        ConfigError: a setting or a choice is none; it says which.
    """
    from hydra import compose, initialize_config_dir
    from hydra.errors import HydraException
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    if not CONF.is_dir():
        raise ConfigError(f"{CONF} is not there: go into a checkout of the repository")
    try:
        with initialize_config_dir(str(CONF), version_base="1.3"):
            config = compose(file, list(words))
        plain: Any = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
    except (HydraException, OmegaConfBaseException) as error:
        raise ConfigError(f"{' '.join(words)}: {_told(error)}") from None
    return dict(plain)


def _told(error: Exception) -> str:
    if missing := re.search(r"Could not find '([^']*)/([^']*)'", str(error)):
        folder = CONF / missing[1]
        return f"choose one of {', '.join(sorted(path.stem for path in folder.glob('*.yaml')))}"
    cause = error.__cause__ or error
    return " ".join(str(cause).split("full_key:")[0].split())
