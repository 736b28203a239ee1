"""Reopen: a run that is there, and its memories, opened again to be looked at.

Nothing is made and nothing is mended on the way: a memory that is gone is told, with the
command that builds it again.
"""

import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from clew.build import made, made_llm, open_graph, open_memory
from clew.drift import Drift
from clew.errors import DataError, RunError, StoreMissing, VectorsMissing
from clew.evaluate.building import check_kept, read_built
from clew.evaluate.journal import read_records
from clew.evaluate.manifest import read_manifest
from clew.evaluate.shapes import Whole, shaped
from clew.memory import Memory
from clew.models.embed import Embedder
from clew.models.llm import Llm
from clew.stores.graph import GraphStore
from clew.systems.base import MemorySystem

ROOT = Path(__file__).resolve().parents[2]  # of the repository, where this is a checkout


class Untouched(Memory):
    """A memory that is only looked at: nothing is made, and what drifted stays as it is."""

    existing = frozenset({"graph", "index"})

    def repair(self) -> Drift:
        """Return what is wrong, and leave it."""
        return self.drift()

    def _begin(self, embedder: str) -> None:
        raise StoreMissing(
            f"The memory of {self.conversation} is gone: its graph is empty. "
            f"Put its file back, or build it again with overwrite=true."
        )


class Mended(Untouched):
    """A memory whose vectors may be made again from its graph."""

    existing = frozenset({"graph"})


@dataclass(frozen=True, slots=True)
class Opened:
    """A run's folder, and what its manifest says it was made with."""

    folder: Path
    manifest: Whole
    system: MemorySystem
    embedder: Embedder
    llm: Llm

    @classmethod
    def of(cls, run: str) -> "Opened":
        """Open a run by its name or folder."""
        folder = folder_of(run).resolve()
        if (ROOT / "conf").is_dir():
            os.chdir(ROOT)  # paths in a configuration start there
        manifest = shaped(Whole, read_manifest(folder), folder / "manifest.json")
        config = manifest["config"]
        system, embedder = (made(config[group], group) for group in ("system", "embedder"))
        return cls(folder, manifest, system, embedder, made_llm(config))

    def memory(self, conversation: str, kind: type[Memory] = Untouched) -> Memory:
        """Open the memory of a conversation, by default without writing to it.

        Raises:
            RunError: there is none any more, or it is empty although it was built.
        """
        try:
            config = self.manifest["config"]
            with ExitStack() as opened:
                parts = config, self.folder, self.embedder, conversation, kind
                memory = open_memory(*parts, llm=self.llm)
                opened.callback(memory.close)
                check_kept(read_built(self.folder).get(conversation), memory.graph.processed())
                opened.pop_all()  # whoever asked for it closes it
                return memory
        except VectorsMissing as error:
            raise RunError(
                f"{error} Make them again from its graph: clew doctor {self.folder} --repair"
            ) from None
        except StoreMissing as error:
            raise RunError(f"{error} The command: {self._again()}") from None

    def _again(self) -> str:
        return f"{self.manifest.get('command') or 'the command of the run'} overwrite=true"

    def conversations(self) -> list[str]:
        """Return the conversations that the run remembered or asked about, in order."""
        journal = self.folder / "journal.jsonl"
        records = read_records(journal) if journal.is_file() else []
        asked = (record.conversation for record in records)
        return list(dict.fromkeys([*read_built(self.folder), *asked]))

    def conversation(self, name: str) -> str:
        """Return the one that is meant: `name`, or the only one."""
        known = self.conversations()
        if name in known or (not name and len(known) == 1):
            return name or known[0]
        if not known:
            raise RunError(f"{self.folder} remembers nothing yet: start its command again")
        what = f"no conversation {name!r}" if name else "several conversations"
        raise DataError(f"{self.folder} holds {what}: add --in {'|'.join(known)}")


def graphs_of(folder: Path) -> Callable[[str], GraphStore]:
    """Return what opens the graphs of a run's memories, to be read and not written to."""
    manifest = shaped(Whole, read_manifest(folder), folder / "manifest.json")
    return partial(open_graph, manifest["config"], folder, Untouched)


def folder_of(run: str) -> Path:
    """Return the folder of a run by its name in runs/, or by its path."""
    places = [Path(run), Path("runs") / run, ROOT / run, ROOT / "runs" / run]
    for place in places:
        if (place / "manifest.json").is_file():
            return place
    raise RunError(f"{run}: no run is there; name a folder with a manifest.json, as in runs/")
