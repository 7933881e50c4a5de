"""One port for five functions: `/<function>/...` goes to the function's own port, or to that of its
spare while it is started again."""

from collections.abc import AsyncIterator, Mapping, Sequence

import httpx
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
HOP_BY_HOP = {
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "host",
}


READ_BY_POST = ("/context",)
"""Asked twice, it is answered twice, and nothing else comes of it."""
IDLE_S = 1.0
"""A function's server hangs up on what was idle for 2 s: a connection is given up before that, or
a request might be sent into one that is being closed."""


def make_proxy(ports: Mapping[str, Sequence[int]]) -> Starlette:
    """The ports of each function's instances: the next is tried where one does not answer."""
    client = httpx.AsyncClient(
        timeout=httpx.Timeout(600, connect=5),
        limits=httpx.Limits(keepalive_expiry=IDLE_S),
        trust_env=False,
    )

    async def forward(request: Request) -> Response:
        name = request.path_params["function"]
        if name not in ports:
            return _error(404, "not_found", f"no function {name}; there are {', '.join(ports)}")
        rest = request.scope["raw_path"].decode("latin-1").partition(f"/{name}")[2] or "/"
        query = request.scope["query_string"].decode("latin-1")
        where = rest + (f"?{query}" if query else "")
        headers = [(key, value) for key, value in request.headers.raw if _passes(key)]
        content = await request.body()
        is_safe = request.method in ("GET", "HEAD") or rest in READ_BY_POST
        answer: httpx.Response | None = None
        failed = ""
        for port in ports[name]:
            try:
                url = f"http://127.0.0.1:{port}{where}"
                sent = client.build_request(request.method, url, headers=headers, content=content)
                answer = await client.send(sent, stream=True)
                break
            except (httpx.InvalidURL, httpx.LocalProtocolError):
                return _error(400, "invalid_input", "this address or header cannot be sent on")
            except httpx.TransportError as error:
                failed = type(error).__name__
                if not (is_safe or isinstance(error, httpx.ConnectError)):
                    break  # it may have been done: who asked must say whether to ask again
        if answer is None:
            return _error(503, "unavailable", f"{name} does not answer ({failed})")
        found = answer

        async def body() -> AsyncIterator[bytes]:
            try:
                async for chunk in found.aiter_raw():
                    yield chunk
            finally:
                await found.aclose()

        response = StreamingResponse(body(), status_code=found.status_code)
        response.raw_headers = [(key, value) for key, value in found.headers.raw if _passes(key)]
        return response

    async def index(_: Request) -> Response:
        return JSONResponse({"functions": {name: f"/{name}" for name in ports}})

    return Starlette(
        routes=[
            Route("/", index),
            Route("/{function}", forward, methods=METHODS),
            Route("/{function}/{rest:path}", forward, methods=METHODS),
        ],
        exception_handlers={HTTPException: _refused, Exception: _failed},
    )


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    codes = {404: "not_found", 405: "method_not_allowed"}
    code = codes.get(error.status_code, f"http_{error.status_code}")
    answer = _error(error.status_code, code, str(error.detail))
    answer.headers.update(error.headers or {})
    return answer


async def _failed(_: Request, error: Exception) -> Response:
    return _error(500, "internal", f"the local port failed ({type(error).__name__})")


def _passes(header: bytes) -> bool:
    return header.decode("latin-1").lower() not in HOP_BY_HOP


def _error(status: int, code: str, message: str) -> JSONResponse:
    error = {"code": code, "message": message, "detail": {}}
    return JSONResponse({"success": False, "error": error}, status)
