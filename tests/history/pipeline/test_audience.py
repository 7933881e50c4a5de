"""Who hears a group is unknown until a message says it: settings, an opt-out, a memory, a note or
a recall may come first, in any order, and nothing said in private is shown elsewhere.

`make test` tries some orders, `make faults` many (ORDERS=200).
"""

import json
import os
import random
from collections.abc import AsyncIterator, Callable
from typing import Any
from uuid import uuid4

import pytest

from shared.domain.knowledge.profile import Profile
from shared.wiring import Services
from tests.forgetting.doors import Doors
from tests.services import Clock, in_process, put_profiles

ORDERS = int(os.environ.get("ORDERS", "8"))
pytestmark = pytest.mark.timeout(1200 if ORDERS > 100 else 120)
SECRET = "Ada was diagnosed with coeliac disease"
Call = tuple[str, str, str, Any]


@pytest.fixture
async def sharing(told: dict[str, Any], clock: Clock) -> AsyncIterator[Services]:
    async with in_process(told, clock, MEMORY_PROFILE_SHARING="shared") as services:
        yield services


def said(group: str, number: int, clock: Clock, **more: Any) -> dict[str, Any]:
    return {
        "group_id": group, "message_id": f"m{number}", "user_id": "u-ada", "user_name": "Ada",
        "content": f"line {number}", "create_time": clock().isoformat(), **more,
    }  # fmt: skip


def calls(group: str, clock: Clock) -> dict[str, Call]:
    """Every route that may write a group's document, and two messages."""
    ingest, history = "ingest_message", "historian_job"
    of_group = {"kind": "group", "id": group, "data": {"group_id": group, "platform": "test"}}
    note = {"group_id": group, "user_id": "u-ada", "request_id": "r", "end_seq": 1,
            "action_summary": "Ada asked", "new_info": "Ada has a cat"}  # fmt: skip
    return {
        "settings": (history, "PUT", f"/groups/{group}/settings", {"max_return": 3}),
        "opt_out": (history, "PUT", f"/groups/{group}/members/u-x/opt-out", {"opted_out": True}),
        "memory": ("evolve_group", "POST", f"/memory/{group}", {"statement": "Ada has a dog"}),
        "end": (ingest, "POST", "/end", note),
        "context": ("build_context", "POST", "/context", {"group_id": group, "message": "why?"}),
        "recall": (ingest, "POST", "/messages", said(group, 3, clock, recalled=True)),
        "evolve": ("evolve_group", "POST", f"/memory/evolve/{group}", None),
        "import": (history, "POST", f"/groups/{group}/import", json.dumps(of_group)),
        "says nothing of it": (ingest, "POST", "/messages", said(group, 1, clock)),
        "says that it is private": (
            ingest, "POST", "/messages", said(group, 2, clock, audience="private")
        ),
    }  # fmt: skip


async def elsewhere(doors: Doors, group: str) -> str:
    """All that another group is told of Ada."""
    asked = {"group_id": group, "message": "What do you know of Ada?", "user_id": "u-ada",
             "include": ["profiles"]}  # fmt: skip
    context = await doors.call("build_context", "POST", "/context", json=asked)
    profile = await doors.call(
        "historian_job", "GET", "/profiles/user/u-ada", params={"group_id": group}
    )
    return context.text + profile.text


async def test_in_no_order_of_routes_is_anything_private_shown_elsewhere(
    sharing: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    doors = Doors(sharing, monkeypatch)
    rng = random.Random(seed := random.randrange(2**32))
    for number in range(ORDERS):
        home, here = f"test:{uuid4().hex[:12]}", f"test:{uuid4().hex[:12]}"
        order = list(calls(home, clock))
        rng.shuffle(order)
        await doors.call("ingest_message", "POST", "/messages",
                         json=said(here, 1, clock, audience="group"))  # fmt: skip
        for name in order:
            function, method, path, body = calls(home, clock)[name]
            how = {"content": body} if isinstance(body, str) else {"json": body}
            got = await doors.call(function, method, path, **how)
            assert got.status_code < 300 or name in ("recall", "context", "evolve", "opt_out"), (
                seed, number, order, name, got.text,
            )  # fmt: skip
            found = await sharing.groups.find(home)
            if found is None:
                continue
            learnt = Profile("user", "u-ada", home, f"- {SECRET}", clock(), audience=found.audience)
            await put_profiles(sharing, learnt)
            assert SECRET not in await elsewhere(doors, here), (seed, number, order, name)
        found = await sharing.groups.get(home)
        assert found.audience == "private", (seed, number, order)
    print(f"\n{ORDERS} orders of {len(calls('test:x', clock))} routes: nothing private elsewhere")


AUDIENCES: list[tuple[list[str | None], str]] = [
    ([None], "unknown"),
    (["group"], "group"),
    ([None, "group"], "group"),
    (["group", "private", "group"], "private"),
    (["private", None, "group"], "private"),
]


@pytest.mark.parametrize("is_one_request", [True, False])
@pytest.mark.parametrize(("heard", "audience"), AUDIENCES)
async def test_private_is_never_lowered(
    made: Services,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    heard: list[str | None],
    audience: str,
    is_one_request: bool,
) -> None:
    doors, group = Doors(made, monkeypatch), f"test:{uuid4().hex[:12]}"
    lines = [said(group, at, clock, audience=one) for at, one in enumerate(heard)]
    for body in [lines] if is_one_request else lines:
        await doors.call("ingest_message", "POST", "/messages", json=body)
    assert (await made.groups.get(group)).audience == audience


async def test_what_was_learnt_before_a_group_turned_out_private_is_not_shown_elsewhere(
    sharing: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    doors = Doors(sharing, monkeypatch)
    home, here = f"test:{uuid4().hex[:12]}", f"test:{uuid4().hex[:12]}"
    tell: Callable[..., Any] = lambda group, number, audience: doors.call(  # noqa: E731
        "ingest_message", "POST", "/messages", json=said(group, number, clock, audience=audience)
    )
    await tell(here, 1, "group")
    await tell(home, 1, "group")
    await put_profiles(
        sharing, Profile("user", "u-ada", home, f"- {SECRET}", clock(), audience="group")
    )
    assert SECRET in await elsewhere(doors, here)
    await tell(home, 2, "private")
    assert SECRET not in await elsewhere(doors, here)
