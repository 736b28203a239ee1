"""Naming: what runs and sweeps are called, so that none of other settings has their folder."""

import hashlib
import re
from collections.abc import Mapping

from clew.errors import ConfigError
from clew.evaluate.manifest import masked_setting

LABELLED = frozenset({"system", "reader", "ablation", "dataset"})  # a run is called after them
NEUTRAL = frozenset(  # settings that change no result
    {"name", "runs", "overwrite", "table", "report", "sweep", "launcher", "tracking", "price"}
)
_NAME = re.compile(r"\w[\w.@=,+-]*")
_FOREIGN = re.compile(r"[^\w.+-]+")
_LONGEST = 150  # letters


def run_name(given: str | None, label: str, more: Mapping[str, str] | None = None) -> str:
    """Return the name that was given, or the label and with it settings that it does not tell.

    Raises:
        ConfigError: the name is no folder's.
    """
    if not given:
        return _made_up(label, {k: v for k, v in (more or {}).items() if k not in LABELLED})
    if not _NAME.fullmatch(given):
        raise ConfigError(f"name: {given!r} is no folder's name; use letters, digits and -_.@+=")
    return given


def part_name(given: str, varied: Mapping[str, str]) -> str:
    """Return the name of a job in a sweep of this name."""
    return _made_up(run_name(given, ""), varied)


def tells(key: str) -> bool:
    """Tell whether a setting may change results, so that it belongs into names."""
    return key.split(".")[0] not in NEUTRAL


def _made_up(label: str, more: Mapping[str, str]) -> str:
    name = "-".join([label, *(_part(key, more[key]) for key in sorted(more))])
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 9]}-{_hash(name)}"


def _part(key: str, value: str) -> str:
    """Return a setting as part of a name; a value that cannot stand there gets its hash.

    Secrets and logins stand in no name, and no hash is made of them.
    """
    value = masked_setting(key, value)
    named = _FOREIGN.sub("_", key.partition("@")[2] or key)
    plain = _FOREIGN.sub("_", value)
    return f"{named}_{plain}" if plain == value else f"{named}_{plain[-40:]}_{_hash(value)}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
