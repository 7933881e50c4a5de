"""What a group wants for itself: its own settings, and whose words are not kept."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from shared.config import Settings, effective
from shared.domain.group import Group, with_opt_out
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


async def opt_out(group_id: str, user_id: str, is_out: bool, deps: Deps) -> Group:
    """From now on, nothing this member says is kept but its place in the reply chain."""
    return await deps.groups.change(
        group_id, lambda group: with_opt_out(group, user_id, is_out), deps.now()
    )
