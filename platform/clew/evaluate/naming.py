"""Naming: what a run is called, so that no two jobs of one command share a folder."""

import hashlib
import re
from collections.abc import Mapping

from clew.errors import ConfigError

LABELLED = frozenset(
    {"system", "reader", "ablation", "dataset"}
)  # what a run is called after anyway
_PLACES = frozenset({"name", "runs"})
_NAME = re.compile(r"\w[\w.@=,+-]*")
_FOREIGN = re.compile(r"[^\w.+-]+")
_LONGEST = 150  # letters


def run_name(given: str | None, label: str, varied: Mapping[str, str]) -> str:
    """Return the name that was given, or the label and what the jobs of a command vary.

    `varied` holds by setting what this job sets otherwise than the others.

    Raises:
        ConfigError: the name is no folder's, or several jobs were given the same.
    """
    more = {key: value for key, value in varied.items() if key not in LABELLED | _PLACES}
    if not given:
        return _made_up(label, more)
    if not _NAME.fullmatch(given):
        raise ConfigError(f"name: {given!r} is no folder's name; use letters, digits and -_.@+=")
    if others := sorted(varied.keys() - _PLACES) if "runs" not in varied else []:
        raise ConfigError(
            f"name: {given} would be the folder of several jobs, which vary {', '.join(others)}; "
            f"leave name= out, and each job is called after what it varies"
        )
    return given


def _made_up(label: str, more: Mapping[str, str]) -> str:
    name = "-".join([label, *(_part(key, more[key]) for key in sorted(more))])
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 9]}-{_hash(name)}"


def _part(key: str, value: str) -> str:
    """Return a setting as part of a name; a value that cannot stand there gets its hash."""
    named = _FOREIGN.sub("_", key.partition("@")[2] or key)
    plain = _FOREIGN.sub("_", value)
    return f"{named}_{plain}" if plain == value else f"{named}_{plain[-40:]}_{_hash(value)}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
