"""What runs say, as MLflow takes it: flat names of few characters, short texts, finite numbers."""

import math
import re
from collections.abc import Mapping
from typing import Any

HIDDEN = "(hidden)"
LONGEST = 500  # characters of a parameter's value

_SECRET = re.compile(r"(?i)(?:^|[._-])(?:\w*api_?key|key|secret|passw(?:or)?d|token|credentials?)$")
_LOGIN = re.compile(r"(?<=://)[^/@\s]+@")


def flatten(parameters: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Return nested settings by dotted name, shortened, with secrets hidden."""
    flat: dict[str, str] = {}
    for key, value in parameters.items():
        name = f"{prefix}{safe(str(key))}"
        if isinstance(value, Mapping) and value:
            flat |= flatten(value, f"{name}.")
        else:
            hidden = HIDDEN if value and _SECRET.search(name) else loginless(str(value))
            flat[name] = hidden if len(hidden) <= LONGEST else hidden[: LONGEST - 1] + "…"
    return flat


def measures(summary: Mapping[str, Any], prefix: str = "") -> dict[str, float]:
    """Return every finite number of a summary by dotted name; intervals are `low` and `high`."""
    found: dict[str, float] = {}
    for key, value in summary.items():
        name = f"{prefix}{safe(str(key))}"
        if isinstance(value, list) and len(value) == 2 and all(map(_is_number, value)):
            value = dict(zip(("low", "high"), value, strict=True))
        if isinstance(value, Mapping):
            found |= measures(value, f"{name}.")
        elif _is_number(value) and math.isfinite(value):
            found[name] = float(value)
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def safe(name: str) -> str:
    """Return a name with only those characters that MLflow takes."""
    return re.sub(r"[^\w./ -]", "_", name.replace("@", "_at_").replace("%", "_percent"))


def loginless(text: str) -> str:
    """Return a text without the logins in its addresses."""
    return _LOGIN.sub("", text)
