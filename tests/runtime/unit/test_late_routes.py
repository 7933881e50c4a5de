"""Routes are imported with the first request that may be theirs, and none is out of reach."""

import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from fastapi.routing import APIRoute

from shared.runtime.late_routes import DescribedApp, RoutesOf
from tests.project import ROOT
from tests.runtime.serving import AS_ROOT, client, make_app

FUNCTIONS = sorted(one.parent.name for one in (ROOT / "functions").glob("*/app.py"))
EVENTS = RoutesOf("functions.historian_job.routes_events", ("/events",))
KEYS = RoutesOf("functions.historian_job.routes_keys", ("/keys", "/usage"))


def parts_of(function: str) -> Sequence[RoutesOf]:
    app: DescribedApp = importlib.import_module(f"functions.{function}.app").app
    return app.parts


def paths_of(module: str) -> list[str]:
    routes = importlib.import_module(module).router.routes
    return [one.path for one in routes if isinstance(one, APIRoute)]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_path_begins_as_its_app_says(function: str) -> None:
    for one in parts_of(function):
        paths = paths_of(one.module)
        assert paths
        for path in paths:
            assert path.startswith(one.beginnings), f"{path} of {one.module} is never taken in"


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_module_of_routes_is_told_to_its_app(function: str) -> None:
    files = (ROOT / "functions" / function).glob("routes_*.py")
    modules = {f"functions.{function}.{Path(one).stem}" for one in files}
    assert {one.module for one in parts_of(function)} == modules


async def test_a_request_takes_in_what_may_serve_it_and_nothing_else() -> None:
    app = make_app(EVENTS, KEYS)
    async with client(app) as http:
        assert (await http.get("/nothing", headers=AS_ROOT)).status_code == 404
        assert app.late_routes == (EVENTS, KEYS)
        assert (await http.put("/keys", headers=AS_ROOT)).headers["Allow"] == "GET, POST"
        assert app.late_routes == [EVENTS]
        assert (await http.get("/keys")).status_code == 401


async def test_a_description_has_every_route() -> None:
    app = make_app(EVENTS, KEYS)
    async with client(app) as http:
        described = (await http.get("/openapi.json")).json()
    assert {*paths_of(EVENTS.module), *paths_of(KEYS.module)} <= set(described["paths"])
    assert app.late_routes == []


def test_what_cannot_be_imported_stays_to_be_taken_in() -> None:
    app = DescribedApp()
    missing = RoutesOf("functions.historian_job.routes_nowhere", ("/nowhere",))
    app.know([missing])
    with pytest.raises(ModuleNotFoundError):
        app.take_in("/nowhere")
    assert app.late_routes == (missing,)
    assert missing.module not in sys.modules
