"""Version: whether a finished run is of the code that is here now."""

import logging
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from clew.evaluate.manifest import commit_of

_log = logging.getLogger(__name__)


@cache
def commit() -> str:
    """Return the commit that the code is of, or "unknown"."""
    return commit_of(Path(__file__))[0]


def warn_of_other(name: str, told: Mapping[str, Any]) -> None:
    """Warn that a run which is not made again was made by another commit."""
    made = str(told.get("commit", "unknown"))
    if made != commit():
        _log.warning(
            "%s is done and skipped, though commit %s made it and this is %s; overwrite=true "
            "makes it again", name, made[:10], commit()[:10],
        )  # fmt: skip
