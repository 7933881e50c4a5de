"""What a group wants for itself: its own settings, and whose words are not kept."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from shared.config import Settings, effective
from shared.domain.group import Group
from shared.stores.groups import Groups


@dataclass(frozen=True)
class Deps:
    groups: Groups
    settings: Settings
    now: Callable[[], datetime]


async def put_settings(group_id: str, changes: Mapping[str, Any], deps: Deps) -> Group:
    """They replace the former ones. Only here are they checked: InvalidInput names a bad one."""
    effective(deps.settings, changes)
    return await deps.groups.change(
        group_id, lambda group: replace(group, settings=changes), deps.now()
    )
