"""From an environment to settings: nothing here fails, everything wrong is named."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Never

from shared.config.context import LongTerm, Selection
from shared.config.deployment import Deadlines, Healing, Pace, Places, Queues, Sending
from shared.config.masking import masked
from shared.config.models import Budgets, Models, TaskModels
from shared.config.security import Guards
from shared.config.setting import Setting, assignments, read
from shared.config.topics import Topics
from shared.config.upkeep import Upkeep

SECTIONS = (
    Selection,
    LongTerm,
    Topics,
    Upkeep,
    Models,
    TaskModels,
    Budgets,
    Places,
    Deadlines,
    Sending,
    Queues,
    Pace,
    Healing,
    Guards,
)


def declared(section: type) -> Iterator[tuple[str, Setting]]:
    """The settings of one section, by their attribute."""
    for name, found in vars(section).items():
        if isinstance(found, Setting):
            yield name, found


CATALOGUE = {name: setting for section in SECTIONS for name, setting in declared(section)}
"""Every setting by its attribute, in the order of the documentation."""


class Settings(
    Guards,
    Healing,
    Pace,
    Queues,
    Sending,
    Deadlines,
    Places,
    Budgets,
    TaskModels,
    Models,
    Upkeep,
    Topics,
    LongTerm,
    Selection,
):
    """Every setting of a process. Does not change.

    Not a dataclass: the code that one generates for so many fields costs every cold start.
    """

    def __init__(self, **values: Any) -> None:
        if unknown := values.keys() - CATALOGUE.keys():
            raise TypeError(f"no such settings: {', '.join(sorted(unknown))}")
        defaults = {name: setting.default for name, setting in CATALOGUE.items()}
        vars(self).update(defaults | values)

    def replaced(self, **values: Any) -> "Settings":
        return Settings(**(vars(self) | values))

    def __setattr__(self, name: str, _: object) -> Never:
        raise AttributeError(f"{name} cannot be set: settings do not change")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Settings) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = (
            f"{name}={_shown(getattr(self, name))!r}"
            for name, setting in CATALOGUE.items()
            if not setting.secret
        )
        return f"Settings({', '.join(shown)})"


def _shown(value: Any) -> Any:
    return masked(value) if isinstance(value, str) else value


@dataclass(frozen=True)
class Problem:
    """A setting that is not as it should be, and what holds instead."""

    name: str
    message: str
    is_security: bool = False
    is_unset: bool = False


OURS = ("MEMORY_", "ANNALS_")
"""So begin names that can only be meant for us..."""
OF_CALLERS = {
    "ANNALS_CONFIG",
    "ANNALS_CONTEXT_DEADLINE",
    "ANNALS_GROUP",
    "ANNALS_KEY",
    "ANNALS_MAX_TOKENS",
    "ANNALS_PRIVATE_CHATS",
    "ANNALS_QUEUE",
    "ANNALS_URL",
}
"""...or for our clients and bots, on a machine that runs both."""


def load(environ: Mapping[str, str]) -> tuple[Settings, tuple[Problem, ...]]:
    """Read every setting. A bad value gives way to the default; a security setting to None, and a
    budget to one that is used up."""
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, setting in CATALOGUE.items():
        written = environ.get(setting.env, "").strip()
        if not written:
            if setting.security and setting.needed:
                problems.append(Problem(setting.env, f"{setting.env} is not set", True, True))
            continue
        try:
            values[name] = _value(setting, written)
        except ValueError as error:
            values[name] = _instead(setting)
            problems.append(_bad(setting, written, str(error)))
    known = {setting.env for _, setting in CATALOGUE.items()}
    problems += [
        Problem(env, f"{env} is not the name of any setting")
        for env in sorted(environ)
        if env.startswith(OURS) and env not in known and env not in OF_CALLERS
    ]
    settings = Settings(**values)
    for names, message in disagreements(settings):
        envs = " and ".join(setting.env for name, setting in CATALOGUE.items() if name in names)
        problems.append(Problem(envs, f"{envs}: {message}; using the defaults"))
        values = {name: value for name, value in values.items() if name not in names}
    settings = Settings(**values)
    for _, message in disagreements(settings.replaced(**settings.ab_settings)):
        problems.append(Problem("MEMORY_AB_SETTINGS", f"MEMORY_AB_SETTINGS: {message}; using none"))
        settings = settings.replaced(ab_settings={})
    return settings, tuple(problems)


def _value(setting: Setting, written: str) -> Any:
    return _overrides(written) if setting.kind == "overrides" else read(setting, written)


def _overrides(written: str) -> dict[str, Any]:
    """Other settings with their values; ValueError names the first that a group may not have."""
    found: dict[str, Any] = {}
    for name, value in assignments(written, ";").items():
        setting = CATALOGUE.get(name)
        if setting is None or not setting.per_group:
            raise ValueError(f"{name[:100]!r} is not a setting of groups")
        try:
            found[name] = read(setting, value)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error
    return found


def _bad(setting: Setting, written: str, error: str) -> Problem:
    if setting.security:
        return Problem(setting.env, f"{setting.env} is not valid: {error}", True)
    shown = "its value" if setting.secret else repr(masked(written))
    instead = "leaving it unset" if setting.default is None else f"using {setting.default!r}"
    if setting.if_bad is not None:
        instead = "it counts as used up: no model is asked"
    return Problem(setting.env, f"{setting.env}: {shown} is not valid, {error}; {instead}")


def _instead(setting: Setting) -> Any:
    """What holds where a value is bad."""
    if setting.security:
        return None
    return setting.default if setting.if_bad is None else setting.if_bad


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
        yield (
            ("topic_join_threshold", "topic_ask_threshold"),
            "the ask threshold is above the join threshold",
        )
    if settings.archive_threshold >= settings.core_threshold:
        yield (
            ("archive_threshold", "core_threshold"),
            "the archive threshold is not below the core threshold",
        )
    if not any(getattr(settings, name) for name in WEIGHTS):
        yield WEIGHTS, "all weights are zero"
