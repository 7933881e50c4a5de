"""A topic of more lines than one summary reads is told whole, version by version."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from functions.summarize_topic.handle_summarize import MAX_MESSAGES
from shared.contracts.jobs import summarize_job
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.topics.topic import Topic
from shared.stores.message_records import new_message
from shared.stores.topics import changed_topic
from shared.wiring import Services
from tests.forgetting.whole_group import WholeGroup
from tests.services import Clock


@pytest.mark.parametrize("runs", [(90, 90, 90, 90, 90), (450,)], ids=["five runs", "one run"])
async def test_lines_that_one_run_placed_are_told_together(
    made: Services, clock: Clock, told: dict[str, Any], runs: tuple[int, ...]
) -> None:
    """What one commit writes has one time, by which the next version finds what is new."""
    whole = WholeGroup(made, clock, told, f"test:{uuid4().hex[:12]}")
    group_id, now, count = whole.group_id, whole.clock(), sum(runs)
    assert count > MAX_MESSAGES
    await whole.made.groups.change(group_id, lambda found: found, now)
    topic = Topic("t1", group_id, "Berths", "u", now, now, message_count=count)
    await whole.made.topics.apply([changed_topic(None, topic)])
    lines = [
        StoredMessage(
            group_id=group_id, message_id=f"m{n:04}", user_id="u-ann", user_name="Ann",
            content=f"the harbour has berth {n}", create_time=now + timedelta(seconds=n),
            state=MessageState.ATTRIBUTED, topic_id="t1",
        )
        for n in range(count)
    ]  # fmt: skip
    begun = 0
    for size in runs:
        some = lines[begun : begun + size]
        await whole.made.database.commit([new_message(one) for one in some])
        begun += size

    await whole.start(summarize_job(group_id, "t1", "test", now))
    await whole.run_all()

    versions = await whole.made.topics.summaries(group_id, "t1", 20)
    all_told = {message_id for one in versions for message_id in one.message_ids}
    assert all_told == {one.message_id for one in lines}
