"""`/admin`: counts, and faults to order. Needs no key; nothing here outlives the process."""

import json
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .faults import KINDS
from .refusal import Refusal, bad

if TYPE_CHECKING:
    from .app import Service


def admin_routes(service: "Service") -> list[Route]:
    async def overview(_: Request) -> Response:
        return JSONResponse(
            {
                "counts": service.tally.told(),
                "faults": service.faults.told(),
                "kinds": list(KINDS),
            }
        )

    async def counts(_: Request) -> Response:
        return JSONResponse(service.tally.told())

    async def reset_counts(_: Request) -> Response:
        service.forget_counts()
        return Response(status_code=204)

    async def faults(_: Request) -> Response:
        return JSONResponse({"faults": service.faults.told()})

    async def add_fault(request: Request) -> Response:
        fault = service.faults.add(await _wish(request))
        return JSONResponse(fault.told(), status_code=201)

    async def clear_faults(_: Request) -> Response:
        service.faults.clear()
        return Response(status_code=204)

    async def remove_fault(request: Request) -> Response:
        name = request.path_params["fault_id"]
        if not service.faults.remove(name):
            raise Refusal(404, f"There is no fault '{name}'.")
        return Response(status_code=204)

    async def reset(_: Request) -> Response:
        service.forget_counts()
        service.faults.clear()
        return Response(status_code=204)

    return [
        Route("/admin", overview),
        Route("/admin/counts", counts),
        Route("/admin/counts", reset_counts, methods=["DELETE"]),
        Route("/admin/faults", faults),
        Route("/admin/faults", add_fault, methods=["POST"]),
        Route("/admin/faults", clear_faults, methods=["DELETE"]),
        Route("/admin/faults/{fault_id}", remove_fault, methods=["DELETE"]),
        Route("/admin/reset", reset, methods=["POST"]),
    ]


async def _wish(request: Request) -> dict[str, Any]:
    try:
        wish = json.loads(await request.body())
    except ValueError:
        raise bad("A fault is a JSON object.") from None
    if not isinstance(wish, dict):
        raise bad("A fault is a JSON object.")
    return wish
