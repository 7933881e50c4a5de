"""The emulator's own controls over HTTP: numbers, waiting until idle, faults, certificates."""

from datetime import UTC, datetime
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from . import faults, names
from .dispatcher import Dispatcher
from .faults import BadFault, Faults
from .protobuf import SECOND
from .store import Store
from .stored_task import Finished, Glance, TaskRow
from .tokens import Signer

_TIMEOUT_S = 30.0
_HORIZON_S = 60.0


class BadRequest(Exception):
    """The message says what to send instead."""


class Admin:
    def __init__(
        self, store: Store, dispatcher: Dispatcher, in_force: Faults, signer: Signer
    ) -> None:
        self._store = store
        self._dispatcher = dispatcher
        self._faults = in_force
        self._signer = signer

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/health", self.health),
                Route("/queues", self.queues),
                Route("/tasks", self.tasks),
                Route("/wait-idle", self.wait_idle, methods=["POST"]),
                Route("/checkpoint", self.checkpoint, methods=["POST"]),
                Route("/faults", self.list_faults),
                Route("/faults", self.add_fault, methods=["POST"]),
                Route("/faults", self.clear_faults, methods=["DELETE"]),
                Route("/certs", self.certificates),
                Route("/certs/jwk", self.jwk_set),
            ],
            exception_handlers={BadRequest: _refused, BadFault: _refused},
        )

    async def health(self, _: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def queues(self, _: Request) -> Response:
        return JSONResponse(
            {"queues": [self._told_queue(glance) for glance in self._store.glance()]}
        )

    async def tasks(self, request: Request) -> Response:
        """Tasks that are, and for an hour those that were; of one queue or of all."""
        asked = request.query_params.get("queue")
        told: list[dict[str, Any]] = []
        for queue in self._store.queues():
            if asked in (None, queue.name, names.short(queue.name)):
                told += [_told_task(row) for row in self._store.tasks(queue.name)]
                told += [_told_end(end) for end in self._store.all_finished(queue.name)]
        return JSONResponse({"tasks": told})

    async def wait_idle(self, request: Request) -> Response:
        asked = await _body(request)
        timeout_s = _seconds(asked, "timeout_s", _TIMEOUT_S)
        horizon_s = _seconds(asked, "horizon_s", _HORIZON_S)
        is_idle = await self._dispatcher.until_idle(round(horizon_s * SECOND), timeout_s)
        glances = self._store.glance()
        told = {
            "idle": is_idle,
            "running": self._dispatcher.running,
            "pending": sum(glance.pending for glance in glances),
        }
        return JSONResponse(told, 200 if is_idle else 504)

    async def checkpoint(self, _: Request) -> Response:
        self._store.checkpoint()
        return Response(status_code=204)

    async def list_faults(self, _: Request) -> Response:
        return JSONResponse({"faults": self._faults.told()})

    async def add_fault(self, request: Request) -> Response:
        fault = faults.parsed(await _body(request))
        self._faults.add(fault)
        return JSONResponse(fault.told(), 201)

    async def clear_faults(self, _: Request) -> Response:
        self._faults.clear()
        return Response(status_code=204)

    async def certificates(self, _: Request) -> Response:
        return JSONResponse(self._signer.certificates())

    async def jwk_set(self, _: Request) -> Response:
        return JSONResponse(self._signer.jwk_set())

    def _told_queue(self, glance: Glance) -> dict[str, Any]:
        return {
            "id": names.short(glance.name),
            "name": glance.name,
            "paused": glance.paused,
            "pending": glance.pending,
            "running": glance.running,
            "done": glance.done,
            "failed": glance.failed,
            "share": round(self._dispatcher.share(glance.name), 3),
            "oldest_eta": None if glance.oldest_eta_us is None else _time(glance.oldest_eta_us),
        }


async def _refused(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 400)


async def _body(request: Request) -> dict[str, Any]:
    """The JSON object of a request; none at all is an empty one."""
    if not await request.body():
        return {}
    try:
        content = await request.json()
    except ValueError as error:
        raise BadRequest(f"the body is not JSON: {error}") from error
    if not isinstance(content, dict):
        raise BadRequest("the body must be a JSON object")
    return content


def _seconds(asked: dict[str, Any], name: str, default: float) -> float:
    value = asked.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1e6:
        raise BadRequest(f"{name} must be a number of seconds")
    return float(value)


def _told_task(row: TaskRow) -> dict[str, Any]:
    return {
        "name": row.name,
        "state": "running" if row.in_flight else "scheduled",
        "eta": _time(row.schedule_us),
        "dispatches": row.dispatches,
        "failures": row.failures,
        "interruptions": row.interruptions,
        "last_response": row.previous_response,
    }


def _told_end(end: Finished) -> dict[str, Any]:
    return {
        "name": end.name,
        "state": end.outcome,
        "finished": _time(end.finished_us),
        "dispatches": end.dispatches,
        "failures": end.failures,
        "interruptions": end.interruptions,
    }


def _time(us: int) -> str:
    return datetime.fromtimestamp(us / SECOND, UTC).isoformat()
