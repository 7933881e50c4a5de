"""Times of a context: in the group's zone, with the day of the week, saying the offset."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from shared.domain.context.fitting import fit, traditional
from shared.domain.context.rendering import event_line, memory_line
from shared.domain.context.sections import event_offers
from shared.domain.context.shown_times import ShownTimes, zone_named
from shared.domain.knowledge.event import Event
from shared.domain.memories.memory import Memory
from shared.domain.messages.stored_message import StoredMessage

AT = datetime(2026, 11, 16, 15, 50, tzinfo=UTC)
SHANGHAI = ShownTimes(ZoneInfo("Asia/Shanghai"), is_chinese=True)


def line(number: int, at: datetime) -> StoredMessage:
    return StoredMessage(
        group_id="test:g",
        message_id=f"m{number}",
        user_id="u1",
        user_name="Ann",
        content=f"line {number}",
        create_time=at,
    )


def event(at: datetime) -> Event:
    return Event(
        "r:1", "test:g", "Ann left.", "r", 1, at, "", "Asia/Shanghai", "", "group",
        "u1", "u1", (), (), has_new_info=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("zone", "at", "day", "clock"),
    [
        ("Asia/Shanghai", "2026-11-16T15:50:00+00:00", "2026-11-16 Mon UTC+8", "23:50"),
        ("Asia/Shanghai", "2026-12-31T16:05:00+00:00", "2027-01-01 Fri UTC+8", "00:05"),
        ("America/New_York", "2026-11-01T05:30:00+00:00", "2026-11-01 Sun UTC-4", "01:30"),
        ("America/New_York", "2026-11-01T06:30:00+00:00", "2026-11-01 Sun UTC-5", "01:30"),
        ("Asia/Kolkata", "2028-02-28T19:00:00+00:00", "2028-02-29 Tue UTC+5:30", "00:30"),
        ("UTC", "2026-11-16T15:50:00+00:00", "2026-11-16 Mon UTC", "15:50"),
    ],
)
def test_a_time_is_shown_where_the_group_is(zone: str, at: str, day: str, clock: str) -> None:
    times, moment = ShownTimes(ZoneInfo(zone)), datetime.fromisoformat(at)
    assert (times.day(moment), times.clock(moment)) == (day, clock)


def test_events_and_messages_are_in_the_same_zone() -> None:
    lines = traditional([], [line(1, AT)], {}, leave_out=(), times=SHANGHAI)
    events = event_offers("test:g", [(event(AT), 0.9)], SHANGHAI)
    shown = fit([], events, lines, names={}, max_tokens=900).text
    assert "2026-11-16 周一 UTC+8\n> 23:50 Ann: line 1" in shown
    assert "> [2026-11-16 周一 UTC+8] Ann left." in shown
    assert event_line(event(AT)) == "> [2026-11-16 Mon UTC] Ann left."


def test_only_what_is_recent_is_called_so() -> None:
    old, new = line(1, AT - timedelta(hours=20)), line(2, AT - timedelta(minutes=5))
    offers = traditional([], [old, new], {}, leave_out=(), until=AT)
    assert {one.id: one.reasons for one in offers} == {
        "m1": ("among the last",),
        "m2": ("recent",),
    }


def test_a_memory_of_a_member_goes_by_their_name() -> None:
    memory = Memory("x", "test:g", "bakes on Sundays", 1, AT, AT, subject="ou_8f3a")
    assert memory_line(memory, {"ou_8f3a": "Ida"}) == "> Ida: bakes on Sundays"
    assert memory_line(memory) == "> bakes on Sundays", "an id would tell nothing"


def test_the_first_zone_that_is_named_holds() -> None:
    assert zone_named(None, "", "Asia/Shanghai") == ZoneInfo("Asia/Shanghai")
    assert zone_named(None, "") is UTC


def test_lines_of_a_quarter_of_an_hour_share_one_clock() -> None:
    lines = traditional(
        [], [line(n, AT + timedelta(minutes=n)) for n in (0, 3, 20)], {}, leave_out=()
    )
    shown = fit([], [], lines, names={}, max_tokens=900).dynamic

    assert "> 15:50 Ann: line 0\n> Ann: line 3\n> 16:10 Ann: line 20" in shown
