"""Build: a resolved configuration becomes objects, each from the class that it names.

Only Clew's own classes are built, so that a run's manifest, which may come from someone
else, cannot name anything to be executed. What a class refuses is told with the setting's
full path.
"""

import importlib
import inspect
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from clew.choices import by_rule
from clew.datasets import Dataset
from clew.errors import ConfigError, StoreMissing, VectorsMissing
from clew.evaluate.cost import paid
from clew.memory import Memory
from clew.models.budget import resumed
from clew.models.embed import Embedder
from clew.models.llm import Llm, Usage
from clew.models.nothing import NoLlm
from clew.paging import Paging
from clew.prompts import load
from clew.stage import stages_of
from clew.stores.graph import GraphStore
from clew.stores.space import Space
from clew.systems.base import MemorySystem
from clew.tracking import Tracker

NO_LLM = (
    "asks a language model, and llm=none: set llm=openai or llm=local, or llm=scripted to try it "
    "out; or leave it to rules with {}reader=by_rule"
)


@dataclass(frozen=True, slots=True)
class Parts:
    """What the configuration of a run names, built.

    Memories lie in the run's folder, or in the run's `spaces` on servers.
    """

    system: MemorySystem
    dataset: Dataset
    embedder: Embedder
    tracker: Tracker
    llm: Llm
    new_memory: Callable[[str], Memory]
    spaces: tuple[Space, ...] = ()

    @property
    def models(self) -> dict[str, str]:
        """The names of the models that results depend on, by role, and what stands in for one."""
        named = {"embedder": self.embedder.name}
        if asks(self.system):
            named["llm"] = self.llm.name
        for role, stage in stages_of(self.system).items():
            if model := getattr(stage, "model", None):
                named[role] = str(model.name)
            elif stands_in := getattr(stage, "stands_in", ""):
                named[role] = stands_in
        return named

    @property
    def prompts(self) -> dict[str, str]:
        """The hashes of the prompts that the system's stages use, by name."""
        stages = stages_of(self.system).values()
        names = {name for stage in stages for name in getattr(stage, "prompts", ())}
        return {name: load(name).hash for name in sorted(names)}


def build(config: Mapping[str, Any], folder: Path) -> Parts:
    """Build everything that a run needs.

    Raises:
        ConfigError: a setting is unknown, of a wrong type or out of range; it names its path.
    """
    groups = ("system", "dataset", "tracking", "embedder")
    system, dataset, tracker, embedder = (made(config[group], group) for group in groups)
    llm = made_llm(config)
    if not config.get("overwrite"):
        llm = resumed(llm, lambda: _spent(folder))
    twin = by_rule(config["system"]) if isinstance(llm, NoLlm) and asks(system) else ""
    _check_needs(system, store := made(config["store"], "store"), llm, twin)
    _paging(store)
    if config.get("streaming"):
        check_streaming(system)
    new_memory = partial(open_memory, config, folder, embedder, llm=llm)
    return Parts(system, dataset, embedder, tracker, llm, new_memory, spaces(config))


def made_llm(config: Mapping[str, Any]) -> Llm:
    """Return the language model of a run; one from before there were any has none."""
    llm: Llm = made(config["llm"], "llm") if config.get("llm") else NoLlm()
    return llm


def _spent(folder: Path) -> Usage:
    """Return what a run has paid for to remember and to answer."""
    costs = paid(folder)
    return costs["ingest"] + costs["query"]


def asks(system: MemorySystem) -> bool:
    """Tell whether any stage of a system asks a language model."""
    return any("llm" in getattr(stage, "needs", ()) for stage in stages_of(system).values())


def _check_needs(system: MemorySystem, store: Mapping[str, Any], llm: Llm, twin: str) -> None:
    """Refuse a stage that needs what there is not, before anything is built.

    `twin` is the system that does by rule what this one asks a language model for.
    """
    algorithms = getattr(store.get("algorithms"), "func", None)
    lacks: dict[str, str] = dict(getattr(algorithms, "lacks", {}))
    if isinstance(llm, NoLlm):
        lacks["llm"] = NO_LLM.format(f"system={twin} and " * bool(twin))
    for role, stage in stages_of(system).items():
        for need in getattr(stage, "needs", ()):
            if need in lacks:
                raise ConfigError(f"system.{role}: {lacks[need]}")
    if asks(system):
        llm.check()


def check_streaming(system: MemorySystem) -> None:
    """Refuse a stage that needs messages which come after those that it works on.

    A stage says so by a true `looks_ahead`, of its class or by its numbers.

    Raises:
        ConfigError: there is one.
    """
    for role, stage in stages_of(system).items():
        if getattr(stage, "looks_ahead", False):
            raise ConfigError(
                f"system.{role}: {type(stage).__name__} needs messages that come later, and "
                f"streaming=true: set streaming=false, or choose another for system.{role}"
            )


def open_memory(
    config: Mapping[str, Any],
    folder: Path,
    embedder: Embedder,
    conversation: str,
    kind: type[Memory] = Memory,
    *,
    llm: Llm | None = None,
) -> Memory:
    """Open the memory of a conversation in a run's folder, as this kind of memory."""
    store, vectors = made(config["store"], "store"), made(config["vectors"], "vectors")
    with ExitStack() as opened:
        graph = _opens(store, "store.graph", kind)(folder, conversation)
        opened.callback(graph.close)
        index = _opens(vectors, "vectors.index", kind)(folder, conversation, embedder.dimension)
        opened.callback(index.close)
        algorithms = _opens(store, "store.algorithms", kind)(graph)
        paging = _paging(store)
        paging.bound(graph, index)
        memory = kind(graph, index, embedder, algorithms, llm, paging.units())
        opened.pop_all()  # from now on the memory closes them
        return memory


def _paging(store: Mapping[str, Any]) -> Paging:
    paging = store.get("paging") or Paging()  # a run from before there was any has none
    if not isinstance(paging, Paging):
        raise ConfigError("store.paging: is no limit; set store.paging.limit=, or leave it out")
    return paging


def open_graph(
    config: Mapping[str, Any], folder: Path, kind: type[Memory], conversation: str
) -> GraphStore:
    """Open the graph of a conversation alone, as this kind of memory would."""
    parts = {"graph": made(config["store"].get("graph"), "store.graph")}
    return cast(GraphStore, _opens(parts, "store.graph", kind)(folder, conversation))


def _opens(parts: Mapping[str, Any], path: str, kind: type[Memory]) -> Callable[..., Any]:
    """Return what opens a store; one that has to be there already is never made."""
    group, _, name = path.partition(".")
    opens: Any = parts.get(name)
    if not callable(opens):
        raise ConfigError(f"{path}: opens nothing; choose {group}= anew, as the files of conf/ do")
    if name not in kind.existing:
        return cast(Callable[..., Any], opens)
    return (
        partial(_found, opens, name) if isinstance(opens, Space) else partial(opens, existing=True)
    )


def _found(space: Any, name: str, folder: Path, conversation: str, *more: Any) -> Any:
    """Open a part of a server that holds something of the conversation."""
    if conversation in space.conversations():
        return space(folder, conversation, *more)
    if name == "graph":
        raise StoreMissing(
            f"The memory of {conversation} is gone: {space} holds none of it. "
            f"Build it again with overwrite=true."
        )
    raise VectorsMissing(f"The vectors of {conversation} are gone: {space} holds none of them.")


def spaces(config: Mapping[str, Any]) -> tuple[Space, ...]:
    """Return where on servers the memories of a run lie; for embedded stores nowhere."""
    parts = made(config["store"], "store")["graph"], made(config["vectors"], "vectors")["index"]
    return tuple(part for part in parts if isinstance(part, Space))


def made(value: Any, path: str) -> Any:
    """Build a part of a configuration: mappings with a `_target_` are calls of it."""
    if isinstance(value, list):
        return [made(inner, f"{path}[{n}]") for n, inner in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    inner = {k: made(v, f"{path}.{k}") for k, v in value.items() if not k.startswith("_")}
    if "_target_" not in value:
        return inner
    target = _target(str(value["_target_"]), path)
    if value.get("_partial_"):
        return partial(target, **inner)
    return _called(target, inner, path)


def _target(name: str, path: str) -> Callable[..., Any]:
    module, _, last = name.rpartition(".")
    if module.split(".")[0] == "clew":
        try:
            found: Callable[..., Any] = getattr(importlib.import_module(module), last)
            return found
        except ModuleNotFoundError as error:
            if not str(error.name).startswith("clew"):
                raise ConfigError(f"{path}: {error}; install it, as `make setup` does") from None
        except AttributeError:
            pass
    raise ConfigError(f"{path}: {name} is no class of Clew's; choose one of the files in conf/")


def _called(target: Callable[..., Any], settings: Mapping[str, Any], path: str) -> Any:
    """Call a class with its settings; its refusals name the path instead of the class."""
    name = getattr(target, "__name__", "")
    try:
        inspect.signature(target).bind(**settings)
    except TypeError as error:
        raise ConfigError(f"{path}: {error}; see the file of conf/ that names {name}") from None
    try:
        return target(**settings)
    except ConfigError as error:
        told = str(error).removeprefix("dataset ")
        if told.startswith(f"{name}: "):
            raise ConfigError(f"{path}.{told.removeprefix(f'{name}: ')}") from None
        raise
