"""What a group may set otherwise than the deployment: weights, thresholds, sizes, switches."""

from collections.abc import Mapping
from typing import Any

from shared.config.load import CATALOGUE, Settings, disagreements
from shared.config.setting import check
from shared.errors import InvalidInput

OVERRIDABLE = {name: setting for name, setting in CATALOGUE.items() if setting.per_group}


def effective(settings: Settings, overrides: Mapping[str, Any]) -> Settings:
    """The settings that hold for a group; null means: as the deployment has it.

    Raises InvalidInput naming the first override that is unknown or bad.
    """
    values: dict[str, Any] = {}
    for name, value in overrides.items():
        setting = OVERRIDABLE.get(name)
        if setting is None:
            raise InvalidInput(f"{name[:100]!r} is not a setting of groups", setting=name[:100])
        if value is None:
            continue
        try:
            values[name] = check(setting, value)
        except ValueError as error:
            raise InvalidInput(f"{name}: {error}", setting=name) from error
    changed = settings.replaced(**values)
    for names, message in disagreements(changed):
        if not set(names).isdisjoint(values):
            raise InvalidInput(f"{' and '.join(names)}: {message}", settings=list(names))
    return changed
