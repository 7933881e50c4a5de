"""Every setting of a process, and how one value is read."""

import functools
import re
from collections.abc import Iterator
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from shared.config.deployment import (
    ChatPlatformSettings,
    GuardSettings,
    PlaceSettings,
    WorkSettings,
)
from shared.config.memory import LongTermSettings, SelectionSettings, TopicSettings, UpkeepSettings
from shared.config.models import BudgetSettings, ModelSettings, TaskModelSettings
from shared.config.setting import Section, described

SECTIONS: tuple[type[Section], ...] = (
    *(SelectionSettings, LongTermSettings, TopicSettings, UpkeepSettings),
    *(ModelSettings, TaskModelSettings, BudgetSettings),
    *(PlaceSettings, WorkSettings, GuardSettings, ChatPlatformSettings),
)
CATALOGUE = {name: setting for section in SECTIONS for name, setting in described(section).items()}
"""Every setting by its attribute, in the order of the documentation."""
CHAT_PLATFORM_SETTINGS = tuple(ChatPlatformSettings.model_fields)
"""What the modules of `shared/platforms` are given of them."""


class Settings(
    ChatPlatformSettings,
    GuardSettings,
    WorkSettings,
    PlaceSettings,
    BudgetSettings,
    TaskModelSettings,
    ModelSettings,
    UpkeepSettings,
    TopicSettings,
    LongTermSettings,
    SelectionSettings,
):
    """Every setting of a process. Does not change."""

    model_config = ConfigDict(
        alias_generator=lambda name: CATALOGUE[name].env, title="Settings", defer_build=False
    )

    def replaced(self, **values: Any) -> "Settings":
        """A copy with these values, which are valid already."""
        return self.model_copy(update=values)

    def of_chat_platforms(self) -> dict[str, str]:
        """Those that are set, by their names."""
        values = ((name, getattr(self, name)) for name in CHAT_PLATFORM_SETTINGS)
        return {name: value for name, value in values if value}

    def __repr_args__(self) -> Iterator[tuple[str, Any]]:
        for name, value in vars(self).items():
            if not CATALOGUE[name].secret:
                yield name, masked(value) if isinstance(value, str) else value


def read(name: str, value: Any) -> Any:
    """A setting's value, or ValueError saying what it may be. A text is read as an environment
    variable's would be; what comes as JSON must have the right type."""
    is_text = isinstance(value, str)
    try:
        return _reader(name).validate_python(
            value.strip() if is_text else value, strict=not is_text
        )
    except ValidationError as error:
        raise ValueError(f"expected {CATALOGUE[name].expects}") from error


@functools.cache
def _reader(name: str) -> TypeAdapter[Any]:
    annotation = Settings.model_fields[name].rebuild_annotation()
    return TypeAdapter(annotation, config=ConfigDict(allow_inf_nan=False))


HIDDEN = "***"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}://")
LONGEST_SHOWN = 80


def masked(text: str) -> str:
    """What may be shown of a value: nothing before an `@`, and no query of an address. Masked first
    and cut then: a cut may take the `@` away by which a password is known."""
    scheme = _SCHEME.match(text)
    _, at, place = text.rpartition("@")
    if at:
        text = f"{scheme.group() if scheme else ''}{HIDDEN}@{place}"
    if scheme:
        address, mark, _ = text.partition("?")
        text = f"{address}?{HIDDEN}" if mark else address
    return text[:LONGEST_SHOWN]
