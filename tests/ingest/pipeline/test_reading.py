"""Messages are read back by time, person and topic, a page at a time, each once."""

from datetime import timedelta

from functions.ingest_message import handle_messages
from shared.domain.messages.analyser import analysed
from shared.domain.messages.message import Message
from shared.wiring import Services
from tests.services import Clock
from tests.topics.attributing import Attributing


async def read_all(made: Services, group_id: str, limit: int, **asked: object) -> list[str]:
    """The ids of every page, in order."""
    found: list[str] = []
    after = None
    known = {"since": None, "until": None, "user_id": None, "topic_id": None, **asked}
    while True:
        total, page = await made.messages.page(group_id, after=after, limit=limit, **known)  # type: ignore[arg-type]
        found += [one.message_id for one in page]
        if len(page) < limit:
            assert total == len(found)
            return found
        after = (page[-1].create_time, page[-1].message_id)


async def test_pages_hold_each_message_once_newest_first_also_within_one_moment(
    made: Services, clock: Clock
) -> None:
    group_id = "test:reading"
    said = [
        Message(
            group_id=group_id,
            message_id=f"m{number}",
            user_id=f"u{number % 2}",
            content=f"line {number}",
            create_time=clock() + timedelta(seconds=number // 4),
        )
        for number in range(10)
    ]
    deps = handle_messages.IngestDeps(made.groups, made.messages, made.dispatch, analysed, made.now)
    await handle_messages.ingest(group_id, said, deps)
    newest_first = [f"m{number}" for number in reversed(range(10))]

    assert await read_all(made, group_id, 3) == newest_first
    odd = await read_all(made, group_id, 2, user_id="u1")
    assert odd == ["m9", "m7", "m5", "m3", "m1"]
    second = clock() + timedelta(seconds=1)
    within = await read_all(made, group_id, 2, since=second, until=second)
    assert within == ["m7", "m6", "m5", "m4"]
    assert await read_all(made, "test:other", 2) == []


async def test_messages_of_a_topic_and_a_person_are_read_together(group: Attributing) -> None:
    await group.say(group.message(1, "Ann", "When do we ship the release?"))
    await group.say(group.message(2, "Bob", "on Friday", reply_message_id="m1"))
    await group.attribute()
    first = await group.made.messages.get(group.group_id, "m1")
    assert first is not None
    assert first.topic_id is not None

    found = await read_all(group.made, group.group_id, 5, topic_id=first.topic_id)
    ann = await read_all(
        group.made, group.group_id, 5, topic_id=first.topic_id, user_id=first.user_id
    )

    assert found == ["m2", "m1"]
    assert ann == ["m1"]
