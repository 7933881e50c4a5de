"""Idle topics close with a summary on its way, a reply opens them again, old ones are archived."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from functions.summarize_topic import handle_close, routes_tasks
from shared.contracts.topics import ClosingPage
from shared.domain.attribution.topic_updates import ARCHIVE_AFTER
from shared.domain.jobs.attribution_tasks import Slots
from shared.jobs.dispatch import Dispatch
from tests.services import replaced
from tests.topics.attributing import Attributing


async def talk(group: Attributing) -> None:
    await group.say(
        group.message(1, "Ann", "Where is the projector?", at=group.clock()),
        group.message(2, "Bob", "In the cupboard", at=group.clock(), reply_message_id="m1"),
    )
    await group.attribute()


async def close(group: Attributing) -> int:
    return (await handle_close.close_idle(group.made)).total


async def test_an_idle_topic_closes_once_with_its_summary_job(group: Attributing) -> None:
    await talk(group)
    group.clock.turn(hours=5)
    assert await close(group) == 0
    group.clock.turn(hours=2)

    assert await close(group) == 1
    assert await close(group) == 0

    state = await group.state()
    assert [one.is_active for one in state["topics"]] == [False]
    assert state["jobs"][0] == 1
    job = await group.made.jobs.get(state["jobs"][1][0])
    assert job is not None
    assert job.kind == "summarize"


async def test_a_single_message_closes_without_a_summary(group: Attributing) -> None:
    await group.say(group.message(1, "Ann", "Good morning everybody"))
    await group.attribute()
    group.clock.turn(hours=7)

    assert await close(group) == 1
    assert (await group.state())["jobs"][0] == 0


async def test_a_group_without_summaries_gets_none(group: Attributing) -> None:
    await group.set(enable_summaries=False)
    await talk(group)
    group.clock.turn(hours=7)

    assert await close(group) == 1
    assert (await group.state())["jobs"][0] == 0


async def test_a_group_may_keep_its_topics_open_for_longer(group: Attributing) -> None:
    await group.set(topic_idle_hours=48)
    await talk(group)
    group.clock.turn(hours=47)
    assert await close(group) == 0
    group.clock.turn(hours=2)

    assert await close(group) == 1


async def test_a_reply_opens_a_closed_topic_again(group: Attributing) -> None:
    await talk(group)
    group.clock.turn(hours=7)
    await close(group)

    await group.say(group.message(3, "Cid", "Which one?", at=group.clock(), reply_message_id="m2"))
    await group.attribute()

    (topic,) = await group.topics()
    assert (topic.is_active, topic.message_count) == (True, 3)


async def test_what_is_said_in_it_meanwhile_keeps_a_topic_open(group: Attributing) -> None:
    """The sweep read it as idle; before it writes, somebody replies."""
    await talk(group)
    group.clock.turn(hours=7)
    deps = group.made
    (idle,), _ = await deps.topics.closing(group.clock(), 10)
    await group.say(group.message(3, "Cid", "Which one?", at=group.clock(), reply_message_id="m2"))
    await group.attribute()

    class Late:
        """The store as it was a moment ago."""

        def __getattr__(self, name: str) -> object:
            return getattr(deps.topics, name)

        async def closing(self, *_: object) -> tuple[list[object], bool]:
            return [idle], False

    late = replaced(deps, topics=Late())
    assert (await handle_close.close_idle(late)).total == 0
    assert (await group.topics())[0].is_active


async def test_a_closed_topic_nobody_takes_up_goes_to_the_archive(group: Attributing) -> None:
    await talk(group)
    group.clock.turn(hours=7)
    await close(group)
    group.clock.at += ARCHIVE_AFTER - timedelta(minutes=1)
    assert (await handle_close.close_idle(group.made)).archived == 0
    group.clock.turn(minutes=1)

    assert (await handle_close.close_idle(group.made)).archived == 1
    assert (await handle_close.close_idle(group.made)).archived == 0
    assert (await group.topics())[0].is_archived


@pytest.mark.parametrize("is_summarized", [True, False])
async def test_a_closed_topic_is_indexed_once(group: Attributing, is_summarized: bool) -> None:
    """With its summary, if it gets one: a request of its own would be billed like five lines."""
    await talk(group)
    group.clock.turn(hours=7)
    requests: list[object] = []

    class Counting:
        async def apply(self, *asked: object) -> None:
            requests.append(asked)

    settings = group.made.settings.replaced(enable_summaries=is_summarized)
    deps = replaced(group.made, vectors=Counting(), settings=settings)
    assert (await handle_close.close_idle(deps)).total == 1

    assert len(requests) == (0 if is_summarized else 1)


async def test_without_the_index_topics_close_all_the_same(group: Attributing) -> None:
    await talk(group)
    group.clock.turn(hours=7)

    class Away:
        async def apply(self, *_: object) -> None:
            from shared.errors import Transient

            raise Transient("Pinecone did not answer")

    away = replaced(group.made, vectors=Away())
    assert (await handle_close.close_idle(away)).total == 1


async def test_pages_go_on_until_every_idle_topic_is_closed_once(
    group: Attributing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handle_close, "TOPICS_A_CALL", 1)
    await talk(group)
    await group.say(
        group.message(3, "Cid", "My bike has a flat tyre", at=group.clock(), thread_id="bike"),
        group.message(4, "Dee", "There is a pump", at=group.clock(), reply_message_id="m3"),
    )
    await group.attribute()
    topics = len((await group.state())["topics"])
    group.clock.turn(hours=7)

    pages = [await handle_close.close_idle(group.made) for _ in range(topics + 1)]

    assert topics > 1
    assert [one.total for one in pages] == [1] * topics + [0]
    assert all(one.is_more for one in pages[: topics - 1])
    assert not pages[-1].is_more
    assert not any(one.is_active for one in (await group.state())["topics"])


class KeptTasks:
    """A queue that keeps what was sent, one task for one id."""

    def __init__(self) -> None:
        self.bodies: dict[tuple[str, str], dict[str, Any]] = {}

    async def send(
        self,
        queue: str,
        task_id: str,
        path: str,
        body: dict[str, Any],
        *,
        at: datetime | None = None,
    ) -> None:
        if path == "/cron/topics":
            self.bodies[queue, task_id] = body

    async def is_waiting(self, queue: str, task_id: str) -> bool:
        return False


async def test_the_schedule_sends_a_task_for_each_next_page_until_none_is_due(
    group: Attributing, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, a_second = KeptTasks(), timedelta(seconds=1)
    dispatch = Dispatch(kept, group.clock, Slots(a_second, a_second, a_second))
    monkeypatch.setattr(handle_close, "TOPICS_A_CALL", 1)
    monkeypatch.setattr(routes_tasks, "services", lambda: group.made)
    monkeypatch.setitem(vars(group.made), "dispatch", dispatch)
    await talk(group)
    await group.say(
        group.message(3, "Cid", "My bike has a flat tyre", at=group.clock(), thread_id="bike"),
        group.message(4, "Dee", "There is a pump", at=group.clock(), reply_message_id="m3"),
    )
    await group.attribute()
    topics = len((await group.state())["topics"])
    group.clock.turn(hours=7)

    answers, done = [await routes_tasks.close_idle_topics()], 0
    while done < len(kept.bodies):
        page = ClosingPage(**list(kept.bodies.values())[done])
        answers.append(await routes_tasks.close_idle_topics(page))
        done += 1

    assert topics > 1
    assert sum(one.total for one in answers) == topics
    assert len(kept.bodies) == len(answers) - 1 >= topics - 1
    assert [body["number"] for body in kept.bodies.values()] == list(range(1, len(answers)))
    assert {queue for queue, _ in kept.bodies} == {"summarize"}
    assert not any(one.is_active for one in (await group.state())["topics"])
    sent = len(kept.bodies)
    await routes_tasks.close_idle_topics(ClosingPage(**next(iter(kept.bodies.values()))))
    assert len(kept.bodies) == sent, "nothing is due any more: no further task"
