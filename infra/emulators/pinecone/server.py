"""The HTTP door: keys, faults, counting, and the routes of both planes and of the admin."""

import json
import secrets
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from . import admin, control_plane, data_plane
from .control_plane import DATA_PLANE
from .errors import (
    Code,
    ControlRefusal,
    DataRefusal,
    Refusal,
)
from .exchange import Answer, Asked
from .indexes import Indexes
from .state import State

CONTROL_ROUTES = [
    ("POST", "/indexes", "create_index", control_plane.create_index),
    ("GET", "/indexes", "list_indexes", control_plane.list_indexes),
    ("GET", "/indexes/{index}", "describe_index", control_plane.describe_index),
    ("PATCH", "/indexes/{index}", "configure_index", control_plane.configure_index),
    ("DELETE", "/indexes/{index}", "delete_index", control_plane.delete_index),
]
DATA_ROUTES = [
    ("POST", "/vectors/upsert", "upsert", data_plane.upsert),
    ("POST", "/query", "query", data_plane.query),
    ("GET", "/vectors/fetch", "fetch", data_plane.fetch),
    ("POST", "/vectors/fetch_by_metadata", "fetch_by_metadata", data_plane.fetch_by_metadata),
    ("POST", "/vectors/update", "update", data_plane.update),
    ("POST", "/vectors/delete", "delete", data_plane.delete),
    ("GET", "/vectors/list", "list", data_plane.list_ids),
    ("POST", "/describe_index_stats", "describe_index_stats", data_plane.describe_index_stats),
    ("GET", "/describe_index_stats", "describe_index_stats", data_plane.describe_index_stats),
    ("GET", "/namespaces", "list_namespaces", data_plane.list_namespaces),
    ("POST", "/namespaces", "create_namespace", data_plane.create_namespace),
    ("GET", "/namespaces/{namespace:path}", "describe_namespace", data_plane.describe_namespace),
    ("DELETE", "/namespaces/{namespace:path}", "delete_namespace", data_plane.delete_namespace),
]
NOT_EMULATED = (
    "/collections",
    "/backups",
    "/backup-schedules",
    "/restore-jobs",
    "/indexes/create-for-model",
    "/embed",
    "/rerank",
    "/models",
    "/assistant",
)
NOT_EMULATED_OF_AN_INDEX = ("/bulk/", "/records/", "/documents/")


def application(state: State) -> Starlette:
    routes: list[BaseRoute] = list(admin.routes(state))
    for method, path, call, operation in DATA_ROUTES:
        work = partial(_on_index, state.indexes, operation)
        routes.append(_route(state, method, f"{DATA_PLANE}/{{index}}{path}", call, work))
    for method, path, call, control in CONTROL_ROUTES:
        routes.append(_route(state, method, path, call, partial(control, state.indexes)))
    app = Starlette(routes=routes, exception_handlers={HTTPException: _unrouted})
    app.router.redirect_slashes = False
    return app


def _route(
    state: State, method: str, path: str, call: str, work: Callable[[Asked], Answer]
) -> Route:
    is_data = path.startswith(DATA_PLANE)

    async def serve(request: Request) -> Response:
        state.watch.call(call)
        content = await request.body()
        await state.delay(call)
        try:
            state.check_key(request.headers.get("api-key"))
            state.strike(call, is_data=is_data)
            with state.watch.query() if call == "query" else nullcontext():
                response = _respond(work(_asked(request, content)))
        except Refusal as refusal:
            state.watch.error(refusal.status)
            response = _refuse(refusal)
        except Exception:  # noqa: BLE001 - the door: a bug is a 500 in the service's shape
            traceback.print_exc()
            state.watch.error(500)
            response = _refuse(_failure(is_data=is_data))
        response.headers["x-pinecone-request-id"] = secrets.token_hex(8)
        return response

    return Route(path, serve, methods=[method])


def _on_index(indexes: Indexes, operation: data_plane.Operation, asked: Asked) -> Answer:
    try:
        index = indexes.open(asked.path["index"])
    except KeyError as error:
        raise DataRefusal(Code.NOT_FOUND, f"Index {asked.path['index']} not found") from error
    return operation(index, asked)


def _asked(request: Request, content: bytes) -> Asked:
    host = request.headers.get("host", "")
    return Asked(dict(request.path_params), request.query_params, content, host)


def _respond(answer: Answer) -> Response:
    if answer.body is None:
        return Response(status_code=answer.status, headers=answer.headers)
    text = json.dumps(answer.body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Response(text, answer.status, answer.headers, "application/json")


def _refuse(refusal: Refusal) -> Response:
    return Response(refusal.content, refusal.status, refusal.headers, refusal.media_type)


def _failure(*, is_data: bool) -> Refusal:
    message = "Internal error; the emulator's standard error has the trace"
    return DataRefusal(Code.INTERNAL, message) if is_data else ControlRefusal(500, message)


async def _unrouted(request: Request, _error: Exception) -> Response:
    """A path or method that is not served: 501 where the service has it, else 404."""
    path = unquote(request.url.path)
    if path.startswith("/admin"):
        return JSONResponse({"error": "no such admin path"}, 404)
    if path.startswith(f"{DATA_PLANE}/"):
        inner = "/" + path.removeprefix(f"{DATA_PLANE}/").partition("/")[2] + "/"
        if any(part in inner for part in NOT_EMULATED_OF_AN_INDEX):
            return _refuse(DataRefusal(Code.UNIMPLEMENTED, f"{inner} is not emulated"))
        return _refuse(DataRefusal(Code.NOT_FOUND, f"{request.method} {inner} not found"))
    if path.startswith(NOT_EMULATED) or path.endswith(("/backups", "/backup-schedules")):
        return _refuse(ControlRefusal(501, f"{path} is not emulated"))
    return _refuse(ControlRefusal(404, f"{request.method} {path} not found"))
