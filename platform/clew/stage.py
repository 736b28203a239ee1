"""What makes a class a stage: frozen, checked on construction, and timed when called."""

import functools
import inspect
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, dataclass_transform

from pydantic import ConfigDict, Field, ValidationError
from pydantic.dataclasses import dataclass

from clew.errors import ConfigError
from clew.trace import span

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Fraction = Annotated[float, Field(ge=0, le=1)]
Cosine = Annotated[float, Field(ge=-1, le=1)]
Count = Annotated[int, Field(ge=1)]
Number = Annotated[int, Field(ge=0)]
Duration = Annotated[timedelta, Field(ge=timedelta(0))]

S = TypeVar("S")

_LISTS = ("tuple_type", "list_type", "set_type", "frozen_set_type")  # of pydantic's errors


@dataclass_transform(frozen_default=True, field_specifiers=(Field,))
def checked(cls: type[S]) -> type[S]:
    """Freeze `cls` and check its fields on construction.

    Raises (on construction):
        ConfigError: a field is unknown, of a wrong type or out of range; it names the field.
    """
    config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
    made: Any = dataclass(frozen=True, config=config)(cls)
    made.__init__ = _explained(made.__init__, made.__name__)
    return made  # type: ignore[no-any-return]


@dataclass_transform(frozen_default=True, field_specifiers=(Field,))
def stage(cls: type[S]) -> type[S]:
    """Freeze `cls`, check its fields on construction as `checked` does, and time its calls."""
    made: Any = checked(cls)
    made.__call__ = _timed(made.__call__, made.__name__)
    return made  # type: ignore[no-any-return]


def stages_of(whole: object, roles: Iterable[str] | None = None) -> dict[str, Any]:
    """Return the stages of a system by their roles, and those that they are made of.

    A stage that is made of others names their fields in its class's `stages`; of the one in
    the role `mine` they are called as in `mine.denoise`.
    """
    found: dict[str, Any] = {}
    for role in inspect.signature(type(whole)).parameters if roles is None else roles:
        found[role] = getattr(whole, role)
        inner = stages_of(found[role], getattr(type(found[role]), "stages", ()))
        found |= {f"{role}.{name}": stage for name, stage in inner.items()}
    return found


def _timed(call: Callable[..., Any], name: str) -> Callable[..., Any]:
    @functools.wraps(call)
    def timed(*args: Any, **kwargs: Any) -> Any:
        with span(name):
            return call(*args, **kwargs)

    return timed


def _explained(init: Callable[..., None], name: str) -> Callable[..., None]:
    @functools.wraps(init)
    def explained(*args: Any, **kwargs: Any) -> None:
        try:
            init(*args, **kwargs)
        except ValidationError as error:
            wrong = "; ".join(
                f"{'.'.join(map(str, e['loc']))}: {_wrong(e)}, got {e['input']!r}"
                for e in error.errors()
            )
            raise ConfigError(f"{name}: {wrong}") from None

    return explained


def _wrong(error: "ErrorDetails") -> str:
    """Return what is wrong with a field, in the words of a command line."""
    if error["type"] in _LISTS and isinstance(error["input"], str | int | float):
        return f"Input should be a list: write [{error['input']}]"
    return error["msg"]
