"""What the deployment does not let a process do is told by its health."""

from collections.abc import Iterator

import pytest
from fastapi import APIRouter

from shared.runtime.health import outage_began, outage_ended
from tests.runtime.serving import client, make_app


@pytest.fixture(autouse=True)
def healed() -> Iterator[None]:
    yield
    outage_ended("tasks")


async def test_ready_is_503_while_tasks_are_refused_and_names_the_reason() -> None:
    async with client(make_app(APIRouter())) as http:
        before = await http.get("/health/ready")
        outage_began("tasks", "Cloud Tasks does not let us add to queue 'attribute'")
        during = await http.get("/health/ready")
        outage_ended("tasks")
        after = await http.get("/health/ready")

    assert (before.status_code, during.status_code, after.status_code) == (200, 503, 200)
    assert "attribute" in during.json()["error"]["message"]
