"""Read files and JSON fields whose shape nobody promised, and say where they are wrong."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from clew.errors import DataError

T = TypeVar("T")

_WORDS = {dict: "an object", list: "a list", str: "a text", int: "a whole number"}


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes, or say why not and which setting points there."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise DataError(f"{path}: is a device or a pipe; set dataset.path to a file")
    try:
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise DataError(f"{path}: cannot be read ({reason}); set dataset.path") from None


def parse(raw: bytes, place: str) -> Any:
    """Return the JSON value in `raw`."""
    try:
        return json.loads(raw)
    except UnicodeDecodeError as error:
        raise DataError(f"{place}: not UTF-8 at byte {error.start}; is it JSON?") from None
    except json.JSONDecodeError as error:
        whole = error.pos >= len(error.doc.rstrip())
        what = "ends in the middle (truncated?)" if whole else f"is not JSON ({error.msg})"
        line = f"line {error.lineno}, " if "\n" in error.doc.strip() else ""
        raise DataError(f"{place}: {what} at {line}column {error.colno}") from None
    except ValueError as error:  # such as a number of thousands of digits
        raise DataError(f"{place}: is not JSON that can be read ({error})") from None
    except RecursionError:
        raise DataError(f"{place}: is nested too deeply to be a dataset") from None


def expect(value: Any, kind: type[T], place: str) -> T:
    """Return `value` if it is of this kind; true and false are no numbers here."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        wanted = _WORDS.get(kind, kind.__name__)
        raise DataError(f"{place}: should be {wanted}, is {type(value).__name__} {_short(value)}")
    return value


def field(record: Mapping[str, Any], key: str, kind: type[T], place: str) -> T:
    """Return a field that has to be there and of this kind."""
    if key not in record:
        keys = ", ".join(sorted(map(str, record))[:12]) or "none"
        raise DataError(f"{place}: has no '{key}' (its keys: {keys})")
    return expect(record[key], kind, f"{place}.{key}")


def identifier(record: Mapping[str, Any], key: str, place: str) -> str:
    """Return a field that names something in files and stores: a text that can be written."""
    name = field(record, key, str, place)
    if any("\ud800" <= letter <= "\udfff" for letter in name):
        raise DataError(f"{place}.{key}: {_short(name)} holds half a character; set another")
    return name


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
