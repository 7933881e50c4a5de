"""What `GET /events` tells: all that the seed wants kept of an event; by time, member and words."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from functions.historian_job import routes_knowledge
from shared.contracts.events import EventQuestion
from shared.domain.key import SCOPES
from shared.errors import Forbidden
from shared.runtime.auth import Caller
from tests.history.noting import Noting
from tests.services import Clock

OWNER = Caller("k1", SCOPES, ("*",))
SEED = {
    "request_id", "end_seq", "timestamp_utc", "timestamp_local", "timezone", "location_abs",
    "request_type", "user_id", "group_id", "sender_id", "message_ids", "has_new_info",
    "schema_version",
}  # fmt: skip


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime(2026, 11, 16, 15, 50, tzinfo=UTC))


@pytest.fixture
def noted(noting: Noting, monkeypatch: pytest.MonkeyPatch) -> Noting:
    monkeypatch.setattr(routes_knowledge, "services", lambda: noting.made)
    return noting


async def listed(noted: Noting, **asked: Any) -> list[dict[str, Any]]:
    question = EventQuestion(group_id=noted.group_id, **asked)
    answer = await routes_knowledge.list_events(OWNER, question)
    events: list[dict[str, Any]] = answer.model_dump(mode="json")["events"]
    return events


async def test_an_event_is_told_with_everything_the_seed_asks_for(noted: Noting) -> None:
    said = await noted.say(("Jon", "又下雪了"), ("Ida", "我明天出差"))
    note = noted.note(
        "我答应提醒她", "我明天去机场", message_ids=tuple(said), location="漠河",
        timezone="Asia/Shanghai", end_seq=3,
    )  # fmt: skip
    await noted.record(note)

    [event] = await listed(noted)

    assert event.keys() >= SEED
    assert {name: event[name] for name in SEED} == {
        "request_id": "r",
        "end_seq": 3,
        "timestamp_utc": "2026-11-16T15:49:59Z",
        "timestamp_local": "2026-11-16T23:49:59+08:00",
        "timezone": "Asia/Shanghai",
        "location_abs": "漠河",
        "request_type": "unknown",
        "user_id": "u-ida",
        "group_id": noted.group_id,
        "sender_id": "u-ida",
        "message_ids": said,
        "has_new_info": True,
        "schema_version": "final_v1",
    }
    assert event["event_id"] == "r:3"
    assert (event["is_absolute"], event["degraded"], event["viewpoint"]) == (True, False, "")
    assert "2026-11-17" in event["canonical_text"]
    assert "u-ida" not in event["canonical_text"]


async def test_events_are_listed_by_time_member_and_words_in_pages(noted: Noting) -> None:
    began = noted.clock()
    for number, (name, what) in enumerate(
        [("Ida", "planted tulips"), ("Jon", "sold the canoe"), ("Ida", "repaired the canoe")]
    ):
        said = await noted.say((name, f"I {what}"))
        info = f"{name} {what}"
        await noted.record(
            noted.note(
                info=info,
                request_id=f"r{number}",
                user_id=f"u-{name.lower()}",
                message_ids=tuple(said),
            )
        )
        noted.clock.turn(hours=1)

    def ids(found: list[dict[str, Any]]) -> list[str]:
        return [one["event_id"] for one in found]

    assert ids(await listed(noted)) == ["r2:1", "r1:1", "r0:1"]
    assert ids(await listed(noted, limit=1, offset=1)) == ["r1:1"]
    assert ids(await listed(noted, user_id="u-jon")) == ["r1:1"]
    assert ids(await listed(noted, text="CANOE")) == ["r2:1", "r1:1"]
    assert ids(await listed(noted, text="canoe repaired")) == ["r2:1"]
    assert ids(await listed(noted, text="canoe", user_id="u-ida")) == ["r2:1"]
    after = began + timedelta(minutes=30)
    assert ids(await listed(noted, time_from=after)) == ["r2:1", "r1:1"]
    assert ids(await listed(noted, time_to=after)) == ["r0:1"]
    assert ids(await listed(noted, time_from=after, time_to=after)) == []


async def test_who_may_not_read_the_group_is_told_nothing_of_it(noted: Noting) -> None:
    stranger = Caller("k2", SCOPES, ("test:elsewhere",))
    with pytest.raises(Forbidden):
        await routes_knowledge.list_events(stranger, EventQuestion(group_id=noted.group_id))
