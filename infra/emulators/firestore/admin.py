"""The emulator's own controls over HTTP: counters, faults, checkpoint, reset."""

import json

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from .engine import Engine
from .faults import Faults
from .time_to_live import expire


def admin_app(engine: Engine, faults: Faults) -> Starlette:
    async def counters(_: Request) -> JSONResponse:
        return JSONResponse(engine.counters.as_dict())

    async def reset_counters(_: Request) -> JSONResponse:
        engine.counters.reset()
        return JSONResponse(engine.counters.as_dict())

    async def checkpoint(_: Request) -> JSONResponse:
        """Fold the log into the file; afterwards nothing deleted is left in the folder."""
        return JSONResponse({"done": engine.checkpoint()})

    async def expire_now(_: Request) -> JSONResponse:
        """Delete what its time to live has ended, without waiting for the hour."""
        return JSONResponse({"deleted": expire(engine)})

    async def set_faults(request: Request) -> JSONResponse:
        try:
            faults.set(**json.loads(await request.body()))
        except (TypeError, ValueError) as error:
            return JSONResponse({"error": str(error)}, status_code=400)
        return JSONResponse(vars(faults))

    async def reset(_: Request) -> JSONResponse:
        """As if never used: no documents, no counts, no faults."""
        engine.reset()
        faults.set()
        return JSONResponse({"done": True})

    return Starlette(
        routes=[
            Route("/counters", counters, methods=["GET"]),
            Route("/counters/reset", reset_counters, methods=["POST"]),
            Route("/expire", expire_now, methods=["POST"]),
            Route("/checkpoint", checkpoint, methods=["POST"]),
            Route("/faults", set_faults, methods=["PUT", "POST"]),
            Route("/reset", reset, methods=["POST"]),
        ]
    )
