"""Composing: words of a command line become a configuration, as experiments/run.py has it."""

import difflib
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from clew.choices import CONF, having, swapped
from clew.errors import ClewError, ConfigError


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


def told(error: Exception, overrides: Sequence[str] = (), file: str = "config") -> str:
    """Say in one line what is wrong with which setting, and what to do."""
    from hydra.errors import HydraException

    cause = error.__cause__ if isinstance(error, HydraException) else None
    key = str(getattr(cause or error, "full_key", "") or "")
    text = str(error)
    if isinstance(error, ClewError):
        return text
    if "No match in the defaults list" in text:
        ablation, stage = re.findall(r"'([^']*)'", text)[:2]
        group, _, choice = ablation.partition("/")
        fits = having(stage, swapped(group, choice, stage))
        return (
            f"{group}={choice}: this system has no {stage.partition('@')[0]} to swap; "
            f"set {f'system={fits} or ' * bool(fits)}ablation=full"
        )
    if "not in struct" in str(cause):
        return f"{key}: there is no such setting{_similar(key, overrides, file)}"
    if missing := re.search(r"Could not find '([^']*)/([^']*)'", text):
        known = ", ".join(re.findall(r"\t(.+)", text.partition("Config search path")[0]))
        return f"{missing[1]}={missing[2]}: choose one of {known}"
    if "Missing mandatory value" in text:
        return f"{key}: has to be set: add {key}=… to the command"
    return f"{key}: " * bool(key) + " ".join(text.split("full_key:")[0].split())


def _similar(key: str, overrides: Sequence[str], file: str) -> str:
    """Return which settings there are beside an unknown one, the most alike first."""
    import hydra
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    rest = [o for o in overrides if not o.startswith(("-", key)) and "," not in o]
    with suppress(HydraException, OmegaConfBaseException):
        with hydra.initialize_config_dir(str(CONF), version_base="1.3"):
            node: Any = hydra.compose(file, rest)
        *parents, last = key.split(".")
        for parent in parents:
            node = node[parent]
        names = [str(name) for name in node if not str(name).startswith("_")]
        like = difflib.get_close_matches(last, names, n=1)
        return f"; did you mean {like[0]}?" if like else f"; there are {', '.join(names)}"
    return "; see conf/"
