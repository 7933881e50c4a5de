"""Settings: every one has a type, a default, a range and a line of help; only this reads them.

`load` is pure. `settings()` is the process's own, read once, and `problems()` says what was wrong.
"""

import functools
import os
from typing import TypeVar

from shared.config.load import Problem, load
from shared.config.overrides import VARIANTS, effective, place_of, settings_for, variant_of
from shared.config.settings import CHAT_PLATFORM_SETTINGS, Settings
from shared.errors import Misconfigured

__all__ = [
    "CHAT_PLATFORM_SETTINGS",
    "VARIANTS",
    "Problem",
    "Settings",
    "effective",
    "load",
    "need",
    "place_of",
    "problems",
    "settings",
    "settings_for",
    "variant_of",
]

T = TypeVar("T")


def settings() -> Settings:
    return _loaded()[0]


def problems() -> tuple[Problem, ...]:
    return _loaded()[1]


@functools.cache
def _loaded() -> tuple[Settings, tuple[Problem, ...]]:
    return load(os.environ)


def need(value: T | None, name: str) -> T:
    """The value of a setting that work cannot go on without; Misconfigured names it."""
    if value is None:
        raise Misconfigured(f"{name} is not set, or not valid", setting=name)
    return value
