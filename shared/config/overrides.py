"""What a group may set otherwise than the deployment: weights, thresholds, sizes, switches."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from shared import log
from shared.config.load import CATALOGUE, Settings, disagreements
from shared.config.setting import check
from shared.errors import InvalidInput

OVERRIDABLE = {name: setting for name, setting in CATALOGUE.items() if setting.per_group}


class OwnSettings(Protocol):
    """A group, as far as its settings go."""

    @property
    def group_id(self) -> str: ...
    @property
    def settings(self) -> Mapping[str, Any]: ...


def settings_for(group: OwnSettings | None, deployment: Settings) -> Settings:
    """The settings that hold for a group: the one rule of every pipeline, and it never raises.

    A stored value that is not valid any more gives way to the deployment's, and is named in the
    log; nobody has set anything for a group that does not exist yet.
    """
    if group is None:
        return deployment
    values = dict(group.settings)
    for error in _refusals(deployment, values):
        log.warning("group_setting_not_valid", group_id=group.group_id, reason=error.message)
    return deployment.replaced(**values)


def effective(settings: Settings, overrides: Mapping[str, Any]) -> Settings:
    """The settings with these overrides; null means: as the deployment has it.

    Raises InvalidInput naming the first override that is unknown or bad.
    """
    values = dict(overrides)
    for error in _refusals(settings, values):
        raise error
    return settings.replaced(**values)


def _refusals(settings: Settings, values: dict[str, Any]) -> Iterator[InvalidInput]:
    """What is wrong with the overrides, and takes it out of them: what is left can hold."""
    for name, value in list(values.items()):
        setting = OVERRIDABLE.get(name)
        del values[name]
        if setting is None:
            yield InvalidInput(f"{name[:100]!r} is not a setting of groups", setting=name[:100])
        elif value is not None:
            try:
                values[name] = check(setting, value)
            except ValueError as error:
                yield InvalidInput(f"{name}: {error}", setting=name)
    for names, message in disagreements(settings.replaced(**values)):
        if not values.keys().isdisjoint(names):
            for name in names:
                values.pop(name, None)
            yield InvalidInput(f"{' and '.join(names)}: {message}", settings=list(names))
