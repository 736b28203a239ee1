"""A stage of the released code with one of its switches on."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

Only = Callable[..., Any]


@pytest.fixture
def only() -> Only:
    """Make a stage with all its switches off but those named."""

    def make(stage: type, *switches: str, **numbers: Any) -> Any:
        known = [field.name for field in fields(stage) if field.type is bool]
        assert set(switches) <= set(known)
        return stage(**{name: name in switches for name in known}, **numbers)

    return make
