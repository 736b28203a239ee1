"""`clew copy`: which run, what to call the copy, and where its memories are to lie."""

import re
import shlex
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import astuple, fields
from pathlib import Path
from typing import Annotated, Any

import typer

from clew.choices import CONF
from clew.composing import composed
from clew.copying.memory import Copied
from clew.copying.run import Copy
from clew.errors import ConfigError, RunError
from clew.reopen import Opened

PARTS = {"store": "graph", "vectors": "index"}  # what of them may have a space on a server
_SETTING = re.compile(r"(store|vectors)(=|\.).*")
_NAME = re.compile(r"\w[\w.@=,+-]*")


def copy(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's folder, or its name.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The copy's folder, or its name.")],
    setting: Annotated[
        list[str] | None, typer.Argument(metavar="SETTING...", help="As in vectors=qdrant.")
    ] = None,
) -> None:
    """Copy a run, its memories into other stores, without building them again.

    For example `clew copy l1 l1-server store=neo4j vectors=qdrant` moves a memory to servers,
    and `clew copy l1-server l1-here store=sqlite vectors=edge` back into a folder. Whatever
    is not set lies as it did. A copy that was interrupted goes on with the same command.
    """
    here = Path.cwd()
    source = Opened.of(run)
    folder = _folder(new, source.folder, here)
    settings = list(setting or [])
    config = configured(source.manifest["config"], settings, folder.name)
    command = continued(source.manifest.get("command", ""), settings, folder, source.folder)
    _show(Copy(source, folder, config, command).make())
    typer.echo(f"\n{source.folder} is copied to {folder}. To go on with it:\n{command}")


def configured(before: Mapping[str, Any], settings: Sequence[str], name: str) -> dict[str, Any]:
    """Return a run's configuration with the stores that are set, and a space of its own.

    Raises:
        ConfigError: another setting is among them, or one that conf/ does not know.
    """
    config: dict[str, Any] = deepcopy(dict(before))
    for each in settings:
        if not _SETTING.fullmatch(each):
            raise ConfigError(f"{each}: a copy differs in store= and vectors=, and what is in them")
    for group, part in PARTS.items():
        mine = [each for each in settings if re.match(rf"{group}[=.]", each)]
        if mine and not any(each.startswith(f"{group}=") for each in mine):
            raise ConfigError(f"{mine[0]}: say as well which, as in {group}={_choices(group)[0]}")
        if mine:
            config[group] = composed(mine)[group]
        settings_of = config[group].get(part, {})
        if "space" in settings_of and (not mine or settings_of["space"] is None):
            settings_of["space"] = name
    return config


def continued(command: str, settings: Sequence[str], folder: Path, source: Path) -> str:
    """Return the command of a run as that of its copy."""
    words = shlex.split(command) or ["python", "experiments/run.py"]
    replaced = {each.partition("=")[0].partition(".")[0] for each in settings}
    kept = [
        word
        for word in words
        if word.partition("=")[0] not in ("name", "overwrite")
        and word.partition("=")[0].partition(".")[0] not in replaced
    ]
    if folder.parent != source.parent:
        kept = [word for word in kept if not word.startswith("runs=")] + [f"runs={folder.parent}"]
    plain = not set(",=") & set(folder.name)
    name = folder.name if plain else f"'{folder.name}'"  # else it would be several
    return shlex.join([*kept, *settings, f"name={name}"])


def _choices(group: str) -> list[str]:
    return sorted(path.stem for path in (CONF / group).glob("*.yaml"))


def _folder(new: str, source: Path, here: Path) -> Path:
    """Return the copy's folder: beside the run's, or where a path says."""
    place = source.parent / new if "/" not in new else here / new
    if not _NAME.fullmatch(place.name):
        raise RunError(f"{new}: is no folder's name; use letters, digits and -_.@+=")
    return place.resolve()


def _show(copied: Sequence[Copied]) -> None:
    """Print what each memory holds now, as a plain table."""
    rows = [tuple(field.name for field in fields(Copied))]
    rows += [tuple(map(str, astuple(each))) for each in copied]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *counts in rows:
        cells = [each.rjust(width) for each, width in zip(counts, wide[1:], strict=True)]
        typer.echo("  ".join([name.ljust(wide[0]), *cells]))
