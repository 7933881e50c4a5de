"""Health: is the process alive, and is it set up to work? Touches no SDK and no service."""

from collections.abc import Sequence
from typing import Literal

from fastapi import APIRouter

from shared.config import Problem, Settings
from shared.config.load import CATALOGUE
from shared.config.oversights import oversights
from shared.contracts.api import Answer
from shared.errors import Misconfigured
from shared.runtime import outages

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
        if refused := outages.known():
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
