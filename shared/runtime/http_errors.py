"""Errors to answers: the one place that knows which HTTP status an error becomes.

Every refusal has the same shape, says what to fix, and shows nothing of the inside.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared import log
from shared.errors import (
    AnnalsError,
    BadReply,
    Conflict,
    Forbidden,
    InvalidInput,
    JobFailed,
    Misconfigured,
    NotFound,
    TooLarge,
    Transient,
    Unauthenticated,
)

STATUS: Mapping[type[AnnalsError], int] = {
    InvalidInput: 400,
    TooLarge: 413,
    Unauthenticated: 401,
    Forbidden: 403,
    NotFound: 404,
    Conflict: 409,
    Transient: 503,
    BadReply: 502,
    JobFailed: 502,
}
RETRY_AFTER_S = 5
"""Told with a 503: what is away for a moment is back, and not everybody asks at once."""
MAX_PROBLEMS = 20
"""Of one body: who sends a list of 500 wrong messages is told the first."""

_OF_HTTP = {
    404: ("not_found", "There is no such route."),
    405: ("method_not_allowed", "The route does not take this method."),
}


@dataclass(frozen=True)
class ErrorAnswer:
    """What the caller is told of an error. `is_ours`: the fault is on this side."""

    status: int
    code: str
    message: str
    detail: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_ours(self) -> bool:
        return self.status >= 500

    def response(self) -> Response:
        error = {"code": self.code, "message": self.message, "detail": self.detail}
        # ASCII: whatever the caller sent and we quote, the answer can be encoded.
        body = json.dumps({"success": False, "error": error}, default=str)
        return Response(body, self.status, dict(self.headers), "application/json")


def answer_for(error: BaseException) -> ErrorAnswer:
    """The answer to any error that reached the door."""
    match error:
        case AnnalsError():
            return _of_annals(error)
        case RequestValidationError():
            return _of_annals(_of_validation(error.errors()))
        case HTTPException(__cause__=AnnalsError() as cause):
            # FastAPI's own wrapping of whatever failed while it read the body.
            return _of_annals(cause)
        case HTTPException():
            return _of_http(error)
        case BaseExceptionGroup():
            found = _worst(error)
            if found is not None:
                return _of_annals(found)
    return ErrorAnswer(500, "internal", "Something went wrong here; it has been logged.")


def _of_annals(error: AnnalsError) -> ErrorAnswer:
    status = next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 500)
    headers: dict[str, str] = {}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if status == 503:
        headers["Retry-After"] = str(error.detail.get("retry_after_s", RETRY_AFTER_S))
    return ErrorAnswer(status, error.code, error.message, error.detail, headers)


def _of_http(error: HTTPException) -> ErrorAnswer:
    other = (f"http_{error.status_code}", str(error.detail))
    code, message = _OF_HTTP.get(error.status_code, other)
    if error.status_code == 400:
        code, message = InvalidInput.code, "The body cannot be read; send JSON in UTF-8."
    return ErrorAnswer(error.status_code, code, message, headers=error.headers or {})


def _worst(group: BaseExceptionGroup[BaseException]) -> AnnalsError | None:
    """Of several errors of our own the one that matters most; None if any other is among them."""
    leaves = list(_leaves(group))
    own = [leaf for leaf in leaves if isinstance(leaf, AnnalsError)]
    if len(own) < len(leaves):
        return None
    return max(own, key=lambda error: _of_annals(error).status)


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for inner in group.exceptions:
        if isinstance(inner, BaseExceptionGroup):
            yield from _leaves(inner)
        else:
            yield inner


def _of_validation(errors: Sequence[Any]) -> InvalidInput:
    """Says where and what, and never repeats what was sent."""
    if any(_is_unread(error) for error in errors):
        errors = [error for error in errors if _is_unread(error)][:1]
    problems = [_problem(error) for error in errors[:MAX_PROBLEMS]]
    first = problems[0] if problems else {"where": "request", "problem": "it is not valid"}
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return InvalidInput(f"{first['where']}: {first['problem']}{more}", problems=problems)


def _problem(error: Mapping[str, Any]) -> dict[str, str]:
    where = ".".join(str(part)[:100] for part in error["loc"])
    if error["type"] == "json_invalid":
        said = error.get("ctx", {}).get("error", "it ends too early")
        return {"where": "body", "problem": f"not valid JSON at character {_last(where)}: {said}"}
    if _is_unread(error):
        problem = "send JSON with the header Content-Type: application/json"
        return {"where": "body", "problem": problem}
    return {"where": where, "problem": str(error["msg"]).removeprefix("Value error, ")}


def _is_unread(error: Mapping[str, Any]) -> bool:
    """The body was not taken for JSON; where it may be one of several things, each says so."""
    return error["loc"][:1] == ("body",) and isinstance(error.get("input"), bytes)


def _last(where: str) -> str:
    return where.rpartition(".")[2]


IS_TASK = "annals.is_task"
"""In a request's scope once the gate let it in: whatever goes wrong is the task's own failure."""
OVERLOAD = (429, 503)
"""What Cloud Tasks slows a whole queue for."""


class Answered:
    """Middleware, and the door's last resort: whatever went wrong becomes an answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_begun = False

        async def tell(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, tell)
        except Exception as error:  # noqa: BLE001 - the outermost door
            response = _answer(error, has_begun, is_task=scope.get(IS_TASK, False))
            if not has_begun:
                await response(scope, receive, send)
            # Else the answer breaks off here, and the server closes the connection on it.


def _answer(error: Exception, has_begun: bool, *, is_task: bool) -> Response:
    answer = answer_for(error)
    log.bind(code=answer.code)
    if answer.status == 500:
        answer = replace(answer, detail={"request_id": log.bound().get("request_id")})
    if is_task and answer.status in OVERLOAD and not isinstance(error, Misconfigured):
        # The queue takes these for overload and slows down for every group; a 500 is this task's.
        answer = replace(answer, status=500, headers={})
    if answer.is_ours or has_begun:
        # A reply that cannot be used may quote what people said; other reasons are our own words.
        reason = None if isinstance(error, BadReply) else answer.message
        log.error("request_failed", error, reason=reason, has_begun=has_begun)
    return answer.response()
