"""What a group may set otherwise than the deployment: weights, thresholds, sizes, switches."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from shared import log
from shared.config.settings import CATALOGUE, Settings, read
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
    if variant_of(group, deployment) == "b":
        deployment = deployment.replaced(**deployment.ab_settings)
    values = dict(group.settings)
    for error in refusals(deployment, values):
        log.warning("group_setting_not_valid", group_id=group.group_id, reason=error.message)
    return deployment.replaced(**values)


VARIANTS = ("", "a", "b")
"""Of groups that take no part in the experiment, that have the deployment's settings, and that have
those of the experiment."""


def variant_of(group: OwnSettings, deployment: Settings) -> str:
    """Always the same for the same group and share; a larger share only adds to `b`. A group that
    has set one of these things itself takes no part."""
    tried = deployment.ab_settings
    if not tried or any(group.settings.get(name) is not None for name in tried):
        return ""
    return "b" if place_of(group.group_id, "ab") < deployment.ab_share else "a"


def place_of(group_id: str, purpose: str = "") -> float:
    """Between 0 and 1, spread evenly over groups; each purpose spreads them anew."""
    named = f"{purpose}:{group_id}" if purpose else group_id
    return int.from_bytes(hashlib.sha256(named.encode()).digest()[:4], "big") / 2**32


def effective(settings: Settings, overrides: Mapping[str, Any]) -> Settings:
    """The settings with these overrides; null means: as the deployment has it.

    Raises InvalidInput naming the first override that is unknown or bad.
    """
    values = dict(overrides)
    for error in refusals(settings, values):
        raise error
    return settings.replaced(**values)


def refusals(settings: Settings, values: dict[str, Any]) -> Iterator[InvalidInput]:
    """What is wrong with the overrides, and takes it out of them: what is left can hold."""
    for name, value in list(values.items()):
        del values[name]
        if name not in OVERRIDABLE:
            yield InvalidInput(f"{name[:100]!r} is not a setting of groups", setting=name[:100])
        elif value is not None:
            try:
                values[name] = read(name, value)
            except ValueError as error:
                yield InvalidInput(f"{name}: {error}", setting=name)
    for names, message in disagreements(settings.replaced(**values)):
        if not values.keys().isdisjoint(names):
            for name in names:
                values.pop(name, None)
            yield InvalidInput(f"{' and '.join(names)}: {message}", settings=list(names))


WEIGHTS = (
    "reply_chain_weight",
    "time_decay_weight",
    "user_continuity_weight",
    "mention_relation_weight",
    "keyword_overlap_weight",
)


def disagreements(settings: Settings) -> Iterator[tuple[tuple[str, ...], str]]:
    """Settings that are each valid but not together."""
    if settings.topic_ask_threshold > settings.topic_join_threshold:
        thresholds = ("topic_join_threshold", "topic_ask_threshold")
        yield thresholds, "the ask threshold is above the join threshold"
    if settings.archive_threshold >= settings.core_threshold:
        thresholds = ("archive_threshold", "core_threshold")
        yield thresholds, "the archive threshold is not below the core threshold"
    if not any(getattr(settings, name) for name in WEIGHTS):
        yield WEIGHTS, "all weights are zero"
