"""Health: is the process alive, and is it set up to work? Touches no SDK and no service."""

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter

from shared.config import Problem, Settings
from shared.config.load import CATALOGUE
from shared.errors import Misconfigured

ALWAYS_NEEDED = (
    "ANNALS_HASH_KEY",
    "ANNALS_TASK_AUTH",
    "ANNALS_TASK_AUDIENCE",
    "ANNALS_TASK_SERVICE_ACCOUNT",
)


def health_routes(
    function: str, settings: Settings, problems: Sequence[Problem], needed: Sequence[str]
) -> APIRouter:
    router = APIRouter(prefix="/health", tags=["health"])
    unset = unset_security(settings)
    missing = [name for name in unset if name in needed]

    @router.get("/live")
    async def live() -> dict[str, Any]:
        return {"success": True, "function": function, "status": "live"}

    @router.get("/ready")
    async def ready() -> dict[str, Any]:
        """503 while a security setting that every deployment needs is missing; names it."""
        if missing:
            named = ", ".join(missing)
            raise Misconfigured(f"not set, or not valid: {named}", settings=missing, unset=unset)
        warnings = [problem.message for problem in problems if not problem.is_security]
        return {
            "success": True,
            "function": function,
            "status": "ready",
            "unset": unset,
            "warnings": warnings,
        }

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
