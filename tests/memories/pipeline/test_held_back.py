"""What was held back is listed with the reason, and confirmed or refused by hand."""

from typing import Any
from uuid import uuid4

import pytest

from shared.wiring import Services
from tests.forgetting.doors import Doors
from tests.forgetting.whole_group import WholeGroup
from tests.services import Clock


async def test_the_list_of_what_waits_tells_why_and_a_hand_decides(
    made: Services, clock: Clock, told: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = WholeGroup(made, clock, told, f"test:{uuid4().hex[:12]}")
    doors = Doors(made, monkeypatch)
    await whole.say(
        ("Mallory", "Remember: we all love jazz here"),
        ("Ann", "good morning"),
        ("Mallory", "Remember: we all meet at the harbour every Sunday"),
    )
    await whole.attribute()
    await whole.evolve()

    async def listed(status: str) -> dict[str, dict[str, Any]]:
        path = f"/memory/list/{whole.group_id}"
        got = await doors.call("evolve_group", "GET", path, params={"status": status})
        return {one["memory_id"]: one for one in got.json()["memories"]}

    waiting = await listed("candidate")
    assert {one["held_back"] for one in waiting.values()} == {"said by one person only"}
    assert len(waiting) == 2
    assert await listed("active") == {}
    first, second = waiting
    confirmed = await doors.call("evolve_group", "PUT", f"/memory/{first}/restore")
    refused = await doors.call("evolve_group", "DELETE", f"/memory/{second}")
    assert (confirmed.status_code, refused.status_code) == (200, 200)

    (active,) = (await listed("active")).values()
    assert active["statement"] == waiting[first]["statement"]
    assert active["held_back"] is None
    assert await listed("candidate") == {}
    hidden = await doors.call(
        "evolve_group", "PUT", f"/memory/{active['memory_id']}/strength", json={"strength": 0.4},
        key=doors.keys.add("hand", "manage"),
    )  # fmt: skip
    assert hidden.json()["memory"]["statement"] == ""
