"""The Cloud Run door: a function that hands its request over to the app, and nothing more."""

import inspect
import logging
import types
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import APIRouter, Request
from starlette.applications import Starlette
from starlette.routing import Route

from shared.runtime.entrypoints import cloud_run
from tests.runtime.serving import AS_ROOT, ENVIRON, client, make_app

router = APIRouter()


@router.put("/memory/{memory_id}")
async def memory(memory_id: str, request: Request) -> dict[str, Any]:
    return {"params": dict(request.path_params), "body": (await request.body()).decode()}


@pytest.fixture(autouse=True)
def _own_logging() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def framework(target: Any) -> Starlette:
    """Routes everything to the target, as functions-framework does."""
    return Starlette(routes=[Route("/{path:path}", target, methods=["GET", "PUT"])])


def test_the_target_is_a_plain_async_function() -> None:
    target = cloud_run(make_app(router))
    assert isinstance(target, types.FunctionType)
    assert inspect.iscoroutinefunction(target)


async def test_the_app_answers_and_sees_nothing_of_the_frameworks_routing() -> None:
    app = framework(cloud_run(make_app(router)))
    async with client(app, headers=AS_ROOT) as http:
        answer = await http.put("/memory/m%201", content=b"text")
        missing = await http.get("/nowhere")
    assert answer.json() == {"params": {"memory_id": "m 1"}, "body": "text"}
    assert missing.json()["error"]["code"] == "not_found"


def test_what_is_wrong_with_the_settings_is_said_once_at_the_start(
    capsys: pytest.CaptureFixture[str],
) -> None:
    cloud_run(make_app(environ={**ENVIRON, "MEMORY_MAX_FACTS": "x", "ANNALS_TASK_AUTH": "maybe"}))
    bad, unset = capsys.readouterr().out.splitlines()
    assert '"settings_bad"' in bad
    assert "MEMORY_MAX_FACTS" in bad
    assert "ANNALS_TASK_AUTH" in bad
    assert '"settings_unset"' in unset
    assert "ONEBOT_SECRET" in unset
