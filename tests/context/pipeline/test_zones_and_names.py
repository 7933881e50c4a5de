"""A context's times are the group's own, and say so; its members go by name."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from shared.domain.memories.memory import Memory
from shared.stores.memories import new_memory
from shared.wiring import Services
from tests.context.contexts import ask, bot, ids, ingest, remembering, said
from tests.services import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime(2026, 12, 31, 16, 30, tzinfo=UTC))


@pytest.fixture
def group() -> str:
    return f"test:{uuid4().hex[:12]}"


async def told_of_tokyo(made: Services, clock: Clock, group: str, **changes: Any) -> str:
    """A line at 16:23 UTC, an event of that time, and a question."""
    await remembering(made, clock, group)
    at = clock() - timedelta(minutes=5)
    await ingest(
        made,
        group,
        bot(group, 1, "hello", clock, create_time=at - timedelta(minutes=2)),
        said(group, 2, "the flight to Tokyo is booked", clock, create_time=at),
    )
    await made.groups.change(group, lambda one: replace(one, **changes), clock())
    answer = await ask(made, group, message="which flight to Tokyo did we book?", user_id="u1")
    assert ids(answer, "event") == ["r1:1"]
    return answer.text


@pytest.mark.parametrize(
    ("changes", "day", "time"),
    [
        ({"settings": {"timezone": "Asia/Shanghai"}}, "2027-01-01 Fri UTC+8", "00:23"),
        ({"timezone": "Asia/Shanghai"}, "2027-01-01 Fri UTC+8", "00:23"),
        (
            {"timezone": "Asia/Shanghai", "settings": {"timezone": "America/New_York"}},
            "2026-12-31 Thu UTC-5",
            "11:23",
        ),
        ({}, "2026-12-31 Thu UTC", "16:23"),
    ],
)
async def test_lines_and_events_are_in_the_zone_of_the_group(
    made: Services, clock: Clock, group: str, changes: dict[str, Any], day: str, time: str
) -> None:
    text = await told_of_tokyo(made, clock, group, **changes)

    assert f"{day}\n" in text
    assert f"> {time} Annals (bot): hello\n> Cid: the flight to Tokyo is booked" in text
    assert f"> [{day}] On 2026-01-05 the group booked a flight to Tokyo" in text
    assert text.count("UTC") == text.count(day.rpartition(" ")[2]), "no other zone beside it"


async def test_a_chinese_group_reads_its_weekdays_in_chinese(
    made: Services, clock: Clock, group: str
) -> None:
    zone = {"timezone": "Asia/Shanghai"}
    await ingest(made, group, bot(group, 1, "你好", clock), said(group, 2, "机票订好了", clock))
    await made.groups.change(group, lambda one: replace(one, settings=zone), clock())
    answer = await ask(made, group, message="机票订好了吗？", user_id="u1")
    assert "周四 UTC+8" in answer.text or "周五 UTC+8" in answer.text


async def test_a_memory_of_a_member_goes_by_the_name_they_were_last_seen_with(
    made: Services, clock: Clock, group: str
) -> None:
    now = clock()
    memory = Memory("k9", group, "bakes bread on Sundays", 1, now, now, subject="u2", core=True)
    await made.database.commit([new_memory(memory)])
    await ingest(
        made,
        group,
        bot(group, 1, "hello", clock),
        said(group, 2, "fresh bread anyone?", clock, user_id="u2", user_name="Cid the baker"),
    )
    answer = await ask(made, group, message="who bakes the bread?", user_id="u1")
    assert "> Cid the baker: bakes bread on Sundays" in answer.text
    assert "u2" not in answer.text
