"""A run copied: its memories into other stores, its records as they are, its manifest last.

Until the manifest is written there is no run there, only a note of what is being copied
where; the same command then goes on with what is missing.
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from clew.build import made, open_memory, spaces
from clew.copying.memory import Copied, alike, copy_memory, counted
from clew.errors import RunError
from clew.evaluate.manifest import (
    Settings,
    config_hash,
    masked,
    masked_command,
    read_manifest,
    write_json,
)
from clew.evaluate.run import alone
from clew.reopen import Opened, Untouched
from clew.stores.graph import GraphStore
from clew.stores.vectors import VectorStore

NOTE = "copying.json"
RECORDS = ("journal.jsonl", "add.jsonl", "ledger.jsonl", "summary.json")


class Copy:
    """A run that becomes `folder`, with the stores of another configuration.

    Raises (on construction):
        RunError: something else is there already, in the folder or in a space on a server.
        StoreError: a server that is to hold it cannot be reached.
    """

    def __init__(
        self, source: Opened, folder: Path, config: Mapping[str, Any], command: str
    ) -> None:
        self._source, self._folder, self._config = source, folder, config
        self._before = read_manifest(source.folder)
        self._manifest = _manifest(self._before, folder.name, config, command)
        self._note = {"from": str(source.folder), "config_hash": self._manifest["config_hash"]}
        self._note |= {"config": self._manifest["config"]}
        begun = self._begun()
        for space in spaces(config):
            found = space.conversations()
            if found and not begun:
                raise RunError(
                    f"{space} already holds conversations ({len(found)}): give the copy another "
                    f"name, or set another space"
                )

    def make(self) -> list[Copied]:
        """Copy everything, check it, and return what each memory holds now.

        Raises:
            StoreBusy: the run, or the copy, is at work in another process.
            RunError: what was copied is not what was there.
        """
        with alone(self._source.folder), alone(self._folder):
            write_json(self._folder / NOTE, self._note)
            done = [self._copied(name) for name in self._source.conversations()]
            for name in RECORDS:
                if (self._source.folder / name).is_file():
                    shutil.copy2(self._source.folder / name, self._folder / name)
            write_json(self._folder / "manifest.json", self._manifest)
            (self._folder / NOTE).unlink()
        return done

    def _begun(self) -> bool:
        """Say whether this very copy was begun before; nothing else may be in the folder."""
        if (self._folder / "manifest.json").exists():
            raise RunError(f"{self._folder} is {self._what()}")
        note = self._folder / NOTE
        if not note.exists():
            there = self._folder.iterdir() if self._folder.exists() else iter(())
            if any(path.name not in (".lock", "copying.tmp") for path in there):
                raise RunError(f"{self._folder} is not empty: give the copy another name")
            return False
        if _read(note) != self._note:
            raise RunError(
                f"{self._folder} holds the beginning of another copy: delete it, or give this "
                f"one another name"
            )
        return True

    def _what(self) -> str:
        """Say what run is in the folder already, and what to do."""
        there, same = read_manifest(self._folder), ("copied_from", "config", "config_hash")
        if any(there.get(key) != self._manifest[key] for key in same):
            return "a run already: give the copy another name"
        return (
            f"a finished copy of {self._before['name']} already, so nothing is left to do: to "
            f"copy it anew, give the copy another name or first say clew drop {self._folder}"
        )

    def _copied(self, conversation: str) -> Copied:
        with closing(self._source.memory(conversation)) as memory:
            with self._stores(conversation) as (graph, vectors):
                copy_memory(memory, graph, vectors)
            embedder = self._source.embedder
            parts = self._config, self._folder, embedder, conversation
            with closing(open_memory(*parts, Untouched)) as copy:
                found = counted(copy)
                if found.drift or not alike(memory.graph, copy.graph):
                    raise RunError(
                        f"The copy of {conversation} in {self._folder} is not like what it was "
                        f"copied from ({found.drift} vectors drifted): start the command again"
                    )
                return found

    @contextmanager
    def _stores(self, conversation: str) -> Iterator[tuple[GraphStore, VectorStore]]:
        dimension = self._source.embedder.dimension
        with ExitStack() as opened:
            graph = made(self._config["store"], "store")["graph"](self._folder, conversation)
            opened.callback(graph.close)
            index = made(self._config["vectors"], "vectors")["index"]
            vectors = index(self._folder, conversation, dimension)
            opened.callback(vectors.close)
            yield graph, vectors


def _manifest(
    before: Mapping[str, Any], name: str, config: Mapping[str, Any], command: str
) -> dict[str, Any]:
    """Return a run's manifest as that of its copy, which goes on with `command`."""
    settings = Settings(
        name=name,
        system=before["system"],
        ablation=before["ablation"],
        config=config,
        seeds=before["seeds"],
        models=before["models"],
        prompts=before["prompts"],
        budgets=tuple(config["budgets"]),
    )
    return {
        **before,
        "name": name,
        "config": masked(config),
        "config_hash": config_hash(settings, before["dataset"]["sha256"]),
        "command": masked_command(command),
        "copied_from": {"name": before["name"], "config_hash": before["config_hash"]},
    }


def _read(note: Path) -> Any:
    try:
        return json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
