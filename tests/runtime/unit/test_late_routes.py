"""Routes are imported with the first request that may be theirs, and none is out of reach."""

import importlib
from collections.abc import Sequence

import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute

from functions.historian_job.app import keys, profiles
from shared.runtime.app import DescribedApp, RoutesOf, routes_at
from tests.project import ROOT
from tests.runtime.serving import AS_ROOT, client, make_app

FUNCTIONS = sorted(one.parent.name for one in (ROOT / "functions").glob("*/app.py"))


def parts_of(function: str) -> Sequence[RoutesOf]:
    app: DescribedApp = importlib.import_module(f"functions.{function}.app").app
    return app.parts


def left(app: DescribedApp) -> list[RoutesOf]:
    return list(app.late_routes)


def paths_of(part: RoutesOf) -> list[str]:
    return [one.path for one in part.router().routes if isinstance(one, APIRoute)]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_path_begins_as_its_app_says(function: str) -> None:
    for one in parts_of(function):
        paths = paths_of(one)
        assert paths
        for path in paths:
            assert path.startswith(one.beginnings), f"{path} is never taken in"


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_module_of_routes_is_told_to_its_app(function: str) -> None:
    files = (ROOT / "functions" / function).glob("routes_*.py")
    routers = {
        id(importlib.import_module(f"functions.{function}.{one.stem}").router): one.name
        for one in files
    }
    told = [routers[id(one.router())] for one in parts_of(function)]
    assert sorted(told) == sorted(routers.values()), f"functions/{function}/app.py lists them"


async def test_a_request_takes_in_what_may_serve_it_and_nothing_else() -> None:
    app = make_app(profiles, keys)
    async with client(app) as http:
        assert (await http.get("/nothing", headers=AS_ROOT)).status_code == 404
        assert left(app) == [profiles, keys]
        assert (await http.put("/keys", headers=AS_ROOT)).headers["Allow"] == "GET, POST"
        assert left(app) == [profiles]
        assert (await http.get("/keys")).status_code == 401


async def test_a_description_has_every_route() -> None:
    app = make_app(profiles, keys)
    async with client(app) as http:
        described = (await http.get("/openapi.json")).json()
    assert {*paths_of(profiles), *paths_of(keys)} <= set(described["paths"])
    assert left(app) == []


def test_what_cannot_be_imported_stays_to_be_taken_in() -> None:
    @routes_at("/nowhere")
    def broken() -> APIRouter:
        raise ImportError

    app = DescribedApp()
    app.parts = app.late_routes = (broken,)
    with pytest.raises(ImportError):
        app.routes_for("/nowhere")
    assert left(app) == [broken]
