"""One function's ASGI app: its routes, and around them everything that all functions share.

From the outside in: ids and the log line (Traced), a span if wanted (Spanned), the last byte last
(LastByteLast), errors to answers (Answered), the deadline (Timed), the path (PlainPaths), the size
(Bounded), routes that are imported late (TakingIn), who calls (Gate), whether its text is text
(WholeText), whether it only reads (Reading), and the router.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from fastapi import APIRouter, Request
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared import log
from shared.config import Problem, Settings
from shared.config.setting import assignments
from shared.contracts.api import ErrorBody
from shared.errors import BadReply, Misconfigured
from shared.runtime.auth import FindKey, KeyRing
from shared.runtime.health import ALWAYS_NEEDED, health_routes
from shared.runtime.http_errors import answer_for
from shared.runtime.late_routes import DescribedApp, RoutesOf, TakingIn
from shared.runtime.leftovers import LastByteLast
from shared.runtime.limits import MAX_BODY_BYTES, Bounded, PlainPaths, Timed, deadline_s
from shared.runtime.readers import Reading
from shared.runtime.route_access import Gate
from shared.runtime.spans import Spanned
from shared.runtime.trace import Traced
from shared.runtime.trigger import Triggers
from shared.runtime.whole_text import WholeText

TASK_LET_IN = "annals.task_let_in"
"""In a request's scope: its caller was known, and its route is a task's."""
OVERLOAD = (429, 503)
"""What Cloud Tasks slows a whole queue for."""


def create_app(
    name: str,
    *routes: APIRouter | RoutesOf,
    find_key: FindKey,
    settings: Settings,
    problems: Sequence[Problem] = (),
    needed: Sequence[str] = ALWAYS_NEEDED,
    timeout_s: float | None = None,
    max_body_bytes: int = MAX_BODY_BYTES,
) -> DescribedApp:
    """The app of function `name`. Nothing is contacted, and nothing can fail, until a request.

    `find_key` looks an API key up in the store. `needed` are the security settings without which
    the function is not ready; `timeout_s` is when the platform cuts a request.
    """
    keys = KeyRing(find_key, settings)
    app: DescribedApp = DescribedApp(
        title=f"Annals: {name}",
        version="1",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        # Behind a prefix, too, the routes are where this description is.
        servers=[{"url": "."}],
        responses={"default": {"model": ErrorBody}},
        # Its spans would carry addresses and its logs exceptions' words: both may quote people.
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
        exception_handlers={HTTPException: _pass_on, RequestValidationError: _pass_on},
        middleware=[
            Middleware(Traced, function=name, project=settings.google_cloud_project),
            Middleware(
                Spanned,
                function=name,
                endpoint=settings.otlp_endpoint,
                headers=assignments(settings.otlp_headers or "", ","),
            ),
            Middleware(LastByteLast),
            Middleware(Answered),
            Middleware(Timed, deadline=partial(deadline_s, settings), timeout_s=timeout_s),
            Middleware(PlainPaths),
            Middleware(Bounded, max_bytes=max_body_bytes),
            Middleware(TakingIn),
            Middleware(
                Gate, routes=lambda: app.router.routes, keys=keys, triggers=Triggers(settings)
            ),
            Middleware(WholeText),
            Middleware(LetIn),
            Middleware(Reading),
        ],
    )
    app.state.keys = keys
    app.state.problems = tuple(problems)
    app.include_router(health_routes(name, settings, problems, needed))
    for one in routes:
        if isinstance(one, APIRouter):
            app.include_router(one)
    app.know([one for one in routes if isinstance(one, RoutesOf)])

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return get_swagger_ui_html(openapi_url="openapi.json", title=app.title)

    return app


async def _pass_on(_: Request, error: Exception) -> Response:
    """Every error is answered in one place, further out."""
    raise error


class LetIn:
    """Middleware: whatever goes wrong with a task from here on is the task's own failure."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/tasks/"):
            scope[TASK_LET_IN] = True
        await self._app(scope, receive, send)


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
            response = _answer(error, has_begun, is_task=scope.get(TASK_LET_IN, False))
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
