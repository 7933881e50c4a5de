"""The emulator's own controls under /admin: what it did, faults for tests, bulk loading."""

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .errors import Refusal
from .metadata import encoded, normalised
from .metrics import Faults
from .requests import namespace_name
from .sparse import Sparse
from .state import State

_LOADED_AT_ONCE = 10_000


def routes(state: State) -> list[Route]:
    return [
        _route("GET", "/admin/stats", partial(_stats, state)),
        _route("DELETE", "/admin/stats", partial(_forget_stats, state)),
        _route("GET", "/admin/faults", partial(_show_faults, state)),
        _route("PUT", "/admin/faults", partial(_set_faults, state)),
        _route("DELETE", "/admin/faults", partial(_end_faults, state)),
        _route("PUT", "/admin/keys", partial(_set_keys, state)),
        _route("POST", "/admin/reset", partial(_reset, state)),
        _route("POST", "/admin/checkpoint", partial(_checkpoint, state)),
        _route("POST", "/admin/load", partial(_load, state)),
    ]


def _route(
    method: str, path: str, work: Callable[[Request, bytes], dict[str, Any] | None]
) -> Route:
    async def serve(request: Request) -> Response:
        content = await request.body()
        try:
            answer = work(request, content)
        except (ValueError, TypeError, KeyError, Refusal) as error:
            return JSONResponse({"error": f"{type(error).__name__}: {error}"}, 400)
        return JSONResponse(answer or {})

    return Route(path, serve, methods=[method])


def _stats(state: State, _request: Request, _content: bytes) -> dict[str, Any]:
    return state.watch.shown()


def _forget_stats(state: State, _request: Request, _content: bytes) -> None:
    state.watch.reset()


def _show_faults(state: State, _request: Request, _content: bytes) -> dict[str, Any]:
    return asdict(state.faults)


def _set_faults(state: State, _request: Request, content: bytes) -> dict[str, Any]:
    state.set_faults(Faults(**json.loads(content)))
    return asdict(state.faults)


def _end_faults(state: State, _request: Request, _content: bytes) -> None:
    state.set_faults(Faults())


def _set_keys(state: State, _request: Request, content: bytes) -> None:
    state.keys = {str(key) for key in json.loads(content)["keys"]}


def _reset(state: State, _request: Request, _content: bytes) -> None:
    state.reset()


def _checkpoint(state: State, _request: Request, _content: bytes) -> None:
    state.indexes.erase_remains()


def _load(state: State, request: Request, content: bytes) -> dict[str, Any]:
    """Upsert past the limits of the API: a line of JSON, `ids` and maybe `metadata`, then numbers.

    They follow the line as little-endian bytes: float32, row after row; of a sparse index, whose
    line also has the number of values of each row as `counts`, all indices, then all values.
    """
    line, _, numbers = content.partition(b"\n")
    given = json.loads(line)
    ids: list[str] = given["ids"]
    index = state.indexes.open(request.query_params["index"])
    namespace = namespace_name(request.query_params)
    sparse = _sparse_rows(numbers, given["counts"]) if index.is_sparse else None
    values = (
        np.empty((len(ids), 0), dtype=np.float32)
        if sparse
        else np.frombuffer(numbers, dtype="<f4").reshape(len(ids), index.dimension)
    )
    metadata = [encoded(normalised(each)) for each in given.get("metadata") or [None] * len(ids)]
    for start in range(0, len(ids), _LOADED_AT_ONCE):
        part = slice(start, start + _LOADED_AT_ONCE)
        also = sparse[part] if sparse else None
        index.upsert(namespace, ids[part], values[part], metadata[part], also)
    return {"loaded": len(ids)}


def _sparse_rows(numbers: bytes, counts: list[int]) -> list[Sparse]:
    total = sum(counts)
    indices = np.frombuffer(numbers[: 4 * total], dtype="<u4")
    values = np.frombuffer(numbers[4 * total :], dtype="<f4")
    ends = np.cumsum(counts)[:-1]
    return [
        Sparse(*pair) for pair in zip(np.split(indices, ends), np.split(values, ends), strict=True)
    ]
