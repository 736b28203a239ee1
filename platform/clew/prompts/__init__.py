"""Prompts: what language models are told, one file of Markdown per call, in named parts.

A part begins at a heading of the second level. The hash is of the whole file, so that a
manifest tells under which words a run was made.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

FOLDER = Path(__file__).parent
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Prompt:
    """The parts of a prompt by heading, and the hash of all of it."""

    name: str
    parts: Mapping[str, str]
    hash: str

    def __getitem__(self, part: str) -> str:
        return self.parts[part]


@cache
def load(name: str) -> Prompt:
    """Return a prompt by the name of its file."""
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    _, *rest = _HEADING.split(text)
    parts = {head.strip(): body.strip() for head, body in zip(rest[::2], rest[1::2], strict=True)}
    return Prompt(name, MappingProxyType(parts), hashlib.sha256(text.encode()).hexdigest())
