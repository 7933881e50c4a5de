"""What the schedule calls is done: each cron route, as the local scheduler calls it."""

import tomllib
from typing import Any

import httpx
import pytest

from tests.local_cloud import LocalCloud, wait_for
from tests.project import ROOT

TABLE = tomllib.loads((ROOT / "infra" / "functions.toml").read_text("utf-8"))
ROUTES = [f"/{name}{path}" for name, row in TABLE.items() for path in row["cron"]]


@pytest.mark.parametrize("route", ROUTES)
def test_a_scheduled_route_takes_what_the_scheduler_sends(cloud: LocalCloud, route: str) -> None:
    task = cloud.trigger(route)
    admin = cloud.told["endpoints"]["admin"]["tasks"]

    def ended() -> dict[str, Any] | None:
        told = httpx.get(f"{admin}/tasks?queue=cron").json()["tasks"]
        found: list[dict[str, Any]] = [one for one in told if one["name"] == task]
        return found[0] if found and found[0]["state"] not in ("running", "scheduled") else None

    end = wait_for(ended, f"an end of {route}")
    assert end is not None
    assert end["state"] == "done", route
