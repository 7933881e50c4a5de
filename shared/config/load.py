"""From an environment to settings: nothing here fails, everything wrong is named."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from shared.config.deployment import FUNCTIONS
from shared.config.models import PROMPTS
from shared.config.overrides import disagreements, refusals
from shared.config.setting import Setting
from shared.config.settings import CATALOGUE, Settings, masked


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
    *("ANNALS_CONFIG", "ANNALS_CONTEXT_DEADLINE", "ANNALS_GROUP", "ANNALS_KEY"),
    *("ANNALS_MAX_TOKENS", "ANNALS_PRIVATE_CHATS", "ANNALS_QUEUE", "ANNALS_URL"),
}
"""...or for our clients and bots, on a machine that runs both."""


def load(environ: Mapping[str, str]) -> tuple[Settings, tuple[Problem, ...]]:
    """Read every setting. A bad value gives way to the default; a security setting to None, and a
    budget to one that is used up."""
    by_env = {setting.env: (name, setting) for name, setting in CATALOGUE.items()}
    written = {env: text for env in by_env if (text := environ.get(env, "").strip())}
    bad: list[str] = []
    try:
        settings = Settings.model_validate(written)
    except ValidationError as error:
        named = {item["loc"][0] for item in error.errors()}
        bad = [env for env in written if env in named]
        good = {env: text for env, text in written.items() if env not in named}
        settings = Settings.model_validate(good)
    settings = settings.replaced(**{by_env[env][0]: _instead(by_env[env][1]) for env in bad})
    problems = [_bad(by_env[env][1], written[env]) for env in bad]
    problems += [
        Problem(env, f"{env} is not set", is_security=True, is_unset=True)
        for env, (_, setting) in by_env.items()
        if setting.needed and env not in written
    ]
    problems += [
        Problem(env, f"{env} is not the name of any setting")
        for env in sorted(environ.keys() - by_env.keys() - OF_CALLERS)
        if env.startswith(OURS)
    ]
    for names, message in disagreements(settings):
        envs = " and ".join(CATALOGUE[name].env for name in names)
        problems.append(Problem(envs, f"{envs}: {message}; using the defaults"))
        settings = settings.replaced(**{name: CATALOGUE[name].default for name in names})
    tried = dict(settings.ab_settings)
    if refused := next(refusals(settings, tried), None):
        reason = f"MEMORY_AB_SETTINGS: {refused.message}; using none"
        problems.append(Problem("MEMORY_AB_SETTINGS", reason))
        tried = {}
    return settings.replaced(ab_settings=tried), tuple(problems)


def _bad(setting: Setting, written: str) -> Problem:
    if setting.security:
        return Problem(setting.env, f"{setting.env} is not valid: expected {setting.expects}", True)
    shown = "its value" if setting.secret else repr(masked(written))
    instead = "leaving it unset" if setting.default is None else f"using {setting.default!r}"
    if setting.if_bad is not None:
        instead = "it counts as used up: no model is asked"
    reason = f"{shown} is not valid, expected {setting.expects}; {instead}"
    return Problem(setting.env, f"{setting.env}: {reason}")


def _instead(setting: Setting) -> object:
    """What holds where a value is bad."""
    if setting.security:
        return None
    return setting.default if setting.if_bad is None else setting.if_bad


def oversights(settings: Settings) -> Iterator[str]:
    """What settings leave undone though none of them is bad: said by `/health/ready`."""
    own_keys = {key.partition("=")[0] for key in settings.task_api_keys}
    if settings.pinecone_api_key is None:
        yield "PINECONE_API_KEY is not set: nothing is indexed, nothing found by meaning"
    if settings.openai_api_key is None and not (
        settings.embedding_api_key is not None and own_keys >= set(PROMPTS)
    ):
        yield "OPENAI_API_KEY is not set: no model is asked"
    if unknown := [name for name in FUNCTIONS if settings.url_of(name) is None]:
        named = ", ".join(f"ANNALS_URL_{name.upper()}" for name in unknown)
        yield f"{named} not set: tasks that go there are not sent"
    yield from _unpriced(settings)


def _unpriced(settings: Settings) -> Iterator[str]:
    """A model without a price costs nothing in our books: no budget in dollars ever stops it."""
    budgets = ("budget_dollars", "group_budget_dollars", "key_budget_dollars")
    named = ", ".join(CATALOGUE[name].env for name in budgets if getattr(settings, name) > 0)
    if not named:
        return
    asked = [settings.embedding_model, settings.model]
    asked += [own for prompt in PROMPTS if (own := getattr(settings, f"model_{prompt}"))]
    priced = {price.partition("=")[0] for price in settings.prices}
    if not priced:
        yield f"{named} without MEMORY_PRICES bounds nothing: no model has a price"
    elif unpriced := [model for model in dict.fromkeys(asked) if model not in priced]:
        yield f"{named} does not bound {', '.join(unpriced)}: MEMORY_PRICES has no price of it"
