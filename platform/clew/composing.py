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
        raise ConfigError(told(error, words, file)) from None
    return dict(plain)


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
    if "not in struct" in str(cause) and "/" in key:
        return _no_group(key)
    if "not in struct" in str(cause):
        return f"{key}: there is no such setting{_similar(key, overrides, file)}"
    if wrong := _no_choice(text):
        return wrong
    if "Missing mandatory value" in text:
        return f"{key}: has to be set: add {key}=… to the command"
    return f"{key}: " * bool(key) + " ".join(text.split("full_key:")[0].split())


def _no_choice(text: str) -> str:
    """Return what is wrong with a group of conf/ or a choice of it; "" where nothing is."""
    if wrong := re.search(r"Could not find '([^']*)/([^']*)'", text):
        group, choice = wrong.groups()
        known = re.findall(r"\t(.+)", text.partition("Config search path")[0])
        return f"{group}={choice}: {_meant(choice, known, 'choose one of')}"
    if wrong := re.search(r"config group '([^']*)' does not exist", text):
        return _no_group(wrong[1])
    if wrong := re.search(
        r"Could not override '([^']*)'.\s+Did you mean to override (\S+)\?", text
    ):
        return f"{wrong[1]}: nothing is chosen there; did you mean {wrong[2]}?"
    return ""


def _no_group(name: str) -> str:
    """Say that conf/ has no group of this name, and which it has."""
    files = CONF.glob("*/**/*.yaml")
    groups = sorted({file.parent.relative_to(CONF).as_posix() for file in files})
    return f"{name}: there is no such group; {_meant(name, groups)}"


def _meant(word: str, known: Sequence[str], otherwise: str = "there are") -> str:
    """Ask whether the most alike of the known names was meant, or tell all of them."""
    like = difflib.get_close_matches(word, known, n=1)
    return f"did you mean {like[0]}?" if like else f"{otherwise} {', '.join(known)}"


def _similar(key: str, overrides: Sequence[str], file: str) -> str:
    """Return which settings and groups there are beside an unknown one, or the most alike."""
    import hydra
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    rest = [o for o in overrides if not o.startswith(("-", key)) and "," not in o]
    with suppress(HydraException, OmegaConfBaseException):
        with hydra.initialize_config_dir(str(CONF), version_base="1.3"):
            node: Any = hydra.compose(file, rest, return_hydra_config=True)
        choices = node.hydra.runtime.choices
        *parents, last = key.split(".")
        for parent in parents:
            node = node[parent]
        names = [str(name) for name in node if not str(name).startswith("_")]
        if not parents:  # some groups leave no setting of their name
            groups = [str(group) for group in choices if "/" not in str(group)]
            names = [name for name in dict.fromkeys([*names, *groups]) if name != "hydra"]
        return f"; {_meant(last, names)}"
    return "; see conf/"
