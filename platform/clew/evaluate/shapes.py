"""Shapes: what is read back from a run's own files is checked before it is used.

Files outlive the code that wrote them, and people edit them. What does not fit is told
with the file, the line and the field, never as an error deep inside whatever used it.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NotRequired, TypeVar, cast

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from clew.errors import RunError

T = TypeVar("T")
Number = int | float
Figures = dict[str, Number]


def _with_n(figures: Figures) -> Figures:
    if "n" not in figures:
        raise ValueError("there is no n")
    return figures


Group = Annotated[Figures, AfterValidator(_with_n)]
Category = Annotated[str, Field(pattern=r"^[0-9]{1,9}$")]


class Burst(TypedDict):
    """A line of `add.jsonl`."""

    conversation: str
    messages: Annotated[int, Field(ge=0)]
    seconds: float
    embed: float
    llm: NotRequired[dict[str, int]]


@with_config(ConfigDict(extra="allow"))
class Figured(TypedDict):
    """What tables and comparisons need of `summary.json`."""

    system: str
    ablation: str
    dataset: str
    failed: int
    lost: int
    micro: Group
    macro: Group
    by_category: dict[Category, Group]
    latency_ms: Figures


class Made(TypedDict):
    """By which code a part of a run was made: `since` is when it began to be."""

    commit: str
    dirty: bool | None
    code: str
    since: str


@with_config(ConfigDict(extra="allow"))
class Told(TypedDict):
    """What the code needs of `manifest.json`; there is more in it for people."""

    config_hash: Annotated[str, Field(min_length=1)]
    config: dict[str, Any]
    start: NotRequired[str]
    starts: NotRequired[int]
    status: NotRequired[str]
    command: NotRequired[str]
    commits: NotRequired[list[Made]]
    dataset: NotRequired[dict[str, str]]
    seeds: NotRequired[dict[str, int]]


Part = Annotated[dict[str, Any], Field(min_length=1)]


@with_config(ConfigDict(extra="allow"))
class Recipe(TypedDict):
    """What the configuration in a manifest has to name, for its memories to be opened."""

    system: Part
    embedder: Part
    store: Part
    vectors: Part


@with_config(ConfigDict(extra="allow"))
class Whole(TypedDict):
    """A manifest from which the run's memories can be opened."""

    config: Recipe
    command: NotRequired[str]


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def shaped(kind: type[T], value: object, path: Path, line: int = 0, remedy: str = "") -> T:
    """Return what a file holds as the kind it should be.

    Raises:
        RunError: it is not; the text names file, line and field, and what to do.
    """
    try:
        return cast(T, _adapter(cast(Any, kind)).validate_python(value))
    except ValidationError as error:
        raise misshapen(path, line, _first_fault(error, value), remedy) from None


def _first_fault(error: ValidationError, value: object) -> str:
    if not isinstance(value, Mapping):
        return f"is no JSON object but {_short(value)}"
    fault = error.errors(include_url=False, include_context=False)[0]
    field = ".".join(map(str, fault["loc"]))
    text = fault["msg"].removeprefix("Value error, ")
    given = "" if fault["type"] == "missing" else f", is {_short(fault['input'])}"
    return f"{field}: {text[:1].lower()}{text[1:]}{given}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def misshapen(path: Path, line: int, what: str, remedy: str = "") -> RunError:
    """Return the error that tells what is wrong with a line, or with a whole file."""
    where = f"{path}, line {line}" if line else str(path)
    otherwise = f"delete {path.parent} or start with another name="
    return RunError(f"{where}: {what}. Something else wrote into this run; {remedy or otherwise}")
