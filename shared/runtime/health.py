"""Health: is the process alive, and is it set up to work? Touches no SDK and no service."""

from collections.abc import Sequence
from typing import Literal

from fastapi import APIRouter

from shared.config import Problem, Settings
from shared.config.load import oversights
from shared.config.settings import CATALOGUE
from shared.contracts.api import Answer
from shared.errors import Misconfigured

ALWAYS_NEEDED = (
    "ANNALS_HASH_KEY",
    "ANNALS_TASK_AUTH",
    "ANNALS_TASK_AUDIENCE",
    "ANNALS_TASK_SERVICE_ACCOUNT",
)


class LiveAnswer(Answer):
    function: str
    status: Literal["live"] = "live"


class ReadyAnswer(Answer):
    """`unset` are security settings without a value; `warnings` are what is wrong with the others,
    and what does not work for want of one."""

    function: str
    status: Literal["ready"] = "ready"
    unset: list[str]
    warnings: list[str]


def health_routes(
    function: str, settings: Settings, problems: Sequence[Problem], needed: Sequence[str]
) -> APIRouter:
    router = APIRouter(prefix="/health", tags=["health"])
    unset = unset_security(settings)
    missing = [name for name in unset if name in needed]
    bad = [problem.message for problem in problems if not problem.is_security]
    warnings = [*bad, *oversights(settings)]

    @router.get("/live")
    async def live() -> LiveAnswer:
        """The process answers."""
        return LiveAnswer(function=function)

    @router.get("/ready")
    async def ready() -> ReadyAnswer:
        """503 while a security setting that every deployment needs is missing, or while tasks are
        refused; names it."""
        if missing:
            named = ", ".join(missing)
            raise Misconfigured(f"not set, or not valid: {named}", settings=missing, unset=unset)
        if refused := outages():
            raise Misconfigured("; ".join(refused))
        return ReadyAnswer(function=function, unset=unset, warnings=warnings)

    return router


def unset_security(settings: Settings) -> list[str]:
    """The security settings that have no value, though they should."""
    return [
        setting.env
        for name, setting in CATALOGUE.items()
        if setting.security
        and (setting.needed or setting.default is not None)
        and getattr(settings, name) is None
    ]


_OUTAGES: dict[str, str] = {}
"""What this process may not do though it should, by name, until it succeeds again: faults of a
deployment (a missing right), not what passes by itself."""


def outage_began(name: str, reason: str) -> None:
    _OUTAGES[name] = reason


def outage_ended(name: str) -> None:
    _OUTAGES.pop(name, None)


def outages() -> list[str]:
    """The reasons, for whoever runs the deployment."""
    return list(_OUTAGES.values())
