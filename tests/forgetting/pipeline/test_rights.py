"""Members ask about their own words: in chat, by a route, by a tool; and take their data away."""

import json
from dataclasses import replace

import pytest

from functions.evolve_group import handle_maintain
from functions.ingest_message import handle_messages
from shared.domain.messages.message import Message
from tests.forgetting.doors import Doors
from tests.forgetting.pipeline.test_forgotten_member import MARKED, lived
from tests.forgetting.whole_group import WholeGroup


@pytest.fixture
def doors(whole: WholeGroup, monkeypatch: pytest.MonkeyPatch) -> Doors:
    return Doors(whole.made, monkeypatch)


async def allow(whole: WholeGroup) -> None:
    await whole.made.groups.change(
        whole.group_id,
        lambda group: replace(group, settings={"member_commands": True}),
        whole.clock(),
    )


def commands(whole: WholeGroup, user: str) -> str:
    return f"/groups/{whole.group_id}/members/{user}/commands"


async def test_a_member_asks_in_chat_and_the_bot_gets_a_text_to_send(
    whole: WholeGroup, doors: Doors
) -> None:
    await lived(whole)
    path = commands(whole, "u-zed")
    asked = {"text": "你记得我什么？"}
    off = (await doors.call("historian_job", "POST", path, json=asked)).json()
    assert (off["command"], off["text"]) == (None, ""), "the group did not allow it"

    await allow(whole)
    known = (await doors.call("historian_job", "POST", path, json=asked)).json()
    assert known["command"] == "known"
    assert "Zed owns a zebrawood desk" in known["text"]
    assert "6 条消息" in known["text"]
    other = await doors.call("historian_job", "POST", commands(whole, "u-bob"), json=asked)
    assert "zebrawood" not in other.json()["text"], "only their own"

    wish = {"text": "@bot forget me"}
    gone = (await doors.call("historian_job", "POST", path, json=wish)).json()
    assert gone["command"] == "forget"
    await whole.run_all()
    receipt = await doors.call("historian_job", "GET", f"/forgets/{gone['forget_id']}")
    assert receipt.json()["receipt"]["messages"] == 6
    assert await whole.where(*MARKED) == {word: [] for word in MARKED}


async def test_whoever_wants_nothing_remembered_says_so_and_may_come_back(
    whole: WholeGroup, doors: Doors
) -> None:
    await whole.say(("Zed", "hello"))
    await allow(whole)
    path = commands(whole, "u-zed")
    out = await doors.call("historian_job", "POST", path, json={"text": "别记我说的话"})
    assert out.json()["command"] == "opt_out"
    await whole.say(("Zed", "my zebrawood desk"))
    assert (await whole.where("zebrawood"))["zebrawood"] == []
    back = await doors.call("historian_job", "POST", path, json={"text": "remember me again"})
    assert back.json()["command"] == "opt_in"
    await whole.say(("Zed", "my zebrawood desk"))
    assert (await whole.where("zebrawood"))["zebrawood"]


async def test_who_opts_out_may_ask_that_what_was_kept_goes_too(
    whole: WholeGroup, doors: Doors
) -> None:
    await lived(whole)
    path = f"/groups/{whole.group_id}/members/u-zed/opt-out"
    plain = await doors.call("historian_job", "PUT", path, json={"opted_out": True})
    assert (plain.json()["opted_out"], plain.json()["forget_id"]) == (True, None)
    assert all((await whole.where(*MARKED)).values()), "nobody asked for more"

    asked = {"opted_out": True, "forget": True}
    answer = (await doors.call("historian_job", "PUT", path, json=asked)).json()
    await whole.run(answer["forget_id"])
    await whole.run_all()
    await whole.say(("Zed", "my zebrawood desk again"), ("Ann", "the picnic was fine"))
    await whole.attribute()

    assert answer["opted_out"] is True
    assert await whole.where("zebrawood", "quincunx") == {"zebrawood": [], "quincunx": []}
    assert (await whole.where("picnic"))["picnic"], "what others said stays"


async def test_a_key_that_may_not_read_is_not_told(whole: WholeGroup, doors: Doors) -> None:
    await whole.say(("Zed", "hello"))
    await allow(whole)
    key = doors.keys.add("writer", "ingest")
    path, asked = commands(whole, "u-zed"), {"text": "what do you know about me"}
    assert (await doors.call("historian_job", "POST", path, key=key, json=asked)).status_code == 403
    reader = doors.keys.add("reader", "read")
    wish = {"text": "forget me"}
    refused = await doors.call("historian_job", "POST", path, key=reader, json=wish)
    assert refused.status_code == 403


async def test_the_answer_to_a_message_says_that_it_is_a_wish(
    whole: WholeGroup, doors: Doors
) -> None:
    deps = replace(whole.ingest, own_settings=whole.made.settings)

    async def said(text: str) -> str | None:
        number = whole.clock().timestamp()
        whole.clock.turn(seconds=1)
        message = Message(
            group_id=whole.group_id, message_id=f"c{number}", user_id="u-zed", user_name="Zed",
            content=text, create_time=whole.clock(),
        )  # fmt: skip
        (receipt,) = await handle_messages.ingest(whole.group_id, [message], deps)
        return receipt.command

    assert await said("forget me") is None
    await allow(whole)
    assert await said("forget me") == "forget"
    assert await said("I will not forget me hat") is None
    asked = {"group_id": whole.group_id, "user_id": "u-zed", "message": "忘了我"}
    answer = await doors.call("build_context", "POST", "/context", json=asked)
    assert answer.json()["command"] == "forget"


async def test_tools_do_it_for_whom_the_host_names(whole: WholeGroup, doors: Doors) -> None:
    await lived(whole)

    async def call(name: str, **host: str) -> tuple[int, dict[str, object]]:
        body = {"group_id": whole.group_id, "arguments": {}, **host}
        got = await doors.call("build_context", "POST", f"/tools/{name}", json=body)
        return got.status_code, got.json().get("result", {})

    assert (await call("what_is_known_of_me"))[0] == 400, "nobody speaks"
    _, known = await call("what_is_known_of_me", user_id="u-zed")
    assert "zebrawood" in str(known["text"])
    assert (await call("forget_me", user_id="u-zed"))[0] == 403, "the group did not allow it"
    await allow(whole)
    assert (await call("dont_remember_me", user_id="u-bob"))[0] == 200
    group = await whole.made.groups.get(whole.group_id)
    assert group.opted_out == ("u-bob",)
    _, done = await call("forget_me", user_id="u-zed")
    _, known = await call("what_is_known_of_me", user_id="u-zed")
    assert known["text"] == "I keep nothing about you.", "before its job ran"
    await whole.run(str(done["forget_id"]))
    await whole.run_all()
    assert await whole.where(*MARKED) == {word: [] for word in MARKED}


async def test_a_members_data_can_be_taken_away_page_by_page(
    whole: WholeGroup, doors: Doors
) -> None:
    await lived(whole)
    path, cursor, lines = f"/groups/{whole.group_id}/members/u-zed/export", None, []
    for _ in range(50):
        query = {"limit": 3, **({"cursor": cursor} if cursor else {})}
        page = await doors.call("historian_job", "GET", path, params=query)
        assert page.status_code == 200
        lines += [json.loads(one) for one in page.text.splitlines()]
        cursor = page.headers.get("x-annals-next-cursor")
        if cursor is None:
            break
    kinds = [one["kind"] for one in lines]
    assert kinds.count("message") == 6
    assert {"message", "memory", "event", "profile", "context"} <= set(kinds)
    assert len({(one["kind"], one["id"]) for one in lines}) == len(lines)
    assert all("zebrawood" in str(one) or "u-zed" in str(one) for one in lines)
    assert not any("pier" in str(one["data"].get("content", "")) for one in lines)


async def test_an_old_backup_brings_nothing_back_that_was_forgotten_since(
    whole: WholeGroup, doors: Doors
) -> None:
    await lived(whole)
    await whole.run_all()
    path = f"/groups/{whole.group_id}"
    backup = (await doors.call("historian_job", "GET", f"{path}/export?limit=200")).text
    assert "zebrawood" in backup
    gone = await doors.call("historian_job", "DELETE", f"{path}/members/u-zed")
    waiting = await doors.call("historian_job", "GET", f"{path}/export")
    assert waiting.status_code in (200, 409)
    await whole.run(gone.json()["forget_id"])
    await whole.run_all()
    restored = await doors.call("historian_job", "POST", f"{path}/import", content=backup)
    assert restored.status_code == 200
    found = await whole.where("zebrawood", "quincunx")
    assert found == {"zebrawood": [], "quincunx": []}, restored.json()


async def test_events_and_contexts_go_when_the_group_keeps_them_no_longer(
    whole: WholeGroup,
) -> None:
    await lived(whole)
    await whole.made.groups.change(
        whole.group_id,
        lambda group: replace(
            group, settings={"event_retention_days": 10, "context_retention_days": 20}
        ),
        whole.clock(),
    )
    upkeep = handle_maintain.deps_for(whole.made)

    async def kept() -> tuple[int, int]:
        events, _ = await whole.made.events.listed(
            whole.group_id, time_from=None, time_to=None, limit=1, offset=0
        )
        contexts, _ = await whole.made.contexts.listed(whole.group_id, limit=1)
        return events, contexts

    before = await kept()
    assert min(before) >= 1
    whole.clock.turn(days=11)
    done = await handle_maintain.maintain(upkeep)
    assert (await kept(), done.expired) == ((0, before[1]), before[0])
    whole.clock.turn(days=11)
    await handle_maintain.maintain(upkeep)
    assert await kept() == (0, 0)


async def test_messages_and_jobs_go_when_their_group_keeps_them_no_longer(
    whole: WholeGroup, doors: Doors
) -> None:
    """Of another group they stay, and so does the receipt of what was forgotten."""
    await lived(whole)
    other = WholeGroup(whole.made, whole.clock, whole.told, f"{whole.group_id}-other")
    await lived(other)
    for one in (whole, other):
        await one.run_all()
    gone = await doors.call("historian_job", "DELETE", f"/groups/{whole.group_id}/members/u-zed")
    forget_id = gone.json()["forget_id"]
    await whole.run(forget_id)
    await whole.run_all()
    await whole.made.groups.change(
        whole.group_id,
        lambda group: replace(group, settings={"retention_days": 5, "job_retention_days": 5}),
        whole.clock(),
    )

    async def kept(one: WholeGroup) -> tuple[int, set[str]]:
        _, jobs = await one.made.jobs.listed(state=None, group_id=one.group_id, limit=500, offset=0)
        said, _ = await one.made.messages.page(
            one.group_id, since=None, until=None, user_id=None, topic_id=None, after=None, limit=1
        )
        return said, {job.job_id for job in jobs}

    before = await kept(other)
    assert len((await kept(whole))[1]) > 3
    whole.clock.turn(days=6)
    done = await handle_maintain.maintain(handle_maintain.deps_for(whole.made))

    assert await kept(whole) == (0, {forget_id})
    assert await kept(other) == before
    assert done.purged > 0
    assert done.expired >= 3
    receipt = await doors.call("historian_job", "GET", f"/forgets/{forget_id}")
    assert receipt.json()["state"] == "done"
