"""The manifest: everything that is needed to say what a run was, and to run it again."""

import hashlib
import importlib.metadata
import json
import logging
import os
import platform
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from clew.datasets import Dataset
from clew.errors import RunError
from clew.evaluate.shapes import Made, Told, shaped

Status = Literal["running", "done", "failed", "stopped"]

TOKENIZER = "cl100k_base"  # what text.count_tokens counts
MASK = "***"

_APART = frozenset(  # settings that change no result
    {"name", "runs", "paths", "tracking", "table", "overwrite", "launcher", "hydra", "price"}
)
_PLACES = frozenset(  # where something lies; what lies there has a hash
    {"path", "folder", "space", "uri", "url", "user", "database", "patience"}
    | {"password_env", "api_key_env", "key_in_clear", "collection", "timeout"}
    | {"replication_factor", "write_consistency_factor"}
    | {"cache", "concurrency", "ahead", "connect_timeout", "largest_reply", "http", "threads"}
    | {"budget", "paging"}
)
_SECRET = re.compile(r"(?i)(?:^|[^a-z])(?:\w*api_?key|key|token|secret|passw(?:or)?d)s?$")
_LOGIN = re.compile(r"(?<=://)[^/@\s]+@")
_COUNT = re.compile(r"(?:[\w.]+\.)?tokens=(?:\d+|null|[,+])+")  # of budgets, and no secret
_ARGUMENT = re.compile(r"([\w.@/+-]+)=('[^']*'|\"[^\"]*\"|\S+)")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run is: its name, and every choice that its results depend on.

    `config` is the resolved configuration, `models` names of models by role (embedder, llm),
    `prompts` hashes by name, `command` what starts the run again.
    """

    name: str
    system: str
    ablation: str = "full"
    config: Mapping[str, Any] = field(default_factory=dict)
    seeds: Mapping[str, int] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    prompts: Mapping[str, str] = field(default_factory=dict)
    command: str = ""
    budgets: tuple[int, ...] = (250, 500, 1000, 2000)


def config_hash(settings: Settings, data: str) -> str:
    """Hash all that decides the results: settings, models, prompts and the hash of the data."""
    config = {k: v for k, v in masked(settings.config).items() if k not in _APART}
    parts = {
        "config": _placeless(config),
        "system": [settings.system, settings.ablation],
        "seeds": dict(settings.seeds),
        "models": dict(settings.models),
        "prompts": dict(settings.prompts),
        "budgets": list(settings.budgets),
        "data": data,
    }
    return hashlib.sha256(_canonical(parts).encode()).hexdigest()


def _placeless(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _placeless(inner) for k, inner in value.items() if k not in _PLACES}
    return value


def masked(value: Any, name: str = "") -> Any:
    """Return settings with the text of every secret, and logins in addresses, left out."""
    if isinstance(value, Mapping):
        return {str(key): masked(inner, str(key)) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [masked(inner, name) for inner in value]
    if value is None or isinstance(value, bool | int | float) or value == "":
        return value
    return MASK if _SECRET.search(name) else _LOGIN.sub(f"{MASK}@", str(value))


def masked_command(command: str) -> str:
    """Return a command with the values of secret settings left out."""
    shown = _ARGUMENT.sub(lambda found: f"{found[1]}={masked_setting(found[1], found[2])}", command)
    return _LOGIN.sub(f"{MASK}@", shown)


def masked_setting(key: str, value: str) -> str:
    """Return the value of a setting as a command has it, without a secret or a login."""
    secret = _SECRET.search(key) and not _COUNT.fullmatch(f"{key}={value}")
    return MASK if secret else _LOGIN.sub(f"{MASK}@", value)


class Manifest:
    """`manifest.json` of a run folder, replaced as a whole at every change.

    Raises (on construction):
        RunError: the folder holds a run of other settings, or of settings nobody can tell.
    """

    def __init__(self, folder: Path, settings: Settings, dataset: Dataset) -> None:
        self._path = folder / "manifest.json"
        mine = config_hash(settings, dataset.sha256)
        before = read_manifest(folder, asked=folder / "journal.jsonl")
        if before and before.get("config_hash") != mine:
            raise RunError(
                f"{folder} holds a run of other settings or data ({_change(before, settings)}): "
                f"start with another name=, or say overwrite=true to throw it away"
            )
        self._content = described(settings, dataset, mine)
        self._content["start"] = before.get("start", self._content["start"])
        self._content["starts"] = before.get("starts", 0) + 1
        self._content["commits"] = _makers(before, self._content, folder)
        self._write()

    def finish(self, status: Status, error: str = "") -> None:
        """Write how the run ended."""
        self._content |= {"status": status, "end": _now(), "error": _LOGIN.sub(f"{MASK}@", error)}
        self._write()

    def _write(self) -> None:
        write_json(self._path, self._content)


def read_manifest(folder: Path, asked: Path | None = None) -> dict[str, Any]:
    """Return a folder's manifest; an empty one where there is none.

    Raises:
        RunError: it cannot be read although `asked` (or the manifest itself) holds results.
    """
    path = folder / "manifest.json"
    if not path.exists() and not (asked and asked.exists() and asked.stat().st_size):
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return dict(shaped(Told, content, path))
    except (OSError, ValueError):
        damaged = RunError(
            f"{path} is missing or damaged, so nobody can tell which settings the answers "
            f"beside it belong to: delete {folder} or start with another name="
        )
    except RunError as error:
        damaged = error
    if asked is not None and not (asked.exists() and asked.stat().st_size):
        return {}
    raise damaged


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Replace a file as a whole: a reader sees the old or the new, never half of it."""
    text = json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False)
    half = path.with_suffix(".tmp")
    try:
        with half.open("w", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
    except OSError as error:
        raise RunError(
            f"{path} cannot be written ({error.strerror}): make room or change runs=, "
            f"then start the same command again"
        ) from error


def described(settings: Settings, dataset: Dataset, hash: str) -> dict[str, Any]:
    """Return what a manifest says of a run as it begins."""
    commit, dirty = commit_of(Path(__file__))
    return {
        "name": settings.name,
        "system": settings.system,
        "ablation": settings.ablation,
        "config": masked(settings.config),
        "config_hash": hash,
        "commit": commit,
        "dirty": dirty,
        "packages": _packages(),
        "seeds": dict(settings.seeds),
        "dataset": {k: getattr(dataset, k) for k in ("name", "version", "sha256")},
        "prompts": dict(settings.prompts),
        "models": dict(settings.models),
        "tokenizer": TOKENIZER,
        "host": {"name": platform.node(), "system": platform.platform(), "cpus": os.cpu_count()},
        "start": _now(),
        "end": None,
        "status": "running",
        "error": "",
        "command": masked_command(settings.command),
    }


def _makers(before: Mapping[str, Any], now: Mapping[str, Any], folder: Path) -> list[Made]:
    """Return by which code the run was made, in order of time; warn when that is not one."""
    known: list[Made] = list(before.get("commits", ()))
    mine = Made(commit=now["commit"], dirty=now["dirty"], code=_code(Path(__file__)), since=_now())
    if known and all(known[-1][k] == mine[k] for k in ("commit", "dirty", "code")):
        return known
    if known:
        _log.warning(
            "%s was made with commit %s and goes on with %s: its answers are of more than one "
            "version of the code; start with overwrite=true for those of one",
            folder, _named(known[-1]), _named(mine),
        )  # fmt: skip
    return [*known, mine]


def _named(made: Made) -> str:
    changed = f" and uncommitted changes (code {made['code'][:8]})" * bool(made["dirty"])
    return f"{made['commit'][:10]}{changed}"


def _code(file: Path) -> str:
    """Hash the source of the package: a commit does not tell what was not committed."""
    package, found = file.parents[1], hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        found.update(f"{path.relative_to(package).as_posix()}\0".encode() + path.read_bytes())
    return found.hexdigest()


def _change(before: Mapping[str, Any], settings: Settings) -> str:
    """Name the first settings that differ, for the error's reader."""
    old, new = flat(before.get("config", {})), flat(masked(settings.config))
    names = [n for n in sorted(old.keys() | new.keys()) if n.split(".")[0] not in _APART]
    changed = [f"{n} was {old.get(n)}, is {new.get(n)}" for n in names if old.get(n) != new.get(n)]
    return "; ".join(changed[:3]) or "same configuration, other data, models or prompts"


def flat(value: Any, name: str = "") -> dict[str, Any]:
    """Return nested settings by dotted name."""
    if not isinstance(value, Mapping):
        return {name: value}
    prefix = f"{name}." if name else ""
    return {k: v for key in value for k, v in flat(value[key], f"{prefix}{key}").items()}


def _packages() -> dict[str, str]:
    """Return the versions of what Clew asks for; what is not installed is left out."""
    names = [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in _required()]
    found = {"python": platform.python_version()}
    for name in sorted({"clew", *names}):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _required() -> list[str]:
    try:
        lines = importlib.metadata.requires("clew") or []
    except importlib.metadata.PackageNotFoundError:
        return ["numpy"]
    return [line for line in lines if "extra ==" not in line]


def commit_of(file: Path) -> tuple[str, bool | None]:
    """Return the commit that holds this file and whether anything differs from it."""

    def git(*words: str) -> str | None:
        command = ["git", "-C", str(file.parent), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
        return done.stdout.strip() if done.returncode == 0 else None

    try:
        known = git("ls-files", "--error-unmatch", file.name) is not None
        commit = git("rev-parse", "HEAD") if known else None
        dirty = bool(git("status", "--porcelain", "--untracked-files=no")) if commit else None
    except (OSError, subprocess.TimeoutExpired):
        return "unknown", None
    return commit or "unknown", dirty


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
