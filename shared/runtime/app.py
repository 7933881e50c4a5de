"""One function's ASGI app: its routes, and around them everything that all functions share.

From the outside in: ids and the log line (Traced), the last byte last (LastByteLast), errors to
answers (Answered), the deadline (Timed), the path (PlainPaths), the size (Bounded), who calls
(Gate), whether its text is text (WholeText), whether it only reads (ReadOnlyRequests), and the
router."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import BaseRoute

from shared.config import Problem, Settings
from shared.contracts.api import ErrorBody
from shared.runtime.auth import FindKey, KeyRing
from shared.runtime.health import ALWAYS_NEEDED, health_routes
from shared.runtime.http_errors import Answered
from shared.runtime.leftovers import LastByteLast
from shared.runtime.limits import MAX_BODY_BYTES, Bounded, PlainPaths, Timed, WholeText, deadline_s
from shared.runtime.readers import ReadOnlyRequests
from shared.runtime.route_access import Gate
from shared.runtime.trace import Traced
from shared.runtime.trigger import Triggers


@dataclass(frozen=True)
class RoutesOf:
    """What imports a router, and the beginnings of all paths that it serves."""

    router: Callable[[], APIRouter]
    beginnings: tuple[str, ...]


def routes_at(*beginnings: str) -> Callable[[Callable[[], APIRouter]], RoutesOf]:
    """For a function that imports a router and returns it."""
    return lambda router: RoutesOf(router, beginnings)


class DescribedApp(FastAPI):
    """An app that knows where the rest of its routes is.

    A function has dozens of routes, and each costs some milliseconds with its models; the first
    request after a cold start needs one of them. Who wants a description of all imports them all.
    """

    parts: tuple[RoutesOf, ...] = ()
    late_routes: tuple[RoutesOf, ...] = ()
    """Those of `parts` that no request has asked for yet."""

    def routes_for(self, path: str) -> Sequence[BaseRoute]:
        """All routes that are known; those that may serve this path are imported first."""
        for part in self.late_routes:
            if path.startswith(part.beginnings):
                self.include_router(part.router())
                self.late_routes = tuple(left for left in self.late_routes if left is not part)
        return self.router.routes

    def openapi(self) -> dict[str, Any]:
        for part in self.late_routes:
            self.routes_for(part.beginnings[0])
        return super().openapi()


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
    app = DescribedApp(
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
            Middleware(LastByteLast),
            Middleware(Answered),
            Middleware(Timed, deadline=partial(deadline_s, settings), timeout_s=timeout_s),
            Middleware(PlainPaths),
            Middleware(Bounded, max_bytes=max_body_bytes),
            Middleware(Gate, keys=keys, triggers=Triggers(settings)),
            Middleware(WholeText),
            Middleware(ReadOnlyRequests),
        ],
    )
    app.state.keys = keys
    app.state.problems = tuple(problems)
    app.include_router(health_routes(name, settings, problems, needed))
    for part in routes:
        if isinstance(part, APIRouter):
            app.include_router(part)
    app.parts = app.late_routes = tuple(part for part in routes if isinstance(part, RoutesOf))

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return get_swagger_ui_html(openapi_url="openapi.json", title=app.title)

    return app


async def _pass_on(_: Request, error: Exception) -> Response:
    """Every error is answered in one place, further out."""
    raise error
