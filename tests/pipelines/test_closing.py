"""Idle topics close, with a summary on its way, and a reply opens them again."""

from datetime import timedelta

from functions.ingest_message import handle_attribute, handle_messages
from functions.summarize_topic import handle_close
from shared.domain.message import Message
from shared.wiring import Services
from tests.pipelines.test_attribution import attributing, ingesting
from tests.services import Clock

GROUP = "test:closing"


def said(number: int, clock: Clock, reply_to: str | None = None) -> Message:
    return Message(
        group_id=GROUP,
        message_id=f"m{number}",
        user_id="u1",
        content=f"message {number}",
        create_time=clock(),
        reply_message_id=reply_to,
    )


async def say(message: Message, made: Services) -> None:
    await handle_messages.ingest(GROUP, [message], ingesting(made))
    await handle_attribute.attribute(GROUP, attributing(made))


def closing(made: Services) -> handle_close.Deps:
    return handle_close.Deps(made.topics, made.dispatch, made.now, timedelta(hours=6))


async def test_an_idle_topic_closes_once_with_its_summary_job(made: Services, clock: Clock) -> None:
    await say(said(1, clock), made)
    clock.turn(hours=5)
    assert await handle_close.close_idle(closing(made)) == 0
    clock.turn(hours=2)

    assert await handle_close.close_idle(closing(made)) == 1
    assert await handle_close.close_idle(closing(made)) == 0

    _, topics = await made.topics.listed(GROUP, is_active=False, limit=9, offset=0)
    assert [one.message_count for one in topics] == [1]
    total, jobs = await made.jobs.listed(state=None, group_id=GROUP, limit=9, offset=0)
    assert (total, jobs[0].kind) == (1, "summarize")


async def test_a_reply_opens_a_closed_topic_again(made: Services, clock: Clock) -> None:
    await say(said(1, clock), made)
    clock.turn(hours=7)
    await handle_close.close_idle(closing(made))

    await say(said(2, clock, "m1"), made)

    _, topics = await made.topics.listed(GROUP, is_active=True, limit=9, offset=0)
    assert [one.message_count for one in topics] == [2]
