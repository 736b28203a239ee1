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


def having(stage: str, swap: str = "") -> str:
    """Return the first system with a stage, of those whose stage takes the place of `swap`.

    `stage` is named as in a defaults list, `swap` is a file of its folder. A stage and its twins
    are of one module.
    """
    folder, _, role = stage.rpartition("/")[2].partition("@")
    role = role.rpartition(".")[2]
    systems = {name: _picks("system", name) for name in _names("system")}
    modules = {name: _module(*picks[role]) for name, picks in systems.items() if role in picks}
    wanted = _module(f"stage/{folder}", swap)
    fits = [name for name, module in modules.items() if module == wanted]
    return next(iter([*fits, *modules]), "")


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


def _module(folder: str, name: str) -> str:
    return _target(folder, name).rpartition(".")[0]


def _asks(target: str) -> bool:
    module, _, kind = target.rpartition(".")
    stage = getattr(importlib.import_module(module), kind) if module else None
    return "llm" in getattr(stage, "needs", ())
