"""Choices: which files of conf/ would do, where the one that was chosen will not?

An advice is read off the files, so that it names what there is.
"""

import importlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

CONF = Path(__file__).resolve().parents[2] / "conf"

_PICK = re.compile(r"^ *- (?:override )?/?stage/(\w+)@(?:system\.)?(\w+): (\w+)", re.M)
_TARGET = re.compile(r"^_target_: (\S+)", re.M)
_BASE = re.compile(r"^ *- (\w+)$", re.M)  # the file of the same folder that one goes on from
_SWEPT = re.compile(r"^ +(system|ablation): (.+)$", re.M)
_MORE = re.compile(r"^(?!defaults:)\w", re.M)  # what a file sets itself


def having(stage: str, swap: str = "") -> str:
    """Return the first system with a stage, of those whose stage `swap` can take the place of.

    `stage` is named as in a defaults list, `swap` is a file of its folder.
    """
    folder, _, role = stage.rpartition("/")[2].partition("@")
    return _fitting(role.rpartition(".")[2], (f"stage/{folder}", swap))


def misfit(system: str, ablation: str) -> str:
    """Say why an ablation tells nothing of a system, and what to do; "" where it may.

    It changes nothing, or it puts its stage in the place of one that this is no twin of.
    """
    own, swaps = _picks("system", system), _picks("ablation", ablation)
    if not own.keys() >= swaps.keys():
        return ""  # the configuration cannot be composed
    changed = {role: swap for role, swap in swaps.items() if own[role] != swap}
    if swaps and not changed and not _MORE.search(_text("ablation", ablation)):
        fits = _advised(ablation, *next(iter(swaps.items())))
        return (
            f"ablation={ablation} changes nothing of system={system}: leave it out"
            + f", or set system={fits}" * bool(fits)
        )
    for role, swap in changed.items():
        if not _twins(ablation, role, swap, system):
            return (
                f"ablation={ablation}: {swap[1]} takes the place of another {role} than "
                f"{own[role][1]}, which system={system} has; "
                f"set system={_advised(ablation, role, swap)} or ablation=full"
            )
    return ""


def by_rule(system: Mapping[str, Any]) -> str:
    """Return the system that is most like one and asks no language model, or "" for none."""
    alike = {}
    for name in _names("system"):
        picks = _picks("system", name)
        classes = {role: _target(*pick) for role, pick in picks.items()}
        same = _target("system", name) == system.get("_target_")
        if same and not any(map(_asks, classes.values())):
            stages = {role: (system.get(role) or {}).get("_target_") for role in classes}
            alike[name] = sum(classes[role] == stages[role] for role in classes)
    return max(alike, key=alike.__getitem__, default="")


def swapped(group: str, name: str, stage: str) -> str:
    """Return what a file of a group, such as an ablation, puts in the place of a stage."""
    role = stage.rpartition("@")[2].rpartition(".")[2]
    return _picks(group, name).get(role, ("", ""))[1]


def _twins(ablation: str, role: str, swap: tuple[str, str], system: str) -> bool:
    """Tell whether the stage of an ablation is a twin of the system's, or of one of its class.

    Of the same stage with other numbers that cannot be told: there sweeps say whose ablation it
    is. Where nothing says anything, it may be.
    """
    own, stage = _target(*_picks("system", system)[role]), _target(*swap)
    if own == stage:
        fits = _swept_with(ablation)
    elif _alike(own, stage):
        return True
    else:
        fits = [name for name, pick in _having(role).items() if _alike(_target(*pick), stage)]
    return not fits or _target("system", system) in {_target("system", name) for name in fits}


def _swept_with(ablation: str) -> list[str]:
    """Return the systems that the files of conf/sweep vary with an ablation."""
    found = list[str]()
    for name in _names("sweep"):
        varied = {
            key: re.split(", *", values) for key, values in _SWEPT.findall(_text("sweep", name))
        }
        if ablation in varied.get("ablation", ()):
            found += varied.get("system", ())
    return found


def _advised(ablation: str, role: str, swap: tuple[str, str]) -> str:
    """Return the system to run an ablation of: that of a sweep, if any is of its own."""
    swept = (name for name in _swept_with(ablation) if _having(role).get(name, swap) != swap)
    return next(swept, "") or _fitting(role, swap)


def _fitting(role: str, swap: tuple[str, str]) -> str:
    """Return the system to swap a stage in: one whose own is a twin, and best no cross-over."""
    found, stage = _having(role), _target(*swap)

    def unlike(name: str) -> tuple[bool, bool, bool]:
        own = _target(*found[name])
        return not _alike(own, stage), own == stage, bool(_bases("system", name))

    return min((name for name in found if found[name] != swap), key=unlike, default="")


def _having(role: str) -> dict[str, tuple[str, str]]:
    """Return what each system that has a stage picks for it."""
    picks = {name: _picks("system", name) for name in _names("system")}
    return {name: found[role] for name, found in picks.items() if role in found}


def _names(folder: str) -> list[str]:
    return sorted(path.stem for path in (CONF / folder).glob("*.yaml"))


def _text(folder: str, name: str) -> str:
    path = CONF / folder / f"{name}.yaml"
    return path.read_text() if path.is_file() else ""


def _picks(group: str, name: str) -> dict[str, tuple[str, str]]:
    """Return the folder and file of each stage that a file picks, by role."""
    picks = dict[str, tuple[str, str]]()
    for base in _bases(group, name):
        picks |= _picks(group, base)
    found = _PICK.findall(_text(group, name))
    return picks | {role: (f"stage/{folder}", choice) for folder, role, choice in found}


def _bases(group: str, name: str) -> list[str]:
    return [base for base in _BASE.findall(_text(group, name)) if base not in ("_self_", name)]


def _target(folder: str, name: str) -> str:
    """Return the class that a file names, or the one that it goes on from."""
    if named := _TARGET.search(_text(folder, name)):
        return named[1]
    return next((_target(folder, base) for base in _bases(folder, name)), "")


def _alike(one: str, other: str) -> bool:
    """Tell whether classes may be twins: they, or what they are made from, share a module."""
    modules = [{kind.__module__ for kind in _class(each).__mro__} for each in (one, other)]
    return bool(set.intersection(*modules) - {"builtins"})


def _asks(target: str) -> bool:
    return "llm" in getattr(_class(target), "needs", ())


def _class(target: str) -> type:
    module, _, kind = target.rpartition(".")
    found: type = getattr(importlib.import_module(module), kind) if module else object
    return found
